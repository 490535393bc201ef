import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { resolveArguments } from '../../src/features/agents/callArguments.js';
import { placeMeantBy } from '../../src/features/agents/namedPaths.js';
import { AgentError } from '../../src/features/agents/paths.js';
import type { AgentPathKind } from '../../src/protocol/agentArguments.js';
import { drawPng } from './images.js';
import { inRoot, remove, root } from './workspace.js';

const folders = ['images', 'docs', 'site', '@brand'];

suite('Paths of agents', () => {
	const files = [
		...['images/a.png', 'images/my pier.png', 'images/50%25.png', '@brand/b.png'],
		...['site/static/img/logo.png', 'site/docs/img/beside.png', 'docs/c.png'],
	];

	suiteSetup(async () => {
		for (const file of files) {
			await mkdir(path.dirname(inRoot(file)), { recursive: true });
			await writeFile(inRoot(file), await drawPng('a'));
		}
		await writeFile(inRoot('docs', 'x.md'), '# X\n');
		await writeFile(inRoot('site', 'docusaurus.config.js'), 'module.exports = {};\n');
		await writeFile(inRoot('site', 'docs', 'page.md'), '# Page\n');
	});

	suiteTeardown(async () => {
		for (const folder of folders) {
			await remove(folder);
		}
	});

	const place = () => ({ root: root(), base: undefined });
	const inHome = () => `~/${path.relative(homedir(), inRoot('images', 'a.png'))}`;
	const ofName = (rest: string) => `${path.basename(root().fsPath)}/${rest}`;
	const inSite = () => vscode.Uri.file(inRoot('site', 'docs', 'page.md'));
	const addressOf = (file: string) => vscode.Uri.file(inRoot(file)).toString();

	/** Forms of paths, and the file that is meant; else why none is. */
	const forms: readonly (readonly [
		kind: AgentPathKind,
		text: string | (() => string),
		meant: string,
		document?: () => vscode.Uri,
	])[] = [
		['image', 'images/a.png', 'images/a.png'],
		['image', './images/a.png', 'images/a.png'],
		['image', 'images\\a.png', 'images/a.png'],
		['image', '.\\images//./a.png', 'images/a.png'],
		['image', 'docs/../images/a.png', 'images/a.png'],
		['document', '@docs/x.md', 'docs/x.md'],
		['image', '@brand/b.png', '@brand/b.png'],
		['image', '@/images/a.png', 'images/a.png'],
		['image', 'images/my%20pier.png', 'images/my pier.png'],
		['image', 'images/50%25.png', 'images/50%25.png'],
		['image', 'images/%zz.png', 'missing'],
		['image', inHome, 'images/a.png'],
		['image', () => inRoot('images', 'a.png'), 'images/a.png'],
		['image', () => addressOf('images/my pier.png'), 'images/my pier.png'],
		['image', () => `${addressOf('images/a.png')}#L1`, 'images/a.png'],
		['image', () => addressOf('images/a.png').replace('//', '//localhost'), 'images/a.png'],
		['document', () => ofName('docs/x.md'), 'docs/x.md'],
		['folder', () => ofName(''), ''],
		['folder', '.', ''],
		['folder', 'docs/', 'docs/'],
		['image', 'images/none.png', 'missing'],
		// The site of the document, else the workspace folder, has what begins with a slash.
		['image', '/img/logo.png', 'site/static/img/logo.png', inSite],
		['image', '/images/a.png', 'images/a.png'],
		['image', '/img/none.png', 'outside', inSite],
		// New files
		['target', 'images/new.png', 'images/new.png'],
		['target', '@images/new.png', 'images/new.png'],
		['target', 'images/a%20b.png', 'images/a b.png'],
		['target', 'fresh/new.png', 'fresh/new.png'],
		['target', 'fresh/', 'fresh/'],
		['target', 'images', 'images/'],
		['target', () => ofName('images/new.png'), 'images/new.png'],
		['target', () => addressOf('images/new.png'), 'images/new.png'],
		['target', '/img/new.png', 'site/static/img/new.png', inSite],
		['target', '/nowhere/new.png', 'outside', inSite],
		['target', 'images/a.svg', 'notAPath'],
		['target', 'fresh', 'notAPath'],
		['target', '.git/refs/heads/x.png', 'refused'],
		['target', 'docs/.GIT/', 'refused'],
		// None of this workspace
		['target', '../outside.png', 'outside'],
		['target', path.parse(homedir()).root + 'etc/a.png', 'outside'],
		['target', 'file:///etc/x.png', 'outside'],
		['image', '%2e%2e/%2e%2e/etc/passwd', 'outside'],
		['image', 'link/passwd', 'refused'],
		['image', 'C:\\Windows\\a.png', 'outside'],
		['image', 'vscode-remote://ssh-remote%2Bhost/home/me/a.png', 'outside'],
		['image', 'data:image/png;base64,iVBORw0KGgo=', 'notAPath'],
		['target', 'https://e.x/a.png', 'notAPath'],
		['image', 'images/a\0.png', 'notAPath'],
		['image', `images/${'a'.repeat(3000)}.png`, 'refused'],
	];

	for (const [kind, text, meant, document] of forms) {
		test(`${kind} ${String(text).slice(0, 60)} means ${meant || 'the folder'}`, async () => {
			if (meant === 'refused' && kind === 'image') {
				await symlink('/etc', inRoot('link')).catch(() => undefined);
			}
			const named = { kind, text: typeof text === 'string' ? text : text() };
			const meaning = await placeMeantBy(named, place(), document?.());
			await remove('link');
			const found = 'uri' in meaning ? meaning.uri.path : meaning.type;
			assert.equal(
				meaning.type === 'missing' && meant === 'missing' ? meaning.type : found,
				/\W|^$/.test(meant) ? path.posix.join(root().path, meant) : meant,
			);
		});
	}

	test('all problems of a call are in one answer, by the names of its fields, with an example', async () => {
		const picture = `data:image/png;base64,${'iVBORw0KGgo'.repeat(300)}`;
		const args = {
			...{ count: 9, draft: 'maybe', colour: 'red', seed: 7, size: 'large' },
			...{ references: ['images/none.png', picture], target: '/etc/a.png' },
			insert_into: { line: 0, document: '../x.md', place: 'top' },
		};
		const error = await resolveArguments('generate_image', args, place()).then(
			() => undefined,
			(thrown: unknown) => thrown,
		);
		assert.ok(error instanceof AgentError);
		const folder = root().fsPath;
		for (const words of [
			'prompt is missing or empty: a text of at most 32,000 characters, such as "A lighthouse',
			'count: 9 was given, but a whole number from 1 to 4, such as 1, is expected.',
			'draft: “maybe” was given, but true or false, such as true, is expected.',
			'size: “large” was given, but auto, or width and height in pixels, such as',
			'colour and seed are not fields here. The fields are prompt, workspace, request_key,',
			'insert_into.place is not a field here. The fields are document, line.',
			'insert_into.line: 0 was given, but a whole number of at least 1',
			`insert_into.document: “../x.md” lies outside of the workspace. Its folders are ${folder};`,
			`target: “/etc/a.png” lies outside of the workspace. Its folders are ${folder}; use a path in one of them, such as images/harbor.png.`,
			`references[0]: “images/none.png” was not found from ${folder}.`,
			'references[1]: data:image/png;base64, with 3,322 characters was given, but the path of an image',
			'Correct all of this and call again. Nothing was bought.',
		]) {
			assert.ok(error.message.includes(words), `${words}\n${error.message}`);
		}
		assert.doesNotMatch(error.message, /iVBOR|easel\./);
	});

	test('the same paths in other forms are the same call', async () => {
		const of = async (references: unknown, target: string, document: unknown) =>
			resolveArguments(
				'generate_image',
				{ prompt: 'A pier', references, target, insert_into: document },
				place(),
			);
		assert.deepEqual(
			await of('@images/a.png', addressOf('images/new.png'), ofName('docs/x.md')),
			await of(['./images\\a.png'], 'images/new.png', { document: 'docs/x.md', line: null }),
		);
	});
});
