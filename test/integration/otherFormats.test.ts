import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { detectFormat } from '../../src/images/inspect.js';
import { readProvenance } from '../../src/recipes/provenance.js';
import type { ImageService } from '../service/server.js';
import { acceptingQuickInputs } from './questions.js';
import { closeService, openService } from './service.js';
import { inRoot, remove, root, setSetting } from './workspace.js';

suite('Images that are no PNG', () => {
	let service: ImageService;

	setup(async () => {
		service = await openService({ manner: 'local' });
		await setSetting('easel.service.type', 'local');
	});

	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await setSetting('easel.service.type', undefined);
		await closeService(service);
		await remove('formats');
	});

	for (const [format, extension] of [
		['webp', '.webp'],
		['jpeg', '.jpg'],
	] as const) {
		test(`are named by their content, linked, edited and regenerated: ${format}`, async () => {
			service.faults.add({ format });
			await mkdir(inRoot('formats'));
			await writeFile(inRoot(`formats/${format}.md`), '# A\n\n');
			const uri = vscode.Uri.file(inRoot(`formats/${format}.md`));
			const editor = await vscode.window.showTextDocument(uri);
			editor.selection = new vscode.Selection(2, 0, 2, 0);
			const size = '512x512';
			await vscode.commands.executeCommand('easel.generateImage', {
				...{ prompt: 'a fox', size, output: 'formats/fox.png', insert: true },
			});
			assert.equal(editor.document.getText(), `# A\n\n![a fox](fox${extension})`);
			await vscode.commands.executeCommand('easel.editWithPrompt', {
				...{ prompt: 'at night', size, references: [`formats/fox${extension}`] },
			});
			assert.equal(service.requests.at(-1)?.references[0]?.contentType, `image/${format}`);
			const fox = vscode.Uri.joinPath(root(), 'formats', `fox${extension}`);
			await acceptingQuickInputs(vscode.commands.executeCommand('easel.regenerateImage', fox));
			const names = (await readdir(inRoot('formats')))
				.filter((name) => !name.endsWith('.md'))
				.sort();
			const expected = ['fox-1', 'fox-at-night', 'fox'].map((name) => name + extension);
			assert.deepEqual(names, expected);
			for (const name of names) {
				const file = inRoot('formats', name);
				assert.equal(detectFormat(await readFile(file)), format);
				const { where, recipe } = await readProvenance(file);
				assert.equal(where, 'inImage');
				assert.equal(recipe?.prompt, name.includes('night') ? 'at night' : 'a fox');
			}
		});
	}
});
