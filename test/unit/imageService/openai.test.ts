import assert from 'node:assert/strict';
import OpenAI, { AuthenticationError, toFile, type Uploadable } from 'openai';
import { generate as selfSigned } from 'selfsigned';
import { formatOf, key, pictureOf, reference, withService } from '../../service/helpers.js';

const stated = { model: 'std-image-2', n: 1, output_format: 'png' } as const;

suite('The stand-in service: the official client of the protocol', () => {
	test('It generates', async () => {
		await withService(async (service) => {
			const { data } = await official(service.address).images.generate({
				...stated,
				prompt: 'A harbor at dusk',
				size: '1536x1024',
				quality: 'high',
				response_format: 'b64_json',
			});
			assert.equal(formatOf(Buffer.from(data![0]!.b64_json!, 'base64')), 'png 1536x1024');
			assert.equal(service.requests[0]!.endpoint, 'generations');
		});
	});

	for (const count of [1, 3]) {
		test(`It edits with ${count} reference${count > 1 ? 's' : ''}`, async () => {
			await withService(async (service) => {
				const files: Uploadable[] = [];
				for (let index = 0; index < count; index++) {
					const file = new Uint8Array(await (await reference('jpeg')).arrayBuffer());
					files.push(await toFile(file, `${index}.jpg`, { type: 'image/jpeg' }));
				}
				const { data } = await official(service.address).images.edit({
					...stated,
					prompt: 'Join them',
					size: '1024x1536',
					response_format: 'b64_json',
					image: count === 1 ? files[0]! : files,
				});
				assert.equal(formatOf(Buffer.from(data![0]!.b64_json!, 'base64')), 'png 1024x1536');
				const names = service.requests[0]!.references.map(({ fileName }) => fileName);
				assert.deepEqual(names, ['0.jpg', '1.jpg', '2.jpg'].slice(0, count));
			});
		});
	}

	test('It reads errors and request identifiers', async () => {
		await withService(async (service) => {
			const client = official(service.address, 'wrong');
			const failure: unknown = await client.images.generate({ ...stated, prompt: 'A fox' }).then(
				() => undefined,
				(error: unknown) => error,
			);
			assert.ok(failure instanceof AuthenticationError);
			assert.equal(failure.requestID, 'req_000001');
			assert.match(failure.message, /The API key is invalid/);
		});
	});

	test('The service speaks https with a given certificate', async () => {
		const pems = await selfSigned([{ name: 'commonName', value: 'localhost' }]);
		await withService(
			async (service, client) => {
				assert.match(service.address, /^https:/);
				pictureOf(await client.generate());
			},
			{ tls: { key: pems.private, cert: pems.cert } },
		);
	});
});

function official(address: string, apiKey = key): OpenAI {
	return new OpenAI({ apiKey, baseURL: `${address}/v1`, maxRetries: 0 });
}
