import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { linkText } from '../../src/documents/imageLink';
import { restructuredTextImage } from '../../src/documents/restructuredText';
import { insertImage, marked } from '../unit/documents/inserting';
import { imagesInHtml, testRendering, troublesomePaths } from '../unit/documents/troublesome';

suite('restructuredTextImage, rendered by Docutils', () => {
	suiteSetup(() => {
		const { status } = spawnSync('python3', ['-c', 'import docutils']);
		assert.equal(status, 0, 'This needs python3 with Docutils (Debian: python3-docutils).');
	});

	testRendering(
		(images) => {
			const page = images.map((image) => linkText(restructuredTextImage(image)));
			return imagesInHtml(docutils(printHtml, page));
		},
		{ seed: 15 },
	);

	for (const text of [
		'One.¦',
		'One ¦ two\nthree.\n\nFour.',
		'One\n¦two.\n\nThree.',
		'Title¦\n=====\n\nOne.',
		'- One¦\n- two\n\nThree.',
		'- ¦\n- two',
		'1. One\n\n   - two¦\n   - three\n\n2. Four',
		'.. note::\n\n   One¦\n\nTwo.',
		'=== ===\na   b\n=== ===\nc   d¦\n=== ===\n\nOne.',
		'term\n  One¦\n  two.',
	]) {
		test(`stands where it belongs, without a warning: ${JSON.stringify(text)}`, () => {
			const { text: plain, asked } = marked(text);
			const one = insertImage('restructuredtext', plain, asked);
			const two = insertImage('restructuredtext', one.text, one.alt, { path: 'b.png' });
			const html = docutils(printHtml, [two.text]);
			assert.deepEqual(
				imagesInHtml(html).map(({ file }) => file),
				['/root/docs/a.png', '/root/docs/b.png'],
			);
			assert.equal(textIn(html), textIn(docutils(printHtml, [plain])));
		});
	}

	test('names every file as Sphinx looks for it', () => {
		const paths = troublesomePaths.filter((path) => !/(?! )\s/.test(path));
		const page = paths.map((path) =>
			linkText(restructuredTextImage({ path, alt: 'Fox' }, { forSphinx: true })),
		);
		assert.deepEqual(JSON.parse(docutils(printArguments, page)), paths);
	});
});

/** Returns the visible text, without blanks. */
function textIn(html: string): string {
	return html.replace(/<[^>]*>|\s/g, '');
}

function docutils(script: string, blocks: readonly string[]): string {
	const { status, stdout, stderr } = spawnSync('python3', ['-c', readInput + script], {
		input: ['Before.', ...blocks, 'After.'].join('\n\n'),
		encoding: 'utf8',
	});
	assert.equal(status, 0, stderr);
	return stdout;
}

/** Stops at the first warning. */
const readInput = `
import json, sys
from docutils import core, nodes
text = sys.stdin.buffer.read().decode('utf-8')
settings = {'report_level': 1, 'halt_level': 2, 'input_encoding': 'unicode'}
`;

const printHtml = `
html = core.publish_parts(text, writer_name='html5', settings_overrides=settings)['body']
sys.stdout.buffer.write(html.encode('utf-8'))
`;

/** The directive's argument is all that Docutils hands on to Sphinx. */
const printArguments = `
document = core.publish_doctree(text, settings_overrides=settings)
print(json.dumps([image['uri'] for image in document.findall(nodes.image)]))
`;
