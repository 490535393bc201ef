import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { commandTitles } from '../../src/editor/commandTable.js';
import { manifest, root } from './manifest.js';

const { contributes, files } = manifest;
const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
const titles: Readonly<Record<string, string>> = {
	...commandTitles,
	'workbench.action.quickOpen': 'Open a Document…',
};

suite('The walkthrough', () => {
	test('has buttons that lead to commands, by the titles that these have', () => {
		for (const { id, description } of steps) {
			const links = [...description.matchAll(/\[([^\]]*)\]\(([^)]*)\)/g)];
			assert.ok(links.length > 0, id);
			for (const [, label, target = ''] of links) {
				assert.equal(label, titles[target.replace('command:', '')], `${id}: ${target}`);
			}
		}
	});

	test('has code between two backquotes on each side, as the editor reads it', () => {
		for (const { id, description } of steps) {
			assert.ok(!description.replace(/(?<!`)``[^`]+``(?!`)/g, '').includes('`'), id);
		}
	});

	test('has packaged pictures for every kind of theme, with an alternative text', () => {
		const shown = steps.flatMap(({ id, media: { image, altText } }) => {
			assert.deepEqual(Object.keys(image).sort(), ['dark', 'hc', 'hcLight', 'light'], id);
			assert.match(altText, /^[A-Z].{20,}\.$/, id);
			return Object.values(image);
		});
		assert.ok(files.includes('media/walkthrough/*.webp'));
		const found = readdirSync(path.join(root, 'media/walkthrough'));
		const pictures = found.map((name) => `media/walkthrough/${name}`).sort();
		assert.deepEqual(pictures, [...new Set(shown)].sort());
		const bytes = pictures.reduce((sum, file) => sum + statSync(path.join(root, file)).size, 0);
		assert.ok(bytes < 130_000, `${String(bytes)} bytes`);
	});
});
