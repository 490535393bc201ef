import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Journal } from '../../src/jobs/journal.js';
import { readState, windowLease, writeState, type JobEntry } from '../../src/jobs/jobFolder.js';
import type { FailureFacts } from '../../src/jobs/failure.js';
import type { WorkerSettings } from '../../src/jobs/makeImage.js';
import { until } from '../host/until.js';
import { failureOf, inputFor, pictureOf, requestOf } from '../unit/jobs/support.js';
import { isAlive, openWindow, ownFolder, start, type Window } from './support.js';

const key = 'linked-key-07c1';

suite('An answer with a link, whose worker is killed before it has the image,', () => {
	const root = ownFolder();
	let server: Server;
	let address: string;
	let window: Window;
	let entry: JobEntry;
	let settings: WorkerSettings;
	let orders: number;
	/** Requests for the image, in order, and how they are answered. */
	let fetched: IncomingMessage[];
	let answerFetch: (response: ServerResponse) => void;
	let worker: number;
	let picture: Buffer;

	setup(async () => {
		orders = 0;
		fetched = [];
		picture = await pictureOf('a harbor');
		answerFetch = (response) => {
			response.setHeader('content-length', picture.length);
			response.write(picture.subarray(0, picture.length / 2));
		};
		server = createServer((request, response) => {
			if (request.method === 'POST') {
				orders += 1;
				request.resume();
				const data = [{ url: `${address}/files/pier.png?sig=1` }];
				request.on('end', () => response.end(JSON.stringify({ created: 1, data })));
			} else {
				fetched.push(request);
				answerFetch(response);
			}
		});
		await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
		address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
		const journal = new Journal(path.join(root.path, 'jobs'));
		window = openWindow(root.path, journal);
		entry = await journal.create(requestOf({ service: 'local', model: '' }));
		await window.leases.acquire(entry.folder, windowLease);
		const input = inputFor(entry, { address, key });
		const { network, timeoutMs, retry } = input;
		settings = { address, key, network, timeoutMs, retry };
		worker = await start(input);
		await until(() => fetched.length === 1, 'the worker to fetch the image');
		process.kill(worker, 'SIGKILL');
		await until(() => !isAlive(worker), 'the worker to be gone');
	});

	teardown(async () => {
		if (isAlive(worker)) {
			process.kill(worker, 'SIGKILL');
		}
		await window.close();
		server.closeAllConnections();
		server.close();
	});

	const resume = async (read: WorkerSettings | FailureFacts = settings) => {
		const state = await readState(entry.folder);
		return window.make({ ...entry, state }, { settings: () => Promise.resolve(read) });
	};

	test('has it fetched by the next window, without the key, and is bought once', async () => {
		answerFetch = (response) => response.end(picture);
		const state = await resume();
		assert.ok(state.state === 'saved', JSON.stringify(state));
		assert.deepEqual(await readFile(fileURLToPath(state.target)), picture);
		assert.deepEqual([orders, fetched.length], [1, 2]);
		assert.ok(!JSON.stringify(fetched[1]!.headers).includes(key));
		const left = (await readdir(entry.folder)).filter((name) => name.startsWith('answer'));
		assert.deepEqual(left, []);
	});

	test('is kept with its link where the image does not come, which is not fetched again', async () => {
		answerFetch = (response) => response.writeHead(410).end();
		const state = await resume();
		assert.ok(state.state === 'failed', JSON.stringify(state));
		const { failure } = state;
		assert.equal(failure.error?.code, 'answer.linkLost');
		assert.equal(failure.link, `${address}/files/pier.png?sig=1`);
		assert.equal(failure.charge, 'charged');
		assert.match(await readFile(failure.answerFile!, 'utf8'), /files\/pier\.png/);
		assert.deepEqual(await readState(entry.folder), state);
		assert.deepEqual(await resume(), state);
		assert.deepEqual([orders, fetched.length], [1, 2]);
	});

	test('is kept with its link where that leads elsewhere by now, or nothing is set up', async () => {
		const before = await readState(entry.folder);
		for (const read of [{ ...settings, address: 'http://127.0.0.1:9' }, failureOf()]) {
			await writeState(entry.folder, before);
			const state = await resume(read);
			assert.ok(state.state === 'failed', JSON.stringify(state));
			assert.equal(state.failure.error?.code, 'answer.link');
			assert.equal(state.failure.link, `${address}/files/pier.png?sig=1`);
		}
		assert.deepEqual([orders, fetched.length], [1, 1]);
	});
});
