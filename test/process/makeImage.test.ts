import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inWords } from '../../src/easelError.js';
import { factsOf } from '../../src/jobs/failure.js';
import { Journal } from '../../src/jobs/journal.js';
import { readState, writeState, type JobEntry } from '../../src/jobs/jobFolder.js';
import type { WorkerSettings } from '../../src/jobs/makeImage.js';
import type { StateChange } from '../../src/jobs/state.js';
import { CancelledError, RequestError } from '../../src/service/errors.js';
import { defaultNetworkOptions } from '../../src/service/transport.js';
import { padPng } from '../service/png.js';
import { resultOf } from '../unit/jobs/results.js';
import { noRecipes, pictureOf, requestOf } from '../unit/jobs/support.js';
import { logTo } from '../../src/log.js';
import { makeWith, ownFolder, type MakeOptions } from './support.js';

const settings: WorkerSettings = {
	address: 'https://images.example.com',
	key: 'a-key',
	network: defaultNetworkOptions,
	timeoutMs: 60_000,
	retry: 'all',
};
const failure = factsOf(new RequestError('http.proxy', inWords('no')), { elapsedMs: 0 }, false);
const slot = { folder: '/slots/0', name: 'slot', number: 1 };

suite('jobs › makeImage', () => {
	const root = ownFolder();
	let entry: JobEntry;
	let happened: string[];
	let troubles: string[];
	const left = async () => (await readdir(entry.folder)).sort();
	const rest = ['request.json', 'state.json'];

	setup(async () => {
		entry = await new Journal(path.join(root.path, 'jobs')).create(requestOf());
		await mkdir(path.join(entry.folder, 'references', '1'), { recursive: true });
		await writeFile(path.join(entry.folder, 'image.part'), 'x');
		happened = [];
		troubles = [];
		logTo({ error: (what) => troubles.push(what) });
	});

	async function stateIs(change: StateChange): Promise<void> {
		const { attempts, changedAt } = entry.state;
		const state = { ...change, attempts, changedAt };
		await writeState(entry.folder, state);
		entry = { ...entry, state };
	}

	/** A worker that does this once it has its order. */
	async function workerThat(does: string): Promise<string> {
		const script = path.join(root.path, 'worker.js');
		await writeFile(
			script,
			`const say = (message) => console.log(JSON.stringify(message));
			const { writeFileSync } = require('node:fs');
			say({ type: 'hello', node: process.versions.node });
			process.stdin.once('data', (line) => {
				const input = JSON.parse(line);
				const note = (state) => writeFileSync(input.folder + '/state.json',
					JSON.stringify({ attempts: [], changedAt: new Date().toISOString(), ...state }));
				${does}
				process.exitCode = 0;
				process.stdin.destroy();
			});`,
		);
		return script;
	}

	function make(change: Partial<MakeOptions> = {}) {
		return makeWith(entry, {
			leases: { during: (task) => task() },
			signal: new AbortController().signal,
			destinationOf: () => ({
				find: () => Promise.resolve(undefined),
				put: () => Promise.resolve('file:///w/a.png'),
				putBeside: () => Promise.resolve(),
				holds: () => Promise.resolve(true),
				tidy: () => Promise.resolve(),
			}),
			recipes: noRecipes,
			gallery: { add: () => Promise.resolve() },
			slots: {
				acquire: ({ limit }) => {
					happened.push(`acquire of ${String(limit())}`);
					return Promise.resolve(slot);
				},
				release: ({ number }) => {
					happened.push(`release ${String(number)}`);
					return Promise.resolve();
				},
			},
			worker: path.join(root.path, 'no worker'),
			limit: () => 2,
			settings: () => Promise.resolve(settings),
			...change,
		});
	}

	test('starts a worker in its turn, with its job and its slot, and delivers what it brings', async () => {
		const result = JSON.stringify(resultOf({ file: path.join(entry.folder, 'image') }));
		const script = await workerThat(`
			writeFileSync(${JSON.stringify(path.join(root.path, 'order.json'))}, line);
			note({ state: 'received', result: ${result} });
			say({ type: 'ready' });`);
		let started: unknown;
		const state = await make({
			worker: script,
			onStarted: (pid, address) => {
				started = [typeof pid, address];
			},
		});
		assert.equal(state.state === 'saved' && state.target, 'file:///w/a.png');
		assert.deepEqual(started, ['number', settings.address]);
		assert.deepEqual(happened, ['acquire of 2', 'release 1']);
		assert.deepEqual(await readState(entry.folder), state);
		const reported: unknown = JSON.parse(
			await readFile(path.join(root.path, 'order.json'), 'utf8'),
		);
		assert.deepEqual(reported, { ...settings, folder: entry.folder, slot });
	});

	test('fails with what is wrong with the settings, and gives the turn back', async () => {
		const state = await make({ settings: () => Promise.resolve(failure) });
		assert.deepEqual(state.state === 'failed' && state.failure, failure);
		assert.deepEqual(happened, ['acquire of 2', 'release 1']);
		assert.deepEqual(await readState(entry.folder), state);
		assert.deepEqual(await left(), ['image.part', ...rest], 'the copies of references have served');
	});

	test('fails where no worker starts, says so, and gives the turn back', async () => {
		const script = await workerThat(
			`say({ type: 'refused', error: { code: 'words', words: 'no room' } });`,
		);
		const state = await make({ worker: script });
		assert.ok(state.state === 'failed');
		assert.equal(state.failure.kind, 'worker');
		assert.match(state.failure.message, /no room/);
		assert.deepEqual(happened, ['acquire of 2', 'release 1']);
		assert.deepEqual(troubles, []);
	});

	test('does not call failed what may have been sent: it is looked for', async () => {
		const script = await workerThat(`
			note({ state: 'sending' });
			say({ type: 'refused', reason: 'too late' });`);
		const state = await make({ worker: script });
		assert.equal(state.state === 'interrupted' && state.charge, 'unknown');
		assert.deepEqual(await left(), ['image.part', ...rest, 'worker.log']);
	});

	/** Slots of which none becomes free before the signal ends the wait. */
	const noSlots: MakeOptions['slots'] = {
		acquire: ({ signal }) =>
			new Promise((_resolve, reject) => {
				const end = () => {
					reject(new CancelledError('notSent'));
				};
				if (signal.aborted) {
					end();
				}
				signal.addEventListener('abort', end);
			}),
		release: () => Promise.resolve(),
	};

	test('is cancelled while it waits for its turn, and has cost nothing', async () => {
		const state = await make({ slots: noSlots, signal: AbortSignal.abort() });
		assert.equal(state.state === 'cancelled' && state.charge, 'notSent');
		assert.deepEqual(await readState(entry.folder), state);
	});

	test('gives its turn up with the reason, unless the user was quicker or it was sent', async () => {
		const givingUp = AbortSignal.abort(failure);
		const state = await make({ slots: noSlots, givingUp });
		assert.deepEqual(state.state === 'failed' && state.failure, failure);

		const signal = AbortSignal.abort();
		const cancelled = await make({ slots: noSlots, givingUp, signal });
		assert.equal(cancelled.state, 'cancelled');

		const queued = entry;
		await stateIs({ state: 'sending' });
		entry = queued;
		const sent = await make({ slots: noSlots, givingUp });
		assert.equal(sent.state === 'cancelled' && sent.charge, 'unknown');
	});

	test('takes the worst where it is unknown what was sent', async () => {
		await rm(path.join(entry.folder, 'state.json'));
		await mkdir(path.join(entry.folder, 'state.json', 'in the way'), { recursive: true });
		const state = await make({ slots: noSlots, signal: AbortSignal.abort() });
		assert.equal(state.state === 'cancelled' && state.charge, 'unknown');
		assert.deepEqual(troubles, ['The journal could not be written']);
	});

	test('delivers what was received before, without another worker or a look at the last one', async () => {
		await stateIs({ state: 'received', result: resultOf() });
		await writeFile(path.join(entry.folder, 'worker.1'), '{"cut off');
		const state = await make();
		assert.equal(state.state, 'saved');
		assert.deepEqual(happened, []);
	});

	test('follows what was sent before to its end, and never sends it again', async () => {
		await stateIs({ state: 'waiting' });
		const state = await make();
		assert.equal(state.state === 'interrupted' && state.charge, 'unknown');
		assert.deepEqual(happened, []);
		assert.deepEqual(await left(), ['image.part', ...rest]);
	});

	test('looks for the image of an interrupted job until the interruption was reported', async () => {
		const image = await pictureOf('a fox');
		for (const notified of [true, false]) {
			await stateIs({ state: 'interrupted', charge: 'unknown', notified });
			await writeFile(path.join(entry.folder, 'image'), padPng(image, 1_500_000));
			assert.equal((await make()).state, notified ? 'interrupted' : 'saved');
		}
		assert.deepEqual(happened, []);
	});
});
