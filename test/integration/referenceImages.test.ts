import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstat, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { referenceSource } from '../../src/generation/referenceImages.js';
import { ImageError, maxImageBytes } from '../../src/images/inspect.js';
import { rare } from '../host/rare';
import { drawPng } from './images.js';

suite('Reference images', () => {
	let folder: string;

	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-references-'));
	});

	teardown(() => rm(folder, { recursive: true, maxRetries: 10 }));

	const at = (name: string) => path.join(folder, name);
	const fetch = (name: string, copy = at('copy')) =>
		referenceSource(vscode.Uri.file(at(name))).fetch(copy);

	rare('that are links are copied as their targets, readable by the owner alone', async () => {
		const picture = await drawPng('a pier');
		await writeFile(at('a.png'), picture, { mode: 0o644 });
		await symlink(at('a.png'), at('link.png'));
		await fetch('link.png');
		// Another picture from now on: the order has the one of its own time.
		await writeFile(at('a.png'), await drawPng('a bridge'));
		assert.ok((await lstat(at('copy'))).isFile());
		assert.ok(picture.equals(await readFile(at('copy'))));
		if (process.platform !== 'win32') {
			assert.equal((await lstat(at('copy'))).mode & 0o777, 0o600);
		}
		// As after a try that has failed in the middle.
		await fetch('link.png');
	});

	test('that are none are refused at once', async () => {
		const refused = (name: string, kind: ImageError['kind']) =>
			assert.rejects(fetch(name), (error: unknown) => {
				assert.ok(error instanceof ImageError, String(error));
				assert.equal(error.kind, kind, name);
				return true;
			});
		await refused('gone.png', 'missing');
		await writeFile(at('huge.png'), '');
		await truncate(at('huge.png'), maxImageBytes + 1);
		await refused('huge.png', 'tooLarge');
		if (process.platform !== 'win32') {
			await symlink('/dev/zero', at('device.png'));
			await refused('device.png', 'unreadable');
			execFileSync('mkfifo', [at('pipe.png')]);
			await refused('pipe.png', 'unreadable');
		}
	});
});
