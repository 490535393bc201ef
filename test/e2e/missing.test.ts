import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { until } from '../host/until.js';
import { writeTree } from '../unit/documents/missing/tree.js';
import { file, useHarbor, workbench } from './harbor.js';
import { waitForFiles } from './workbench.js';

const title = 'Easel: Generate Missing Images…';

const longName = 'the-long-way-from-the-old-lighthouse-to-the-new-harbor-office-and-back-again';

/** Eight documents with eight images that can be generated, two of which the service refuses, and four that cannot. */
const documents = {
	'guide.md':
		'# Guide\n\n![A lighthouse at dusk](art/lighthouse.png)\n\n![A photo of the pier](art/pier.jpg)\n',
	'deep/in/the/archive/of/the/harbor/history.markdown': `# History\n\n![The long way from the old lighthouse to the new harbor office, seen from above](art/${longName}.png)\n`,
	'page.mdx': '# Page\n\n![A crane](art/crane.png)\n\n![Far away](../../far.png)\n',
	'report.qmd': '# Report\n\n![A storm [fault status=400 message=Refused]](art/storm.png)\n',
	'numbers.rmd':
		'# Numbers\n\n<img src="art/buoy.png" alt="A buoy">\n\n![Fog [fault status=451 message=Withheld]](art/fog.png)\n',
	'tables.md': '| Ship | |\n|---|---|\n| ![A tug](art/tug.png) | ![Its name](art/.png) |\n',
	'quotes.md': `> ![A ferry](art/ferry.png)\n\n![A chart](${'charts/'.repeat(12)}tides.svg)\n`,
	// Looked at by other features; the search is for Markdown.
	'other.adoc': '= Other\n\nimage::art/asciidoc.png[A quay]\n',
	'other.html': '<p><img src="art/html.png" alt="A mole"></p>\n',
};

suite('Missing images', () => {
	useHarbor({
		isEmpty: true,
		latencyMs: 1500,
		settings: { 'easel.service.confirmCalls': 'oncePerSession' },
		prepare: () => writeTree(file(), documents),
	});

	setup(() => workbench.dismissEverything());

	async function openList(): Promise<void> {
		await workbench.runCommand(title);
		await workbench.waitForQuickInput('Select images to generate');
		await workbench.waitForItems(/The long way/);
	}

	function untilTitle(expected: string): Promise<void> {
		return until(async () => (await workbench.quickInputTitle()) === expected, expected);
	}

	test('take another size, all of them at once', async () => {
		await openList();
		await workbench.clickQuickInputButton('Size for All');
		await workbench.waitForQuickInput('For all 8 images');
		await workbench.screenshot('missing-size');
		await workbench.pickItem('1536 × 1024');
		await workbench.waitForItems(/The long way/);
		const items = (await workbench.quickPickItems()).join('\n');
		assert.match(items, /1536 × 1024[^]*1536 × 1024/);
		assert.doesNotMatch(items, /1024 × 1024/);
		await untilTitle('Generate 8 Missing Images · 8 paid requests · 8 to 12 minutes');
	});

	test('say in the rows of a single one what they add from its document', async () => {
		await workbench.openFile('guide.md');
		await workbench.goToLine(3);
		await (await workbench.openCodeActions('Generate Missing Image…')).click();
		await workbench.waitForQuickInput('Describe lighthouse.png');
		await workbench.waitForItems(/With its heading/);
		assert.equal(await workbench.quickInputTitle(), 'Generate Missing Image');
		await workbench.screenshot('missing-one');
	});

	test('are generated, reported together, and shown', async () => {
		await workbench.runCommand('View: Close All Editors');
		await openList();
		await workbench.acceptQuickInput();
		await workbench
			.batchProgress(/and 7 other prompts: (?:[1-7] (?:saved|failed) · )+.*\b0:\d\d/)
			.waitFor();
		await workbench.screenshot('missing-progress');
		const reported = await workbench.waitForNotification(/6 of 8 images saved, 2 failed\. /);
		assert.match(reported, /“A storm.*?400: Refused\. You were not charged\./);
		assert.match(reported, /“Fog.*?451: Withheld\. You were not charged\./);
		await workbench.screenshot('missing-reported');
		assert.equal(await workbench.notificationButton('Show').count(), 1);
		await workbench.clickNotificationButton('Show');
		await workbench.activeTab('Image Studio').waitFor();
		const images = workbench.webview().locator('.tile.image');
		await until(async () => (await images.count()) === 6, 'six images in the studio');
		await workbench.screenshot('missing-shown');
		await waitForFiles(workbench.folder, /^(?:.*\/)?art\/[^/]+\.png$/, 6);
		for (const [name, text] of Object.entries(documents)) {
			assert.equal(await readFile(file(name), 'utf8'), text);
		}
	});
});
