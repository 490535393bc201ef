import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { writeWhole } from '../../src/files/writeWhole.js';
import { sha256Of } from '../../src/images/hash.js';
import { until } from '../host/until';
import { file, service, useHarbor, workbench } from './harbor.js';
import { draw, drawPhoto } from './drawings.js';

const item = 'Edit with Prompt';

suite('Edit with Prompt', () => {
	useHarbor({
		latencyMs: 900,
		settings: { 'search.exclude': { '**/harbor.PNG': true } },
		prepare: async () => {
			await mkdir(file('pictures'));
			for (const [name, bytes] of Object.entries({
				'diagram.png': await draw('parts and arrows', '1536x1024'),
				'harbor.PNG': await draw('a harbor', '1024x1024'),
				'night.png': await draw('a night', '1024x1536'),
				'photo.jpg': drawPhoto(),
				'fake.png': Buffer.from('just text'),
				'animated.gif': Buffer.from('GIF89a'),
				'notes.txt': Buffer.from('notes'),
			})) {
				await writeFile(file('pictures', name), bytes);
			}
			await writeFile(
				file('gallery.md'),
				'# Gallery\n\n![A photo](pictures/photo.jpg "of 2026")\n\nText.\n\n`pictures/photo.jpg`\n',
			);
			await writeFile(file('cursor.md'), '![A photo][p]\n\n[p]: pictures/photo.jpg\n');
		},
	});

	suiteSetup(async () => {
		await workbench.expandFolder('pictures');
		await row('diagram.png').waitFor();
	});

	setup(async () => {
		service.faults.clear();
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
	});

	function row(name: string): Locator {
		return workbench.explorerRow(name);
	}

	function selectedRows(): Locator {
		return workbench.page.locator('.explorer-folders-view .monaco-list-row.selected');
	}

	/** Selects these rows and no others, without opening one: that would select it alone. */
	async function select(...names: string[]): Promise<void> {
		await workbench.runCommand('File: Focus on Files Explorer');
		for (const name of await selectedRows().allInnerTexts()) {
			await row(name.trim()).click({ modifiers: ['ControlOrMeta'] });
		}
		for (const name of names) {
			await row(name).click({ modifiers: ['ControlOrMeta'] });
			await row(name).and(selectedRows()).waitFor();
		}
	}

	async function instruct(prompt: string): Promise<void> {
		await workbench.waitForQuickInput('Describe the change');
		await workbench.typeInQuickInput(prompt);
		await workbench.acceptQuickInput();
	}

	test('takes several images in the order shown, which can be changed before they are sent', async () => {
		await select('diagram.png', 'harbor.PNG', 'night.png');
		await workbench.contextMenu(row('harbor.PNG'), item);
		await workbench.waitForQuickInput('Describe the change');
		const names = async () =>
			(await workbench.quickPickItems()).flatMap((text) => /[\w-]+\.png/i.exec(text)?.[0] ?? []);
		assert.deepEqual(await names(), ['diagram.png', 'harbor.PNG', 'night.png']);
		await workbench.clickItemButton('night.png', 'Move Up');
		await workbench.waitForItems(/night\.png[^]*harbor\.PNG/);
		await workbench.clickItemButton('diagram.png', 'Remove');
		await workbench.waitForItems(/^(?![^]*diagram\.png)/);
		assert.deepEqual(await names(), ['night.png', 'harbor.PNG']);
		await workbench.screenshot('edit-several');
		await instruct('both in one picture');
		assert.match(await workbench.waitForImage(), /pictures\/night-both-in-one-picture\.png/);
		assert.deepEqual(
			service.requests.at(-1)?.references.map(({ field, sha256 }) => [field, sha256]),
			[
				['image[]', await sha256Of(file('pictures/night.png'))],
				['image[]', await sha256Of(file('pictures/harbor.PNG'))],
			],
		);
		assert.equal(
			service.requests.at(-1)?.fields.find(({ name }) => name === 'size')?.value,
			'1024x1536',
		);
	});

	test('selects the usable images when others are chosen for the unusable ones', async () => {
		// That it is in front must not bring it back.
		await workbench.openFile('pictures/fake.png');
		// The explorer selects it alone, a moment later.
		await row('fake.png').and(selectedRows()).waitFor();
		await select('diagram.png', 'fake.png', 'harbor.PNG', 'night.png');
		await workbench.contextMenu(row('fake.png'), item);
		await workbench.waitForNotification(/fake\.png.*Nothing was sent/);
		await workbench.clickNotificationButton('Choose Other Images…');
		await workbench.waitForQuickInput('Reference Images');
		await workbench.waitForItems(/photo\.jpg/);
		await workbench.screenshot('edit-choose-others');
		// What the search leaves out was chosen all the same.
		const checked = ['harbor.PNG', 'diagram.png', 'night.png'];
		assert.deepEqual(await workbench.checkedItems(), checked);
		assert.doesNotMatch((await workbench.quickPickItems()).join('\n'), /fake\.png/);
		await workbench.pickItem('photo.jpg');
		await workbench.acceptQuickInput();
		await workbench.waitForQuickInput('Describe the change');
		await workbench.waitForItems(/diagram\.png[^]*harbor\.PNG[^]*night\.png[^]*photo\.jpg/);
	});

	test('leaves the selection as it is where the added file is no image', async () => {
		await select('diagram.png');
		await workbench.contextMenu(row('diagram.png'), item);
		await workbench.waitForQuickInput('Describe the change');
		await workbench.pickItem('Add Reference Images…');
		await workbench.waitForQuickInput('Reference Images');
		await workbench.waitForItems(/fake\.png/);
		await workbench.pickItem('diagram.png');
		await workbench.pickItem('fake.png');
		assert.deepEqual(await workbench.checkedItems(), ['fake.png']);
		await workbench.acceptQuickInput();
		await workbench.waitForNotification(/fake\.png.*left out/);
		await workbench.waitForQuickInput('Describe the change');
		const items = (await workbench.quickPickItems()).join('\n');
		assert.match(items, /diagram\.png/);
		assert.doesNotMatch(items, /fake\.png/);
	});

	test('is in the context menus of files, tabs and the image preview, before the submenu', async () => {
		await select('night.png');
		await workbench.openFile('pictures/night.png');
		const preview = workbench.webview().locator('img');
		for (const [place, target] of [
			['explorer', row('night.png')],
			['tab', workbench.activeTab('night.png')],
			['preview', preview],
		] as const) {
			const items = await workbench.contextMenuItems(target);
			assert.equal(
				items[items.indexOf('Easel') - 1],
				'Edit with Prompt…',
				`${place}: ${items.join()}`,
			);
		}
		await workbench.contextMenu(preview, item);
		await workbench.waitForQuickInput('Describe the change');
		assert.match((await workbench.quickPickItems()).join('\n'), /night\.png/);
	});

	test('is offered in the image preview: title bar and palette', async () => {
		await workbench.openFile('pictures/night.png');
		await workbench.page
			.locator('.editor-actions .action-label[aria-label^="Edit with Prompt"]')
			.click();
		await workbench.waitForQuickInput('Describe the change');
		assert.match((await workbench.quickPickItems()).join('\n'), /night\.png/);
		await workbench.page.keyboard.press('Escape');
		await workbench.runCommand('Easel: Edit with Prompt…');
		await workbench.waitForQuickInput('Describe the change');
		assert.match((await workbench.quickPickItems()).join('\n'), /night\.png/);
		assert.match((await workbench.quickPickItems()).join('\n'), /both in one picture/);
	});

	test('is offered where a document shows an image: context menu and lightbulb', async () => {
		await workbench.openFile('gallery.md');
		const line = workbench.editorText().locator('.view-line', { hasText: 'A photo' });
		await workbench.clickText('A photo');
		const action = await workbench.openCodeActions('Edit with Prompt…');
		await workbench.screenshot('edit-lightbulb');
		await action.click();
		await workbench.waitForQuickInput('Describe the change');
		assert.match((await workbench.quickPickItems()).join('\n'), /photo\.jpg\s*800 × 600/);
		await workbench.page.keyboard.press('Escape');
		await workbench.contextMenu(line, item);
		await workbench.waitForQuickInput('Describe the change');
		assert.match((await workbench.quickPickItems()).join('\n'), /photo\.jpg/);
	});

	test('works before the cursor has moved: after a reload, and where the text changes', async () => {
		await workbench.openFile('cursor.md');
		await workbench.reloadWindow();
		await workbench.waitForText('cursor.md');
		await workbench.runCommand('Easel: Edit with Prompt…');
		await workbench.waitForQuickInput('Describe the change');
		assert.match((await workbench.quickPickItems()).join('\n'), /photo\.jpg/);
		await workbench.page.keyboard.press('Escape');

		// At once: read while it is empty, it would take the cursor to its end.
		const notes = workbench.editorText().getByText('notes.txt');
		await until(async () => {
			// VS Code watches a folder only some time after a reload, and misses what came before.
			await writeWhole(file('cursor.md'), '![A photo][p]\n\n[p]: pictures/notes.txt\n');
			return notes.waitFor({ timeout: 5000 }).then(
				() => true,
				() => false,
			);
		}, 'the editor to read the file anew');
		await writeWhole(file('cursor.md'), '![A photo][p]\n\n[p]: pictures/night.png\n');
		await workbench.editorText().getByText('night.png').waitFor();
		await workbench.runCommand('Easel: Edit with Prompt…');
		await workbench.waitForQuickInput('Describe the change');
		assert.match((await workbench.quickPickItems()).join('\n'), /night\.png/);
	});
});
