import assert from 'node:assert/strict';
import { withinWindow } from '../../../../src/webview/studio/popup';

const window = { width: 400, height: 300 };

suite('popup', () => {
	test('opens where it is asked for, and as near to that as it can be seen', () => {
		const size = { width: 100, height: 80 };
		assert.deepEqual(withinWindow({ x: 20, y: 30 }, size, window), { x: 20, y: 30 });
		assert.deepEqual(withinWindow({ x: 390, y: 290 }, size, window), { x: 296, y: 216 });
		assert.deepEqual(withinWindow({ x: -5, y: -5 }, size, window), { x: 4, y: 4 });
	});

	test('what is larger than the window begins where it begins', () => {
		const size = { width: 500, height: 500 };
		assert.deepEqual(withinWindow({ x: 20, y: 30 }, size, window), { x: 4, y: 4 });
	});
});
