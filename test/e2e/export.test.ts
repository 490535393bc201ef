import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { loadImage } from '@napi-rs/canvas';
import { until } from '../host/until.js';
import { writeTree } from '../unit/documents/missing/tree.js';
import { draw } from './drawings.js';
import { file, useHarbor, workbench } from './harbor.js';

/** The pictures of three documents, in which twelve of them are shown. */
const names = ['anchor', 'boat', 'crane', 'dock', 'eel', 'ferry', 'gull', 'hull', 'isle', 'jetty'];
const pictures = [...names, 'keel', 'lamp'];

suite('Light pages', () => {
	const documents = ['guide.md', 'page.html', 'page.rst'];

	useHarbor({
		...{ isEmpty: true, isNew: true },
		prepare: async () => {
			for (const name of pictures) {
				await writeTree(file(), { [`img/${name}.png`]: await draw(`a ${name}`, '1536x1024') });
			}
			const [html, rst, ...others] = pictures;
			const links = others.map((name) => `![A ${name}](img/${name}.png)`).join('\n\n');
			await writeTree(file(), {
				'guide.md': `# Guide\n\n${links}\n`,
				'page.html': `<img src="img/${html!}.png" alt="Iron">\n`,
				'page.rst': `.. image:: img/${rst!}.png\n   :alt: At sea\n`,
			});
		},
	});

	const read = async () =>
		(await Promise.all(documents.map((name) => readFile(file(name), 'utf8')))).join('\n');

	test('twelve heavy images are light after fewer than 15 presses, and heavy again by Undo', async () => {
		const before = await read();
		let presses = 0;
		const press = async (name: string) => {
			presses++;
			await workbench.page.keyboard.press(name);
		};
		await workbench.runCommand('Easel: Check Images…');
		await workbench.waitForQuickInput('Export 12 Images');
		await workbench.quickInputStands();
		await workbench.screenshot('check-heavy');
		await press('Enter');
		await workbench.waitForQuickInput('the heaviest');
		await workbench.waitForItems(/Page.*\n?.*\d kB/);
		await workbench.quickInputStands();
		await press('Enter');
		const words = await workbench.waitForNotification(/12 images exported/, 120_000);
		await workbench.screenshot('check-exported');
		assert.match(words, /MB became .*3 documents show the exports now\./);
		assert.ok(presses < 15, String(presses));
		await workbench.runCommand('File: Save All');
		await until(async () => (await read()).match(/\.webp/g)?.length === 12, 'the links');
		for (const name of pictures) {
			const exported = file(`img/${name}.webp`);
			const { width, height } = await loadImage(exported);
			assert.deepEqual([width, height], [1200, 800], name);
			assert.ok((await stat(exported)).size <= 200_000, name);
		}
		await workbench.clickNotificationButton('Undo');
		await until(async () => (await readdir(file('img'))).length === 12, 'the exports to go');
		await workbench.runCommand('File: Save All');
		await until(async () => (await read()) === before, 'the links as they were');
	});
});
