import assert from 'node:assert/strict';
import fc from 'fast-check';
import { altText } from '../../../src/images/altText';
import { subjectOf } from '../../../src/images/subject';

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

	subjects('has no marks of Markdown', {
		'# Architecture': 'Architecture',
		'# Architecture\n\nA diagram of three services': 'Architecture',
		'# Architecture\nof three services': 'Architecture',
		'Architecture\n===\nof three services': 'Architecture',
		'## Prompt\n\nA fox in the snow': 'A fox in the snow',
		'# Image prompt\n\nA fox in the snow': 'A fox in the snow',
		'- a fox\n- a hen\n- flat illustration': 'a fox',
		'* **Subject:** a lighthouse\n* Style: flat': 'A lighthouse',
		'• a fox\n• a hen': 'a fox',
		'1. a fox\n2. a hen': 'a fox',
		'- [ ] a fox': 'a fox',
		'> A fox in the snow\n> at night': 'A fox in the snow at night',
		'> # A fox\n> at night': 'A fox',
		'**A red fox** in the `snow`, flat illustration': 'A red fox in the snow',
		'__A red fox__ in ~~deep~~ *old _white_* snow': 'A red fox in deep old white snow',
		'**赤い**キツネ': '赤いキツネ',
		'A ``<head>`` element': 'A <head> element',
		'```text\nA fox\n```': 'A fox',
		'***\nA fox': 'A fox',
		'[A fox](https://example.com/a_(b)) and ![a hen](hen.png "t")': 'A fox and a hen',
	});

	subjects('keeps what only looks like marks', {
		'#hashtag fox': '#hashtag fox',
		'A mirror image. On a wall': 'A mirror image',
		'C# logo on a wall': 'C# logo on a wall',
		'A snow_covered fox_den with 2*3 doors*': 'A snow_covered fox_den with 2*3 doors*',
		'-5 °C on a thermometer': '-5 °C on a thermometer',
		'1. FC Köln stadium at night': '1. FC Köln stadium at night',
		'A [bracketed] fox': 'A [bracketed] fox',
		'f(x) = a * b * c': 'f(x) = a * b * c',
	});

	subjects('does not end behind an abbreviation or an ordinal', {
		'Prof. Müller and Mr. Fox at 5 p.m. in the U.S. Senate':
			'Prof. Müller and Mr. Fox at 5 p.m. in the U.S. Senate',
		'Fig. 3 shows a pump. It is red.': 'Fig. 3 shows a pump',
		'Acme Inc. Headquarters at night': 'Acme Inc. Headquarters at night',
		'e.g. a fox': 'e.g. a fox',
		'Dr. Smith at a desk. At night': 'Dr. Smith at a desk',
		'Release v1.2 of the app. A rocket': 'Release v1.2 of the app',
		'Abb. 2 mit Nr. 7 bzw. Nr. 8. Kein Text': 'Abb. 2 mit Nr. 7 bzw. Nr. 8. Kein Text',
		'Ein Panzer im 2. Weltkrieg. Kein Text': 'Ein Panzer im 2. Weltkrieg',
		...Object.fromEntries(
			'Mr Mrs Ms Dr Prof St Jr Sr Vs vs etc ca approx Approx No Nos Nr Fig fig Figs figs Abb bzw usw Inc Ltd Co Vol'
				.split(' ')
				.map((word) => [`A boat ${word}. Two`, `A boat ${word}. Two`]),
		),
		'A logo for example.com': 'A logo for example.com',
		'A logo for example.com. Blue': 'A logo for example.com',
		'A room for 300. At night': 'A room for 300',
	});

	subjects('is not in quotation marks as a whole, and has none without the other', {
		'"A red fox in the snow"': 'A red fox in the snow',
		'“A red fox in the snow.” Flat.': 'A red fox in the snow',
		"'A fox, seen from above'": 'A fox',
		'„Ein Fuchs im Schnee.“': 'Ein Fuchs im Schnee',
		'« Un renard dans la neige »': 'Un renard dans la neige',
		'「赤いキツネ。」': '赤いキツネ',
		'"Login" and "Save" buttons': '"Login" and "Save" buttons',
		'「赤いキツネ」が雪の中': '「赤いキツネ」が雪の中',
		'A sign that says "No. Stop." in red letters': 'A sign that says "No. Stop." in red letters',
		"the foxes' den": "the foxes' den",
		"'90s computers on a desk": "'90s computers on a desk",
	});

	subjects('has no words that ask for it', {
		'Can you draw a fox?': 'A fox',
		'Could you please make an icon of a fox': 'An icon of a fox',
		'I need an image of a fox in the snow': 'A fox in the snow',
		'I would like a picture of a fox': 'A fox',
		'Give me a fox': 'A fox',
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

	subjects('ends where a sentence does, whatever ends it', {
		'A fox! At night': 'A fox',
		'A fox… At night': 'A fox',
		'A fox?! At night': 'A fox',
		'A sign that says “Stop!” in red letters. Flat': 'A sign that says “Stop!” in red letters',
		'A fox (a red one!) at night.) Flat': 'A fox (a red one!) at night',
		'A fox says so.” At night': 'A fox says so',
		'A fox—at night': 'A fox',
		'A fox -- at night': 'A fox',
		'A fox。At night': 'A fox',
		'A fox？At night': 'A fox',
		'A fox！At night': 'A fox',
		'A fox।At night': 'A fox',
		'A fox؟At night': 'A fox',
		'A fox；At night': 'A fox',
		'A fox. at night': 'A fox. at night',
		'A fox.': 'A fox',
		'A fox.  At night': 'A fox',
		'A fox\n \t\nin the snow': 'A fox',
		'Ox. At night': 'Ox',
		'A fox at 9 p.m. On a hill': 'A fox at 9 p.m. On a hill',
		'A well-known fox': 'A well-known fox',
		'A fox on 22. Juni 2026. At night': 'A fox on 22. Juni 2026',
		'A fox in room 222. At night': 'A fox in room 222',
		'A fox, at night,': 'A fox',
	});

	subjects('does not end within what is enclosed', {
		'A sign with "Stop, now. Go" on it. Flat': 'A sign with "Stop, now. Go" on it',
		'A sign with “Stop, now. Go” on it. Flat': 'A sign with “Stop, now. Go” on it',
		'A sign with „Stop, now. Go“ on it. Flat': 'A sign with „Stop, now. Go“ on it',
		'A sign with „Stop, now. Go” on it. Flat': 'A sign with „Stop, now. Go” on it',
		'A sign with «Stop, now. Go» on it. Flat': 'A sign with «Stop, now. Go» on it',
		'A sign with 「Stop, now. Go」 on it. Flat': 'A sign with 「Stop, now. Go」 on it',
		'A sign (Stop, now. Go) on a wall. Flat': 'A sign (Stop, now. Go) on a wall',
		'A "fox". A "hen" at night': 'A "fox"',
		'A sign with "Stop. Go on it': 'A sign with "Stop',
		'A sign with „Stop. Go on it': 'A sign with „Stop',
	});

	subjects('keeps a short list together, and no more', {
		'red foxes, hens with two chicks, and rabbits, at dusk':
			'red foxes, hens with two chicks, and rabbits',
		'red foxes, hens with their two chicks, and rabbits': 'red foxes',
		'red foxes, one of these very old farms and rabbits': 'red foxes',
		'red foxes, hens, at dusk': 'red foxes',
		'fox2, in the snow': 'fox2',
		'2fox, in the snow': '2fox',
		'fox’s, in the snow': 'fox’s, in the snow',
	});

	subjects('leaves out style in parentheses, and nothing else of them', {
		'A harbor(16:9)': 'A harbor',
		'A harbor (isometric, old) with boats': 'A harbor (isometric, old) with boats',
		'(16:9) "a harbor"': 'a harbor',
	});

	subjects('leaves out what names the image before it, and nothing like it', {
		'draw a picture of a Fox': 'a Fox',
		'A red picture: a hen': 'A hen',
		'The prompt: a hen': 'A hen',
		'image: a hen': 'a hen',
		'Flat illustration showing a hen': 'A hen',
		'Flat illustration depicting a hen': 'A hen',
		'Flat illustration that shows a hen': 'A hen',
		'A fox in my image: a hen': 'A fox in my image: a hen',
		'Picture book: a hen': 'Picture book: a hen',
		'Style: woodcut of a tree. A fox': 'A fox',
		'Prompt. A fox': 'A fox',
		'The image description. A fox': 'A fox',
		'My prompt. A hen': 'My prompt',
		'Prompt book. A hen': 'Prompt book',
		'Foxes draw a map': 'Foxes draw a map',
		'Give us some boats': 'Some boats',
		'I’d like two boats': 'Two boats',
		'I want the fox': 'The fox',
		'please paint three foxes': 'three foxes',
		'Will you show me one fox?': 'One fox',
		'Make boats': 'Make boats',
	});

	subjects('has no quotation marks of its own, and keeps those of its words', {
		'"A fox. At night" ': 'A fox',
		'“A fox at night': 'A fox at night',
		"'A fox at night": "'A fox at night",
		"'The fox's den'": "The fox's den",
		'«A fox» and a hen': '«A fox» and a hen',
		'"" and a fox': '"" and a fox',
		狐狸: '狐狸',
	});

	subjects('has nothing at its end that waits for more', {
		'A harbor ((': 'A harbor',
		'A harbor -': 'A harbor',
		'; flat illustration': 'flat illustration',
	});

	test('is found behind blanks, however many', () => {
		assert.equal(subjectOf(`${' '.repeat(5000)}A fox, flat illustration`), 'A fox');
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
