import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const src = path.resolve(__dirname, '../../../src');

/**
 * Who may open files by hand, and why a workspace cannot place another one there. All else that is
 * read goes through `src/files/boundedRead.ts`, which opens nothing but files of a bounded size.
 */
const allowed: Readonly<Record<string, string>> = {
	'files/boundedRead.ts': 'the one way to read what a workspace has placed',
	'files/writeWhole.ts': 'files of our own storage',
	'files/freeName.ts': 'makes a name that is free',
	'features/style/index.ts': 'a style guide of any file system that we have just written',
	'editor/files.ts': 'an image of a virtual file system, for which the editor answers',
	'editor/filePlaces.ts': 'reads what we keep; of virtual files the editor answers for',
	'features/edit/references.ts': 'documents of any file system, by kind and size before',
	'generation/destination.ts': 'what was put into a virtual file system, and our own file',
	'images/thumbnails/codecs.ts': 'code beside our own bundle',
	'images/thumbnails/make.ts': 'a thumbnail of our own storage',
	'images/thumbnails/stored.ts': 'a thumbnail of our own storage',
	'images/whole.ts': 'an image that was received into our own storage',
	'jobs/follow.ts': 'what a worker of ours has said',
	'jobs/processIdentity.ts': 'the system’s own files below /proc',
	'jobs/leaseFiles.ts': 'leases of our own storage',
	'jobs/jsonLines.ts': 'lines of our own storage',
	'jobs/workerProcess.ts': 'makes the file that a worker of ours writes into',
	'recipes/rewrite.ts': 'makes the copy; what is copied is opened as a regular file',
	'service/answerReader.ts': 'answers in our own storage',
	'service/redact.ts': 'answers in our own storage',
	'service/requestBody.ts': 'copies of references in our own storage',
};

const readers = [
	...['open', 'openSync', 'openAsBlob', 'readFile', 'readFileSync', 'createReadStream'],
	...['copyFile', 'copyFileSync', 'cp', 'cpSync'],
];

function readsByHand(text: string): boolean {
	const imports = text.matchAll(
		/import\s+(type\s+)?(\*\s+as\s+\w+|\w+|(?:\w+\s*,\s*)?\{[^}]*\})\s+from\s+'(?:node:)?fs(?:\/promises)?'/g,
	);
	return (
		[...imports].some(
			([, type, names = '']) =>
				type === undefined &&
				(!names.startsWith('{') ||
					names
						.slice(1, -1)
						.split(',')
						.some((name) => readers.includes(name.trim().split(/\s+as\s+/)[0] ?? ''))),
		) ||
		/\bworkspace\s*\.\s*fs\s*\.\s*readFile\b|\b(?:require|import)\(\s*['"`](?:node:)?fs/.test(text)
	);
}

suite('reading files', () => {
	test('of a workspace is bounded: no other file opens any by hand', () => {
		const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
			.map((file) => file.replaceAll(path.sep, '/'))
			.filter((file) => file.endsWith('.ts') && !file.startsWith('webview/'))
			.filter((file) => readsByHand(readFileSync(path.join(src, file), 'utf8')));
		assert.deepEqual(found.sort(), Object.keys(allowed).sort());
	});
});
