import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { hashOf, LeftSpots } from '../../../src/generation/leftSpots.js';

suite('generation › spots in closed documents', () => {
	const uri = 'file:///notes.md' as unknown as vscode.Uri;
	const opened = (text: string, other = uri) =>
		({ uri: other, getText: () => text }) as unknown as vscode.TextDocument;
	const spotsIn = (text: string, start: number) => ({
		spots: [{ start, end: start }],
		sha256: hashOf(text),
	});
	const original = spotsIn('One', 3);
	const latest = spotsIn('Number One', 10);
	let left: LeftSpots;

	setup(() => {
		left = new LeftSpots();
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

	test('are not found where there will be no image', () => {
		left.forget('a');
		assert.deepEqual(left.take(opened('One')), []);
	});
});
