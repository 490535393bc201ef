import assert from 'node:assert/strict';
import fc from 'fast-check';
import { languages } from '../../src/documents/languages';
import { insertImage } from '../unit/documents/inserting';
import { report, scaled, seed } from './campaign';

const languageIds = languages.flatMap(({ ids }) => ids);

suite('linkPlace, anywhere', () => {
	/** Markers of a beginning or an end in one of the formats. */
	const piece = fc.constantFrom(
		...['One two', '# One', '===', '---', '+++', '> a', '- b', '-\tc'],
		...['\t- d', '1. e', '| f | g |'],
		...['```', '$$', '{{ h }}', '{% i', '<!-- j', '-->', '<pre>', '</pre>', '<body>', '[k]: l.md'],
		...['* m', '** n', '+', '|===', '----', '====', '.Title', '[o]', 'term::', '// p', ':q: r'],
		...['.. note::', '.. s', '::', '   t', '  u', '{', '}', '$', '% v', '#let w = [', '🦊'],
		...['\\begin{tabular}{l}', '\\end{tabular}', '\\begin{document}', '\\section{x', '!!! y'],
	);
	const line = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(' '));
	const text = fc
		.tuple(fc.array(line, { maxLength: 9 }), fc.constantFrom('\n', '\r\n', '\n\n'))
		.map(([lines, lineBreak]) => lines.join(lineBreak));

	test('nothing is added but the link, blanks and what keeps it in a quotation or an item', async () => {
		const numRuns = scaled(20_000);
		const words = (written: string) => written.replace(/[\s>+]/g, '');
		fc.assert(
			fc.property(fc.constantFrom(...languageIds), text, fc.nat(), (languageId, written, pick) => {
				const at = pick % (written.length + 1);
				const one = insertImage(languageId, written, { start: at, end: at });
				const [before, after, ...more] = one.text.split('a.png');
				assert.ok(before !== undefined && after !== undefined && more.length === 0);
				assert.ok(one.text.isWellFormed(), JSON.stringify(one.text));
				assert.ok(isWithin(words(written), words(one.text)), JSON.stringify(one.text));
			}),
			{ numRuns, seed },
		);
		await report('link places', { runs: numRuns });
	});
});

/** Returns whether a text is another one with a piece of it added in one place. */
function isWithin(text: string, longer: string): boolean {
	let same = 0;
	while (same < text.length && text[same] === longer[same]) {
		same++;
	}
	return longer.endsWith(text.slice(same));
}
