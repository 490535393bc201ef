import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { linkText } from '../../src/documents/imageLink';
import { restructuredTextImage } from '../../src/documents/restructuredText';
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

	test('names every file as Sphinx looks for it', () => {
		const paths = troublesomePaths.filter((path) => !/(?! )\s/.test(path));
		const page = paths.map((path) =>
			linkText(restructuredTextImage({ path, alt: 'Fox' }, { forSphinx: true })),
		);
		assert.deepEqual(JSON.parse(docutils(printArguments, page)), paths);
	});
});

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
