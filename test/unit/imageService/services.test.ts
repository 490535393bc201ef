import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { detectFormat } from '../../../src/images/inspect.js';
import { inspectContent } from '../../../src/images/whole.js';
import { listModels } from '../../../src/languageModel/listModels.js';
import { callService, type CallResult } from '../../../src/service/client.js';
import { AnswerError, StatusError } from '../../../src/service/errors.js';
import type { ImageCall } from '../../../src/service/requestBody.js';
import {
	offerOf,
	serviceIds,
	services,
	takesTransparency,
	type ServiceId,
} from '../../../src/service/services.js';
import { streamAnswer } from '../../../src/languageModel/streamAnswer.js';
import { nearestSize } from '../../../src/service/sizes.js';
import { defaultNetworkOptions, openTransport } from '../../../src/service/transport.js';
import { key, reference } from '../../service/helpers.js';
import { blockedWord } from '../../service/manners.js';
import { startImageService, type ImageService } from '../../service/server.js';

const models: Partial<Record<ServiceId, string>> = { azure: 'my-images' };

const stated = { size: '1024x1024', response_format: 'b64_json', output_format: 'png' };
const fields: Record<
	ServiceId,
	{ readonly all: object; readonly quality: 'always' | 'alone' | 'never' }
> = {
	standard: { all: { model: 'std-image-2', ...stated }, quality: 'alone' },
	openai: {
		all: { model: 'gpt-image-2.5-flare', size: '1024x1024', output_format: 'png' },
		quality: 'always',
	},
	azure: {
		all: { model: 'my-images', size: '1024x1024', output_format: 'png' },
		quality: 'always',
	},
	local: { all: { size: '1024x1024', response_format: 'b64_json' }, quality: 'never' },
};

for (const id of serviceIds) {
	suite(`A stand-in for the ${services[id].title}`, () => {
		let service: ImageService;
		let folder: string;

		setup(async () => {
			const poor = { key: 'poor-key', quota: 'insufficient' } as const;
			service = await startImageService({ manner: id, key, keys: [poor], pictures: 'small' });
			folder = await mkdtemp(path.join(tmpdir(), 'easel-services-'));
		});

		teardown(async () => {
			await service.close();
			await rm(folder, { recursive: true });
		});

		async function call(change: Partial<ImageCall> = {}, apiKey = key) {
			const transport = openTransport(new URL(service.address), defaultNetworkOptions, {});
			return callService(
				{
					...{ service: id, model: models[id], prompt: 'a pier', size: '1024x1024' },
					...{ references: [], ...change },
				},
				{
					...{ key: apiKey, transport, file: path.join(folder, 'image'), timeoutMs: 60_000 },
					openLink: (link) => openTransport(link, defaultNetworkOptions, {}),
					inspect: (part) => inspectContent(part, []),
				},
			);
		}

		async function files(count: number): Promise<ImageCall['references']> {
			const bytes = new Uint8Array(await (await reference('png')).arrayBuffer());
			return Promise.all(
				Array.from({ length: count }, async (_, index) => {
					const file = path.join(folder, `${String(index)}.png`);
					await writeFile(file, bytes);
					return { path: file, fileName: 'a.png', contentType: 'image/png' as const };
				}),
			);
		}

		async function refusal(change: Partial<ImageCall>, apiKey = key): Promise<StatusError> {
			const error: unknown = await call(change, apiKey).then(
				() => undefined,
				(thrown: unknown) => thrown,
			);
			assert.ok(error instanceof StatusError, String(error));
			return error;
		}

		function received() {
			const { fields: sent, headers, references } = service.requests.at(-1)!;
			const { prompt, ...rest } = Object.fromEntries(sent.map(({ name, value }) => [name, value]));
			assert.equal(prompt, 'a pier');
			const { authorization, 'api-key': apiKey } = headers;
			return { fields: rest, key: [authorization, apiKey], images: references.map((r) => r.field) };
		}

		for (const [count, names] of [
			[0, []],
			[1, ['image']],
			[3, ['image[]', 'image[]', 'image[]']],
		] as const) {
			test(`makes an image with ${String(count)} reference images, of the fields that it knows`, async () => {
				const quality = offerOf(services[id], models[id]).qualities[0];
				await call({ references: await files(count), quality });
				const { all, quality: when } = fields[id];
				const isSent = when === 'always' || (when === 'alone' && count === 0);
				const n = count === 0 ? 1 : '1';
				assert.deepEqual(received(), {
					fields: { ...all, n, ...(isSent && { quality }) },
					key: id === 'azure' ? [undefined, 'ok'] : ['bearer ok', undefined],
					images: names,
				});
			});
		}

		test('is asked for a transparent background only where it makes one', async () => {
			await call({ background: 'transparent' });
			await call({ background: 'transparent', references: await files(1) });
			const sent = service.requests.map(
				({ fields: all }) => all.find(({ name }) => name === 'background')?.value,
			);
			const expected = takesTransparency(services[id]) ? 'transparent' : undefined;
			assert.deepEqual(sent, [expected, expected]);
			assert.equal(id === 'openai' || id === 'azure', expected !== undefined);
		});

		test('lists its models to a key in its own header, and refuses a wrong one', async () => {
			const transport = openTransport(new URL(service.address), defaultNetworkOptions, {});
			const list = async (given: string) =>
				(await listModels('chat', transport, given, AbortSignal.timeout(10_000), services[id]))
					.models;
			assert.deepEqual(await list(key), service.models.list);
			if (id !== 'local') {
				await assert.rejects(list('wrong-key'), StatusError);
			}
		});

		test('has language models at its own address, with its own header of the key', async () => {
			service.modelReplies.push('A pier at dusk');
			const transport = openTransport(new URL(service.address), defaultNetworkOptions, {});
			const question = { model: 'words-1', instructions: 'Describe.', text: 'a pier' };
			const given = id === 'local' ? '' : key;
			const options = { protocol: 'chat', retry: 'never', timeoutMs: 10_000 } as const;
			const { signal } = new AbortController();
			const way = { transport, key: given, service: services[id], signal };
			let words = '';
			for await (const piece of streamAnswer(question, { ...options, ...way })) {
				words += piece;
			}
			assert.equal(words, 'A pier at dusk');
		});

		test('takes every size that is offered for it', async () => {
			service.faults.add({ dimensions: '64x48' });
			const { sizes, sizeRule } = offerOf(services[id], models[id]);
			const others = Object.entries({ ...sizeRule }).map(([edge, limit]) =>
				nearestSize({ width: edge.startsWith('max') ? limit : 1, height: 1 }, { sizes, sizeRule }),
			);
			for (const size of [...sizes, ...others]) {
				await call({ size });
			}
		});

		test('is asked again where it is busy, but not by a single call', async () => {
			for (const retryAfter of [undefined, 7]) {
				service.faults.add({ status: 429, times: 1, retryAfter });
				const { repeatable, meaning, retryAfterMs } = await refusal({});
				assert.deepEqual([repeatable, meaning], [true, undefined]);
				assert.equal(retryAfterMs, retryAfter && retryAfter * 1000);
			}
		});

		test('has its image taken in the format that it comes in', async () => {
			service.faults.add({ format: 'webp', times: 1 }, { format: 'jpeg', times: 1 });
			for (const format of ['webp', 'jpeg']) {
				const { file } = await call();
				assert.equal(detectFormat(await readFile(file)), format);
			}
		});

		test('has an image fetched by its link only where the row says so, once and without the key', async () => {
			service.faults.add({ link: true, times: 1 });
			const before = service.links.length;
			const answer = await call().catch((thrown: unknown) => thrown);
			const headers = service.links.slice(before);
			if (id !== 'local') {
				assert.ok(answer instanceof AnswerError, String(answer));
				assert.deepEqual([answer.facts.code, answer.charge], ['answer.link', 'charged']);
				assert.match(answer.link ?? '', /\/files\/req_/);
				assert.deepEqual(headers, []);
				return;
			}
			assert.equal(headers.length, 1);
			assert.ok(!/authorization|key/i.test(Object.keys(headers[0]!).join()));
			const { file } = answer as CallResult;
			assert.equal(detectFormat(await readFile(file)), 'png');
			assert.deepEqual(await readdir(path.dirname(file)), [path.basename(file)]);
		});

		if (services[id].fetchesLinks) {
			test('keeps its answer where the image of its link does not come', async () => {
				for (const [link, code] of [
					[`${service.address}/files/gone?sig=1`, 'answer.linkLost'],
					['http://example.net/a.png', 'answer.link'],
				] as const) {
					service.faults.add({ link, times: 1 });
					const error: unknown = await call().catch((thrown: unknown) => thrown);
					assert.ok(error instanceof AnswerError, String(error));
					assert.deepEqual([error.facts.code, error.charge, error.link], [code, 'charged', link]);
					const kept = await readFile(error.answerFile!, 'utf8');
					assert.ok(kept.includes(link), kept);
				}
			});
		}

		if (id === 'local') {
			test('needs no key', async () => {
				await call({}, '');
				assert.deepEqual(received().key, [undefined, undefined]);
			});
			return;
		}

		test('refuses a wrong key', async () => {
			const { status, repeatable, charge } = await refusal({}, 'wrong-key');
			assert.deepEqual([status, repeatable, charge], [401, false, 'rejected']);
		});

		test('refuses a key without money, which is not tried again', async () => {
			const { status, meaning, repeatable, charge } = await refusal({}, 'poor-key');
			assert.deepEqual([repeatable, charge], [false, 'rejected']);
			assert.deepEqual([status, meaning], id === 'standard' ? [402, undefined] : [429, 'money']);
		});

		if (id !== 'standard') {
			test('refuses what is not allowed, and a model that it does not have', async () => {
				const { meaning, repeatable } = await refusal({ prompt: `a ${blockedWord} thing` });
				assert.deepEqual([meaning, repeatable], ['moderation', false]);
				assert.equal((await refusal({ model: 'gpt-image-2.5-none' })).meaning, 'model');
			});
		}

		if (id === 'openai') {
			test('refuses an organization that is not verified', async () => {
				const { status, meaning } = await refusal({ model: 'gpt-image-2.6-sunburst' });
				assert.deepEqual([status, meaning], [403, 'verification']);
			});

			test('refuses the fields of the specification', async () => {
				const error = await refusal({ service: 'standard', model: 'gpt-image-2' });
				assert.match(JSON.stringify(error.facts), /Unknown parameter: 'response_format'/);
			});
		}
	});
}
