import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { WorkerClients } from '../../src/jobs/workerClients.js';
import {
	jobEventSchema,
	receive,
	type Command,
	type JobEvent,
	type NewJobEvent,
} from '../../src/jobs/workerProtocol.js';
import { until } from '../host/until';

const attempt: NewJobEvent = { type: 'attempt', attempt: 1, endpoint: 'edits' };
const phase = (name: 'sending' | 'waiting' | 'receiving'): NewJobEvent => ({
	type: 'phase',
	phase: name,
});
const stalled: NewJobEvent = { type: 'stalled', code: 'ENOSPC' };
const goesOn: NewJobEvent = { type: 'stalled' };
const ended: NewJobEvent = {
	type: 'ended',
	state: { state: 'discarded', attempts: [], changedAt: '2026-01-01T00:00:00.000Z' },
	isNoted: true,
};

suite('jobs › worker’s clients', () => {
	let server: net.Server;
	/** The worker's ends of the connections. */
	let accepted: Socket[];
	let commands: Command[];
	let clients: WorkerClients;

	setup(async () => {
		accepted = [];
		commands = [];
		clients = new WorkerClients((command) => commands.push(command), {
			clean: (message) => message,
		});
		server = net.createServer((socket) => {
			accepted.push(socket);
			clients.add(socket);
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
	});

	teardown(async () => {
		accepted.forEach((socket) => socket.destroy());
		server.close();
		await once(server, 'close');
	});

	interface Window {
		readonly socket: Socket;
		readonly heard: JobEvent[];
		/** Resolves with all events up to this last one, without their ages. */
		readonly hears: (last: NewJobEvent) => Promise<NewJobEvent[]>;
	}

	/** A window that the worker has let in. */
	async function open(): Promise<Window> {
		const before = accepted.length;
		const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
		const heard: JobEvent[] = [];
		receive(socket, jobEventSchema, (event) => heard.push(event));
		await until(() => accepted.length > before, 'the window to be let in');
		const plain = () => heard.map(({ ageMs: _, ...event }) => event);
		return {
			socket,
			heard,
			hears: async (last) => {
				await until(() => plain().at(-1)?.type === last.type, last.type);
				return plain();
			},
		};
	}

	test('that come late hear where the job stands, and no more', async () => {
		const failed: NewJobEvent = {
			...{ type: 'failed', attempt: 1, next: { action: 'stop' } },
			failure: {
				...{ kind: 'status', message: 'no', charge: 'rejected', repeatable: false },
				...{ elapsedMs: 1, unknownOutcome: false },
			},
		};
		const rows: readonly (readonly [reported: NewJobEvent[], left: NewJobEvent[]])[] = [
			[[], []],
			[[attempt], [attempt]],
			[
				[attempt, phase('sending')],
				[attempt, phase('sending')],
			],
			[
				[attempt, phase('sending'), phase('waiting')],
				[attempt, phase('waiting')],
			],
			[
				[attempt, phase('waiting'), phase('receiving'), stalled],
				[attempt, phase('receiving'), stalled],
			],
			[
				[attempt, phase('receiving'), stalled, goesOn],
				[attempt, phase('receiving'), goesOn],
			],
			[
				[attempt, phase('receiving'), stalled, phase('waiting')],
				[attempt, phase('waiting')],
			],
			[[attempt, phase('receiving'), failed], [failed]],
			[[failed, attempt], [attempt]],
		];
		for (const [reported, left] of rows) {
			clients = new WorkerClients(() => undefined, { clean: (message) => message });
			reported.forEach((event) => clients.notify(event));
			const late = await open();
			clients.notify(ended);
			assert.deepEqual(await late.hears(ended), [...left, ended]);
		}
	});

	test('hear how long ago it was', async () => {
		const before = performance.now();
		clients.notify(attempt);
		const wait = performance.now() + 20;
		await until(() => performance.now() > wait, 'a moment');
		const late = await open();
		await late.hears(attempt);
		const [{ ageMs } = assert.fail()] = late.heard;
		assert.ok(ageMs >= 19 && ageMs <= performance.now() - before, String(ageMs));
	});
});
