import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { buildSite, siteGenerators } from '../formats/siteGenerators.js';
import { commonImages, siteFixtures } from '../process/siteFixtures.js';
import { until } from '../host/until.js';
import { writeTree } from '../unit/documents/missing/tree.js';
import { pictureOfWidth } from '../unit/documents/pictures.js';
import { file, service, useHarbor, workbench } from './harbor.js';

/** Two pages with two links that only need mending, and the two missing images of a site. */
const documents: Readonly<Record<string, string>> = {
	'docs/guide/page.md':
		'# Guide\n\n![The flow](/img/flow.png)\n\n![The chart](/img/chart.png)\n\n![A lighthouse at dusk](/img/lighthouse.png)\n',
	'docs/index.md':
		'# Start\n\n![Deep below](@site/static/img/deep.png)\n\n![A lamp on a desk](@site/static/img/lamp.png)\n',
};
/** The links after they are fixed. */
const mended: Readonly<Record<string, string>> = {
	'docs/guide/page.md': '/img/Chart.png',
	'docs/index.md': '@site/static/img/sub/deep.png',
};
/** Relative to the site. */
const missing = ['static/img/lighthouse.png', 'static/img/lamp.png'];
const name = 'Docusaurus';

suite(`A site of ${name}`, () => {
	const generator = siteGenerators[name]!;
	const fixture = siteFixtures.find((one) => one.name === name)!;
	const pages = Object.keys(documents);
	const inSite = (name: string) => file(generator.root, name);

	useHarbor({
		isEmpty: true,
		latencyMs: 300,
		prepare: async () => {
			const pictures = [...commonImages, 'Chart.png'].map((image, index) => {
				return [`${fixture.images[0]}/${image}`, pictureOfWidth(100 + index)] as const;
			});
			await writeTree(file(), { ...fixture.files, ...Object.fromEntries(pictures) });
			await writeTree(inSite(''), { ...generator.files, ...documents });
		},
	});

	const textOf = (page: string) => readFile(inSite(page), 'utf8');

	async function openList(): Promise<void> {
		await workbench.runCommand('Easel: Generate Missing Images…');
		await workbench.waitForQuickInput('2 missing, 2 links can be fixed');
		await workbench.waitForItems(/A lighthouse at dusk/);
	}

	/** Fixes all links of the list, which are shown before; both images stay in it. */
	async function fixAll(): Promise<void> {
		await workbench.clickQuickInputButton('Fix All Links');
		const preview = workbench.page.locator('.bulk-edit-panel');
		const boxes = preview.locator('.monaco-list-row', { hasText: '.md' }).locator('.edit-checkbox');
		await preview.getByText('page.md').waitFor();
		await preview.getByText('index.md').waitFor();
		for (const box of await boxes.all()) {
			await box.click();
		}
		await workbench.screenshot(`site-${name}-preview`);
		await preview.getByRole('button', { name: 'Apply' }).click();
		await workbench.waitForQuickInput('Select images to generate');
		await workbench.waitForItems(/^(?![^]*exists)[^]*A lamp on a desk/);
		for (const page of pages) {
			await workbench.waitForFileText(posix.join(generator.root, page), `(${mended[page]!})`);
		}
	}

	test('has all its links fixed once they are shown, and all of them undone by one step', async () => {
		await openList();
		for (const theme of ['dark', 'light'] as const) {
			await workbench.setTheme(theme);
			await workbench.screenshot(`site-${name}-list-${theme}`);
		}
		const checked = (await workbench.checkedItems()).filter((label) => !label.includes('·'));
		assert.deepEqual(checked, ['A lighthouse at dusk', 'A lamp on a desk']);
		await fixAll();
		await workbench.screenshot(`site-${name}-fixed`);
		await workbench.page.keyboard.press('Escape');
		await workbench.openFile(posix.join(generator.root, pages[0]!));
		await workbench.page.keyboard.press('ControlOrMeta+Z');
		await until(
			async () => (await workbench.editorText().innerText()).includes('chart.png'),
			'the link to be as it was',
		);
		await workbench.runCommand('File: Save All Files');
		for (const page of pages) {
			await workbench.waitForFileText(posix.join(generator.root, page), documents[page]!);
		}
		assert.equal(service.requests.length, 0);
	});

	test('gets the two images that are missing, and shows both when it is built', async function () {
		this.timeout(600_000);
		await openList();
		await fixAll();
		await workbench.acceptQuickInput();
		await workbench.waitForNotification(/2 images saved/);
		for (const theme of ['dark', 'light'] as const) {
			await workbench.setTheme(theme);
			await workbench.screenshot(`site-${name}-saved-${theme}`);
		}
		assert.equal(service.requests.length, 2);
		await until(
			() => missing.every((image) => existsSync(inSite(image))),
			'both images to be there',
		);
		const built = await buildSite(file(), generator);
		for (const [index, page] of pages.entries()) {
			assert.equal(built.complainsOf(page), false, built.said);
			const shown = built.imagesOf(page);
			assert.equal(shown.length, [3, 2][index], await textOf(page));
			assert.ok(shown.every((image) => image !== undefined));
			const made = await readFile(inSite(missing[index]!));
			assert.ok(
				shown.some((image) => image?.equals(made)),
				`${page} shows ${missing[index]!}`,
			);
		}
	});
});
