import type { JobResult } from '../../../src/jobs/state.js';

/** Makes the facts of a received image. */
export function resultOf(change: Partial<JobResult> = {}): JobResult {
	return {
		file: '/jobs/1/image',
		format: 'png',
		contentType: 'image/png',
		extension: '.png',
		width: 1024,
		height: 768,
		bytes: 5,
		sha256: 'ab',
		elapsedMs: 1,
		...change,
	};
}
