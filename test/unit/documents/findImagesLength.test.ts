import assert from 'node:assert/strict';
import { findImages } from '../../../src/documents/findImages.js';

suite('findImages, however long the text is', () => {
	test('takes a paragraph and a table cell of ten thousand images', () => {
		const images = '![a](b.png)\n'.repeat(10_000);
		const cell = `|a|\n|-|\n|${'![\\|](b)'.repeat(10_000)}|`;
		const took = processorMs(() => {
			assert.equal(findImages(images).length, 10_000);
			assert.equal(findImages(cell).at(-1)?.span.end, cell.length - 1);
		});
		assert.ok(took < 2000, `${String(took)} ms`);
	});

	// It is read by worker threads, so it may take longer than what the extension host waits for; but
	// what takes as long as the square of its length takes more than half a minute here.
	const length = 256 * 1024;
	for (const [what, before, piece, behind] of [
		['opening brackets', '![](a.png) ', '[', ''],
		['images that do not end', '![](a.png) ', '![', ''],
		['nested brackets', '![](a.png) ', '['.repeat(30) + ']'.repeat(30), ''],
		['emphasis that does not end', '![](a.png) ', '*a_ ', ''],
		['tags that do not end', '<div><img src="a.png">\n', '<', ''],
		['comments that do not end', '<div><img src="a.png">\n', '<!--a>', ''],
		['attributes that do not end', '<div><img src="a.png">\n', '<a b="', ''],
		['images before blanks', '![](a.png)'.repeat(10_000), ' ', ''],
		['cells', `${'|a'.repeat(10_000)}\n${'|-'.repeat(10_000)}\n`, '|![](a)', ''],
		['quotes', '![](a.png)\n\n', '> ', ''],
		['lists', '![](a.png)\n\n', '- ', ''],
		['definitions', '![a]\n\n', '[a]: b.png\n', ''],
		['front matter that does not end', '---\n', '--- \n ', '![](a.png)'],
	] as const) {
		test(`takes a quarter of a mebibyte of ${what}`, () => {
			const text = before + piece.repeat(length / piece.length) + behind;
			const took = processorMs(() => findImages(text));
			assert.ok(took < 5000, `${String(took)} ms`);
		}).timeout(120_000);
	}
});

/** Of this process, in milliseconds: what else the machine does is noise. */
function processorMs(task: () => void): number {
	const before = process.cpuUsage();
	task();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}
