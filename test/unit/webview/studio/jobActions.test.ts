import assert from 'node:assert/strict';
import type { Job } from '../../../../src/protocol/studioModel';
import { tallyOf } from '../../../../src/webview/studio/jobActions';

test('what runs, waits and has failed is counted; a state without any is not named', () => {
	const jobs = (['failed', 'running', 'failed', 'asking'] as const).map(
		(state, index) => ({ id: String(index), state }) as Job,
	);
	assert.deepEqual(
		tallyOf(jobs).map(({ words, ids }) => `${words}: ${ids.join()}`),
		['1 running: 1', '1 undecided: 3', '2 failed: 0,2'],
	);
	assert.deepEqual(tallyOf([]), []);
});
