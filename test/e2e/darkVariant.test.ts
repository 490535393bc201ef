import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { loadImage } from '@napi-rs/canvas';
import { until } from '../host/until.js';
import { writeTree } from '../unit/documents/missing/tree.js';
import { draw } from './drawings.js';
import { file, service, useHarbor, workbench } from './harbor.js';
import { Jobs } from './jobs.js';

suite('A dark variant', () => {
	useHarbor({
		isEmpty: true,
		prepare: async () =>
			writeTree(file(), {
				'README.md': '![A pier](docs/img/pier.png)\n',
				'mkdocs.yml': 'site_name: Port\ntheme:\n  name: material\n',
				'docs/index.md': '# Port\n\n![A pier](img/pier.png)\n',
				'docs/page.adoc': 'image::img/pier.png[]\n',
				'docs/img/pier.png': await draw('a pier'),
				'site/.vitepress/config.ts': 'export default {};\n',
				'site/quay.md': '![A quay](./quay.png)\n',
				'site/quay.png': await draw('a quay'),
			}),
	});

	const read = (name: string) => readFile(file(name), 'utf8');

	test('is one edit, and its pair is linked as each site has it', async () => {
		await workbench.openFile('README.md');
		await workbench.runCommand('Easel: Make Dark Variant…');
		await workbench.waitForQuickInput('Make Dark Variant');
		await workbench.waitForItems(/pier-dark\.png/);
		await workbench.screenshot('dark-question');
		await workbench.acceptQuickInput();
		const words = await workbench.waitForNotification(/on dark pages/, 120_000);
		await workbench.screenshot('dark-linked');
		assert.match(
			words,
			/^Saved docs\/img\/pier-dark\.png\. 2 documents show it in place of pier\.png/,
		);
		assert.match(words, /The links in docs\/page\.adoc stay/);
		assert.equal(service.requests.length, 1);
		const sent = service.requests[0]!.fields.find(({ name }) => name === 'prompt');
		assert.match(String(sent?.value), /make the background dark/);
		await workbench.runCommand('File: Save All');
		const picture =
			'<picture><source media="(prefers-color-scheme: dark)" srcset="docs/img/pier-dark.png">' +
			'<img src="docs/img/pier.png" alt="A pier"></picture>\n';
		await until(async () => (await read('README.md')) === picture, 'the pair of GitHub');
		const light = '![A pier](img/pier.png#only-light)';
		assert.equal(
			await read('docs/index.md'),
			`# Port\n\n${light}\n![A pier](img/pier-dark.png#only-dark)\n`,
		);
		const { width } = await loadImage(file('docs/img/pier-dark.png'));
		assert.equal(width, 1024);
		await workbench.clickNotificationButton('Undo');
		await workbench.runCommand('File: Save All');
		await until(async () => (await read('README.md')).startsWith('![A pier]('), 'the link back');
		assert.equal(await read('docs/index.md'), '# Port\n\n![A pier](img/pier.png)\n');
	});

	test('is linked once where the window is reloaded, before it arrives and after it', async () => {
		const jobs = new Jobs(workbench);
		service.faults.add({ hold: true, times: 1 });
		await workbench.openFile('site/quay.md');
		await workbench.runCommand('Easel: Make Dark Variant…');
		await workbench.waitForItems(/quay-dark\.png/);
		await workbench.acceptQuickInput();
		await service.waitUntil(() => service.requests.some((request) => request.held));
		await workbench.editor.reload();
		await workbench.waitForProgress(/\d:\d\d/);
		service.releaseHeld();
		await jobs.waitFor((all) => all[0]?.state.state === 'saved', 'the image');
		await workbench.editor.reload();
		await until(async () => (await read('site/quay.md')).includes('quay-dark'), 'the pair');
		await jobs.waitForAllEnded();
		await workbench.runCommand('File: Save All');
		assert.match(
			await read('site/quay.md'),
			/^!\[A quay\]\(\.\/quay\.png\)\{\.only-light\}\n!\[A quay\]\(\.\/quay-dark\.png\)\{\.only-dark\}\n\n<style>[^<]*<\/style>\n$/,
		);
		assert.equal(service.imagesMade, 2);
	});
});
