import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { inspectUri } from '../../src/editor/images.js';
import { sha256Of } from '../../src/images/hash.js';
import { exists } from '../../src/files/exists.js';
import { ImageError, inspectImage } from '../../src/images/inspect.js';
import { until } from '../host/until.js';
import { atEnd } from './atEnd.js';
import { MemoryFiles } from './memoryFiles.js';
import { acceptingQuickInputs } from './questions.js';
import { service, useService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { inRoot, remove, root } from './workspace.js';
import { rare } from '../host/rare.js';

suite('easel.editWithPrompt, driven by its argument', () => {
	useService();

	suiteSetup(async () => {
		await mkdir(inRoot('art'));
		for (const [prompt, name] of [
			['first', 'art/diagram.png'],
			['second', 'art/灯塔 & Türme.png'],
		]) {
			await vscode.commands.executeCommand('easel.generateImage', { prompt, output: name });
		}
	});

	suiteTeardown(async () => {
		await remove('art');
		await remove('images');
	});

	async function edit(...args: unknown[]): Promise<string[] | undefined> {
		const uris = await vscode.commands.executeCommand<vscode.Uri[] | undefined>(
			'easel.editWithPrompt',
			...args,
		);
		return uris?.map((uri) => path.relative(root().fsPath, uri.fsPath));
	}

	test('saves beside the original under a name that says what has changed', async () => {
		const before = await readFile(inRoot('art/diagram.png'));
		const saved = await edit({
			prompt: 'make it a night scene',
			references: ['art/diagram.png'],
		});
		assert.deepEqual(saved, [path.join('art', 'diagram-night-scene.png')]);
		assert.ok(before.equals(await readFile(inRoot('art/diagram.png'))));
		assert.equal((await inspectImage(inRoot('art/diagram-night-scene.png'))).width, 1024);
		const request = service.requests.at(-1);
		assert.equal(request?.endpoint, 'edits');
		assert.deepEqual(
			request.references.map(({ field, sha256, contentType }) => [field, sha256, contentType]),
			[['image', await sha256Of(inRoot('art/diagram.png')), 'image/png']],
		);
	});

	test('an image that is a Git LFS pointer leads to the command that fetches it', async () => {
		const { createTerminal } = vscode.window;
		const typed: unknown[] = [];
		const terminal = {
			show: () => undefined,
			sendText: (...given: unknown[]) => typed.push(...given),
		};
		const messages = new ShownMessages(['showErrorMessage'], () => 'Open Terminal');
		await writeFile(
			inRoot('art/pointer.png'),
			'version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 12345\n',
		);
		Object.assign(vscode.window, { createTerminal: () => terminal });
		atEnd(() => Object.assign(vscode.window, { createTerminal }));
		await edit({ prompt: 'at night', references: ['art/pointer.png'] });
		await until(() => typed.length > 0, 'the command to stand in a terminal');
		assert.match(messages.reported.at(-1) ?? '', /Git LFS pointer.* \| Open Terminal \| Choose/);
		assert.deepEqual(typed, ['git lfs pull', false], 'not run');
	});

	rare('that is changed after a failure goes where it was asked for', async () => {
		service.faults.add({ status: 400, times: 1, message: 'Not like this.' });
		const failures = new ShownMessages(['showErrorMessage'], ({ buttons }) =>
			buttons.find((button) => button.startsWith('Change Request')),
		);
		const output = 'art/chosen.png';
		await edit({ prompt: 'in the rain', references: ['art/diagram.png'], output });
		await until(() => failures.all.length > 0, 'the failure to be reported');
		await acceptingQuickInputs(until(() => exists(inRoot(output)), output));
	});

	test('what is no image, empty, damaged, a folder or gone is refused before any request', async () => {
		const whole = await readFile(inRoot('art/diagram.png'));
		await writeFile(inRoot('art/text.png'), 'just text');
		await writeFile(inRoot('art/empty.png'), '');
		await writeFile(inRoot('art/damaged.png'), whole.subarray(0, 20));
		await mkdir(inRoot('art/folder.png'));
		const before = service.requests.length;
		for (const name of ['text', 'empty', 'damaged', 'folder', 'gone']) {
			const references = ['art/diagram.png', `art/${name}.png`];
			assert.deepEqual(await edit({ prompt: 'p', references }), [], name);
		}
		assert.equal(service.requests.length, before);
	});

	test('a wrong field is an error that names the command and the field', async () => {
		await assert.rejects(
			edit({ prompt: 'p', references: ['../outside.png'] }),
			/easel\.editWithPrompt: references\[0\]: .*workspace folder/,
		);
		await assert.rejects(edit({ prompt: 5 }), /easel\.editWithPrompt: prompt: /);
		for (const insert of [true, false]) {
			await assert.rejects(
				edit({ prompt: 'p', references: ['art/diagram.png'], insert }),
				/easel\.editWithPrompt: insert: is only valid for easel\.generateImage\.$/,
			);
		}
		await assert.rejects(
			edit({ prompt: 'p', place: 'here' }),
			/easel\.editWithPrompt: place: is not a known field\. Known fields are (?!.*insert).*style\.$/,
		);
	});

	rare('images of virtual file systems are read, copied and sent', async () => {
		const bytes = await readFile(inRoot('art/diagram.png'));
		const uri = vscode.Uri.parse('edit-test:/remote/picture.png');
		const memory = new MemoryFiles();
		memory.writeFile(uri, bytes);
		const provider = vscode.workspace.registerFileSystemProvider('edit-test', memory, {
			isReadonly: true,
		});
		atEnd(() => provider.dispose());
		assert.equal((await inspectUri(uri)).bytes, bytes.length);
		await assert.rejects(
			inspectUri(uri.with({ path: '/remote/gone.png' })),
			(error) => error instanceof ImageError && error.kind === 'missing',
		);
	});
});
