import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { abortAtInterruption } from '../../src/jobs/interruption.js';

// What each signal and each error means for the work is tested in `workerEnds.test.ts`.
suite('jobs › interruption', () => {
	teardown(() => {
		mock.restoreAll();
		process.exitCode = undefined;
	});

	test('leaves ten seconds to the work, and holds nothing up', () => {
		const listening = new Map<string, (what: unknown) => void>();
		// This process ends as it always does.
		mock.method(process, 'on', (name: string, listener: () => void) => {
			listening.set(name, listener);
			return process;
		});
		const timer = setTimeout(() => undefined, 60_000);
		const wait = mock.method(globalThis, 'setTimeout', (_: () => void, __: number) => timer);
		const ending = new AbortController();
		abortAtInterruption(ending);
		listening.get('SIGTERM')!('SIGTERM');
		assert.ok(ending.signal.aborted);
		assert.equal(process.exitCode, 1);
		const [then, ms] = wait.mock.calls[0]!.arguments;
		assert.equal(ms, 10_000);
		assert.equal(timer.hasRef(), false);
		const exit = mock.method(process, 'exit', () => undefined as never);
		then();
		assert.deepEqual(exit.mock.calls[0]?.arguments, [1]);
	});
});
