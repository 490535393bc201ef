import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { hashOf, ClosedDocumentAnchors } from '../../../src/generation/closedDocumentAnchors.js';

suite('generation › anchors in closed documents', () => {
	const uri = 'file:///notes.md' as unknown as vscode.Uri;
	const opened = (text: string, other = uri) =>
		({ uri: other, getText: () => text }) as unknown as vscode.TextDocument;
	const spotsIn = (text: string, start: number) => ({
		anchors: [{ start, end: start }],
		sha256: hashOf(text),
	});
	const original = spotsIn('One', 3);
	const latest = spotsIn('Number One', 10);
	let left: ClosedDocumentAnchors;

	setup(() => {
		left = new ClosedDocumentAnchors();
		left.leave('a', uri, { latest, original });
	});

	test('are found in the text that was seen last, once', () => {
		assert.ok(left.has('a'));
		assert.deepEqual(left.take(opened('Number One')), [{ id: 'a', latest, original }]);
		assert.ok(!left.has('a'));
		assert.deepEqual(left.take(opened('Number One')), []);
	});

	test('are found in the text of the command, as where changes were not saved', () => {
		assert.deepEqual(left.take(opened('One')), [{ id: 'a', latest: original, original }]);
	});

	test('are not guessed in any other text, and are still known for the right one', () => {
		assert.deepEqual(left.take(opened('One more')), []);
		assert.deepEqual(left.take(opened('One', 'file:///b.md' as unknown as vscode.Uri)), []);
		assert.equal(left.take(opened('One')).length, 1);
	});

	/** Part of a URI that names of files need. */
	const name = (path: string): vscode.Uri =>
		({
			...{ scheme: 'file', authority: '', path },
			with: (change: { path: string }) => name(change.path),
			toString: () => `file://${path}`,
		}) as vscode.Uri;

	for (const [what, from, to, now] of [
		['a document', '/w/a/notes.md', '/w/b.md', '/w/b.md'],
		['a folder', '/w/a', '/w/b', '/w/b/notes.md'],
		['a folder around that', '/w', '/v/w', '/v/w/a/notes.md'],
	] as const) {
		test(`are found where ${what} has another name, and not by the old one`, () => {
			left.leave('b', name('/w/a/notes.md'), { latest, original });
			assert.ok(left.rename(name(from), name(to)));
			assert.equal(left.documentOf('b')?.path, now);
			assert.deepEqual(left.take(opened('One', name('/w/a/notes.md'))), []);
			assert.equal(left.take(opened('One', name(now))).length, 1);
		});
	}

	test('stay where another file or folder gets a name, however alike the names are', () => {
		left.leave('b', name('/w/a/notes.md'), { latest, original });
		for (const other of ['/w/a/notes', '/w/a/notes.md.txt', '/w/a/n', '/w/b', '/a/notes.md']) {
			assert.ok(!left.rename(name(other), name('/w/c')), other);
		}
		assert.equal(left.documentOf('b')?.path, '/w/a/notes.md');
		assert.equal(left.documentOf('c'), undefined);
	});

	test('are not found where there will be no image', () => {
		left.delete('a');
		assert.deepEqual(left.take(opened('One')), []);
	});
});
