import assert from 'node:assert/strict';
import fs, { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { until } from '../host/until';
import { readState } from '../../src/jobs/jobFolder.js';
import type { JobState } from '../../src/jobs/state.js';
import { logTo } from '../../src/log.js';

const queued: JobState = { state: 'queued', attempts: [], changedAt: '2026-01-01T00:00:00.000Z' };
const cancelled: JobState = { ...queued, state: 'cancelled', charge: 'notSent' };

suite('jobs › persistState', () => {
	let root: string;
	/** Not there, like the whole journal, as where its drive is gone: nothing can be written into it. */
	let folder: string;
	let troubles: string[];
	/** The number of files that are just getting their names. */
	let renaming = 0;
	/** Resolves before the next file gets its name. */
	let hold: { readonly reached: () => void; readonly until: Promise<void> } | undefined;

	/** A timer of its own, as states that other tests have left to be noted have one, too. */
	let persistState: typeof import('../../src/jobs/persistState.js').persistState;

	setup(async () => {
		const module = require.resolve('../../src/jobs/persistState');
		delete require.cache[module];
		({ persistState } = (await import(module)) as typeof import('../../src/jobs/persistState.js'));
		root = await mkdtemp(path.join(tmpdir(), 'easel-note-'));
		folder = path.join(root, 'jobs', 'job');
		troubles = [];
		logTo({
			error: (what, error) => {
				troubles.push(`${what}: ${(error as NodeJS.ErrnoException).code ?? ''}`);
			},
		});
		mock.timers.enable({ apis: ['setInterval'] });
		const { rename } = fs;
		mock.method(fs, 'rename', async (...given: Parameters<typeof rename>) => {
			renaming += 1;
			const held = hold;
			hold = undefined;
			held?.reached();
			await held?.until;
			await rename(...given).finally(() => (renaming -= 1));
		});
	});

	teardown(async () => {
		// Nothing waits in the next test.
		await mkdir(folder, { recursive: true });
		await note(cancelled);
		mock.timers.tick(5_000);
		mock.timers.reset();
		mock.restoreAll();
		await rm(root, { recursive: true, maxRetries: 10 });
	});

	const note = (state: JobState) => persistState(folder, state);

	/** True where it can be read, and its writer knows. */
	const isNoted =
		(state: JobState, of = folder) =>
		async () => {
			const found = await readState(of).catch(() => undefined);
			return found?.state === state.state && renaming === 0;
		};

	/** Lets the time come to note what waits, and waits until that of another job is noted. */
	async function noteRound(name: string): Promise<void> {
		const another = path.join(root, name, 'job');
		await persistState(another, cancelled);
		await mkdir(another, { recursive: true });
		mock.timers.tick(5_000);
		await until(isNoted(cancelled, another), 'the state of another job to be noted');
	}

	/** Keeps the next file from getting its name until `go` is called. */
	function holdNext() {
		const reached = Promise.withResolvers<void>();
		const go = Promise.withResolvers<void>();
		hold = { reached: reached.resolve, until: go.promise };
		return { reached: reached.promise, go: go.resolve };
	}

	test('notes one after another, however many are on their way', async () => {
		await mkdir(folder, { recursive: true });
		const first = holdNext();
		const noting = [note(queued)];
		await first.reached;
		noting.push(note({ ...queued, state: 'sending' }));
		const second = holdNext();
		first.go();
		await second.reached;
		noting.push(note(cancelled));
		// What does not wait for its turn is noted by then, as another one is.
		const another = path.join(root, 'another', 'job');
		await mkdir(another, { recursive: true });
		await persistState(another, cancelled);
		assert.equal((await readState(folder)).state, 'queued');
		second.go();
		await Promise.all(noting);
		assert.deepEqual(await readState(folder), cancelled);
	});

	test('notes later what cannot be noted now, and says so', async () => {
		assert.equal(await note(cancelled), false);
		assert.deepEqual(troubles, ['The journal could not be written: ENOENT']);
		mock.timers.tick(5_000);
		await new Promise(setImmediate);
		// With a drive, all of it comes back at once.
		const aside = path.join(root, 'aside');
		await mkdir(path.join(aside, path.basename(folder)), { recursive: true });
		await rename(aside, path.dirname(folder));
		mock.timers.tick(4_999);
		assert.equal(await isNoted(cancelled)(), false);
		mock.timers.tick(1);
		await until(isNoted(cancelled), 'the state to be noted');
		assert.equal(troubles.length, 1);
	});

	test('gives up what is gone by itself: another window has finished it', async () => {
		await mkdir(path.dirname(folder));
		assert.equal(await note(cancelled), false);
		assert.deepEqual(troubles, []);
		await mkdir(folder);
		await noteRound('another');
		assert.equal(await isNoted(cancelled)(), false);
		await rm(path.dirname(folder), { recursive: true });
		assert.equal(await note(cancelled), false);
		await mkdir(path.dirname(folder));
		await noteRound('one more');
		await mkdir(folder);
		await noteRound('the last');
		assert.equal(await isNoted(cancelled)(), false, 'also where that turns out later');
	});

	test('never notes what something newer has overtaken', async () => {
		await note(queued);
		await note(cancelled);
		await mkdir(folder, { recursive: true });
		mock.timers.tick(5_000);
		await until(isNoted(cancelled), 'the newer state to be noted');
		await rm(path.dirname(folder), { recursive: true });
		await note(queued);
		await mkdir(folder, { recursive: true });
		assert.equal(await note(cancelled), true);
		await noteRound('another');
		assert.deepEqual(await readState(folder), cancelled);
	});
});
