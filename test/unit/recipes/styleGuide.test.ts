import assert from 'node:assert/strict';
import { wordsOf } from '../../../src/editor/errorTexts.js';
import {
	maxGuideBytes,
	maxStyleLength,
	maxStyleReferences,
	parseStyleGuide,
	StyleGuideError,
} from '../../../src/recipes/styleGuide.js';

function inFrontMatter(...lines: string[]): string {
	return ['---', ...lines, '---', 'Flat colors.'].join('\n');
}

suite('a style guide', () => {
	test('is its text alone where it begins with none of ---', () => {
		assert.deepEqual(parseStyleGuide('\uFEFF\n Flat colors,\r\nthick\uFEFF outlines. \n\n'), {
			text: 'Flat colors,\nthick\uFEFF outlines.',
			references: [],
		});
	});

	test('has a size and reference images before its text', () => {
		const content = [
			'---  ',
			'# What all pictures have in common',
			'size: 1536x1024 # wide',
			'',
			'references: # in this order',
			'  - ../images/hero.png',
			"- 'images/the #1.png'",
			'  # another one',
			'  - "/images/logo.png" # from the workspace folder',
			'---',
			'',
			'# Style',
			'---',
			'- flat',
		].join('\r\n');
		assert.deepEqual(parseStyleGuide(content), {
			size: '1536x1024',
			references: ['../images/hero.png', 'images/the #1.png', '/images/logo.png'],
			text: '# Style\n---\n- flat',
		});
	});

	test('can have its reference images in one line', () => {
		const read = (line: string) => parseStyleGuide(inFrontMatter(line)).references;
		assert.deepEqual(read('references: [a.png, "b c.png"] # two'), ['a.png', 'b c.png']);
		assert.deepEqual(read('references: []'), []);
		assert.deepEqual(read('references: a.png'), ['a.png']);
		assert.deepEqual(read('references:'), []);
		assert.deepEqual(read('references: [ ]'), []);
		assert.deepEqual(read('references: a.png  # one'), ['a.png']);
		assert.deepEqual(read('references: "a.png" # as in C:\\b.png'), ['a.png']);
		// Whatever a path may hold.
		for (const path of ['a [b].png', 'a [b]', 'a{1}.png', 'images/ab:c.png', 'a b/c:d.png']) {
			assert.deepEqual(read(`references: ${path}`), [path]);
		}
	});

	test('takes a size as people write it', () => {
		for (const size of ['1024 × 1536', '1024×1536', '1024 x1536', '1024x 1536', '1024x1536']) {
			assert.equal(parseStyleGuide(inFrontMatter(`size: ${size}  # high`)).size, '1024x1536');
		}
		assert.equal(parseStyleGuide(inFrontMatter("size: 'auto'")).size, 'auto');
	});

	test('names the line that is wrong, and says why', () => {
		const tooMany = Array.from({ length: maxStyleReferences + 1 }, (_, at) => `- ${at}.png`);
		for (const [line, message, content] of [
			[1, /no closing line of ---/, '---\nsize: auto\nFlat colors.'],
			[2, /the fields/, inFrontMatter('color: red')],
			[2, /the fields/, inFrontMatter('no field')],
			[2, /the fields/, inFrontMatter(' size: auto')],
			[2, /the fields/, inFrontMatter('size:auto')],
			[3, /is repeated/, inFrontMatter('size: auto', 'size: 1024x1024')],
			[2, /width and height/, inFrontMatter('size: 1000')],
			[2, /width and height/, inFrontMatter('size:')],
			[2, /below “references:”/, inFrontMatter('- a.png')],
			[4, /below “references:”/, inFrontMatter('references: [a.png]', '', '- b.png')],
			[3, /is missing/, inFrontMatter('references:', '-')],
			[2, /is missing/, inFrontMatter('references: [a.png,,b.png]')],
			[3, /not an address/, inFrontMatter('references:', '- https://example.com/a.png')],
			[3, /not an address/, inFrontMatter('references:', '- file:///etc/a.png')],
			[2, /on its own line/, inFrontMatter('references: {a: b}')],
			[2, /on its own line/, inFrontMatter('references: [a.png')],
			[3, /quoted text/, inFrontMatter('references:', '- "a.png')],
			[3, /quoted text/, inFrontMatter('references:', '- "a\\n.png"')],
			[3, /quoted text/, inFrontMatter('references:', '- "a.png" b')],
			[3 + maxStyleReferences, /at most 8/, inFrontMatter('references:', ...tooMany)],
			[4, /not text/, '---\n---\nFlat\n\0'],
			[1, /not text/, '\0Flat'],
			[4, /8,001 characters/, `---\n---\n \t\n${'x'.repeat(maxStyleLength + 1)}`],
			[4, /8,001 characters/, `---\n---\n\n${'x'.repeat(maxStyleLength + 1)}`],
		] as const) {
			assert.throws(
				() => parseStyleGuide(content),
				(error) =>
					error instanceof StyleGuideError &&
					error.line === line &&
					wordsOf(error).startsWith(`Line ${line}: `) &&
					message.test(wordsOf(error)),
				content.slice(0, 200),
			);
		}
	});

	test('is read no further than a guide can be long', () => {
		assert.throws(
			() => parseStyleGuide('\n'.repeat(maxGuideBytes + 1)),
			(error) =>
				error instanceof StyleGuideError &&
				error.line === undefined &&
				wordsOf(error) === 'It is larger than 64 KB.',
		);
		assert.equal(parseStyleGuide('\n'.repeat(maxGuideBytes)).text, '');
	});

	test('may be as long as it may be, and empty', () => {
		const text = 'x'.repeat(maxStyleLength);
		assert.equal(parseStyleGuide(`\n${text}\n`).text, text);
		assert.deepEqual(parseStyleGuide(''), { text: '', references: [] });
		assert.deepEqual(parseStyleGuide('---\n---'), { text: '', references: [] });
	});
});
