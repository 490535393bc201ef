import assert from 'node:assert/strict';
import { withNotice, type Notice } from '../../../../src/webview/studio/notices';

const notice = (text: string, undo?: string): Notice => ({
	severity: 'info',
	text,
	...(undo === undefined ? {} : { undo }),
});

suite('notices', () => {
	test('the last three stand there, newest last', () => {
		let notices: Notice[] = [];
		for (const text of ['a', 'b', 'c', 'd']) {
			notices = withNotice(notices, notice(text));
		}
		assert.deepEqual(
			notices.map(({ text }) => text),
			['b', 'c', 'd'],
		);
	});

	test('the same is there once; what brings back different images is not the same', () => {
		const twice = withNotice([notice('a'), notice('b')], notice('a'));
		assert.deepEqual(
			twice.map(({ text }) => text),
			['b', 'a'],
		);
		assert.equal(withNotice([notice('a', '1')], notice('a', '2')).length, 2);
	});
});
