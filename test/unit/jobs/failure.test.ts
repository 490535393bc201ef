import assert from 'node:assert/strict';
import { inWords } from '../../../src/easelError.js';
import { factsOf, failureFactsSchema } from '../../../src/jobs/failure.js';
import {
	AnswerError,
	ConnectionError,
	RequestError,
	StatusError,
	StorageError,
	TimeoutError,
} from '../../../src/service/errors.js';

const charge = 'unknown';

suite('jobs › failure', () => {
	test('is as data what it was as an error, and survives the way through JSON', () => {
		const status = new StatusError(inWords('busy'), { charge, status: 503, requestId: 'r1' });
		const facts = factsOf(status, { elapsedMs: 5 }, true);
		assert.deepEqual(facts, {
			kind: 'status',
			message: 'busy',
			charge,
			repeatable: true,
			elapsedMs: 5,
			unknownOutcome: true,
			status: 503,
			requestId: 'r1',
		});
		for (const error of [
			status,
			new RequestError('prompt', inWords('empty')),
			new ConnectionError('EPIPE', inWords('broke'), { charge }),
			new TimeoutError(inWords('late'), { charge }),
			new AnswerError({ code: 'answer.html' }),
			new StorageError('ENOSPC', inWords('full')),
		]) {
			const one = factsOf(error, { elapsedMs: 0 }, false);
			assert.deepEqual(failureFactsSchema.parse(JSON.parse(JSON.stringify(one))), one);
		}
	});

	test('names what has to be corrected, and nothing that is not known', () => {
		const facts = factsOf(new RequestError('prompt', inWords('empty')), { elapsedMs: 0 }, false);
		assert.deepEqual([facts.field, 'status' in facts], ['prompt', false]);
		const odd = Object.assign(new TimeoutError(inWords('late'), { charge }), { field: 5 });
		assert.ok(!('field' in factsOf(odd, { elapsedMs: 0 }, false)));
	});
});
