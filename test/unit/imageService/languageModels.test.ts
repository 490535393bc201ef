import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { key, withService } from '../../service/helpers.js';

const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');

suite('The stand-in service: language models, by the official clients', () => {
	test('Chat completions: text and a picture in, an answer as a whole', async () => {
		await withService(async (service) => {
			service.modelReplies.push('A quiet harbor');
			const answer = await chat(service.address).chat.completions.create({
				model: 'words-1',
				messages: [
					{ role: 'system', content: 'Say what it shows.' },
					{
						role: 'user',
						content: [
							{ type: 'text', text: 'This one' },
							{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
						],
					},
				],
			});
			assert.equal(answer.choices[0]!.message.content, 'A quiet harbor');
			const [request] = service.modelRequests;
			assert.deepEqual(
				{ ...request, headers: {} },
				{
					headers: {},
					protocol: 'chat',
					model: 'words-1',
					isStreamed: false,
					instructions: 'Say what it shows.',
					text: 'This one',
					pictures: [
						{
							contentType: 'image/png',
							size: 8,
							sha256: '4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6',
						},
					],
					status: 200,
				},
			);
		});
	});

	test('Chat completions: an answer in pieces', async () => {
		await withService(async (service) => {
			service.modelReplies.push('A quiet harbor at dusk');
			const stream = await chat(service.address).chat.completions.create({
				model: 'words-1',
				stream: true,
				messages: [{ role: 'user', content: 'Where?' }],
			});
			const pieces: string[] = [];
			for await (const { choices } of stream) {
				pieces.push(choices[0]?.delta.content ?? '');
			}
			assert.deepEqual(pieces.filter(Boolean), ['A', ' quiet', ' harbor', ' at', ' dusk']);
		});
	});

	test('Messages: text and a picture in, an answer as a whole', async () => {
		await withService(async (service) => {
			service.modelReplies.push(({ text }) => `${text}: a quiet harbor`);
			const answer = await messages(service.address).messages.create({
				model: 'words-2',
				max_tokens: 100,
				system: 'Say what it shows.',
				messages: [
					{
						role: 'user',
						content: [
							{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
							{ type: 'text', text: 'This one' },
						],
					},
				],
			});
			assert.deepEqual(answer.content, [{ type: 'text', text: 'This one: a quiet harbor' }]);
			const [request] = service.modelRequests;
			assert.equal(request!.instructions, 'Say what it shows.');
			assert.deepEqual(
				request!.pictures.map(({ contentType, size }) => [contentType, size]),
				[['image/png', 8]],
			);
		});
	});

	test('Messages: an answer in pieces', async () => {
		await withService(async (service) => {
			service.modelReplies.push('A quiet harbor at dusk');
			const stream = messages(service.address).messages.stream({
				model: 'words-2',
				max_tokens: 100,
				messages: [{ role: 'user', content: 'Where?' }],
			});
			const pieces: string[] = [];
			stream.on('text', (piece) => pieces.push(piece));
			assert.equal(await stream.finalText(), 'A quiet harbor at dusk');
			assert.deepEqual(pieces, ['A', ' quiet', ' harbor', ' at', ' dusk']);
		});
	});

	test('Errors are those that the clients know', async () => {
		await withService(async (service) => {
			const asked = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello' }] };
			await assert.rejects(
				chat(service.address, 'wrong').chat.completions.create(asked),
				OpenAI.AuthenticationError,
			);
			await assert.rejects(
				messages(service.address, 'wrong').messages.create({ ...asked, max_tokens: 9 }),
				Anthropic.AuthenticationError,
			);
			service.faults.add({ status: 429, endpoint: 'chat' }, { status: 529, endpoint: 'messages' });
			await assert.rejects(
				chat(service.address).chat.completions.create(asked),
				OpenAI.RateLimitError,
			);
			await assert.rejects(
				messages(service.address).messages.create({ ...asked, max_tokens: 9 }),
				Anthropic.InternalServerError,
			);
		});
	});
});

function chat(address: string, apiKey = key): OpenAI {
	return new OpenAI({ apiKey, baseURL: `${address}/v1`, maxRetries: 0 });
}

/** This client knows the address with `/v1` alone; the specification has it without. */
function messages(address: string, apiKey = key): Anthropic {
	return new Anthropic({
		apiKey,
		baseURL: address,
		maxRetries: 0,
		fetch: (url, init) => fetch((url as string).replace('/v1/messages', '/messages'), init),
	});
}
