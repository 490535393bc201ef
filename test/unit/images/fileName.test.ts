import assert from 'node:assert/strict';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { wordsOf } from '../../../src/editor/errorTexts.js';
import {
	candidateNames,
	defaultFileNamePattern,
	FileNameError,
	fileNameFrom,
	type FileNameValues,
	numbered,
	editedStem,
	promptSlug,
} from '../../../src/images/fileName';
import { scratch, useScratch } from '../scratch.js';
import { randomText, seeded } from './random';

suite('promptSlug', () => {
	useScratch();
	const slugs = (sentence: string, cases: Record<string, string>) =>
		test(sentence, () => {
			for (const [prompt, slug] of Object.entries(cases)) {
				assert.equal(promptSlug(prompt), slug, JSON.stringify(prompt));
			}
		});

	slugs('joins words in lower case with hyphens', {
		'A red fox, 3 stars!': 'red-fox-3-stars',
		'  --snake_case & camelCase--  ': 'snake-case-camelcase',
		'two\nlines\tand a tab': 'two-lines-and-tab',
		'A lighthouse at dusk. Waves break below it.': 'lighthouse-at-dusk',
		"The dragon's egg, d’Artagnan": 'dragons-egg-dartagnan',
		"a 'quoted' word": 'quoted-word',
		'100% sure, #1 [draft] (a) "b"': '100-sure-1-draft-b',
	});

	slugs('leaves out English articles before another word', {
		'An island of the North': 'island-of-north',
		'Plan A': 'plan-a',
		'The The': 'the',
		'Theatre and anchor': 'theatre-and-anchor',
	});

	slugs('keeps the letters and marks of all scripts', {
		'Grüße aus Köln': 'grüße-aus-köln',
		'Cafe\u0301': 'caf\u00e9',
		'Красная Лиса': 'красная-лиса',
		'一只红色的狐狸,坐在月光下': '一只红色的狐狸-坐在月光下',
		月の下のキツネ: '月の下のキツネ',
		'ثعلب أحمر': 'ثعلب-أحمر',
		'लाल लोमड़ी क्षितिज पर': 'लाल-लोमड़ी-क्षितिज-पर'.normalize('NFC'),
		สุนัขจิ้งจอก: 'สุนัขจิ้งจอก',
		'ΟΔΟΣ ΣΟΦΙΑΣ': 'οδος-σοφιας',
	});

	slugs('drops what cannot be seen', {
		'می\u200cخواهم': 'میخواهم',
		'a\u202eb\u2066c\u200bd\ufeffe': 'abcde',
		'soft\u00adhyphen': 'softhyphen',
		'a\u115fb\u3164c': 'abc',
		'e\u200d\u0301': 'é',
	});

	slugs('calls it "image" where no letter or digit is left', {
		'': 'image',
		'🦊✨👩‍🚀❤️🇩🇪': 'image',
		'... --- / \\ ..': 'image',
		'\u0301\u0301': 'image',
		'\ud83d \udd8a': 'image',
	});

	slugs('keeps the words beside an emoji', { '🦊 fox ❤️': 'fox', '1️⃣ first': '1-first' });

	slugs('steps around the names of devices on Windows', {
		con: 'con-image',
		'NUL.': 'nul-image',
		'com¹': 'com¹-image',
		LPT9: 'lpt9-image',
		CONIN$: 'conin',
		console: 'console',
		'con artist': 'con-artist',
	});

	test('is cut between words where possible', () => {
		const slug = promptSlug(
			'The quick brown fox jumps over the lazy dog and keeps running for miles',
		);
		assert.equal(slug, 'quick-brown-fox-jumps-over-lazy-dog-and');
		assert.equal(promptSlug(`${'é'.repeat(20)} ${'é'.repeat(30)}`), 'é'.repeat(20));
		assert.equal(promptSlug('x'.repeat(500)), 'x'.repeat(40));
	});

	test('is cut within 120 bytes and never inside a grapheme', () => {
		const slug = promptSlug('क्षि'.repeat(100));
		assert.ok(Buffer.byteLength(slug) <= 120);
		assert.equal(slug.replaceAll('क्षि', ''), '');
		assert.equal(promptSlug(`a${'\u0301'.repeat(500)}`), 'image');
	});

	test('is a safe name for whatever text there is', () => {
		const random = seeded(1);
		for (let round = 0; round < 1000; round++) {
			const prompt = randomText(random, 90);
			const slug = promptSlug(prompt);
			assertSafe(slug, prompt);
			assert.match(slug, /^[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*$/u, JSON.stringify(prompt));
			assert.ok(Buffer.byteLength(slug) <= 120, slug);
			assert.ok(slug.length <= 40, slug);
			assert.equal(promptSlug(slug), slug, `not stable for ${JSON.stringify(prompt)}`);
		}
	});
});

suite('fileNameFrom', () => {
	useScratch();
	const values: FileNameValues = {
		prompt: 'A red fox',
		time: new Date(2026, 2, 4, 5, 6, 7),
		size: '1536x1024',
		documentBaseName: 'Getting Started',
	};

	const names = (sentence: string, cases: Record<string, string>, changed = values) =>
		test(sentence, () => {
			for (const [pattern, name] of Object.entries(cases)) {
				assert.equal(fileNameFrom(pattern, changed), name, pattern);
			}
		});

	names('replaces the variables', {
		[defaultFileNamePattern]: 'red-fox.png',
		'${date}_${time}': '2026-03-04_050607.png',
		'${documentBaseName}-${size}': 'Getting-Started-1536x1024.png',
		'${promptSlug}${promptSlug}': 'red-foxred-fox.png',
		'draft-${promptSlug}.v2': 'draft-red-fox.v2.png',
	});

	names('appends the extension once', {
		'${promptSlug}.png': 'red-fox.png',
		'${promptSlug}.PNG': 'red-fox.png',
		'${promptSlug}.jpeg': 'red-fox.png',
		'${promptSlug}.png.b': 'red-fox.png.b.png',
	});

	names(
		'names a prompt without a letter by its document',
		{ '': 'Getting-Started.png' },
		{ ...values, prompt: '🦊 …' },
	);

	names('takes an empty pattern for the default', {
		'': 'red-fox.png',
		'  ': 'red-fox.png',
		'.png': 'red-fox.png',
	});

	names(
		'drops a variable without a value together with its separator',
		{
			'${documentBaseName}-${promptSlug}': 'red-fox.png',
			'${promptSlug}-${documentBaseName}': 'red-fox.png',
			'${promptSlug}_${documentBaseName}_${size}': 'red-fox_1536x1024.png',
			'${documentBaseName}': 'image.png',
			'${documentBaseName}.png': 'image.png',
		},
		{ ...values, documentBaseName: undefined },
	);

	names('makes the rest of the pattern safe', {
		'My Images: ${promptSlug}?': 'My-Images-red-fox.png',
		'..': 'image.png',
		'_${promptSlug}. ': '_red-fox.png',
		con: 'con-image.png',
		'Aux.${promptSlug}': 'Aux-image.red-fox.png',
		'a#b%20c[d](e)': 'a-b-20c-d-e.png',
	});

	names(
		'makes the name of the document safe',
		{ '${documentBaseName}-${promptSlug}': 'C-guide-100-red-fox.png' },
		{ ...values, documentBaseName: '../C# "guide" 100%' },
	);

	test('takes another extension', () => {
		assert.equal(fileNameFrom('${promptSlug}.png', values, '.webp'), 'red-fox.webp');
	});

	test('keeps what follows a long prompt and a long document name', () => {
		const name = fileNameFrom('${documentBaseName}-${promptSlug}-${date}', {
			...values,
			prompt: '狐'.repeat(500),
			documentBaseName: 'x'.repeat(255),
		});
		assert.match(name, /^x+-狐+-2026-03-04\.png$/u);
		assert.ok(Buffer.byteLength(name) <= 204);
		assert.ok(Buffer.byteLength(fileNameFrom('狐'.repeat(500), values)) <= 204);
	});

	test('names each variable that is not known, and those that are', () => {
		assert.throws(
			() => fileNameFrom('${prompt}-${date}-${toString}-${size', values),
			(error: unknown) => {
				assert.ok(error instanceof FileNameError);
				assert.equal(error.facts.code, 'fileName.unknownVariable');
				assert.equal(
					wordsOf(error),
					'The file name pattern has ${prompt}, ${toString}, ${size, which is not known. Use ' +
						'${promptSlug}, ${date}, ${time}, ${size} or ${documentBaseName}.',
				);
				return true;
			},
		);
	});

	for (const pattern of ['drafts/${promptSlug}', '../x', '/x', 'a\\b', '${promptSlug}/.png']) {
		test(`refuses the folder in ${pattern}`, () => {
			assert.throws(
				() => fileNameFrom(pattern, values),
				(error) => error instanceof FileNameError && /easel\.output\.folder/.test(wordsOf(error)),
			);
		});
	}

	test('refuses a pattern that is longer than a name can be', () => {
		assert.equal(fileNameFrom('a'.repeat(1000), values), `${'a'.repeat(200)}.png`);
		assert.throws(
			() => fileNameFrom('a'.repeat(1001), values),
			(error) =>
				error instanceof FileNameError &&
				wordsOf(error) === 'The file name pattern has 1,001 characters. Use at most 1,000.',
		);
	});

	test('makes names that the file system takes and returns as they are', async () => {
		const random = seeded(3);
		const wanted = new Set<string>();
		while (wanted.size < 200) {
			wanted.add(fileNameFrom('', { ...values, prompt: randomText(random, 90) }).normalize());
		}
		for (const name of wanted) {
			await (await open(join(scratch, name), 'wx')).close();
		}
		const found = (await readdir(scratch)).map((name) => name.normalize());
		assert.deepEqual(found.sort(), [...wanted].sort());
	});
});

suite('numbered names', () => {
	useScratch();
	test('have the number before the extension', () => {
		assert.equal(numbered('image.png', 1), 'image-1.png');
		assert.equal(numbered('a.b.png', 12), 'a.b-12.png');
		assert.equal(numbered('image', 2), 'image-2');
		assert.equal(numbered('.png', 2), '.png-2');
	});

	test('are tried in turn, the plain one first', () => {
		const names = candidateNames('image.png');
		assert.deepEqual(
			[names.next().value, names.next().value, names.next().value],
			['image.png', 'image-1.png', 'image-2.png'],
		);
	});
});

/** Asserts that a name is valid on all three systems, visible, and inert in a link. */
function assertSafe(name: string, origin: string): void {
	const about = `${JSON.stringify(name)} from ${origin}`;
	assert.ok(name.length > 0, about);
	assert.ok(name.isWellFormed(), about);
	assert.equal(name.normalize('NFC'), name, about);
	assert.doesNotMatch(name, /[/\\:*?"<>|%#[\](){}'`&$\s\p{Cc}]/u, about);
	assert.doesNotMatch(name, /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u, about);
	assert.doesNotMatch(name, /^[-. \p{M}]|[-. ]$/u, about);
	assert.doesNotMatch(name, /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³])(?:\.|$)/iu, about);
}

suite('editedStem', () => {
	useScratch();
	for (const [fileName, prompt, stem] of [
		['diagram.png', 'make it a night scene', 'diagram-night-scene'],
		['diagram.png', 'Make it a night scene!', 'diagram-night-scene'],
		['diagram.png', 'Add a red hat', 'diagram-add-red-hat'],
		['photo.final.JPEG', 'please turn this into a sketch', 'photo.final-sketch'],
		['diagram-night-scene.png', 'with fireworks', 'diagram-night-scene-with-fireworks'],
		['灯塔.webp', '改成夜景', '灯塔-改成夜景'],
		['my picture.png', 'darker', 'my-picture-darker'],
		['.png', 'darker', 'png-darker'],
		[`${'灯'.repeat(36)}.webp`, '改成夜景', `${'灯'.repeat(24)}-改成夜景`],
		['diagram.png', 'make it', 'diagram-make-it'],
		['diagram.png', '!!!', 'diagram-image'],
	] as const) {
		test(`${fileName}: ${prompt}`, () => {
			assert.equal(editedStem(fileName, prompt), stem);
		});
	}

	test('has at most 40 characters, with both parts in it', () => {
		const stem = editedStem(`${'é'.repeat(200)}.png`, 'darker '.repeat(100));
		assert.match(stem, /^é{24}(-darker){2}$/);
		assert.equal(
			editedStem(
				'onboarding-illustration-with-two-people-moving-boxes-from-one-to-two.png',
				'Make it a night scene and remove the second of the sailing boats',
			),
			'onboarding-illustration-night-scene-and',
		);
	});

	test('of edits of edits stays short and names the last change', () => {
		let name = 'harbor.png';
		for (const prompt of ['make it night', 'add a second boat', 'remove the crane', 'more stars']) {
			name = `${editedStem(name, prompt)}.png`;
		}
		assert.equal(name, 'harbor-night-add-second-more-stars.png');
	});
});
