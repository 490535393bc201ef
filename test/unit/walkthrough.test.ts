import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { commandTitles } from '../../src/editor/commandTable.js';
import { comparisonType, studioType } from '../../src/protocol/panels.js';

interface Step {
	readonly id: string;
	readonly title: string;
	readonly description: string;
	readonly media: {
		readonly image: Readonly<Record<'dark' | 'light' | 'hc' | 'hcLight', string>>;
		readonly altText: string;
	};
	readonly completionEvents: readonly string[];
}

const root = path.join(__dirname, '../..');
const { contributes, files } = JSON.parse(
	readFileSync(path.join(root, 'package.json'), 'utf8'),
) as {
	readonly files: readonly string[];
	readonly contributes: {
		readonly walkthroughs: readonly { readonly id: string; readonly steps: readonly Step[] }[];
	};
};
const { walkthroughs } = contributes;
const steps = walkthroughs.flatMap((walkthrough) => walkthrough.steps);

/** Commands of the editor that the walkthrough leads to. */
const ofTheEditor = { 'workbench.action.quickOpen': 'Open a Document…' };
const titles: Readonly<Record<string, string>> = { ...commandTitles, ...ofTheEditor };

function read(file: string): string {
	return readFileSync(path.join(root, file), 'utf8');
}

suite('The walkthrough', () => {
	test('is one, and goes from the set-up to the choice', () => {
		assert.deepEqual(
			walkthroughs.map(({ id }) => id),
			['start'],
		);
		assert.deepEqual(
			steps.map(({ id }) => id),
			['setUp', 'generate', 'insert', 'edit', 'compare'],
		);
		assert.ok(read('src/editor/walkthrough.ts').includes('#start`'));
	});

	test('has buttons that lead to commands, by the titles that these have', () => {
		for (const { id, description } of steps) {
			const links = [...description.matchAll(/\[([^\]]*)\]\(([^)]*)\)/g)];
			assert.ok(links.length > 0, id);
			for (const [, label, target = ''] of links) {
				assert.equal(label, titles[target.replace('command:', '')], `${id}: ${target}`);
			}
		}
	});

	test('speaks of commands by the titles that these have', () => {
		const known = [...Object.values(commandTitles), 'Write in Editor'];
		for (const { id, description } of steps) {
			for (const [, named = ''] of description.matchAll(/\*\*([^*]+)\*\*/g)) {
				assert.ok(known.includes(named), `${id}: ${named}`);
			}
		}
	});

	test('has each step ticked off by doing, which the code says or the editor sees by itself', () => {
		const [, declared = ''] = /type Step = (.*);/.exec(read('src/editor/walkthrough.ts')) ?? [];
		const reported = [...declared.matchAll(/'(\w+)'/g)].map(([, id = '']) => id);
		assert.deepEqual(
			Object.fromEntries(steps.map(({ id, completionEvents }) => [id, completionEvents])),
			{
				...Object.fromEntries(reported.map((id) => [id, [`onContext:easel.did.${id}`]])),
				compare: [comparisonType, studioType].map(
					(type) => `onContext:activeWebviewPanelId == '${type}'`,
				),
			},
		);
	});

	test('has a picture for every kind of theme, each with words for those who do not see it', () => {
		const shown = steps.flatMap(({ id, media: { image, altText } }) => {
			assert.deepEqual(
				image,
				{
					dark: `media/walkthrough/${id}-dark.webp`,
					light: `media/walkthrough/${id}-light.webp`,
					hc: `media/walkthrough/${id}-dark.webp`,
					hcLight: `media/walkthrough/${id}-light.webp`,
				},
				id,
			);
			assert.match(altText, /^[A-Z].{20,}\.$/, id);
			return Object.values(image);
		});
		const kept = readdirSync(path.join(root, 'media/walkthrough'));
		assert.deepEqual(
			kept.map((name) => `media/walkthrough/${name}`).sort(),
			[...new Set(shown)].sort(),
		);
	});

	test('has pictures that are packaged, and small', () => {
		assert.ok(files.includes('media/walkthrough/*.webp'));
		const pictures = steps.flatMap(({ media }) => [media.image.dark, media.image.light]);
		const sizes = pictures.map((file) => {
			assert.ok(existsSync(path.join(root, file)), file);
			return statSync(path.join(root, file)).size;
		});
		const all = sizes.reduce((sum, size) => sum + size, 0);
		assert.ok(all < 130_000, `${String(all)} bytes`);
	});
});
