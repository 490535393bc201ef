import assert from 'node:assert/strict';
import {
	exportName,
	exportWords,
	ownPresets,
	parseExport,
} from '../../../../src/images/exports/preset.js';

suite('An export in words', () => {
	for (const [text, preset, words, name] of [
		['webp', { format: 'webp' }, 'WebP', 'pier.webp'],
		['WebP, 1200 px 200kB', undefined, undefined, undefined],
		[
			'WebP 1200px 200kB',
			{ format: 'webp', width: 1200, maxBytes: 200_000 },
			'WebP · 1200 px wide · at most 200 kB',
			'pier.webp',
		],
		[
			'300kB 1200×630 jpg',
			{ format: 'jpeg', width: 1200, height: 630, fit: 'cover', maxBytes: 300_000 },
			'JPEG · 1200 × 630 px · at most 300 kB',
			'pier-1200x630.jpg',
		],
		[
			'png inside 256x256 palette',
			{ format: 'png', width: 256, height: 256, palette: true },
			'PNG · at most 256 colors · within 256 × 256 px',
			'pier-256x256.png',
		],
		['png 600', { format: 'png', width: 600 }, 'PNG · 600 px wide', 'pier-600.png'],
		['png palette', { format: 'png', palette: true }, 'PNG · at most 256 colors', 'pier-small.png'],
		[
			'webp @2x norecipe',
			{ format: 'webp', isPair: true, isBare: true },
			'WebP · and one of twice the size · without prompt',
			'pier.webp',
		],
		...['1200', 'gif 100', 'webp 0', 'webp 99999', 'webp 1200x0', 'webp constructor', ''].map(
			(text) => [text, undefined, undefined, undefined] as const,
		),
	] as const) {
		test(`reads “${text}”`, () => {
			const parsed = parseExport(text);
			assert.deepEqual(parsed, preset);
			if (parsed !== undefined) {
				assert.equal(exportWords(parsed), words);
				assert.equal(exportName('pier.png', parsed), name);
			}
		});
	}

	test('of every preset is read, and the second of a pair has a name of its own', () => {
		for (const text of Object.values(ownPresets)) {
			assert.ok(parseExport(text), text);
		}
		assert.equal(exportName('a.b.png', { format: 'webp' }, 2), 'a.b@2x.webp');
	});
});
