import assert from 'node:assert/strict';
import { CallAllowance, maxCallsPerMinute } from '../../../src/generation/callAllowance.js';

suite('generation › calls that spend money', () => {
	let now: number;
	let calls: CallAllowance;

	setup(() => {
		now = 1000;
		calls = new CallAllowance(() => now);
	});

	test('are asked about each time, until they are allowed for the session', () => {
		assert.equal(calls.reasonToAsk('oncePerSession', 1), 'call');
		calls.count(1);
		assert.equal(calls.reasonToAsk('oncePerSession', 1), 'call');
		calls.allowForSession();
		assert.equal(calls.reasonToAsk('oncePerSession', 1), undefined);
	});

	test('are asked about always where the setting says so, whatever was allowed', () => {
		calls.allowForSession();
		assert.equal(calls.reasonToAsk('always', 1), 'call');
	});

	test('are never asked about where the setting says so, however many there are', () => {
		calls.count(100);
		assert.equal(calls.reasonToAsk('never', 4), undefined);
	});

	test('are asked about again beyond four requests a minute, one by one or together', () => {
		calls.allowForSession();
		assert.equal(calls.reasonToAsk('oncePerSession', maxCallsPerMinute), undefined);
		for (let sent = 1; sent <= maxCallsPerMinute; sent++) {
			assert.equal(calls.reasonToAsk('oncePerSession', 1), undefined);
			calls.count(1);
			now += 1000;
		}
		assert.equal(calls.reasonToAsk('oncePerSession', 1), 'many');
		now += 60_000 - maxCallsPerMinute * 1000 - 1;
		assert.equal(calls.reasonToAsk('oncePerSession', 1), 'many');
		now += 1;
		assert.equal(calls.reasonToAsk('oncePerSession', 1), undefined, 'the first is a minute old');
		assert.equal(calls.reasonToAsk('oncePerSession', 2), 'many');
	});

	test('count among those of the minute where the user has allowed each, too', () => {
		calls.count(3);
		calls.allowForSession();
		calls.count(1);
		assert.equal(calls.reasonToAsk('oncePerSession', 1), 'many');
	});
});
