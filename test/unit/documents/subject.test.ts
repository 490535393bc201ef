import assert from 'node:assert/strict';
import fc from 'fast-check';
import { altText } from '../../../src/documents/altText';
import { subjectOf } from '../../../src/documents/subject';

suite('subjectOf', () => {
	const subjects = (sentence: string, cases: Record<string, string>) =>
		test(sentence, () => {
			for (const [prompt, subject] of Object.entries(cases)) {
				assert.equal(subjectOf(prompt), subject, JSON.stringify(prompt));
			}
		});

	subjects('is the first clause', {
		'a fox': 'a fox',
		'A lighthouse at dusk. Waves break below it.': 'A lighthouse at dusk',
		'A lighthouse at dusk; waves': 'A lighthouse at dusk',
		'A harbor at dusk – boats come home': 'A harbor at dusk',
		'A harbor at dusk, seen from above, boats come home': 'A harbor at dusk',
		'Two people look at a map: where are they?': 'Two people look at a map: where are they',
		'Version 2.0 of 1,000 boats, seen from above': 'Version 2.0 of 1,000 boats',
		'The house of Dr. Who in St. Ives. At night': 'The house of Dr. Who in St. Ives',
		'A plan by J. R. Fox, e.g. of a den': 'A plan by J. R. Fox',
		'Fox, sitting in the snow, at night': 'Fox, sitting in the snow',
	});

	subjects('goes on over a line break within a sentence, and ends at any other', {
		'A lighthouse on\n  a cliff\r\nat dusk': 'A lighthouse on a cliff at dusk',
		'A lighthouse\nFlat illustration\nNo text': 'A lighthouse',
		'Flat illustration\n\nA lighthouse': 'A lighthouse',
	});

	subjects('keeps a list together', {
		'A red fox, a hen and a rabbit in the snow, at dusk':
			'A red fox, a hen and a rabbit in the snow',
		'foxes, hens, and rabbits, flat illustration': 'foxes, hens, and rabbits',
	});

	subjects('has no words of style', {
		'A lighthouse on a cliff at dusk, flat illustration, no text':
			'A lighthouse on a cliff at dusk',
		'Flat illustration, no text, a lighthouse on a cliff': 'a lighthouse on a cliff',
		'flat vector illustration of a harbor at night': 'a harbor at night',
		'A minimalist line drawing of a cat': 'A cat',
		'Isometric 3D render of an office, soft lighting, 4k': 'An office',
		'A harbor in the style of a woodcut': 'A harbor',
		'A harbor at dusk in flat vector style, 16:9': 'A harbor at dusk',
		'A harbor as a watercolor painting': 'A harbor',
		'A fox on a white background': 'A fox',
		'A harbor without any text': 'A harbor',
		'A harbor (isometric, no text) with boats': 'A harbor with boats',
		'A harbor (old, small) with boats': 'A harbor (old, small) with boats',
		'A harbor (16:9)': 'A harbor',
		'A harbor --ar 16:9': 'A harbor --ar 16:9',
		'A harbor, --ar 16:9': 'A harbor',
		'Style: flat illustration. Subject: two people moving boxes': 'Two people moving boxes',
		'Create an image of a fox': 'A fox',
		'Please draw me a picture showing two foxes. No text': 'Two foxes',
		'Flat illustration: a fox in the snow': 'A fox in the snow',
	});

	subjects('keeps what only looks like style', {
		'A painting hangs on a wall': 'A painting hangs on a wall',
		'A diagram of the request flow': 'A diagram of the request flow',
		'Create account form with two fields': 'Create account form with two fields',
		'A red light in the fog': 'A red light in the fog',
		'Sketch Club poster': 'Sketch Club poster',
		'Login screen: a form with two fields': 'Login screen: a form with two fields',
	});

	subjects('is what there is where all is style', {
		'flat illustration, no text': 'flat illustration',
		'16:9': '16:9',
		'🦊, no text': '🦊',
		'!!!': '!!!',
		'  ': '',
		'': '',
	});

	subjects('of other languages is a clause', {
		'Ein Leuchtturm in der Dämmerung, flache Illustration, kein Text':
			'Ein Leuchtturm in der Dämmerung',
		'一只红色的狐狸，坐在月光下。没有文字': '一只红色的狐狸',
		'月の下のキツネ。文字なし': '月の下のキツネ',
		'ثعلب أحمر، تحت القمر': 'ثعلب أحمر',
	});

	test('is cut between words, without an ellipsis and without words that wait for another', () => {
		const prompt = `A wide harbor with many small boats ${'and very old cranes '.repeat(3)}beside the long pier in a storm that comes up from the sea`;
		assert.equal(
			subjectOf(prompt),
			'A wide harbor with many small boats and very old cranes and very old cranes and very old cranes beside the long pier',
		);
	});

	test('is a line of at most 125 characters, without an ellipsis of ours, and never empty', () => {
		const word = fc.constantFrom(
			'a',
			'fox',
			'in',
			'the',
			'flat',
			'illustration',
			'no',
			'text',
			',',
			'.',
			'\n',
			':',
			'(',
			')',
			'–',
			'style',
			'狐狸',
			'，',
			'🦊',
			'of',
		);
		const prompt = fc.oneof(
			fc.array(word, { maxLength: 60 }).map((words) => words.join(' ')),
			fc.string({ unit: 'binary', maxLength: 300 }),
		);
		fc.assert(
			fc.property(prompt, (text) => {
				const subject = subjectOf(text);
				assert.ok(subject.length <= 125);
				assert.ok(!subject.includes('\n') && (text.includes('…') || !subject.includes('…')));
				assert.equal(subject === '', altText(text) === '', JSON.stringify(text));
			}),
			{ numRuns: 2000 },
		);
	});

	test('is made of whole words of the prompt', () => {
		const word = fc.stringMatching(/^[a-z]{1,12}$/);
		fc.assert(
			fc.property(fc.array(word, { minLength: 1, maxLength: 50 }), (words) => {
				const subject = subjectOf(words.join(' ')).split(' ');
				assert.ok(subject.every((one) => words.includes(one)));
			}),
		);
	});
});
