import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { namedFolder, remotePath } from '../../../src/files/namedFolder';

const base = path.resolve('/work/docs');

suite('files › namedFolder', () => {
	for (const [text, folder] of [
		['guide', path.join(base, 'guide')],
		['../other', path.resolve('/work/other')],
		['.', base],
		['~', homedir()],
		['~/site', path.join(homedir(), 'site')],
		['~x', path.join(base, '~x')],
		[pathToFileURL(path.resolve('/my docs')).href, path.resolve('/my docs')],
		['vscode-remote://ssh-remote%2Bhost/my%20docs', path.resolve('/my docs')],
		['vscode-remote://%zz/docs', path.resolve(base, 'vscode-remote://%zz/docs')],
	] as const) {
		test(`takes ${text} for ${folder}`, () => {
			assert.equal(namedFolder(text, base), folder);
		});
	}

	for (const [text, remoteName, place] of [
		['vscode-remote://ssh-remote+host/a%20b.png', 'ssh-remote', '/a b.png'],
		['vscode-remote://wsl%2Bubuntu/a.png', 'wsl', '/a.png'],
		['vscode-remote://ssh-remote+host/a.png', 'wsl', undefined],
		['file:///a.png', 'wsl', undefined],
	] as const) {
		test(`finds ${String(place)} for ${text} in a window of ${remoteName}`, () => {
			assert.equal(remotePath(text, remoteName), place);
		});
	}
});
