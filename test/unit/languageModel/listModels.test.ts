import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { listModels } from '../../../src/languageModel/listModels.js';
import { StatusError } from '../../../src/service/errors.js';
import { defaultNetworkOptions, openTransport } from '../../../src/service/transport.js';
import { startImageService, type ImageService } from '../../service/server.js';
import { echoServer, useServers } from '../service/networkFixtures.js';

const key = 'test-key-41d9';

suite('languageModel › listModels', () => {
	const opened = useServers();
	let service: ImageService;

	setup(async () => {
		service = await startImageService({ key });
	});

	teardown(() => service.close());

	async function list(protocol: 'chat' | 'messages', given = key, address = service.address) {
		const transport = openTransport(new URL(address), defaultNetworkOptions, {});
		const signal = AbortSignal.timeout(10_000);
		return (await listModels(protocol, transport, given, signal)).models;
	}

	for (const protocol of ['chat', 'messages'] as const) {
		test(`The models are those of the service: ${protocol}`, async () => {
			service.models.list = ['words-1', 'wörter-2'];
			assert.deepEqual(await list(protocol), ['words-1', 'wörter-2']);
			assert.deepEqual(service.strays, []);
		});

		test(`A key that is refused is an error: ${protocol}`, async () => {
			await assert.rejects(list(protocol, 'another-key'), (error) => {
				assert.ok(error instanceof StatusError);
				return error.status === 401;
			});
		});
	}

	test('A service without a list has no models', async () => {
		service.models.list = undefined;
		assert.deepEqual(await list('chat'), []);
	});

	test('A packed list is unpacked, and names with the key in them are left out', async () => {
		const data = ['words-1', `words-${key}`, 'words-2\u202e'].map((id) => ({ id }));
		assert.deepEqual(await listed(gzipSync(JSON.stringify({ data }))), ['words-1']);
	});

	for (const [what, body] of [
		['a page', '<html>'],
		['another JSON', '{"data":{"words-1":true}}'],
		['an endless list', `{"data":[${'{"id":"x"},'.repeat(200_000)}{"id":"x"}]}`],
	] as const) {
		test(`What is no list has no models: ${what}`, async () => {
			assert.deepEqual(await listed(body), []);
		});
	}

	/** The models of a service whose list has this body. */
	async function listed(body: string | Buffer): Promise<readonly string[]> {
		const { port } = await opened(echoServer(undefined, (_, response) => response.end(body)));
		return list('chat', key, `http://127.0.0.1:${String(port)}`);
	}
});
