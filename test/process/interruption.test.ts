import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { abortAtInterruption } from '../../src/jobs/interruption.js';
import { InterruptedError } from '../../src/service/errors.js';

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const exceptions = ['uncaughtException', 'unhandledRejection'] as const;

suite('jobs › interruption', () => {
	/** Listeners to the ends of this process, which ends as it always does. */
	let listening: Map<string, (...args: unknown[]) => void>;
	/** Timers that were set. */
	let later: { readonly then: () => void; readonly ms: number; readonly timer: NodeJS.Timeout }[];
	let said: string[];

	setup(() => {
		listening = new Map();
		later = [];
		said = [];
		mock.method(process, 'on', (name: string, listener: () => void) => {
			listening.set(name, listener);
			return process;
		});
		mock.method(process.stderr, 'write', (text: string) => said.push(text) > 0);
		const { setTimeout } = globalThis;
		mock.method(globalThis, 'setTimeout', (then: () => void, ms: number) => {
			const timer = setTimeout(() => undefined, ms);
			later.push({ then, ms, timer });
			return timer;
		});
	});

	teardown(() => {
		mock.restoreAll();
		process.exitCode = undefined;
	});

	/** Returns the reason with which the work ends. */
	function endBy(name: string, what: unknown): InterruptedError {
		const ending = new AbortController();
		abortAtInterruption(ending);
		assert.deepEqual([...listening.keys()], [...signals, ...exceptions]);
		assert.equal(ending.signal.aborted, false);
		listening.get(name)!(what);
		const reason: unknown = ending.signal.reason;
		assert.ok(reason instanceof InterruptedError);
		return reason;
	}

	test('leaves ten seconds to the work, and holds nothing up', () => {
		endBy('SIGTERM', 'SIGTERM');
		assert.equal(process.exitCode, 1);
		const [{ then, ms, timer } = assert.fail('It waits for ever.'), ...more] = later;
		assert.deepEqual([ms, more], [10_000, []]);
		assert.equal(timer.hasRef(), false);
		const exit = mock.method(process, 'exit', () => undefined as never);
		then();
		assert.deepEqual(exit.mock.calls[0]?.arguments, [1]);
	});
});
