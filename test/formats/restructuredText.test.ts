import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { posix } from 'node:path';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { altText } from '../../src/documents/altText';
import { referenceText } from '../../src/documents/reference';
import { restructuredTextImage } from '../../src/documents/restructuredText';
import {
	fileOf,
	quotedPaths,
	randomAlt,
	randomPath,
	troublesomeAlts,
	troublesomePaths,
} from '../unit/documents/troublesome';
import { seeded } from '../unit/images/random';

suite('restructuredTextImage, rendered by Docutils', () => {
	suiteSetup(() => {
		const { status } = spawnSync('python3', ['-c', 'import docutils']);
		assert.equal(status, 0, 'This needs python3 with Docutils (Debian: python3-docutils).');
	});

	test('shows every path', () =>
		assertRendered([...troublesomePaths, ...quotedPaths].map((path) => ({ path, alt: 'Fox' }))));

	test('says every alt text', () =>
		assertRendered([...troublesomeAlts, ''].map((alt) => ({ path: 'a b.png', alt }))));

	test('shows whatever path and alt text there are', () => {
		const random = seeded(15);
		assertRendered(
			Array.from({ length: 400 }, () => ({ path: randomPath(random), alt: randomAlt(random) })),
		);
	});
});

const render = `
import sys
from docutils.core import publish_parts
text = sys.stdin.buffer.read().decode('utf-8')
settings = {'report_level': 1, 'halt_level': 2, 'input_encoding': 'unicode'}
body = publish_parts(text, writer_name='html5', settings_overrides=settings)['body']
sys.stdout.buffer.write(body.encode('utf-8'))
`;

function assertRendered(images: readonly { path: string; alt: string }[]): void {
	const page = images.map((image) => referenceText(restructuredTextImage(image)));
	const { status, stdout, stderr } = spawnSync('python3', ['-c', render], {
		input: `Before.\n\n${page.join('\n\n')}\n\nAfter.\n`,
		encoding: 'utf8',
	});
	assert.equal(status, 0, stderr);
	const shown = parseFragment(stdout)
		.childNodes.filter(({ nodeName }) => nodeName === 'img')
		.map((node) => {
			const { attrs } = node as DefaultTreeAdapterTypes.Element;
			const value = (name: string) => attrs.find((attr) => attr.name === name)?.value ?? '';
			return { file: fileOf(value('src')), alt: value('alt') };
		});
	assert.deepEqual(
		shown,
		images.map(({ path, alt }) => ({ file: posix.join('/root/docs', path), alt: altText(alt) })),
	);
}
