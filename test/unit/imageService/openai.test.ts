import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import OpenAI, { APIError, AzureOpenAI, toFile } from 'openai';
import ts from 'typescript';
import { callService } from '../../../src/service/client.js';
import { offerOf, serviceIds, services } from '../../../src/service/services.js';
import { defaultNetworkOptions, openTransport } from '../../../src/service/transport.js';
import { rare } from '../../host/rare.js';
import { formatOf, key, reference, withService } from '../../service/helpers.js';
import { blockedWord, type MannerName } from '../../service/manners.js';

/** Set-up of the client for each service, and the fields that it states. */
const clients: Record<
	MannerName,
	{
		readonly open: (address: string, apiKey: string) => OpenAI;
		readonly stated: { readonly model: string; readonly response_format?: 'b64_json' };
	}
> = {
	standard: { open: official, stated: { model: 'std-image-2', response_format: 'b64_json' } },
	openai: { open: official, stated: { model: 'gpt-image-2.5-flare' } },
	azure: {
		open: (endpoint, apiKey) =>
			new AzureOpenAI({ endpoint, apiKey, apiVersion: '2026-04-01-preview', maxRetries: 0 }),
		stated: { model: 'my-images' },
	},
	local: { open: official, stated: { model: 'sd-cpp-local', response_format: 'b64_json' } },
};

function official(address: string, apiKey: string): OpenAI {
	return new OpenAI({ apiKey, baseURL: `${address}/v1`, maxRetries: 0 });
}

for (const manner of serviceIds) {
	const { open, stated } = clients[manner];
	const options = { manner, pictures: 'small', keys: [{ key }] } as const;
	const asked = { ...stated, prompt: 'A harbor', size: '1024x1536' } as const;

	suite(`The stand-in for “${services[manner].title}”: the official client`, () => {
		test('generates, and edits with one image and three', async () => {
			await withService(async (service) => {
				const client = open(service.address, key);
				const made = await client.images.generate({ ...asked, n: 1 });
				assert.equal(pictureIn(made), 'png 1024x1536');
				for (const count of [1, 3]) {
					const bytes = new Uint8Array(await (await reference('jpeg')).arrayBuffer());
					const files = Array.from({ length: count }, (_, index) =>
						toFile(bytes, `${String(index)}.jpg`, { type: 'image/jpeg' }),
					);
					const images = await Promise.all(files);
					const image = count === 1 ? images[0]! : images;
					assert.equal(pictureIn(await client.images.edit({ ...asked, image })), 'png 1024x1536');
					const { endpoint, references } = service.requests.at(-1)!;
					assert.equal(endpoint, 'edits');
					const names = references.map(({ fileName }) => fileName);
					assert.deepEqual(names, ['0.jpg', '1.jpg', '2.jpg'].slice(0, count));
				}
			}, options);
		});

		if (services[manner].can !== undefined) {
			test('has masks, transparency and formats, and none that do not fit', async () => {
				await withService(async ({ address }) => {
					const { images } = open(address, key);
					const png = async (width: number) =>
						toFile(await createCanvas(width, 8).encode('png'), 'a.png', { type: 'image/png' });
					const image = await png(12);
					await images.edit({ ...asked, image, mask: await png(12) });
					const markup = await png(12);
					const marked = () => images.edit({ ...asked, image, markup });
					// The deployment of the stand-in for Azure has an older model.
					await (manner === 'azure' ? refused(400, marked()) : marked());
					await refused(400, images.edit({ ...asked, image, markup, mask: markup }));
					await refused(400, images.edit({ ...asked, image, mask: await png(13) }));
					const transparent = { ...asked, background: 'transparent' } as const;
					const made = await images.generate({ ...transparent, output_format: 'webp' });
					assert.equal(pictureIn(made), 'webp 1024x1536');
					await refused(400, images.generate({ ...transparent, output_format: 'jpeg' }));
				}, options);
			});
		}

		test('reads refusals: the wrong key, one without money, too many at once, moderation', async () => {
			const poor = { key: 'poor-key', quota: 'insufficient' } as const;
			await withService(
				async ({ address, faults }) => {
					const ask = (apiKey: string, prompt = 'A fox') =>
						open(address, apiKey).images.generate({ ...asked, prompt });
					if (manner !== 'local') {
						const { requestID } = await refused(401, ask('wrong'));
						assert.equal(requestID, 'req_000001');
						await refused(manner === 'standard' ? 402 : 429, ask(poor.key));
					}
					if (services[manner].errors !== undefined) {
						const { code } = await refused(400, ask(key, `A ${blockedWord} fox`));
						assert.equal(code, manner === 'azure' ? 'contentFilter' : 'moderation_blocked');
					}
					faults.add({ status: 429, retryAfter: 3, times: 1 });
					const { headers } = await refused(429, ask(key));
					assert.equal(headers?.get('retry-after'), '3');
				},
				{ ...options, keys: [{ key }, poor] },
			);
		});
	});
}

suite('The types of the official client', () => {
	let folder: string;

	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-openai-'));
	});

	teardown(() => rm(folder, { recursive: true }));

	rare('allow each request that Easel sends, to every service', async () => {
		const lines: string[] = [];
		const file = path.join(folder, 'a.png');
		await writeFile(file, new Uint8Array(await (await reference('png')).arrayBuffer()));
		const image = { path: file, fileName: 'a.png', contentType: 'image/png' } as const;
		for (const service of serviceIds) {
			const { model } = clients[service].stated;
			await withService(
				async ({ address, requests, faults }) => {
					faults.add({ dimensions: '64x48' });
					const transport = openTransport(new URL(address), defaultNetworkOptions, {});
					for (const quality of [undefined, ...offerOf(services[service], model).qualities]) {
						for (const count of [0, 1, 3]) {
							const references = Array.from({ length: count }, () => image);
							await callService(
								{
									...{ service, model, prompt: 'A fox', size: 'auto', quality, references },
									background: 'transparent',
								},
								{ key, transport, file: path.join(folder, 'image'), timeoutMs: 60_000 },
							);
						}
					}
					lines.push(...requests.map(typedBody));
				},
				{ manner: service, pictures: 'small' },
			);
		}
		const [problem, ...others] = problemsOf([...lines, lines[0]!.replace('{', '{ unheardOf: 1,')]);
		assert.match(problem!, /'unheardOf' does not exist in type/);
		assert.deepEqual(others, []);
	});
});

function pictureIn({ data }: OpenAI.ImagesResponse): string {
	return formatOf(Buffer.from(data![0]!.b64_json!, 'base64'));
}

async function refused(status: number, call: Promise<unknown>): Promise<APIError> {
	const error: unknown = await call.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	assert.ok(error instanceof APIError, String(error));
	assert.equal(error.status, status, error.message);
	return error;
}

/** Returns a recorded request as an expression whose type is to be checked. */
function typedBody(request: {
	readonly endpoint: string;
	readonly fields: readonly { readonly name: string; readonly value: unknown }[];
	readonly references: readonly { readonly field: string }[];
}): string {
	const fields = request.fields.map(({ name, value }) => {
		// A form has text alone.
		const typed = name === 'n' ? Number(value) : value;
		return `${name}: ${JSON.stringify(typed)}`;
	});
	const [file, ...others] = request.references.map(() => 'file');
	if (file !== undefined) {
		fields.push(`image: ${others.length > 0 ? `[${[file, ...others].join()}]` : file}`);
	}
	const type = request.endpoint === 'edits' ? 'ImageEditParams' : 'ImageGenerateParams';
	return `({ ${fields.join(', ')} }) satisfies ${type}NonStreaming;`;
}

/** Returns what the compiler says against these expressions. */
function problemsOf(lines: readonly string[]): string[] {
	const name = path.join(__dirname, 'recordedBodies.ts');
	const text = [
		'import type { Uploadable } from "openai";',
		'import type * as images from "openai/resources/images";',
		'type ImageGenerateParamsNonStreaming = images.ImageGenerateParamsNonStreaming;',
		'type ImageEditParamsNonStreaming = images.ImageEditParamsNonStreaming;',
		'declare const file: Uploadable;',
		...lines,
	].join('\n');
	const options = {
		...{ strict: true, noEmit: true, skipLibCheck: true, types: ['node'] },
		...{ target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext },
	};
	const host = ts.createCompilerHost(options);
	const virtual: ts.CompilerHost = {
		...host,
		fileExists: (file) => file === name || host.fileExists(file),
		getSourceFile: (file, ...rest) =>
			file === name
				? ts.createSourceFile(file, text, ts.ScriptTarget.ES2023)
				: host.getSourceFile(file, ...rest),
	};
	const program = ts.createProgram([name], options, virtual);
	return ts
		.getPreEmitDiagnostics(program)
		.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
