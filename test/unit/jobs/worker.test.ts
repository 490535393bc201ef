import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { sha256Of } from '../../../src/images/hash.js';
import { inspectImage } from '../../../src/images/inspect.js';
import { becomePresent, livenessOf, type Holder } from '../../../src/jobs/holder.js';
import { Journal } from '../../../src/jobs/journal.js';
import {
	readEntry,
	readState,
	workerLease,
	writeState,
	type JobEntry,
} from '../../../src/jobs/jobFolder.js';
import { leaseFile, readLease, succeed } from '../../../src/jobs/leaseFiles.js';
import type { Reference } from '../../../src/jobs/request.js';
import type { JobState } from '../../../src/jobs/state.js';
import { longestLifeMs } from '../../../src/jobs/workerJob.js';
import {
	lineOf,
	receive,
	startMessageSchema,
	type StartMessage,
	type WorkerInput,
} from '../../../src/jobs/workerProtocol.js';
import type { Charge } from '../../../src/service/errors.js';
import { recordFigures, type Figures } from '../../host/figures';
import { until } from '../../host/until';
import type { Fault } from '../../service/faults.js';
import { startImageService, type ImageService } from '../../service/server.js';
import { padPng } from '../../service/png.js';
import { seeded } from '../images/random.js';
import {
	bundle,
	bundledWorker,
	faultyWorker,
	follow,
	hasWorker,
	inputFor,
	isAlive,
	requestOf,
	standsStill,
	start as startFrom,
	type Following,
} from './support.js';

const key = 'worker-key-d41a77';

/** A worker waits about as long as it works. */
const sideBySide = 4;

suite('jobs › worker', () => {
	let scratch: string;
	let script: string;
	let service: ImageService;
	let journal: Journal;

	suiteSetup(async () => {
		scratch = await mkdtemp(path.join(tmpdir(), 'easel-worker-'));
		script = await bundledWorker();
	});

	suiteTeardown(() => rm(scratch, { recursive: true }));

	setup(async () => {
		service = await startImageService({ key });
		journal = new Journal(await mkdtemp(path.join(scratch, 'jobs-')));
	});

	teardown(() => service.close());

	async function create(prompt = 'a harbor', references: Reference[] = []): Promise<JobEntry> {
		return journal.create(requestOf({ prompt, references }));
	}

	/** A reference larger than the buffers of a connection, so that sending it can stand still. */
	async function largeReference(): Promise<Reference> {
		const file = path.join(scratch, 'large.png');
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

	function start(entry: JobEntry, change: Partial<WorkerInput> = {}): Promise<number> {
		return startFrom(inputFor(entry, { address: service.address, key }, change));
	}

	/** The jobs whose workers live. */
	async function living(entries: readonly JobEntry[]): Promise<JobEntry[]> {
		const alive = await Promise.all(entries.map(hasWorker));
		return entries.filter((_, index) => alive[index]);
	}

	async function assertNoWorkers(entries: readonly JobEntry[]): Promise<void> {
		assert.deepEqual(await living(entries), []);
	}

	/** A worker as whoever starts it hears it, until it ends. */
	function speak(to = script) {
		const child = spawn(process.execPath, [to], { stdio: 'pipe' });
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
		child.stdin.write(typeof what === 'string' ? what : lineOf(what));
		return end;
	}

	const hello: StartMessage = { type: 'hello', node: process.versions.node };

	test('says who it is, takes an order that comes in pieces, and proves its life to its end', async () => {
		const entry = await create();
		service.faults.add({ hold: true });
		const { child, says, end } = speak();
		await says('hello');
		const input = inputFor(entry, { address: service.address, key });
		const line = Buffer.from(lineOf(input));
		child.stdin.write(line.subarray(0, 20));
		await standsStill(child.pid!);
		child.stdin.write(line.subarray(20));
		await says('ready');
		const { holder } = (await readLease(entry.folder, workerLease))!;
		assert.ok(typeof holder === 'object');
		assert.deepEqual([holder.job, holder.pid], [entry.request.id, child.pid]);
		const aheadMs = Date.parse(holder.endsBy) - Date.now();
		assert.ok(Math.abs(aheadMs - longestLifeMs(input)) < 60_000, String(aheadMs));
		assert.equal(await livenessOf(holder), 'alive');
		const following = follow(entry);
		await service.waitForRequest(1, 'held');
		service.releaseHeld();
		assert.equal((await following.end).state, 'received');
		assert.deepEqual(await end, { code: 0, output: '', said: [hello, { type: 'ready' }] });
		assert.equal(existsSync(path.dirname(holder.address)), false);
	});

	test('has its slot until its end, gives it back then, and is over at once', async () => {
		const entry = await create();
		service.faults.add({ hold: true });
		const slot = { folder: path.join(scratch, 'own-slot'), name: 'slot', number: 1 };
		await mkdir(slot.folder);
		await succeed(slot.folder, slot.name, 0, undefined);
		const { child, end } = speak();
		child.stdin.write(lineOf(inputFor(entry, { address: service.address, key }, { slot })));
		await service.waitForRequest(1, 'held');
		const held = await readLease(slot.folder, slot.name);
		assert.ok(typeof held?.holder === 'object');
		assert.deepEqual([held.number, held.holder.job], [2, entry.request.id]);
		service.releaseHeld();
		assert.deepEqual(await end, { code: 0, output: '', said: [hello, { type: 'ready' }] });
		assert.deepEqual(await readLease(slot.folder, slot.name), { number: 3, holder: undefined });
	});

	test('goes on where nobody hears that it is ready', async () => {
		const entry = await create();
		const { child, says } = speak();
		await says('hello');
		child.stdout.destroy();
		child.stderr.destroy();
		child.stdin.write(lineOf(inputFor(entry, { address: service.address, key })));
		await until(async () => (await readState(entry.folder)).state === 'received', 'the image');
		assert.equal(service.imagesMade, 1);
	});

	test('refuses what it does not understand, and says all of it in its output', async () => {
		for (const [what, reason] of [
			['rubbish\n', /^the order is no JSON$/],
			[{ folder: 5 }, /\S/],
			[inputFor({ folder: path.join(scratch, 'gone') }, { address: 'http://a', key }), /ENOENT/],
		] as const) {
			const { code, output, said } = await order(what);
			assert.equal(code, 1);
			const [first, refused, ...more] = said;
			assert.deepEqual([first, more], [hello, []]);
			assert.ok(refused?.type === 'refused');
			assert.match(refused.reason, reason);
			assert.match(output, /Error: [^]*\n {4}at [^]*\n$/);
			assert.ok(output.includes(refused.reason));
		}
	});

	test('refuses what is, or may be, asked for already, and what has no place', async () => {
		const endsBy = new Date(Date.now() + 3_600_000).toISOString();
		const { holder, socket } = await becomePresent((each) => each.destroy(), {
			endsBy,
			job: undefined,
		});
		const dead = { ...holder, address: '/nowhere/easel-gone00/s', started: 'before' };
		const slot = { folder: path.join(scratch, 'slot'), name: 'slot', number: 1 };
		await mkdir(slot.folder);
		await succeed(slot.folder, slot.name, 1, holder);
		const alreadyAsked = 'it is being asked for already';
		const cases: [holder: Holder | string | undefined, change: object, reason: string][] = [
			['{', {}, 'whether it is being asked for already cannot be told now'],
			[holder, {}, alreadyAsked],
			[{ ...dead, machine: 'another', boot: undefined }, {}, alreadyAsked],
			[undefined, { slot }, 'another image has its slot'],
			[dead, { slot }, 'another image has its slot'],
		];
		try {
			for (const [last, change, reason] of cases) {
				const entry = await create();
				if (typeof last === 'string') {
					await writeFile(leaseFile(entry.folder, workerLease, 1), last);
				} else {
					await succeed(entry.folder, workerLease, 0, last);
				}
				const input = inputFor(entry, { address: service.address, key }, change);
				const { code, output, said } = await order(input);
				assert.deepEqual([code, output], [0, '']);
				assert.deepEqual(said, [hello, { type: 'refused', reason }]);
				assert.equal((await readState(entry.folder)).state, 'queued');
				const lease = (await readLease(entry.folder, workerLease))?.holder;
				const mayStand = typeof lease !== 'object' || lease.id === holder.id;
				assert.ok(mayStand || !existsSync(path.dirname(lease.address)), 'nothing is left');
			}
			const over = await create();
			await writeState(over.folder, { ...over.state, state: 'discarded' });
			const { said } = await order(inputFor(over, { address: service.address, key }));
			const reason = 'it was asked for already (discarded)';
			assert.deepEqual(said, [hello, { type: 'refused', reason }]);
			assert.equal(service.requests.length, 0);
		} finally {
			await socket.close();
		}
	});

	test('takes the place of one that was killed, with all that it has left', async () => {
		const entry = await create();
		service.faults.add({ hold: true, times: 1 });
		const input = inputFor(entry, { address: service.address, key });
		const { child, end } = speak();
		child.stdin.write(lineOf(input));
		await service.waitForRequest(1, 'held');
		const { holder } = (await readLease(entry.folder, workerLease))!;
		assert.ok(typeof holder === 'object');
		child.kill('SIGKILL');
		await end;
		assert.equal(existsSync(holder.address), process.platform !== 'win32');
		// Nothing was sent, as far as the journal knows.
		await writeState(entry.folder, entry.state);
		const { said } = await order(input);
		assert.deepEqual(said, [hello, { type: 'ready' }]);
		assert.equal(existsSync(path.dirname(holder.address)), false);
		assert.equal((await readState(entry.folder)).state, 'received');
	});

	test('that hangs ends by itself at last', async () => {
		const entry = await create();
		service.faults.add({ hold: true });
		const { child, end } = speak(await faultyWorker('passHours()'));
		child.stdin.write(lineOf(inputFor(entry, { address: service.address, key })));
		assert.equal((await end).code, 1);
	});

	for (const how of ['refuses', 'hangs']) {
		test(`comes to its end where the disk ${how} when it gives its slot back, with nothing changed of that end`, async () => {
			const entry = await create();
			service.faults.add({ hold: true });
			const folder = path.join(scratch, `slot-${how}`);
			const slot = { folder, name: 'slot', number: 1 };
			await mkdir(folder);
			const pipe = path.join(scratch, 'pipe');
			const worker = await faultyWorker(`hangAtLeases(${JSON.stringify(pipe)})`);
			const { child, end } = speak(worker);
			child.stdin.write(lineOf(inputFor(entry, { address: service.address, key }, { slot })));
			await service.waitForRequest(1, 'held');
			const following = follow(entry);
			await until(() => following.events.length > 0, 'the window to listen');
			if (how === 'refuses') {
				await rename(folder, `${folder}-away`);
				await writeFile(folder, '');
			} else if (process.platform !== 'win32') {
				await promisify(execFile)('mkfifo', [pipe]);
			}
			service.releaseHeld();
			assert.equal((await following.end).state, 'received');
			const { output, said } = await end;
			assert.deepEqual([output, said], ['', [hello, { type: 'ready' }]]);
			assert.equal((await readState(entry.folder)).state, 'received');
			await assertNoWorkers([entry]);
		});
	}

	test('brings a job from queued to received, with everything on disk', async () => {
		const entry = await create();
		await start(entry);
		const state = await follow(entry).end;
		assert.equal(state.state, 'received');
		assert.equal(state.result.width, 1024);
		assert.equal(state.attempts.length, 1);
		assert.equal((await inspectImage(state.result.file)).format, 'png');
		assert.deepEqual(await readState(entry.folder), state);
		assert.equal(service.imagesMade, 1);
	});

	test('outlives the process that started it', async () => {
		const entry = await create();
		service.faults.add({ hold: true });
		const starter = await bundle(`import { startWorker } from './src/jobs/workerProcess.ts';
			startWorker(JSON.parse(process.argv[2]!)).then(() => {
				console.log('started');
				setInterval(() => undefined, 1000);
			});`);
		const input = inputFor(entry, { address: service.address, key });
		const child = spawn(process.execPath, [starter, JSON.stringify({ script, input })]);
		await once(child.stdout, 'data');
		await service.waitForRequest(1, 'held');
		child.kill('SIGKILL');
		await once(child, 'exit');
		const following = follow(entry);
		service.releaseHeld();
		assert.equal((await following.end).state, 'received');
		assert.equal(service.imagesMade, 1);
	});

	test('has the key from its standard input alone: not in arguments, environment or files', async () => {
		const entry = await create();
		service.faults.add({ hold: true });
		const pid = await start(entry);
		await service.waitForRequest(1, 'held');
		for (const name of ['cmdline', 'environ']) {
			const file = `/proc/${String(pid)}/${name}`;
			assert.ok(!existsSync(file) || !readFileSync(file).includes(key), name);
		}
		service.releaseHeld();
		await follow(entry).end;
		for (const name of await readdir(entry.folder)) {
			assert.ok(!(await readFile(path.join(entry.folder, name))).includes(key), name);
		}
	});

	test('is heard by every window, and by those that come later', async () => {
		const entry = await create();
		service.faults.add({ hold: true });
		await start(entry);
		await service.waitForRequest(1, 'held');
		const windows = [follow(entry), follow(entry)];
		// What was over before one listens is read from the journal, and nothing is heard of it.
		await until(() => windows.every(({ events }) => events.length > 0), 'both to listen');
		service.releaseHeld();
		for (const window of windows) {
			assert.equal((await window.end).state, 'received');
			assert.equal(window.events[0]?.type, 'attempt');
		}
	});

	test('ends by itself at the time-out', async () => {
		const entry = await create();
		service.faults.add({ hold: true });
		await start(entry, { timeoutMs: 400 });
		const state = await follow(entry).end;
		assert.equal(state.state, 'failed');
		assert.equal(state.failure.kind, 'timeout');
		assert.equal(state.failure.charge, 'ambiguous');
		await assertNoWorkers([entry]);
	});

	test('waits for the answer to its question, and sends again only then', async () => {
		for (const again of [true, false]) {
			const entry = await create();
			service.faults.clear();
			service.faults.add({ status: 503, times: 1 });
			const before = service.requests.length;
			await start(entry, { retry: 'ask' });
			const state = await follow(entry, again).end;
			assert.equal(state.state, again ? 'received' : 'failed');
			assert.equal(service.requests.length, before + (again ? 2 : 1));
		}
	});

	/** Where a job can be met: the fault that holds it there, and what its end means for the money. */
	const places: readonly {
		readonly name?: string;
		readonly state: JobState['state'];
		readonly fault: Fault;
		readonly withReference?: boolean;
		readonly killed: string;
		readonly cancelled: string;
	}[] = [
		{
			state: 'sending',
			fault: { hold: 'request' },
			withReference: true,
			killed: 'ambiguous',
			cancelled: 'notSent',
		},
		{ state: 'waiting', fault: { hold: true }, killed: 'ambiguous', cancelled: 'ambiguous' },
		{
			state: 'receiving',
			fault: { chunkSize: 1000, chunkPause: 3_600_000 },
			killed: 'delivered',
			cancelled: 'delivered',
		},
		{
			state: 'pausing',
			fault: { status: 429, retryAfter: 60 },
			killed: 'rejected',
			cancelled: 'rejected',
		},
		{
			name: 'asking a person',
			state: 'pausing',
			fault: { status: 503 },
			killed: 'ambiguous',
			cancelled: 'ambiguous',
		},
	];

	async function reach(entry: JobEntry, state: JobState['state']): Promise<void> {
		// The journal is the interface: a state that is reached stands there.
		while ((await readState(entry.folder)).state !== state) {
			await new Promise(setImmediate);
		}
	}

	for (const place of places) {
		const { state, name = state, fault, killed, cancelled } = place;

		async function enter(): Promise<{ entry: JobEntry; pid: number; following: Following }> {
			const references = place.withReference ? [await largeReference()] : [];
			const entry = await create('a harbor', references);
			service.faults.add(fault);
			const pid = await start(entry, { retry: 'ask' });
			const following = follow(entry, 'no answer');
			await service.waitForRequest(1, fault.hold ? 'held' : 'received');
			await reach(entry, state);
			await standsStill(pid);
			return { entry, pid, following };
		}

		test(`killed while ${name}: told as interrupted, ${killed}, and never sent again`, async () => {
			const { entry, pid, following } = await enter();
			process.kill(pid, 'SIGKILL');
			const end = await following.end;
			assert.equal(end.state, 'interrupted');
			assert.equal(end.charge, killed);
			assert.ok(
				!existsSync(path.join(entry.folder, 'image')),
				'no half file is taken for an image',
			);
			assert.equal(service.requests.length, 1);
			assert.equal((await follow(await readEntry(entry.folder)).end).state, 'interrupted');
		});

		test(`cancelled while ${name}: ends at once, ${cancelled}`, async () => {
			const { entry, pid, following } = await enter();
			const startedAt = performance.now();
			following.cancel();
			const end = await following.end;
			assert.ok(performance.now() - startedAt < 2000);
			assert.equal(end.state, 'cancelled');
			assert.equal(end.charge, cancelled);
			await assertNoWorkers([entry]);
			await until(() => !isAlive(pid), 'the worker process to end');
		});
	}

	test('a disk that is full while the image arrives is told, and leaves no half image', async () => {
		const entry = await create();
		service.faults.add({ bytes: 2_000_000 });
		// A limit on the size of files stands for the full disk; the signal that comes with it is
		// ignored, as a full disk sends none.
		const worker = spawn(
			'sh',
			['-c', `trap '' XFSZ; ulimit -f 500; exec "$0" "$1"`, process.execPath, script],
			{ stdio: ['pipe', 'pipe', 'inherit'] },
		);
		worker.stdin.end(lineOf(inputFor(entry, { address: service.address, key })));
		let said = '';
		for await (const text of worker.stdout) {
			said += String(text);
			if (said.includes('ready')) break;
		}
		const end = await follow(entry).end;
		assert.equal(end.state, 'failed');
		assert.equal(end.failure.kind, 'storage');
		assert.equal(end.failure.charge, 'delivered');
		assert.deepEqual((await readdir(entry.folder)).sort(), [
			'request.json',
			'state.json',
			'worker.1',
		]);
		assert.equal(service.requests.length, 1, 'it is not bought again');
	});

	test('an image that was whole before its worker died is delivered all the same', async () => {
		const entry = await create();
		await start(entry);
		await follow(entry).end;
		const state = await readState(entry.folder);
		assert.equal(state.state, 'received');
		const { attempts, changedAt } = state;
		await writeFile(
			path.join(entry.folder, 'state.json'),
			JSON.stringify({ state: 'receiving', attempts, changedAt }),
		);
		assert.equal((await follow(entry).end).state, 'received');
	});

	/** What the service does to an image. */
	const effects = [
		'',
		'[fault delay=30]',
		'[fault chunk-size=20000 chunk-pause=5]',
		'[fault status=500]',
		'[fault cut=body]',
		'[fault cut=headers]',
		'[fault answer=broken-base64]',
	] as const;

	interface Schedule {
		readonly prompt: string;
		readonly action: 'none' | 'kill' | 'cancel' | 'leave';
		/** Steps instead of time, so that a slow machine sees the same schedule. */
		readonly steps: number;
	}

	/** Asks for an image, and does something to it meanwhile. Returns its end. */
	async function play(entry: JobEntry, { action, steps }: Schedule): Promise<JobState> {
		const pid = await start(entry, { retry: 'never' });
		const following = follow(entry);
		for (let left = steps; left > 0; left -= 1) {
			await new Promise(setImmediate);
		}
		switch (action) {
			case 'kill':
				try {
					process.kill(pid, 'SIGKILL');
				} catch {
					// It was quicker.
				}
				break;
			case 'cancel':
				following.cancel();
				break;
			case 'leave':
				return follow(entry).end;
			case 'none':
		}
		return following.end;
	}

	test('random schedules lose nothing, deliver nothing twice and leave no process', async function () {
		const schedules = Number(process.env['EASEL_SCHEDULES'] ?? 200);
		const seed = Number(process.env['EASEL_SEED'] ?? Date.now() % 1_000_000);
		this.timeout(60_000 + schedules * 2000);
		const random = seeded(seed);
		const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
		const plan = Array.from({ length: schedules }, (): Schedule => {
			return {
				prompt: `a harbor ${pick(effects)}`,
				action: pick(['none', 'none', 'kill', 'cancel', 'leave']),
				// Most of them early, where nearly everything happens; some as late as it ends.
				steps: Math.floor(random() * (random() < 0.5 ? 400 : 4000)),
			};
		});
		const ends = { received: 0, interrupted: 0, cancelled: 0, failed: 0 };
		let damaged = 0;
		const entries: JobEntry[] = [];
		const next = plan.values();
		const playOn = async () => {
			for (const schedule of next) {
				const entry = await create(schedule.prompt);
				entries.push(entry);
				const end = await play(entry, schedule);
				assert.ok(['received', 'interrupted', 'cancelled', 'failed'].includes(end.state));
				ends[end.state as 'received'] += 1;
				if (end.state === 'received') {
					const { bytes } = await inspectImage(end.result.file);
					damaged += bytes === end.result.bytes ? 0 : 1;
				}
			}
		};
		await Promise.all(Array.from({ length: sideBySide }, playOn));
		const states = await Promise.all(entries.map(({ folder }) => readState(folder)));
		const received = states.flatMap((state) => (state.state === 'received' ? [state] : []));
		const answers = new Set(received.map(({ result }) => result.requestId));
		const accounts = states.filter(
			(state) =>
				state.state === 'received' ||
				('charge' in state && mayBeCharged(state.charge)) ||
				('failure' in state && mayBeCharged(state.failure.charge)),
		);
		const made = service.imagesMade;
		const lost = damaged + Math.max(0, made - accounts.length);
		const figures: Figures = {
			seed,
			schedules,
			made,
			delivered: received.length,
			toldInstead: made - received.length - lost,
			lost,
			deliveredTwice: received.length - answers.size,
			orphans: (await living(entries)).length,
		};
		await recordFigures('workers', figures);
		console.log(`      seed ${String(seed)}: ${JSON.stringify({ ...figures, ends })}`);
		assert.equal(figures.lost, 0);
		assert.equal(figures.deliveredTwice, 0);
		assert.equal(figures.orphans, 0);
		assert.ok(figures.made >= figures.delivered);
		assert.equal(service.requests.length <= schedules, true, 'no image is asked for twice');
	});
});

function mayBeCharged(charge: Charge): boolean {
	return charge === 'ambiguous' || charge === 'delivered';
}
