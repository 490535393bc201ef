import assert from 'node:assert/strict';
import { normalizeAddress, serviceUrl } from '../../../src/service/address.js';
import {
	marksMannerOf,
	meaningOf,
	offerOf,
	recognizeService,
	serviceIds,
	services,
} from '../../../src/service/services.js';
import { sizeProblem } from '../../../src/service/sizes.js';

suite('service › services', () => {
	for (const [address, id, url] of [
		['https://images.example.com', undefined, undefined],
		['http://localhost:8080/v1', undefined, undefined],
		['https://api.openai.com/v1/', 'openai', 'https://api.openai.com/v1/images/edits'],
		['https://api.openai.com.example.com', undefined, undefined],
		...(
			[
				'https://res.openai.azure.com',
				'https://res.openai.azure.com/openai/v1/',
				'https://res.openai.azure.com/openai/v1/images/generations',
				'https://res.openai.azure.com/openai/deployments/my-image/images/generations?api-version=2025-04-01-preview',
			] as const
		).map((one) => [one, 'azure', 'https://res.openai.azure.com/openai/v1/images/edits'] as const),
		[
			'res.services.ai.azure.com',
			...(['azure', 'https://res.services.ai.azure.com/openai/v1/images/edits'] as const),
		],
	] as const) {
		test(`are recognized by their address: ${address}`, () => {
			const origin = normalizeAddress(address);
			const found = recognizeService(origin);
			assert.equal(found, id);
			assert.equal(found && serviceUrl(origin, services[found], 'images/edits').href, url);
		});
	}

	test('know an address of another service with a path of Azure as wrong', () => {
		for (const path of ['openai/v1', 'openai/deployments/a/images/edits']) {
			assert.throws(() => normalizeAddress(`https://images.example.com/${path}`));
		}
	});

	test('have square, landscape and portrait images, and offer them for every model', () => {
		for (const id of serviceIds) {
			for (const model of [undefined, 'gpt-image-1.5', 'gpt-image-2', 'gpt-image-2.6-flare']) {
				const { sizes } = offerOf(services[id], model);
				for (const size of ['auto', '1024x1024', '1536x1024', '1024x1536'] as const) {
					assert.ok(sizes.includes(size), `${id}: ${size}`);
				}
			}
		}
	});

	test('of a model with a list of sizes are no others', () => {
		const inUse = { ...services.openai, ...offerOf(services.openai, 'gpt-image-1.5') };
		assert.equal(sizeProblem('1536x1152', inUse)?.nearest, '1536x1024');
	});

	test('take marks over the image, as a mask, or on a copy of it', () => {
		const manner = (id: 'openai' | 'azure' | 'local' | 'standard', model?: string) =>
			marksMannerOf(offerOf(services[id], model));
		assert.equal(manner('standard'), 'copy');
		assert.equal(manner('local', 'sd'), 'copy');
		assert.equal(manner('openai'), 'markup');
		assert.equal(manner('openai', 'gpt-image-2.6-sunburst'), 'markup');
		assert.equal(manner('openai', 'gpt-image-2'), 'mask');
		assert.equal(manner('openai', 'gpt-image-1.5'), 'mask');
		assert.equal(manner('azure', 'my-images'), 'mask');
	});

	test('offer the qualities of a model', () => {
		const offered = (model?: string) => offerOf(services.openai, model).qualities.join();
		assert.equal(offered('gpt-image-1.5'), 'low,medium,high');
		assert.equal(offered('gpt-image-2'), 'low,medium,high');
		assert.equal(offered('gpt-image-2-2026-04-21'), 'low,medium,high');
		assert.equal(offered(), 'low,medium,high,xhigh,max');
		assert.equal(offered('gpt-image-2.6-sunburst'), 'low,medium,high,xhigh,max');
	});

	for (const [id, code, message, meaning] of [
		['openai', 'insufficient_quota', '', 'money'],
		['openai', 'billing_hard_limit_reached', '', 'money'],
		['openai', 'moderation_blocked', '', 'moderation'],
		['openai', 'invalid_api_key', '', 'key'],
		['openai', undefined, 'Your organization must be verified to use it.', 'verification'],
		['openai', 'rate_limit_exceeded', 'Slow down', undefined],
		['azure', 'contentFilter', '', 'moderation'],
		['azure', 'DeploymentNotFound', '', 'model'],
		['standard', 'insufficient_quota', '', undefined],
		['local', undefined, 'busy', undefined],
	] as const) {
		test(`understand ${code ?? message} of ${id} as ${String(meaning)}`, () => {
			assert.equal(meaningOf(services[id], { code, message }), meaning);
		});
	}
});
