import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { makeReadable } from '../../src/features/compare/imagePanel.js';
import { rare } from '../host/rare';
import { until } from '../host/until.js';
import { atEnd } from './atEnd.js';
import { inRoot, remove, root } from './workspace.js';

suite('easel.compareImages', () => {
	const at = (...names: string[]) => vscode.Uri.joinPath(root(), ...names);

	suiteSetup(async () => {
		await mkdir(inRoot('before'));
		await mkdir(inRoot('after'));
		// Whether the content is an image is for the panel to say.
		for (const uri of [at('before', 'pier.png'), at('after', 'pier.png'), at('after', 'sea.png')]) {
			await vscode.workspace.fs.writeFile(uri, Buffer.from('not an image'));
		}
	});

	teardown(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

	suiteTeardown(async () => {
		await remove('before');
		await remove('after');
	});

	function titles(): string[] {
		return vscode.window.tabGroups.all
			.flatMap((group) => group.tabs)
			.filter(({ input }) => input instanceof vscode.TabInputWebview)
			.map(({ label }) => label);
	}

	/** Runs the command and waits for the tabs that it leaves. */
	async function compare(expected: readonly string[], ...given: unknown[]): Promise<void> {
		await vscode.commands.executeCommand('easel.compareImages', ...given);
		await new Promise<void>((resolve) => {
			const check = () => {
				if (titles().join() === expected.join()) {
					listener.dispose();
					resolve();
				}
			};
			const listener = vscode.window.tabGroups.onDidChangeTabs(check);
			check();
		});
	}

	test('takes two images, and shows the same two only once', async () => {
		const [pier, sea] = [at('before', 'pier.png'), at('after', 'sea.png')];
		await compare(['pier.png ↔ sea.png'], pier, sea);
		await compare(['pier.png ↔ sea.png'], pier, sea);
		await compare(['pier.png ↔ sea.png', 'sea.png ↔ pier.png'], sea, pier);
	});

	rare('takes the selection of the explorer in its order', async () => {
		const [pier, sea] = [at('after', 'pier.png'), at('after', 'sea.png')];
		await compare(['pier.png ↔ sea.png'], sea, [pier, sea]);
	});

	test('tells two files of one name apart by their folders', async () => {
		const pair = [at('before', 'pier.png'), at('after', 'pier.png')];
		await compare(['before/pier.png ↔ after/pier.png'], ...pair);
	});

	/** Returns the folder that a page may read for each of these images. */
	function rootsOf(...images: readonly vscode.Uri[]): string[] {
		return images.map((image) => makeReadable(image).root.toString());
	}

	test('reads an image of the workspace from its own folder', () => {
		const image = at('before', 'pier.png');
		assert.deepEqual(rootsOf(image), [at('before').toString()]);
	});

	test('opens no other folder for a file that lies elsewhere, however it is named', () => {
		const top = vscode.Uri.file('/x.png');
		const elsewhere = [
			top,
			vscode.Uri.parse('file:///x.png'),
			vscode.Uri.file('/home/another/x.png'),
			root().with({ path: `${root().path}/../../../../../../../../x.png` }),
			root().with({ path: `${root().path}/before/../../x.png` }),
			at('before', 'pier.png').with({ scheme: 'git', query: '{"ref":"HEAD"}' }),
		];
		const own = vscode.Uri.file(tmpdir()).toString();
		for (const folder of rootsOf(...elsewhere)) {
			assert.match(folder.slice(own.length), /^\/easel-compare-[\da-f-]{36}$/);
			assert.ok(folder.startsWith(own));
		}
		assert.equal(new Set(rootsOf(top, top)).size, 2);
	});

	test('reads a file that lies elsewhere from a copy, as it is now, until it is closed', async () => {
		const folder = await mkdtemp(path.join(tmpdir(), 'elsewhere-'));
		const image = vscode.Uri.file(path.join(folder, 'x.png'));
		const readable = makeReadable(image);
		atEnd(() => rm(folder, { recursive: true, maxRetries: 10 }));
		for (const text of ['first', 'second']) {
			await writeFile(image.fsPath, text);
			const source = await readable.source();
			assert.equal(path.dirname(source.fsPath), readable.root.fsPath);
			assert.equal(path.extname(source.fsPath), '.png');
			assert.equal(await readFile(source.fsPath, 'utf8'), text);
		}
		assert.equal((await stat(readable.root.fsPath)).mode & 0o777, 0o700);
		readable.dispose();
		await until(
			() =>
				stat(readable.root.fsPath).then(
					() => false,
					() => true,
				),
			'the copy to go',
		);
	});

	rare('opens nothing for three', async () => {
		const three = [at('before', 'pier.png'), at('after', 'pier.png'), at('after', 'sea.png')];
		await compare([], three[0], three);
		await compare(['pier.png ↔ sea.png'], three[0], three[2]);
	});
});
