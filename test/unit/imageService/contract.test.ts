import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { once } from 'node:events';
import {
	errorMessage,
	formatOf,
	key,
	pictureOf,
	reference,
	statedFields,
	withService,
	type Part,
} from '../../service/helpers.js';

suite('The stand-in service: contract', () => {
	test('A generation is answered with a PNG of the asked size and the declared fields', async () => {
		await withService(async (service, client) => {
			const reply = await client.generate({ size: '1536x1024', quality: 'low' });
			assert.equal(formatOf(pictureOf(reply)), 'png 1536x1024');
			assert.equal(reply.headers['content-type'], 'application/json');
			assert.equal(reply.headers['x-request-id'], 'req_000001');
			const body = JSON.parse(reply.text) as { created: number; data: object[] };
			assert.deepEqual(Object.keys(body), ['created', 'data']);
			assert.ok(Number.isInteger(body.created));
			assert.deepEqual(Object.keys(body.data[0]!), ['b64_json']);
			assert.equal(service.imagesMade, 1);
		});
	});

	test('A request without optional fields gets a square of 1024 pixels, and so does auto', async () => {
		await withService(async (_, client) => {
			const left = { n: undefined, response_format: undefined, output_format: undefined };
			assert.equal(formatOf(pictureOf(await client.generate(left))), 'png 1024x1024');
			assert.equal(formatOf(pictureOf(await client.generate({ size: 'auto' }))), 'png 1024x1024');
		});
	});

	test('The record of a request holds all but the key', async () => {
		await withService(async (service, client) => {
			const [first, second] = [await reference('png'), await reference('webp', 'blue')];
			const parts: Part[] = [
				['image[]', first, 'größe.png'],
				['image[]', second, '/home/me/b.webp'],
			];
			pictureOf(await client.edit(parts));
			const record = service.requests[0]!;
			assert.equal(record.endpoint, 'edits');
			assert.equal(record.status, 200);
			assert.equal(record.headers.authorization, 'bearer ok');
			assert.ok(!JSON.stringify(service.requests).includes(key));
			assert.deepEqual(record.fields, [
				{ name: 'model', value: 'std-image-2' },
				{ name: 'n', value: '1' },
				{ name: 'response_format', value: 'b64_json' },
				{ name: 'output_format', value: 'png' },
				{ name: 'prompt', value: 'Make it blue' },
			]);
			const hash = async (blob: Blob): Promise<string> =>
				createHash('sha256')
					.update(await blob.bytes())
					.digest('hex');
			assert.deepEqual(record.references, [
				{
					field: 'image[]',
					fileName: 'größe.png',
					contentType: 'image/png',
					size: first.size,
					sha256: await hash(first),
				},
				{
					field: 'image[]',
					fileName: '/home/me/b.webp',
					contentType: 'image/webp',
					size: second.size,
					sha256: await hash(second),
				},
			]);
		});
	});

	test('A missing, malformed or unknown key is refused with 401 on both endpoints', async () => {
		await withService(async (service, client) => {
			for (const authorization of ['', 'Bearer wrong', key, `Basic ${key}`, `Bearer ${key}x`]) {
				const reply = await client.generate({}, { headers: { authorization } });
				assert.match(errorMessage(reply, 401), /^The API key is (missing|invalid)\.$/);
			}
			const headers = { 'content-type': 'multipart/form-data; boundary=x', authorization: 'x' };
			errorMessage(await client.send('/v1/images/edits', { headers, body: '' }), 401);
			assert.equal(service.requests[1]!.headers.authorization, 'invalid');
			assert.equal(service.imagesMade, 0);
		});
	});

	test('A key without quota is refused with 402 and a message at the top level', async () => {
		const keys = [{ key: 'empty', quota: 'insufficient' as const }];
		await withService(
			async (service, client) => {
				const reply = await client.generate({}, { headers: { authorization: 'Bearer empty' } });
				assert.equal(reply.status, 402);
				assert.deepEqual(Object.keys(JSON.parse(reply.text) as object), ['message']);
				pictureOf(await client.generate());
				assert.equal(service.imagesMade, 1);
			},
			{ keys },
		);
	});

	test('Other paths are 404 and other methods 405 with Allow, and both are remembered', async () => {
		await withService(async (service, client) => {
			for (const path of ['/', '/v1/images', '/v1/images/generations/1', '/images/edits', '//']) {
				const reply = await client.send(path, { method: 'GET' });
				errorMessage(reply, 404);
				assert.match(String(reply.headers['x-request-id']), /^req_/);
			}
			const reply = await client.send('/v1/images/edits', { method: 'GET' });
			errorMessage(reply, 405);
			assert.equal(reply.headers.allow, 'POST');
			assert.equal(service.strays.length, 6);
			assert.equal(service.requests.length, 0);
		});
	});

	test('More requests at once than allowed are refused with 429 and Retry-After', async () => {
		await withService(
			async (service, client) => {
				const first = client.generate({ prompt: 'A fox [fault hold]' });
				await service.waitForRequest(1, 'held');
				const refused = await client.generate();
				errorMessage(refused, 429);
				assert.equal(refused.headers['retry-after'], '1');
				assert.equal(service.releaseHeld(), 1);
				pictureOf(await first);
				assert.equal(service.maxAtOnce, 2);
			},
			{ concurrencyLimit: 1 },
		);
	});

	const badGenerations: [string, Record<string, unknown>, RegExp][] = [
		['no model', { model: undefined }, /^model: is missing/],
		['another model', { model: 'gpt-image-1' }, /^model: must be/],
		['no prompt', { prompt: undefined }, /^prompt: is missing/],
		['an empty prompt', { prompt: ' ' }, /^prompt: must be/],
		['a prompt that is no text', { prompt: ['A fox'] }, /^prompt: must be/],
		['n above 1', { n: 2 }, /^n: must be/],
		['n of 0', { n: 0 }, /^n: must be/],
		['n as text', { n: '1' }, /^n: must be/],
		['an unknown size', { size: '512x512' }, /^size: must be/],
		['a malformed size', { size: '1024X1024' }, /^size: must be/],
		['an empty size', { size: null }, /^size: must be/],
		['response_format url', { response_format: 'url' }, /^response_format: must be/],
		['output_format webp', { output_format: 'webp' }, /^output_format: must be/],
		['another quality', { quality: 'medium' }, /^quality: must be/],
		['a background', { background: 'transparent' }, /^background: is not a declared/],
		['streaming', { stream: true }, /^stream: is not a declared/],
		['a malformed fault', { prompt: 'A [fault staus=503]' }, /^prompt: .*staus/s],
	];
	for (const [what, fields, message] of badGenerations) {
		test(`A generation with ${what} is a 400 that names the field`, async () => {
			await withService(async (service, client) => {
				assert.match(errorMessage(await client.generate(fields), 400), message);
				assert.equal(service.imagesMade, 0);
				assert.equal(service.requests[0]!.status, 400);
			});
		});
	}

	test('A generation that is no JSON object, or says another type, is a 400', async () => {
		await withService(async (_, client) => {
			const send = async (body: string | Buffer, type = 'application/json'): Promise<string> => {
				const init = { body, headers: { 'content-type': type } };
				return errorMessage(await client.generate({}, init), 400);
			};
			for (const body of ['', '{', 'nonsense', Buffer.from('{"prompt":"\xff"}', 'latin1')]) {
				assert.equal(await send(body), 'The body is not JSON.');
			}
			for (const body of ['[]', '"A fox"', 'null', '1']) {
				assert.equal(await send(body), 'The body is not a JSON object.');
			}
			assert.match(await send('{}', 'text/plain'), /^Content-Type: must be application\/json/);
			const multipart = 'multipart/form-data; boundary=x';
			assert.match(await send('{}', multipart), /^Content-Type: must be application\/json/);
		});
	});

	const png = (): Promise<Blob> => reference('png');
	const badEdits: [
		string,
		() => readonly Part[] | Promise<readonly Part[]>,
		readonly string[],
		RegExp,
	][] = [
		['no model', () => [], ['model'], /^model: is missing/],
		['another model', () => [['model', 'x']], ['model'], /^model: must be/],
		['no prompt', () => [], ['prompt'], /^prompt: is missing/],
		['n above 1', () => [['n', '2']], ['n'], /^n: must be/],
		['an unknown size', () => [['size', '1x1']], [], /^size: must be/],
		['quality, declared for generations only', () => [['quality', 'high']], [], /^quality: /],
		['a mask', async () => [['mask', await png()]], [], /^mask: is not a declared/],
		['an undeclared text', () => [['user', 'me']], [], /^user: is not a declared/],
		['a text twice', () => [['prompt', 'Again']], [], /^prompt: appears more than once/],
		['a text as image', () => [['image', 'path.png']], [], /^image: must be a file/],
		[
			'another response_format',
			() => [['response_format', 'url']],
			['response_format'],
			/^response_format: must be/,
		],
		[
			'another output_format',
			() => [['output_format', 'jpeg']],
			['output_format'],
			/^output_format: must be/,
		],
		[
			'image twice',
			async () => [
				['image', await png()],
				['image', await png()],
			],
			[],
			/^image: appears more than once/,
		],
		['a lone image[]', async () => [['image[]', await png()]], [], /^image\[\]: appears once/],
		[
			'image beside image[]',
			async () => [
				['image', await png()],
				['image[]', await png()],
			],
			[],
			/^image\[\]: must not stand beside/,
		],
		[
			'a GIF',
			() => [['image', new Blob(['GIF89a'], { type: 'image/gif' })]],
			[],
			/^image: has the content type image\/gif/,
		],
		[
			'a JPEG called a PNG',
			async () => {
				return [['image', new Blob([await reference('jpeg')], { type: 'image/png' })]];
			},
			[],
			/^image: the bytes of the file are not image\/png/,
		],
		[
			'an empty file',
			() => [['image', new Blob([], { type: 'image/webp' })]],
			[],
			/^image: the bytes of the file are not image\/webp/,
		],
	];
	for (const [what, parts, left, message] of badEdits) {
		test(`An edit with ${what} is a 400 that names the field`, async () => {
			await withService(async (service, client) => {
				assert.match(errorMessage(await client.edit(await parts(), left), 400), message);
				assert.equal(service.imagesMade, 0);
			});
		});
	}

	test('An edit takes PNG, JPEG and WebP, one, several or none', async () => {
		await withService(async (service, client) => {
			for (const format of ['png', 'jpeg', 'webp'] as const) {
				pictureOf(await client.edit([['image', await reference(format)]]));
			}
			pictureOf(await client.edit());
			assert.equal(service.requests[3]!.references.length, 0);
		});
	});

	test('An edit that is JSON, or a broken form, is a 400', async () => {
		await withService(async (_, client) => {
			const send = async (body: string, type: string): Promise<string> => {
				const init = { body, headers: { 'content-type': type } };
				return errorMessage(await client.send('/v1/images/edits', init), 400);
			};
			const json = await send(JSON.stringify(statedFields), 'application/json');
			assert.match(json, /^Content-Type: must be multipart\/form-data/);
			const form = 'multipart/form-data; boundary=x';
			const head = '--x\r\nContent-Disposition: form-data; name="prompt"\r\n\r\nA fox';
			assert.match(await send(head, 'multipart/form-data'), /cannot be read: .*[Bb]oundary/);
			assert.match(await send(head, form), /cannot be read: Unexpected end of form/);
			const file = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nA';
			assert.match(await send(file, form), /cannot be read: Unexpected end of form/);
		});
	});

	test('A client that leaves while it sends is recorded as aborted and pays nothing', async () => {
		await withService(async (service) => {
			const { hostname, port } = new URL(service.address);
			for (const [path, type] of [
				['generations', 'application/json'],
				['edits', 'multipart/form-data; boundary=x'],
			] as const) {
				const socket = connect(Number(port), hostname);
				await once(socket, 'connect');
				socket.write(
					`POST /v1/images/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
						`Content-Type: ${type}\r\nContent-Length: 1000\r\n\r\n--x\r\n`,
				);
				const sequence = service.requests.length + 1;
				await service.waitUntil(() => service.requests.length === sequence);
				socket.destroy();
				const record = await service.waitForRequest(sequence, 'ended');
				assert.equal(record.status, 'aborted');
			}
			assert.equal(service.imagesMade, 0);
		});
	});
});
