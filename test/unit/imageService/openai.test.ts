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

	for (const [manner, base, model] of [
		['openai', '/v1', 'gpt-image-2.5-flare'],
		['azure', '/openai/v1', 'my-images'],
	] as const) {
		test(`It generates and edits in the manner of ${manner}`, async () => {
			await withService(
				async ({ address }) => {
					const headers = manner === 'azure' ? { 'api-key': key } : {};
					const client = new OpenAI({
						...{ apiKey: key, baseURL: address + base, defaultHeaders: headers, maxRetries: 0 },
					});
					const asked = { model, prompt: 'A fox', size: '1024x1024', quality: 'high' } as const;
					const made = await client.images.generate({ ...asked, output_format: 'png' });
					const bytes = Buffer.from(made.data![0]!.b64_json!, 'base64');
					const image = await toFile(bytes, 'a.png', { type: 'image/png' });
					const edited = await client.images.edit({ ...asked, image: [image, image] });
					assert.ok(edited.data![0]!.b64_json);
				},
				{ manner, pictures: 'small' },
			);
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
