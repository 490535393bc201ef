import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { inspectImage } from '../../../src/images/inspect.js';
import { settings } from '../../../src/editor/settingTable.js';
import { protocols } from '../../../src/languageModel/protocols.js';
import { streamAnswer } from '../../../src/languageModel/streamAnswer.js';
import { serviceUrl } from '../../../src/service/address.js';
import { defaultNetworkOptions, openTransport } from '../../../src/service/transport.js';
import type { ImageCall, ReferenceFile } from '../../../src/service/requestBody.js';
import { sizeTable } from '../../../src/service/contract.js';
import { services } from '../../../src/service/services.js';
import { StatusError } from '../../../src/service/errors.js';
import { withRetries } from '../../../src/service/retry.js';
import type { RecordedRequest } from '../../service/requests.js';
import { FakeClock } from './fakeClock.js';
import { echoServer, useServers } from './networkFixtures.js';
import { key, openBench, referencePng, type Bench } from './support.js';

/** One test for each sentence of the specification that binds a client, named after it. */
suite('specification', () => {
	let bench: Bench;
	let png: Uint8Array;

	suiteSetup(async () => {
		bench = await openBench();
		png = await referencePng('a reference', { width: 320, height: 240 });
	});

	suiteTeardown(() => bench.close());

	teardown(() => {
		bench.service.faults.clear();
	});

	/** The last request as the service received it. */
	function received(): RecordedRequest {
		const request = bench.service.requests.at(-1);
		assert.ok(request);
		return request;
	}

	function fields(): Record<string, unknown> {
		return Object.fromEntries(received().fields.map(({ name, value }) => [name, value]));
	}

	async function reference(fileName: string, bytes = png): Promise<ReferenceFile> {
		return { path: await bench.write('source', bytes), fileName, contentType: 'image/png' };
	}

	async function failure(call: Partial<ImageCall> = {}, apiKey = key): Promise<StatusError> {
		const error = await bench.call(call, { key: apiKey }).then(
			() => undefined,
			(caught: unknown) => caught,
		);
		assert.ok(error instanceof StatusError, String(error));
		return error;
	}

	suite('requests', () => {
		test('text-to-image is POST /v1/images/generations with a JSON body', async () => {
			await bench.call();
			assert.equal(received().endpoint, 'generations');
			assert.equal(received().headers['content-type'], 'application/json');
		});

		test('image-to-image is POST /v1/images/edits as multipart/form-data, never JSON', async () => {
			await bench.call({ references: [await reference('a.png')] });
			assert.equal(received().endpoint, 'edits');
			assert.match(received().headers['content-type'] ?? '', /^multipart\/form-data; boundary=/);
		});

		test('every request states model, n, response_format and output_format explicitly', async () => {
			await bench.call();
			const stated = { model: 'std-image-2', response_format: 'b64_json', output_format: 'png' };
			const text = { prompt: 'a lighthouse at dusk', size: '1024x1024' };
			assert.deepEqual(fields(), { ...stated, ...text, n: 1 });
			await bench.call({ references: [await reference('a.png')] });
			assert.deepEqual(fields(), { ...stated, ...text, n: '1' });
		});

		test('undeclared fields are not allowed, so an edit has no quality', async () => {
			await bench.call({ references: [await reference('a.png')], quality: 'low' });
			assert.deepEqual(Object.keys(fields()), [
				...['model', 'prompt', 'size', 'response_format', 'output_format', 'n'],
			]);
		});

		test('quality goes into generations, with the values high and low, when one was chosen', async () => {
			for (const quality of ['high', 'low'] as const) {
				await bench.call({ quality });
				assert.equal(fields()['quality'], quality);
			}
			await bench.call();
			assert.ok(!('quality' in fields()));
		});

		test('every size of the size table is accepted', async () => {
			// What is drawn means nothing here.
			bench.service.faults.add({ dimensions: '64x48' });
			for (const size of services.standard.sizes) {
				await bench.call({ size: size });
				assert.equal(fields()['size'], size);
			}
		});

		test('sizes above 2K are marked as experimental', () => {
			assert.deepEqual(
				sizeTable.filter((row) => row.experimental).map((row) => row.size),
				['3840x2160', '2160x3840'],
			);
		});

		test('a single reference uses image', async () => {
			await bench.call({ references: [await reference('a.png')] });
			assert.deepEqual(
				received().references.map((file) => file.field),
				['image'],
			);
		});

		test('several references use repeated image[], in their order', async () => {
			const names = ['c.png', 'a.png', 'b.png'];
			const references = [];
			for (const name of names) {
				const file = await bench.write(name, await referencePng(name, { width: 64, height: 48 }));
				references.push({ path: file, fileName: name, contentType: 'image/png' as const });
			}
			await bench.call({ references });
			const files = received().references;
			assert.deepEqual(
				files.map((file) => [file.field, file.fileName]),
				[1, 2, 3].map((number) => ['image[]', `reference-${String(number)}.png`]),
			);
			for (const [index, { path: file }] of references.entries()) {
				const hash = createHash('sha256')
					.update(await readFile(file))
					.digest('hex');
				assert.equal(files[index]?.sha256, hash);
			}
		});

		test('references are sent as image/png, image/jpeg and image/webp', async () => {
			const { createCanvas } = await import('@napi-rs/canvas');
			const canvas = createCanvas(40, 30);
			for (const format of ['png', 'jpeg', 'webp'] as const) {
				const bytes =
					format === 'png' ? await canvas.encode('png') : await canvas.encode(format, 80);
				const file = await bench.write(`image.${format}`, bytes);
				const { contentType } = await inspectImage(file);
				await bench.call({ references: [{ path: file, fileName: 'a', contentType }] });
				assert.equal(received().references[0]?.contentType, `image/${format}`);
				assert.equal(received().references[0]?.size, bytes.length);
			}
		});

		test('the prompt is free text and arrives as it is', async () => {
			const prompt = 'Zeile 1\nLine 2 "quoted" \\ <b> 图 🦊 \u0000';
			await bench.call({ prompt });
			assert.equal(fields()['prompt'], prompt);
			await bench.call({ prompt: 'Zeile\r\n2 图 🦊', references: [await reference('a.png')] });
			assert.equal(fields()['prompt'], 'Zeile\r\n2 图 🦊');
		});
	});

	suite('other protocol endpoints', () => {
		const opened = useServers();

		/** Asks a model in a protocol, and returns its request as it came over the wire. */
		async function asked(protocol: 'chat' | 'messages', name = 'words-1') {
			let received: { url?: string; method?: string; headers: IncomingHttpHeaders; body: unknown };
			const server = await opened(
				echoServer(undefined, (request, response) => {
					void text(request).then((body) => {
						const { url = '', method = '', headers } = request;
						received = { url, method, headers, body: JSON.parse(body) };
						response.setHeader('content-type', 'application/json');
						response.end(
							'{"type":"message","content":[{"text":"Hi"}],"choices":[{"message":{"content":"Hi"}}]}',
						);
					});
				}),
			);
			const address = `http://127.0.0.1:${String(server.port)}`;
			const transport = openTransport(address, defaultNetworkOptions, {});
			const question = { model: name, instructions: 'Say hi.', text: 'Hello' };
			const signal = new AbortController().signal;
			for await (const words of streamAnswer(question, {
				...{ protocol, transport, key, signal, timeoutMs: 60_000, retry: 'never' },
			})) {
				assert.equal(words, 'Hi');
			}
			return received!;
		}

		test('chat-style: POST {base_url}/v1/chat/completions, a bearer token, JSON', async () => {
			const { url, method, headers } = await asked('chat');
			assert.deepEqual([method, url], ['POST', '/v1/chat/completions']);
			assert.equal(headers.authorization, `Bearer ${key}`);
			assert.equal(headers['content-type'], 'application/json');
		});

		test('message-style: POST {base_url}/messages, x-api-key, the version 2023-06-01, JSON', async () => {
			const { url, method, headers } = await asked('messages');
			assert.deepEqual([method, url], ['POST', '/messages']);
			assert.equal(headers['x-api-key'], key);
			assert.equal(headers['anthropic-version'], '2023-06-01');
			assert.equal(headers['content-type'], 'application/json');
		});

		test('one shared address must not be used for all protocols', () => {
			const paths = Object.values(protocols).map(({ path }) => path);
			const images = ['images/generations', 'images/edits'] as const;
			const { address } = bench.service;
			const all = [
				...paths,
				...images.map((one) => serviceUrl(address, services.standard, one).pathname),
			];
			assert.equal(new Set(all).size, all.length);
		});

		test('extra headers are sent only where the protocol requires them', async () => {
			const common = ['accept', 'accept-encoding', 'connection', 'content-length', 'content-type'];
			const names = async (protocol: 'chat' | 'messages') =>
				Object.keys((await asked(protocol)).headers).sort();
			assert.deepEqual(await names('chat'), [...common, 'authorization', 'host'].sort());
			const own = ['anthropic-version', 'host', 'x-api-key'];
			assert.deepEqual(await names('messages'), [...common, ...own].sort());
		});

		test('the model is one that the user has copied from the model list, and none is fixed', async () => {
			for (const protocol of ['chat', 'messages'] as const) {
				assert.equal(((await asked(protocol, 'gpt-x')).body as { model: string }).model, 'gpt-x');
			}
			assert.equal(settings['words.model'].default, '');
		});

		test('a time-out of 3,000 s, as it is recommended for long tasks, can be set', () => {
			assert.ok(settings['service.timeoutSeconds'].schema.safeParse(3000).success);
		});
	});

	suite('authentication', () => {
		test('the key is sent as Authorization: Bearer, and nowhere else', async () => {
			await bench.call();
			const { headers, fields: sent } = received();
			assert.ok(!JSON.stringify([headers, sent]).includes(key));
			assert.equal(received().status, 200);
		});

		for (const [what, apiKey, status] of [
			['a missing or invalid key', 'wrong', 401],
			['insufficient quota', 'poor', 402],
		] as const) {
			test(`${what} yields status ${String(status)}`, async () => {
				const error = await failure({}, apiKey);
				assert.deepEqual([error.status, error.charge], [status, 'rejected']);
			});
		}
	});

	suite('responses', () => {
		const file = () => path.join(bench.folder, 'image');

		test('data[0].b64_json is decoded and its bytes are kept as they are', async () => {
			const { bytes } = await bench.call({ prompt: 'as it is' });
			const image = await inspectImage(file());
			assert.equal(image.format, 'png');
			assert.equal(image.bytes, bytes);
		});

		test('a data-URI style prefix ending in base64, is removed before decoding', async () => {
			bench.service.faults.add({ dataUri: true });
			await bench.call();
			assert.equal((await inspectImage(file())).format, 'png');
		});

		test('extra fields at the top level and inside data items are allowed', async () => {
			bench.service.faults.add({ extraFields: true, revisedPrompt: 'more precisely' });
			const { revisedPrompt } = await bench.call();
			assert.equal(revisedPrompt, 'more precisely');
			assert.equal((await inspectImage(file())).format, 'png');
		});

		test('the real decoded dimensions are used, not those that were asked for', async () => {
			bench.service.faults.add({ dimensions: '800x600' });
			await bench.call({ size: '1536x1024' });
			const { width, height } = await inspectImage(file());
			assert.deepEqual([width, height], [800, 600]);
		});
	});

	suite('errors', () => {
		test('error.message is shown first', async () => {
			bench.service.faults.add({ status: 400, message: 'The prompt was refused.' });
			const error = await failure();
			assert.equal(error.message, 'The prompt was refused.');
		});

		test('then message', async () => {
			bench.service.faults.add({ status: 402, body: 'flat', message: 'Quota is used up.' });
			assert.equal((await failure()).message, 'Quota is used up.');
		});

		test('then the HTTP status text', async () => {
			for (const body of ['html', 'empty', 'text'] as const) {
				bench.service.faults.clear();
				bench.service.faults.add({ status: 502, body });
				assert.equal((await failure()).message, 'Bad Gateway');
			}
		});

		test('the request identifier is kept, to be recorded', async () => {
			bench.service.faults.add({ status: 500 });
			assert.equal((await failure()).requestId, received().id);
		});

		test('400, 401 and 402 are not retried', async () => {
			for (const status of [400, 401, 402]) {
				bench.service.faults.clear();
				bench.service.faults.add({ status });
				const before = bench.service.requests.length;
				await assert.rejects(
					withRetries(() => bench.call(), { mode: 'all', clock: new FakeClock() }),
					{ status },
				);
				assert.equal(bench.service.requests.length, before + 1);
			}
		});

		test('408, 409, 425, 429, 5xx and transport errors are retried, with waits of 3, 8 and 15 s', async () => {
			for (const fault of [
				...[408, 409, 425, 429, 500, 503].map((status) => ({ status })),
				{ cut: 'headers' as const },
			]) {
				bench.service.faults.clear();
				bench.service.faults.add({ ...fault, times: 3 });
				const clock = new FakeClock();
				const before = bench.service.requests.length;
				await withRetries(() => bench.call(), { mode: 'all', clock });
				assert.equal(bench.service.requests.length, before + 4);
				assert.deepEqual(clock.sleeps, [3000, 8000, 15_000]);
			}
		});
	});
});
