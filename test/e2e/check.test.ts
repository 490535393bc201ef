import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { until } from '../host/until.js';
import { writeTree } from '../unit/documents/missing/tree.js';
import { draw } from './drawings.js';
import { file, service, useHarbor, workbench } from './harbor.js';

/** Links in every format, 20 of them without alternative texts; `@` is the number of the picture. */
const documents: Readonly<Record<string, readonly string[]>> = {
	'docs/guide.md': [
		...['![](../img/@.png)', '| a |\n|---|\n| ![](../img/@.png) |', '<img src="../img/@.png">'],
		...['- ![](../img/@.png)', '![](../img/@.png "The old pier")', '![][p]\n\n[p]: ../img/@.png'],
		...['![](../img/@.png)', '![](../img/@.png)'],
	],
	'docs/page.mdx': ['![](../img/@.png)', '<img src="../img/@.png" />'],
	'docs/page.adoc': ['image::../img/@.png[]', 'See image:../img/@.png[width=30].'],
	'docs/page.rst': ['.. image:: ../img/@.png', '* .. image:: ../img/@.png\n     :width: 30'],
	'docs/page.html': ['<img src="../img/@.png">', '<p><img src="../img/@.png" width="3"></p>'],
	'docs/page.tex': [
		'\\includegraphics{../img/@.png}',
		'\\includegraphics[width=1cm]{../img/@.png}',
	],
	'docs/page.typ': ['#image("../img/@.png")', '#image("../img/@.png", width: 3cm)'],
};

suite('Check images', () => {
	const files = Object.keys(documents);

	useHarbor({
		isEmpty: true,
		settings: { 'easel.words.model': 'words-1', 'easel.words.provider': 'chat' },
		prepare: async () => {
			const settings = { rules: { 'image-weight': 'off' } };
			await writeTree(file(), { '.easel/check.json': JSON.stringify(settings) });
			const picture = await draw('a pier');
			let number = 0;
			for (const [name, links] of Object.entries(documents)) {
				const text = links.map((link) => link.replace('@', String(++number))).join('\n\n');
				await writeTree(file(), { [name]: `${text}\n` });
			}
			for (let index = 1; index <= number; index++) {
				await writeTree(file(), { [`img/${String(index)}.png`]: picture });
			}
		},
	});

	const read = async () =>
		(await Promise.all(files.map((name) => readFile(file(name), 'utf8')))).join('\n');

	test('20 images without alternative texts have them after fewer than 25 presses', async () => {
		let presses = 0;
		const { keyboard } = workbench.page;
		const press = async (name: string) => {
			presses++;
			await keyboard.press(name);
		};
		for (let index = 0; index < 19; index++) {
			service.modelReplies.push(`Pier | number "${String(index)}" [end]`);
		}
		await workbench.runCommand('Easel: Check Images…');
		await workbench.waitForQuickInput('20 findings');
		await workbench.waitForItems(/no alternative text/);
		await workbench.screenshot('check-list');
		await workbench.quickInputStands();
		await press('Enter');
		await workbench.waitForQuickInput('Enter sends this to the language model');
		await workbench.quickInputStands();
		await workbench.screenshot('check-question');
		await press('Enter');
		await workbench.waitForQuickInput('Ticked texts are accepted');
		await workbench.waitForItems(/Pier \| number/);
		await workbench.quickInputStands();
		await workbench.screenshot('check-review');
		await press('Enter');
		const preview = workbench.page.locator('.bulk-edit-panel');
		await preview.getByText('guide.md').waitFor();
		presses++;
		// All rows are on the screen then.
		const panel = workbench.page.locator('.part.panel');
		await panel.getByRole('button', { name: /Maximize/ }).click();
		await preview.getByText('page.typ').waitFor();
		for (const file of files) {
			presses++;
			const row = preview.locator('.monaco-list-row', { hasText: posix.basename(file) }).first();
			await row.locator('.edit-checkbox').click();
		}
		await workbench.screenshot('check-preview');
		presses++;
		await preview.getByRole('button', { name: 'Apply' }).click();
		await workbench.runCommand('File: Save All');
		await until(async () => (await read()).match(/Pier/g)?.length === 19, '19 texts');
		// The one with a title has that for its text, without a call.
		assert.ok(presses < 25, String(presses));
		await workbench.runCommand('Easel: Check Images…');
		await workbench.waitForNotification(/Nothing to mend: 7 documents/);
	});
});
