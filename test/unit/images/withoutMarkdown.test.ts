import assert from 'node:assert/strict';
import { withoutMarkdown } from '../../../src/images/withoutMarkdown';

suite('withoutMarkdown', () => {
	const plain = (sentence: string, cases: Readonly<Record<string, string>>) => {
		for (const [text, expected] of Object.entries(cases)) {
			test(`${sentence}: ${JSON.stringify(text)}`, () => {
				assert.equal(withoutMarkdown(text), expected);
			});
		}
	};
	const stays = (sentence: string, texts: readonly string[]) => {
		plain(sentence, Object.fromEntries(texts.map((text) => [text, text])));
	};

	plain('makes a paragraph of a heading', {
		'# A fox': '\nA fox\n',
		' \t###   A fox ##': '\nA fox\n',
		'## A fox  ###\nin the snow': '\nA fox\n\nin the snow',
		'###### Fox # 5': '\nFox # 5\n',
		'# A fox#': '\nA fox#\n',
	});
	stays('takes nothing else for one', ['#fox in the snow', 'Fox # 5', '####### A fox', 'C## one']);

	plain('makes a paragraph of each item', {
		'- a fox\n  * a hen\n\t+  a hare': '\na fox\n\na hen\n\na hare',
		'• a fox\n– a hen': '\na fox\n\na hen',
		'- [ ] a fox\n- [X]  a hen': '\na fox\n\na hen',
		'1. a fox\n 22)  a hen\n333.\ta hare': '\na fox\n\na hen\n\na hare',
		'> - a fox': '\na fox',
	});
	stays('takes nothing else for one', [
		'1. FC Köln',
		'1. FC Köln\nin 2 parts',
		'1.5 m\n2.5 m',
		'a-b - c',
		'-one',
		'1234. one\n5678. two',
		'One 1. a\nTwo 2. b',
		'x1. one\nx2. two',
		'x- one',
	]);

	plain('keeps the end of a paragraph where a line of marks stands', {
		'A fox\n---\nand a hen': 'A fox\n\n\nand a hen',
		' * * *': '\n',
		'_  _\t_ ': '\n',
		'One\n==\nTwo': 'One\n\n\nTwo',
		'== ': '\n',
		'```js\nlet a;\n```': '\n\nlet a;\n\n',
		'~~~\nlet a;': '\n\nlet a;',
	});
	stays('takes nothing else for one', [
		'a fox ---',
		'x---',
		'--',
		'=',
		'==one',
		'a ==',
		'~ a fox ~',
		'``` a `b',
	]);

	plain('leaves out the marks of quotations', {
		'> A fox\n>and a hen': 'A fox\nand a hen',
		' >> > A fox': 'A fox',
	});
	stays('takes nothing else for one', ['a > b', 'x> b']);

	plain('leaves out the marks of emphasis and of code', {
		'A **red** fox, _very_ red': 'A red fox, very red',
		'A ***red*** fox ~~and a hen~~': 'A red fox and a hen',
		'__A *red* fox__': 'A red fox',
		'`A fox` and ``a ` b``': 'A fox and a ` b',
	});
	stays('takes nothing else for these', [
		'2 * 3 * 4',
		'snake_case_name',
		'a ** b ** c',
		'A `fox',
		'5*5*5',
		'~ 5 ~ 6',
	]);

	plain('leaves the words of a link and of an image', {
		'A [red fox](https://a.b/c_(d)) at dusk': 'A red fox at dusk',
		'A ![red fox](a.png "b")': 'A red fox',
		'A [red fox](a(one two)b) here': 'A red fox here',
	});
	stays('takes nothing else for one', ['A [red fox] (here)', 'A [red\nfox](a)', 'A [red fox](a']);

	plain('knows all ends of lines', {
		'a\rb\r\nc\u2028d\u2029e': 'a\nb\nc\nd\ne',
	});

	test('reads so much as anybody writes', () => {
		assert.equal(withoutMarkdown('a'.repeat(4001)).length, 4000);
	});
});
