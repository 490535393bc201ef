import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAnswered, listenOn, sweepEndpoints } from '../../../src/jobs/endpoint.js';

suite('jobs › endpoint', () => {
	// A folder of its own: that of the machine has whatever other processes have left behind.
	const before = process.env.TMPDIR;
	let folder: string;

	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-e-'));
		process.env.TMPDIR = folder;
	});

	teardown(async () => {
		if (before === undefined) {
			delete process.env.TMPDIR;
		} else {
			process.env.TMPDIR = before;
		}
		await rm(folder, { recursive: true });
	});

	test('is answered as long as its process listens', async () => {
		const name = `test-${crypto.randomUUID()}`;
		assert.equal(await isAnswered(name), false);
		const server = await listenOn(name, (socket) => socket.destroy());
		assert.equal(await isAnswered(name), true);
		server.close();
		await once(server, 'close');
		assert.equal(await isAnswered(name), false);
	});

	test('can be swept while other processes come and go', async () => {
		let sweeping = true;
		const comeAndGo = async () => {
			while (sweeping) {
				const server = await listenOn(`test-${crypto.randomUUID()}`, () => undefined);
				server.close();
				await once(server, 'close');
			}
		};
		const others = Promise.all(Array.from({ length: 8 }, comeAndGo));
		try {
			for (let round = 0; round < 100; round += 1) {
				await assert.doesNotReject(sweepEndpoints());
			}
		} finally {
			sweeping = false;
			await others;
		}
	});
});
