import assert from 'node:assert/strict';
import {
	maxPathLength,
	percentEncodeWithEnds,
	relativeReference,
	type ResourceUri,
} from '../../../src/documents/imageLink';

suite('relativeReference', () => {
	const refers = (sentence: string, from: ResourceUri, to: ResourceUri, reference: string) =>
		test(sentence, () => assert.equal(relativeReference(from, to), reference));
	const file = (path: string, authority = ''): ResourceUri => ({ scheme: 'file', authority, path });
	const remote = (path: string, authority = 'github'): ResourceUri => ({
		scheme: 'vscode-vfs',
		authority,
		path,
	});

	const guide = file('/repo/docs/guide.md');
	refers('leads up', guide, file('/repo/images/a.png'), '../images/a.png');
	refers('leads from the root', file('/a.md'), file('/images/a.png'), 'images/a.png');
	refers('escapes nothing', guide, file('/repo/docs/ö #1 100%.png'), 'ö #1 100%.png');
	refers('minds case', guide, file('/repo/Docs/a.png'), '../Docs/a.png');
	refers('keeps a colon from being a scheme', guide, file('/repo/docs/a:b.png'), './a:b.png');
	refers('so it does a later one', guide, file('/repo/docs/ab:c.png'), './ab:c.png');
	refers('takes no folder for a drive', file('/r/c:/a.md'), file('/r/d:/b.png'), '../d:/b.png');
	refers('leaves a colon further on', guide, file('/repo/docs/x/a:b.png'), 'x/a:b.png');

	const windows = file('/c:/Repo/docs/guide.md');
	refers('leads through a drive', windows, file('/c:/Repo/images/a.png'), '../images/a.png');
	refers('forgives the case of a drive', windows, file('/C:/Repo/docs/a.png'), 'a.png');
	refers('forgives the case of folders there', windows, file('/c:/repo/Docs/A.png'), 'A.png');
	refers('leads from the root of a drive', file('/c:/a.md'), file('/c:/x/b.png'), 'x/b.png');
	refers('is whole across drives', windows, file('/d:/a b.png'), 'file:///d:/a b.png');
	refers('leads through a share', file('/s/a.md', 'nas'), file('/s/i/b.png', 'nas'), 'i/b.png');
	refers('is whole across shares', file('/a.md', 'nas'), file('/b.png', 'x'), 'file://x/b.png');

	refers('leads through another file system', remote('/r/a.md'), remote('/r/i/b.png'), 'i/b.png');
	refers('is whole across hosts', remote('/a.md'), remote('/b.png', 'x'), 'vscode-vfs://x/b.png');
	refers('is whole across schemes', remote('/a.md'), file('/b.png'), 'file:///b.png');
	refers(
		'is whole for a scheme without hosts',
		guide,
		{ scheme: 'memory', authority: '', path: '/b.png' },
		'memory:/b.png',
	);
});

suite('percentEncodeWithEnds', () => {
	test('refuses what no system takes, its blank ends counted', () => {
		const blank = ' '.repeat(maxPathLength);
		assert.equal(percentEncodeWithEnds(blank, /%/g), '%20'.repeat(maxPathLength));
		assert.throws(() => percentEncodeWithEnds(`${blank} `, /%/g), RangeError);
	});
});
