import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { key, withService } from '../../service/helpers.js';

suite('The stand-in service: language models, by the official clients', () => {
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
