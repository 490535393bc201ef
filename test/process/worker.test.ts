import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorText } from '../../src/editor/errorTexts.js';
import { sha256Of } from '../../src/images/hash.js';
import { inspectImage } from '../../src/images/inspect.js';
import { becomePresent, ownerStatus, type LeaseOwner } from '../../src/jobs/processIdentity.js';
import {
	readEntry,
	readState,
	workerLease,
	writeState,
	type JobEntry,
} from '../../src/jobs/jobFolder.js';
import { leaseFile, readLease, writeNextLease } from '../../src/jobs/leaseFiles.js';
import type { Reference } from '../../src/jobs/request.js';
import type { JobState } from '../../src/jobs/state.js';
import { maxLifeMs } from '../../src/jobs/workerJob.js';
import { toMessageLine } from '../../src/jobs/messageLines.js';
import { receive, startMessageSchema, type StartMessage } from '../../src/jobs/workerProtocol.js';
import { until } from '../host/until';
import { padPng } from '../service/png.js';
import { inputFor } from '../unit/jobs/support.js';
import {
	bundledWorker,
	faultyWorker,
	follow,
	hasWorker,
	isAlive,
	standsStill,
	type Following,
} from './support.js';
import { useService } from './useService.js';

suite('jobs › worker', () => {
	const at = useService({ pictures: 'real' });
	let script: string;
	const spoken: ChildProcess[] = [];

	teardown(() => {
		// A failed test leaves its workers behind, and mocha would wait for them.
		spoken.splice(0).forEach((child) => child.kill('SIGKILL'));
	});

	suiteSetup(async () => {
		script = await bundledWorker();
	});

	/** A reference larger than the buffers of a connection, so that sending it can stand still. */
	async function largeReference(): Promise<Reference> {
		const file = path.join(at.scratch, 'large.png');
		await writeFile(file, padPng(await readFile('media/icon.png'), 16 * 1024 * 1024));
		const { contentType, width, height, bytes } = await inspectImage(file);
		return {
			path: file,
			source: pathToFileURL(file).href,
			fileName: 'large.png',
			contentType,
			width,
			height,
			bytes,
			sha256: await sha256Of(file),
		};
	}

	async function assertNoWorker(entry: JobEntry): Promise<void> {
		assert.equal(await hasWorker(entry), false);
	}

	/** A worker as its starter hears it, until it ends. */
	function speak(to = script) {
		const child = spawn(process.execPath, [to], { stdio: 'pipe' });
		spoken.push(child);
		child.stdin.on('error', () => undefined);
		const said: StartMessage[] = [];
		receive(child.stdout, startMessageSchema, (message) => said.push(message));
		let output = '';
		child.stderr.on('data', (text: Buffer) => (output += text.toString()));
		const end = once(child, 'close').then(([code]) => ({ code: code as number, output, said }));
		const says = (type: StartMessage['type']) =>
			until(() => {
				const isSaid = said.some((message) => message.type === type);
				assert.ok(isSaid || child.exitCode === null, `ended without ${type}: ${output}`);
				return isSaid;
			}, type);
		return { child, says, end };
	}

	/** Gives a worker its order. Returns what it says to its end. */
	function order(what: unknown): ReturnType<typeof speak>['end'] {
		const { child, end } = speak();
		child.stdin.write(typeof what === 'string' ? what : toMessageLine(what));
		return end;
	}

	const hello: StartMessage = { type: 'hello', node: process.versions.node };

	test('says who it is, takes an order that comes in pieces, and proves its life to its end', async () => {
		const entry = await at.create();
		at.service.faults.add({ hold: true });
		const { child, says, end } = speak();
		await says('hello');
		const input = at.inputFor(entry);
		const line = Buffer.from(toMessageLine(input));
		child.stdin.write(line.subarray(0, 20));
		await standsStill(child.pid!);
		child.stdin.write(line.subarray(20));
		await says('ready');
		const { owner } = (await readLease(entry.folder, workerLease))!;
		assert.ok(typeof owner === 'object');
		assert.deepEqual([owner.job, owner.pid], [entry.request.id, child.pid]);
		const aheadMs = Date.parse(owner.endsBy) - Date.now();
		assert.ok(Math.abs(aheadMs - maxLifeMs(input)) < 60_000, String(aheadMs));
		assert.equal(await ownerStatus(owner), 'alive');
		const following = follow(entry);
		await at.service.waitForRequest(1, 'held');
		at.service.releaseHeld();
		assert.equal((await following.end).state, 'received');
		assert.deepEqual(await end, { code: 0, output: '', said: [hello, { type: 'ready' }] });
		assert.equal(existsSync(path.dirname(owner.address)), false);
	});

	test('refuses what it does not understand, and says all of it in its output', async () => {
		for (const [what, reason] of [
			['rubbish\n', /^the order is no JSON$/],
			[{ folder: 5 }, /\S/],
			[
				inputFor({ folder: path.join(at.scratch, 'gone') }, { address: 'http://a', key: at.key }),
				/ENOENT/,
			],
		] as const) {
			const { code, output, said } = await order(what);
			assert.equal(code, 1);
			const [first, refused, ...more] = said;
			assert.deepEqual([first, more], [hello, []]);
			assert.ok(refused?.type === 'refused');
			const words = errorText(refused.error);
			assert.match(words, reason);
			assert.match(output, /Error: [^]*\n {4}at [^]*\n$/);
			assert.ok(output.includes(words));
		}
	});

	test('refuses what is, or may be, asked for already, and what has no place', async () => {
		const endsBy = new Date(Date.now() + 3_600_000).toISOString();
		const { owner, socket } = await becomePresent((each) => each.destroy(), {
			endsBy,
			job: undefined,
		});
		const dead = { ...owner, address: '/nowhere/easel-gone00/s', started: 'before' };
		const slot = { folder: path.join(at.scratch, 'slot'), name: 'slot', number: 1 };
		await mkdir(slot.folder);
		await writeNextLease(slot.folder, slot.name, 1, owner);
		const alreadyAsked = 'start.requested';
		const cases: [owner: LeaseOwner | string | undefined, change: object, code: string][] = [
			['{', {}, 'start.unchecked'],
			[owner, {}, alreadyAsked],
			[{ ...dead, machine: 'another', boot: undefined }, {}, alreadyAsked],
			[undefined, { slot }, 'start.slotTaken'],
			[dead, { slot }, 'start.slotTaken'],
		];
		try {
			for (const [last, change, reason] of cases) {
				const entry = await at.create();
				if (typeof last === 'string') {
					await writeFile(leaseFile(entry.folder, workerLease, 1), last);
				} else {
					await writeNextLease(entry.folder, workerLease, 0, last);
				}
				const input = at.inputFor(entry, change);
				const { code, output, said } = await order(input);
				assert.deepEqual([code, output], [0, '']);
				assert.deepEqual(said, [hello, { type: 'refused', error: { code: reason } }]);
				assert.equal((await readState(entry.folder)).state, 'queued');
				const lease = (await readLease(entry.folder, workerLease))?.owner;
				const mayStand = typeof lease !== 'object' || lease.id === owner.id;
				assert.ok(mayStand || !existsSync(path.dirname(lease.address)), 'nothing is left');
			}
			const over = await at.create();
			await writeState(over.folder, { ...over.state, state: 'discarded' });
			const { said } = await order(at.inputFor(over));
			const error = { code: 'start.requestedBefore', state: 'discarded' };
			assert.deepEqual(said, [hello, { type: 'refused', error }]);
			assert.equal(at.service.requests.length, 0);
		} finally {
			await socket.close();
		}
	});

	test('takes the place of one that was killed, with all that it has left', async () => {
		const entry = await at.create();
		at.service.faults.add({ hold: true, times: 1 });
		const input = at.inputFor(entry);
		const { child, end } = speak();
		child.stdin.write(toMessageLine(input));
		await at.service.waitForRequest(1, 'held');
		const { owner } = (await readLease(entry.folder, workerLease))!;
		assert.ok(typeof owner === 'object');
		child.kill('SIGKILL');
		await end;
		assert.equal(existsSync(owner.address), process.platform !== 'win32');
		// Nothing was sent, as far as the journal knows.
		await writeState(entry.folder, entry.state);
		const { said } = await order(input);
		assert.deepEqual(said, [hello, { type: 'ready' }]);
		assert.equal(existsSync(path.dirname(owner.address)), false);
		assert.equal((await readState(entry.folder)).state, 'received');
	});

	test('that hangs ends by itself at last', async () => {
		const entry = await at.create();
		at.service.faults.add({ hold: true });
		const { child, end } = speak(await faultyWorker('passHours()'));
		child.stdin.write(toMessageLine(at.inputFor(entry)));
		assert.equal((await end).code, 1);
	});

	/** Waits until the job stands where its fault holds it. */
	async function stands(entry: JobEntry, pid: number, state: JobState['state']): Promise<void> {
		await until(async () => (await readState(entry.folder)).state === state, state);
		await standsStill(pid);
	}

	/** A worker that is sending a reference, and stands still in the middle of it. */
	async function sending(): Promise<{ entry: JobEntry; pid: number; following: Following }> {
		at.service.faults.add({ hold: 'request' });
		const entry = await at.create('a harbor', { references: [await largeReference()] });
		const pid = await at.start(entry, { retry: 'ask' });
		const following = follow(entry, 'no answer');
		await at.service.waitForRequest(1, 'held');
		await stands(entry, pid, 'sending');
		return { entry, pid, following };
	}

	/** A worker whose first attempt has failed, and whose user does not answer. */
	async function asking(): Promise<{ entry: JobEntry; pid: number; following: Following }> {
		const entry = await at.create('a harbor [fault status=503]');
		const pid = await at.start(entry, { retry: 'ask' });
		const following = follow(entry, 'no answer');
		await stands(entry, pid, 'pausing');
		return { entry, pid, following };
	}

	// `workerEnds.test.ts` kills it in every other place.
	test('killed while sending: is interrupted with an unknown charge, and never sent again', async () => {
		const { entry, pid, following } = await sending();
		process.kill(pid, 'SIGKILL');
		const end = await following.end;
		assert.equal(end.state, 'interrupted');
		assert.equal(end.charge, 'unknown');
		assert.equal(at.service.requests.length, 1);
		assert.equal((await follow(await readEntry(entry.folder)).end).state, 'interrupted');
	});

	for (const place of ['sending', 'asking the user']) {
		const charge = place === 'sending' ? 'notSent' : 'unknown';
		test(`cancelled while ${place}: ends at once, ${charge}`, async () => {
			const { entry, pid, following } = await (place === 'sending' ? sending() : asking());
			following.cancel();
			const end = await following.end;
			assert.equal(end.state, 'cancelled');
			assert.equal(end.charge, charge);
			await assertNoWorker(entry);
			await until(() => !isAlive(pid), 'the worker process to end');
		});
	}
});
