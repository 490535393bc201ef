import assert from 'node:assert/strict';
import { assertLinear, type Prepare } from './growth.js';
import { hardestOnly, linearTimeTests } from './suite.js';

suite('The time that foreign text takes on the thread of the extension host', () => {
	linearTimeTests(hardestOnly);
});

suite('The measurement of how time grows', () => {
	const blanks = (length: number) => `${' '.repeat(length)}a`;

	test('refuses an expression that starts anew at each blank', () => {
		assert.throws(() => {
			assertLinear((length) => () => /\s+$/.test(blanks(length)), 'The expression');
		}, /The expression takes \d+\.\d times as long for four times the length/);
	});

	const accepted: Readonly<Record<string, Prepare>> = {
		'an expression that reads once': (length) => () => blanks(length).match(/\s+/),
		sorting: (length) => {
			const numbers = Array.from({ length }, (_, index) => (index * 7919) % 1009);
			return () => numbers.toSorted((one, other) => one - other);
		},
		'what reads no more than the beginning': (length) => () =>
			/\s+$/.test(blanks(length).slice(0, 3000)),
	};
	for (const [what, prepare] of Object.entries(accepted)) {
		test(`accepts ${what}`, () => {
			assertLinear(prepare, what);
		});
	}
});
