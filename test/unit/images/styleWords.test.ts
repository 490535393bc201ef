import assert from 'node:assert/strict';
import { isStyle, styleAtEnd } from '../../../src/images/styleWords';

suite('isStyle', () => {
	const parts = (sentence: string, expected: boolean, texts: readonly string[]) => {
		for (const text of texts) {
			test(`${sentence}: ${JSON.stringify(text)}`, () => {
				assert.equal(isStyle(text), expected);
			});
		}
	};

	parts('is what consists of words of style', true, [
		'flat',
		' Flat  illustration ',
		'flat // vector',
		'(flat), “vector”!',
		'((flat)) — vector!!',
		'black and white photo',
		'line-art',
		'2D sketch',
		`${'flat '.repeat(19)}photo`,
	]);

	parts('is nothing that says more, or only what stands beside such words', false, [
		'black and white',
		'flat fox',
		'a flat roof',
		'flat, roof',
		'fl(a)t',
		'flat+fox+vector',
		'',
		'!?',
		`${'flat '.repeat(20)}a`,
	]);

	parts('is a ratio or a size', true, [
		'16:9',
		'ratio 16:9',
		'aspect ratio 1.85 : 1',
		'2.35 x 10',
		'1024×1536',
		'16:9 ratio',
		'16:9 aspect ratio',
		'16:10 format',
	]);

	parts('is no ratio with something else', false, [
		'at 16:9',
		'16:9 boats',
		'16 9',
		'1.5:a',
		'16:',
	]);

	parts('is an option of another service', true, ['--ar 16:9', '-s 50', '--v']);
	parts('is no dash within words', false, ['a --ar', 'one-two', '-5 degrees', '---']);

	parts('is what is named as such', true, [
		'style: woodcut',
		'Mood : calm',
		'palette: blue',
		'color: red',
		'colour: red',
		'colors: red',
		'colours : red',
		'background: a forest',
		'aspect ratio: wide',
	]);

	parts('is nothing that is only named alike', false, [
		'the style: woodcut',
		'stylex: woodcut',
		'style woodcut',
		'size  : a fox',
	]);

	parts('is what ends in “style”', true, [
		'in the style of a woodcut',
		'with the style of a woodcut',
		'in style',
		'woodcut style',
		'in a woodcut style',
		'in an old woodcut style',
		'in one two three four style',
		'in a one two three four style',
		'with the old woodcut style',
		'Rembrandt’s 17th century dutch-style',
		'old-dutch style',
		'comic-style',
		"in Hergé's style",
	]);

	parts('is no longer clause, nor another word', false, [
		'a fox in a woodcut style',
		'woodcut style fox',
		'a fox with a hat in style',
		'one two three four five style',
		'freestyle',
		'fox + hen style',
		'one. two style',
		'on a woodcut styles',
	]);

	parts('is what is not to be there', true, [
		'no text',
		'no people',
		'without 3 big people',
		'free of people-like shapes',
		'avoid red and blue shapes',
		'no text or anything else that could be read at all',
		'without any watermarks, please',
		'with no logo of any kind on it',
	]);

	parts('is no clause of five words about it, nor one with marks', false, [
		'no one two three four five',
		'no one, two',
		'no !',
		'nothing but text',
		'a fox with no text',
		'no textures of any kind on it',
	]);
});

suite('styleAtEnd', () => {
	/** With the first that fits taken away. */
	const withoutEnd = (text: string) =>
		styleAtEnd.reduce((rest, pattern) => (rest === text ? text.replace(pattern, '') : rest), text);

	for (const [text, expected] of [
		['A fox in the style of a woodcut', 'A fox'],
		['A fox With The Style Of Dürer, at night', 'A fox'],
		['A fox in style', 'A fox'],
		['A fox In a woodcut Style', 'A fox'],
		['A fox in an old woodcut style', 'A fox'],
		['A fox in a one two three style', 'A fox'],
		['A fox in the 17th century Rembrandt’s style', 'A fox'],
		['A fox in comic-style', 'A fox'],
		['A fox in old comic-style', 'A fox'],
		['A fox in 60s-style', 'A fox'],
		['A fox with no text', 'A fox'],
		['A fox without any Text', 'A fox'],
		['A fox and no captions', 'A fox'],
		['A fox no labels or logos', 'A fox'],
		['A fox within the style of a woodcut', undefined],
		['A fox in the style offered', undefined],
		['A fox in woodcut style at night', undefined],
		['A fox within a woodcut style', undefined],
		['A fox in one two three four five style', undefined],
		['A fox in hen+hare style', undefined],
		['A fox in freestyle', undefined],
		['A fox in a +-style', undefined],
		['A fox with no text on it', undefined],
		['A fox with no textures', undefined],
	] as const) {
		test(`is what ends ${JSON.stringify(text)}`, () => {
			assert.equal(withoutEnd(text), expected ?? text);
		});
	}
});
