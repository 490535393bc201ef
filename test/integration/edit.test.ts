import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { inspectUri } from '../../src/editor/images.js';
import { sha256Of } from '../../src/images/hash.js';
import { exists } from '../../src/files/exists.js';
import { ImageError, inspectImage } from '../../src/images/inspect.js';
import type { ImageService } from '../service/server.js';
import { until } from '../host/until.js';
import { acceptingQuickInputs } from './questions.js';
import { closeService, openService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { inRoot, remove, root } from './workspace.js';
import { rare } from '../host/rare.js';

suite('easel.editWithPrompt, driven by its argument', () => {
	let service: ImageService;

	suiteSetup(async () => {
		service = await openService();
		await mkdir(inRoot('art'));
		for (const [prompt, name] of [
			['first', 'art/diagram.png'],
			['second', 'art/灯塔 & Türme.png'],
		]) {
			await vscode.commands.executeCommand('easel.generateImage', { prompt, output: name });
		}
	});

	suiteTeardown(async () => {
		await closeService(service);
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

	rare(
		'an edit of an edit can be followed back: source and result have the same hash',
		async () => {
			const [made = ''] =
				(await edit({ prompt: 'at dusk', references: ['art/diagram.png'] })) ?? [];
			await edit({ prompt: 'with fireworks', references: [made] });
			const [sent] = service.requests.at(-1)?.references ?? [];
			assert.equal(sent?.sha256, await sha256Of(inRoot(made)));
		},
	);

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
		try {
			await edit({ prompt: 'at night', references: ['art/pointer.png'] });
			await until(() => typed.length > 0, 'the command to stand in a terminal');
			assert.match(messages.reported.at(-1) ?? '', /Git LFS pointer.* \| Open Terminal \| Choose/);
			assert.deepEqual(typed, ['git lfs pull', false], 'not run');
		} finally {
			Object.assign(vscode.window, { createTerminal });
			messages.dispose();
		}
	});

	rare(
		'names that are not ASCII go to the image, not to the service; several are image[] in their order',
		async () => {
			const references = ['art/灯塔 & Türme.png', 'art/diagram.png'];
			const saved = await edit({ prompt: 'both', references, size: '1536x1024' });
			assert.deepEqual(saved, [path.join('art', '灯塔-Türme-both.png')]);
			const request = service.requests.at(-1);
			assert.deepEqual(
				request?.references.map(({ field, fileName, sha256 }) => [field, fileName, sha256]),
				[
					['image[]', 'reference-1.png', await sha256Of(inRoot('art/灯塔 & Türme.png'))],
					['image[]', 'reference-2.png', await sha256Of(inRoot('art/diagram.png'))],
				],
			);
			assert.deepEqual(request?.fields.map(({ name }) => name).sort(), [
				'model',
				'n',
				'output_format',
				'prompt',
				'response_format',
				'size',
			]);
		},
	);

	rare('that is changed after a failure goes where it was asked for', async () => {
		service.faults.add({ status: 400, times: 1, message: 'Not like this.' });
		const failures = new ShownMessages(['showErrorMessage'], ({ buttons }) =>
			buttons.find((button) => button.startsWith('Change Request')),
		);
		try {
			const output = 'art/chosen.png';
			await edit({ prompt: 'in the rain', references: ['art/diagram.png'], output });
			await until(() => failures.all.length > 0, 'the failure to be reported');
			await acceptingQuickInputs(until(() => exists(inRoot(output)), output));
		} finally {
			failures.dispose();
		}
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
		const provider = vscode.workspace.registerFileSystemProvider('edit-test', oneFile(bytes), {
			isReadonly: true,
		});
		try {
			const uri = vscode.Uri.parse('edit-test:/remote/picture.png');
			assert.equal((await inspectUri(uri)).bytes, bytes.length);
			await assert.rejects(
				inspectUri(uri.with({ path: '/remote/gone.png' })),
				(error) => error instanceof ImageError && error.kind === 'missing',
			);
		} finally {
			provider.dispose();
		}
	});
});

/** A file system with the one file `/remote/picture.png`. */
function oneFile(bytes: Uint8Array): vscode.FileSystemProvider {
	const none = () => {
		throw vscode.FileSystemError.NoPermissions();
	};
	const stat = ({ path: file }: vscode.Uri): vscode.FileStat => {
		if (file !== '/remote/picture.png') {
			throw vscode.FileSystemError.FileNotFound(file);
		}
		return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: bytes.length };
	};
	return {
		onDidChangeFile: new vscode.EventEmitter<vscode.FileChangeEvent[]>().event,
		watch: () => new vscode.Disposable(() => undefined),
		stat,
		readFile: (uri) => (stat(uri), bytes),
		readDirectory: () => [],
		createDirectory: none,
		writeFile: none,
		delete: none,
		rename: none,
	};
}
