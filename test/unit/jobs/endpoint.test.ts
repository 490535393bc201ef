import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isAnswered, listenOn, sweepEndpoints } from '../../../src/jobs/endpoint.js';

suite('jobs › endpoint', () => {
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
