import assert from 'node:assert/strict';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { EaselError } from '../../src/easelError.js';
import { sha256Of } from '../../src/images/hash.js';
import { registerHiddenCommand } from '../../src/editor/commands.js';
import { findTarget } from '../../src/asking/target.js';
import { inspectImage } from '../../src/images/inspect.js';
import { until } from '../host/until.js';
import { atEnd } from './atEnd.js';
import { service, useService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { inRoot, remove, root, writeWorkspaceSettings } from './workspace.js';
import { rare } from '../host/rare.js';

suite('easel.generateImage, driven by its argument', () => {
	useService();

	setup(() => {
		service.faults.clear();
	});

	teardown(async () => {
		await remove('images');
		await remove('out');
	});

	async function generate(argument: object): Promise<string[] | undefined> {
		const uris = await vscode.commands.executeCommand<vscode.Uri[] | undefined>(
			'easel.generateImage',
			argument,
		);
		return uris?.map((uri) => path.relative(root().fsPath, uri.fsPath));
	}

	/** Returns the fields of the last request at the service, as an object. */
	function sent(): Record<string, unknown> {
		const fields = service.requests.at(-1)?.fields ?? [];
		return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
	}

	test('asks nothing, saves the image where the settings say, and returns its URI', async () => {
		assert.deepEqual(await generate({ prompt: 'A harbor, at night' }), [
			path.join('images', 'harbor-at-night.png'),
		]);
		const image = await inspectImage(inRoot('images', 'harbor-at-night.png'));
		assert.deepEqual([image.width, image.height], [1024, 1024]);
	});

	rare('takes size, quality and count', async () => {
		const saved = await generate({
			prompt: 'three of them',
			size: '1024x1536',
			quality: 'low',
			count: 3,
		});
		assert.deepEqual(
			saved?.sort(),
			['three-of-them-1.png', 'three-of-them-2.png', 'three-of-them-3.png'].map((name) =>
				path.join('images', name),
			),
		);
		assert.equal(sent()['size'], '1024x1536');
		assert.equal(sent()['quality'], 'low');
		assert.equal(sent()['n'], 1);
	});

	rare(
		'offers to update the links to an image that is renamed, and leaves them alone otherwise',
		async () => {
			await generate({ prompt: 'a pier', output: 'out/pier.png' });
			const page = inRoot('out', 'page.md');
			await writeFile(page, 'Here: ![a pier](pier.png) and ![](pier.png "The pier")\n');
			const rename = async (from: string, to: string) => {
				const edit = new vscode.WorkspaceEdit();
				edit.renameFile(vscode.Uri.file(inRoot('out', from)), vscode.Uri.file(inRoot('out', to)));
				await vscode.workspace.applyEdit(edit);
			};
			const shown = new ShownMessages(['showInformationMessage'], ({ text }) =>
				text.includes('dock.png') ? 'Update Links' : undefined,
			);
			await rename('pier.png', 'dock.png');
			const document = await vscode.workspace.openTextDocument(page);
			await until(
				() => document.getText() === 'Here: ![a pier](dock.png) and ![](dock.png "The pier")\n',
				'the links to be updated',
			);
			await until(() => shown.all.length === 2, 'the end of it');
			assert.deepEqual(shown.reported, [
				'pier.png is dock.png now. One document still links to the old name. | Update Links',
				'References in 1 document were updated.',
			]);
			await document.save();
			await rename('dock.png', 'quay.png');
			await until(() => shown.all.length === 3, 'the question');
			assert.match(await readFile(page, 'utf8'), /dock\.png/);
		},
	);

	rare('takes a file or a folder for its output, as path or as URI', async () => {
		assert.deepEqual(await generate({ prompt: 'one', output: 'out/exactly.png' }), [
			path.join('out', 'exactly.png'),
		]);
		assert.deepEqual(await generate({ prompt: 'two', output: 'out/deeper/' }), [
			path.join('out', 'deeper', 'two.png'),
		]);
		const uri = vscode.Uri.joinPath(root(), 'out/by-uri.png');
		assert.deepEqual(await generate({ prompt: 'three', output: uri }), [
			path.join('out', 'by-uri.png'),
		]);
	});

	test('calls edits with references, in their order', async () => {
		await generate({ prompt: 'first', output: 'out/b.png' });
		await generate({ prompt: 'second', output: 'out/a.png' });
		await generate({
			prompt: 'both',
			references: ['out/b.png', vscode.Uri.joinPath(root(), 'out/a.png')],
		});
		const request = service.requests.at(-1);
		assert.equal(request?.endpoint, 'edits');
		assert.deepEqual(
			request.references.map((file) => [file.field, file.sha256, file.contentType]),
			[
				['image[]', await sha256Of(inRoot('out/b.png')), 'image/png'],
				['image[]', await sha256Of(inRoot('out/a.png')), 'image/png'],
			],
		);
		assert.ok(!('quality' in sent()));
	});

	rare('an image that fails is not among those that are returned', async () => {
		service.faults.add({ status: 400, times: 1 });
		assert.equal((await generate({ prompt: 'one of two', count: 2 }))?.length, 1);
	});

	suite('refuses, naming the field, and sends nothing:', () => {
		async function refused(argument: unknown, field: string, reason: RegExp): Promise<void> {
			const before = service.requests.length;
			await assert.rejects(
				Promise.resolve(vscode.commands.executeCommand('easel.generateImage', argument)),
				(error: unknown) => {
					assert.ok(error instanceof Error);
					assert.ok(error.message.includes(`easel.generateImage: ${field}: `), error.message);
					assert.match(error.message, reason);
					return true;
				},
			);
			assert.equal(service.requests.length, before);
		}

		for (const [argument, field, reason] of [
			['just text', 'argument', /object/],
			[{ prompt: 5 }, 'prompt', /string/],
			[{ prompt: '  ' }, 'prompt', /empty/],
			[{ prompt: 'p', size: '10x10' }, 'size', /1024x1024/],
			[{ prompt: 'p', quality: 'best' }, 'quality', /high/],
			[{ prompt: 'p', count: 5 }, 'count', /4/],
			[{ prompt: 'p', count: 0 }, 'count', /1/],
			[{ prompt: 'p', count: 1.5 }, 'count', /int/],
			[{ prompt: 'p', color: 'red' }, 'color', /is not a known field\./],
			[{ prompt: 'p', output: 7 }, 'output', /URI or a path/],
			[{ prompt: 'p', output: '../x.png' }, 'output', /outside the workspace folder/],
			[{ prompt: 'p', output: '/etc/x.png' }, 'output', /outside the workspace folder/],
			[{ prompt: 'p', output: 'x.jpg' }, 'output', /\.png/],
			[{ prompt: 'p', output: '.git/refs/x.png' }, 'output', /managed by other programs/],
			[{ prompt: 'p', output: 'https://e.x/a.png' }, 'output', /outside the workspace folder/],
			[{ prompt: 'p', references: ['../x.png'] }, 'references[0]', /outside the workspace folder/],
			[{ prompt: 'p', references: [1] }, 'references.0', /URI or a path/],
		] as const) {
			test(JSON.stringify(argument), () => refused(argument, field, reason));
		}

		test('references and output that are links out of the workspace', async () => {
			const outside = path.join(path.dirname(inRoot()), 'outside.png');
			await writeFile(outside, 'a secret');
			await symlink(outside, inRoot('link.png'));
			await symlink(path.dirname(outside), inRoot('linked'));
			atEnd(() => remove('linked'));
			atEnd(() => remove('link.png'));
			const reference = { prompt: 'p', references: ['link.png'] };
			await refused(reference, 'references[0]', /outside the workspace folder/);
			await refused(
				{ prompt: 'p', output: 'linked/x.png' },
				'output',
				/outside the workspace folder/,
			);
			const uri = vscode.Uri.file(outside);
			await refused({ prompt: 'p', references: [uri] }, 'references[0]', /workspace folder/);
			await refused({ prompt: 'p', output: uri }, 'output', /workspace folder/);
		});
	});

	for (const [how, destination, place] of [
		['a file in the way', '%/deeper/', (at: string) => writeFile(at, '')],
		['a circle of links', '%/', (at: string) => symlink(path.basename(at), at)],
		['a name that is too long', `%${'x'.repeat(300)}/`, undefined],
	] as const) {
		rare(
			`a link in a setting of the workspace is reported as text, and sends nothing: ${how}`,
			async () => {
				const link = '[Repair it here](command:workbench.action.quit)';
				const before = service.requests.length;
				await place?.(inRoot(link));
				await writeWorkspaceSettings({
					'markdown.copyFiles.destination': { '**/*.md': destination.replace('%', link) },
				});
				const document = vscode.Uri.file(inRoot('README.md'));
				await vscode.window.showTextDocument(document);
				const finding = registerHiddenCommand('_easel.test.findTarget', () =>
					findTarget({
						operation: 'generate',
						prompt: 'a fox',
						size: '1024x1024',
						count: 1,
						references: [],
						document: document.toString(),
						workspaceFolder: root().toString(),
					}),
				);
				try {
					assert.equal(await generate({ prompt: 'a fox', insert: true }), undefined);
					await assert.rejects(
						Promise.resolve(vscode.commands.executeCommand('_easel.test.findTarget', 'argument')),
						(error: unknown) => {
							assert.ok(error instanceof EaselError);
							assert.match(error.message, /copyFiles\.destination.*Repair it here/);
							assert.ok(!error.message.includes(']('), error.message);
							return true;
						},
					);
				} finally {
					finding.dispose();
					await remove('.vscode');
					await remove(link);
					await vscode.commands.executeCommand('workbench.action.closeAllEditors');
				}
				assert.equal(service.requests.length, before);
			},
		);
	}

	test('a setting that names an address, or a folder of other programs, is refused', async () => {
		const draft = { operation: 'generate', prompt: 'a fox', size: '1024x1024' } as const;
		for (const folder of ['.git/images', 'docs/.git', 'https://e.x/images']) {
			await writeWorkspaceSettings({ 'easel.output.folder': folder });
			await assert.rejects(
				findTarget({ ...draft, count: 1, references: [], workspaceFolder: root().toString() }),
				/easel\.output\.folder.*(?:managed by other programs|outside the workspace)/,
				folder,
			);
		}
		await writeWorkspaceSettings({});
		await remove('.vscode');
	});
});
