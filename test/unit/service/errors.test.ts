import assert from 'node:assert/strict';
import { inWords } from '../../../src/easelError.js';
import {
	AnswerError,
	ConnectionError,
	InterruptedError,
	isRepeatableStatus,
	RequestError,
	StatusError,
	StorageError,
	TimeoutError,
} from '../../../src/service/errors.js';

const cause = new Error('the cause');

suite('service › errors', () => {
	test('say of what kind they are, what they mean for the money and whether to repeat them', () => {
		const details = { charge: 'unknown', requestId: 'r1', cause } as const;
		const words = inWords('text');
		const rows = [
			[new RequestError('prompt', words, cause), 'request', 'notSent', false],
			[new ConnectionError('EPIPE', words, details), 'connection', 'unknown', true],
			[new StatusError(words, { ...details, status: 503 }), 'status', 'unknown', true],
			[new StatusError(words, { ...details, status: 402 }), 'status', 'unknown', false],
			[new TimeoutError(words, details), 'timeout', 'unknown', false],
			[new AnswerError(words, { cause }), 'answer', 'charged', false],
			[new StorageError('ENOSPC', words, { cause }), 'storage', 'charged', false],
			[new StorageError('ENOSPC', words, details), 'storage', 'unknown', false],
		] as const;
		for (const [error, kind, charge, repeatable] of rows) {
			assert.deepEqual(
				[error.name, error.kind, error.charge, error.repeatable, error.message, error.cause],
				[error.constructor.name, kind, charge, repeatable, 'text', cause],
			);
			assert.ok(error.stack?.includes('errors.test'));
		}
		assert.equal(new TimeoutError(words, details).requestId, 'r1');
	});

	test('a status is repeatable where the specification says so', () => {
		const repeatable = Array.from({ length: 500 }, (_, index) => 100 + index).filter(
			isRepeatableStatus,
		);
		assert.deepEqual(repeatable.slice(0, 5), [408, 409, 425, 429, 500]);
		assert.equal(repeatable.length, 104);
		assert.ok(!isRepeatableStatus(600));
	});

	test('an interruption keeps its reason', () => {
		const error = new InterruptedError('SIGTERM', cause);
		assert.deepEqual(
			[error.name, error.message, error.cause],
			['InterruptedError', 'SIGTERM', cause],
		);
	});
});
