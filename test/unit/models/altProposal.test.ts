import assert from 'node:assert/strict';
import { readProposal } from '../../../src/models/altProposal.js';

suite('models › altProposal', () => {
	for (const [answer, alt, description] of [
		['A quiet harbor', 'A quiet harbor', ''],
		['  “A quiet harbor”\n', 'A quiet harbor', ''],
		['DECORATIVE', '', ''],
		['Decorative.', '', ''],
		[
			'A chart of tides\n\nFrom 2 m at 4:12 …\nto 5 m.',
			'A chart of tides',
			'From 2 m at 4:12 …\nto 5 m.',
		],
		['A\u001b[31m red\u202e light\u0007', 'A red light', ''],
		['', '', ''],
	] as const) {
		test(JSON.stringify(answer), () => {
			assert.deepEqual(readProposal(answer), { alt, description });
		});
	}
});
