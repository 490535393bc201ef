import assert from 'node:assert/strict';
import { behindIndivisible } from '../../../src/documents/indivisible';
import type { DocumentFormat } from '../../../src/documents/languages';

/**
 * Tests of texts with `⟦` and `⟧` around each part that a link would tear: every place within belongs
 * behind it, all others stay. Without these marks all stay.
 */
function parts(format: DocumentFormat, sentence: string, texts: readonly string[]): void {
	for (const marked of texts) {
		test(`in ${format} ${sentence}: ${JSON.stringify(marked)}`, () => {
			const text = marked.replace(/[⟦⟧]/g, '');
			const places = Array.from({ length: text.length + 1 }, (_, offset) => offset);
			const expected = [...places];
			let marks = 0;
			for (const { index, 0: part } of marked.matchAll(/⟦[^⟧]*⟧/g)) {
				const start = index - marks;
				const end = start + part.length - 2;
				expected.fill(end, start + 1, end);
				marks += 2;
			}
			assert.deepEqual(
				places.map((offset) => behindIndivisible(format, text, offset)),
				expected,
			);
		});
	}
}

suite('behindIndivisible', () => {
	parts('markdown', 'keeps links, tags and the like in one piece', [
		'One [two⟦](a.md)⟧ three',
		'One [two⟦](<a b.md>)⟧ three',
		'One [two⟦](a_(12).md)⟧ three',
		'One [two⟦](a.md  "b c")⟧ three',
		'One [two⟦][three]⟧ four',
		'One ⟦[^two]⟧ three',
		'⟦  [two]: a.md "b"⟧\nthree',
		'One ⟦<svn+ssh2:two>⟧ three',
		'One ⟦<joe.doe@example.org>⟧ three',
		'One ⟦<b>⟧two⟦</b>⟧ three⟦<br/>⟧',
		'One ⟦<my-b2 c>⟧ two',
		"One ⟦<b class='a > b' id>⟧ two",
		'One (⟦http://a.b⟧) two',
		'One ⟦$a + b$⟧ two',
		'One ⟦&copy;⟧ two ⟦&frac12;⟧',
		'One ⟦&#169;⟧ two ⟦&#xA9;⟧',
		'One ⟦\\*⟧ two',
		'One ⟦**⟧two⟦**⟧ ⟦___⟧three⟦___⟧ ⟦~~⟧four⟦~~⟧',
		'One ⟦{{ two }}⟧ ⟦{% three %}⟧',
	]);

	parts('markdown', 'takes nothing for a part that is none', [
		'One [two](a b.md) three',
		'One [two](a(b c).md) three',
		'Between $5 and 10$5',
		'One &#x; two &#; three',
	]);

	parts('markdown', 'keeps lines of marks in one piece', [
		'One\n⟦==⟧\nTwo',
		'⟦_  _\t_⟧',
		'⟦> - - -⟧',
		'  ⟦--⟧',
		'| a | b |\n⟦| --- | :-: |⟧\n| c | d |',
		'a | b\n⟦:-- | -⟧\nc | d',
		'a | b\n⟦--|--⟧\nc | d',
		'⟦+---+:-:+⟧\n| a | b |\n⟦+===+===+⟧',
		'⟦???+ note⟧\n\n    Two',
		'⟦=== "One"⟧\n\n    Two',
	]);

	parts('markdown', 'takes no other lines for such', ['== One', '| - | - |']);

	parts('markdown', 'keeps comments and what is shown as it is in one piece, however long', [
		'One ⟦<!-- two > -- three -->⟧ four ⟦<!-- five -->⟧ six',
		`One ⟦<!-- ${'two '.repeat(2000)}-->⟧ three`,
		'One\n\n⟦<pre>\n- two\n\n</pre>⟧\n\nThree',
		'⟦<style>\na {}\n\nb {}\n</style>⟧\n\nOne',
		'One ⟦</script>⟧ two ⟦</style>⟧ three ⟦</pre>⟧',
	]);

	parts('markdown', 'does not follow what does not end', [
		'One [two](three',
		'One ⟦<b>⟧two <!-- three',
	]);

	for (const format of ['markdown', 'mdx'] as const) {
		test(`in ${format} the marks of a heading begin or end it, in every level`, () => {
			for (let level = 1; level <= 6; level++) {
				const marks = '#'.repeat(level);
				const text = `One\n${marks} Two ${marks}  \nThree`;
				const end = text.length - '\nThree'.length;
				const place = (offset: number) => behindIndivisible(format, text, offset);
				for (let offset = 5; offset < 4 + level; offset++) {
					assert.equal(place(offset), 4);
				}
				assert.equal(place(5 + level), 5 + level);
				for (let offset = end - 2 - level; offset < end - 2; offset++) {
					assert.equal(place(offset), end);
				}
				assert.equal(place(end - 3 - level), end - 3 - level);
			}
			assert.equal(behindIndivisible(format, '####### One', 7), 7);
			assert.equal(behindIndivisible(format, '##', 2), 2);
		});
	}

	parts('mdx', 'keeps expressions, modules and all of Markdown in one piece', [
		'One ⟦{two}⟧ three',
		'⟦import A from "./a"⟧\n\nOne',
		'⟦export const a = 1⟧\n\nOne',
		'One [two⟦](a.md)⟧ three',
		'One ⟦{/* two } */}⟧ three',
		'Now import a',
	]);

	for (const format of ['html', 'vue'] as const) {
		parts(format, 'keeps tags, characters and comments in one piece', [
			'⟦<p class="a > b">⟧One⟦</p>⟧',
			'One ⟦{{ two }}⟧ three',
			'One ⟦&copy;⟧ two ⟦&frac12;⟧',
			'One ⟦&#169;⟧ two ⟦&#xA9;⟧',
			'One ⟦<!-- two > -- three -->⟧ four',
		]);
	}

	parts('asciidoc', 'keeps macros, references and comments in one piece', [
		'One ⟦https://a.b[two three]⟧ four',
		'One ⟦http://a.b[two three]⟧ four',
		'One ⟦xref:a[two three]⟧ four ⟦kbd:[Ctrl+C]⟧ five',
		'One ⟦https://a.b/c⟧ two',
		'One ⟦<<two,three four>>⟧ five',
		'One ⟦{two-three}⟧ four',
		'⟦// One two⟧\n\nThree',
		'One\n\n⟦:two-three: four⟧\n\nFive',
		'One\n\n⟦:!two:⟧\n\n⟦:two!:⟧\n\nThree',
		'One\n\n⟦video::a.mp4[two three]⟧\n\nFour',
	]);

	parts('asciidoc', 'takes nothing for such that is none', [
		'One // two',
		'One: two :three',
		'One == two',
	]);

	for (const [format, levels] of [
		['asciidoc', 6],
		['typst', 6],
	] as const) {
		test(`in ${format} the marks of a heading begin it, in every level`, () => {
			for (let level = 1; level <= levels; level++) {
				const text = `One\n\n${'='.repeat(level)} Two`;
				for (let offset = 6; offset <= text.length; offset++) {
					const expected = offset <= 5 + level ? 5 : offset;
					assert.equal(behindIndivisible(format, text, offset), expected);
				}
			}
			assert.equal(behindIndivisible(format, 'One == two', 5), 5);
			assert.equal(behindIndivisible(format, '==', 2), 2);
		});
	}

	parts('typst', 'keeps comments, rules and formulas in one piece', [
		'One ⟦// two three⟧\nfour',
		'⟦#set page(width: 1cm)⟧\n\nOne',
		'⟦  #show: one⟧',
		'⟦#import "a.typ": b⟧\nOne',
		'One ⟦https://a.b/c⟧ two',
		'One ⟦$a + b$⟧ two',
		'One ⟦/* two\n\nthree */⟧ four',
		'One #set two',
		'#setting one',
	]);

	parts('restructuredText', 'keeps underlines in one piece', [
		'One\n⟦===⟧\n\nTwo',
		'⟦~~~~⟧\nOne\n⟦~~~~⟧',
		'One == two',
		'--- one',
	]);

	parts('markdown', 'keeps characters and line breaks in one piece', [
		'One ⟦🦊⟧ two⟦\r\n⟧three\n\rfour',
		'One\ud83e\ud83etwo\udd8a\udd8a three',
	]);
});
