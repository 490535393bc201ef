import assert from 'node:assert/strict';
import {
	largestReference,
	longestPrompt,
	mostDescribed,
	savedStateSchema,
	studioProtocol,
} from '../../../src/protocol/studio';
import { received } from '../../../src/protocol/received';

const receiveFromExtension = (data: unknown) => received(studioProtocol.event, data);
const receiveFromPage = (data: unknown) => received(studioProtocol.request, data);

const id = '0d9f5b0e-6f0c-4f6f-9a3e-0c8a8f6f7a11';
const job = {
	id,
	prompt: 'a harbor',
	details: '1024 × 1024',
	ratio: 1,
	state: 'running',
	words: '0:07 · usually 2 to 3 minutes',
	announcement: 'sending',
	progress: 0.1,
	actions: ['cancel'],
};
const image = {
	id,
	prompt: 'a harbor',
	name: 'a-harbor.png',
	path: 'images/a-harbor.png',
	details: '1024 × 1024 · 1.2 MB · just now',
	width: 1024,
	height: 1024,
	madeAt: 1,
	final: false,
	exists: true,
	source: 'https://file+.vscode-resource.vscode-cdn.net/a.png?v=1',
};
const generate = {
	type: 'generate',
	prompt: 'a harbor',
	size: '1024x1024',
	quality: 'low',
	count: 4,
};
const requests: readonly object[] = [
	{ type: 'ready' },
	generate,
	{ ...generate, size: 'auto', quality: 'unset' },
	{ type: 'setUp', problem: 'key' },
	{ type: 'pickReferences' },
	{ type: 'dropReferences', uris: ['file:///w/a.png'] },
	{ type: 'addReference', name: 'a.png', bytes: new Uint8Array([1]) },
	{ type: 'removeReference', id },
	{ type: 'moveReference', id, to: 0 },
	{ type: 'job', id, action: 'cancel' },
	{ type: 'search', text: '' },
	{ type: 'describe', ids: [id] },
	{ type: 'image', id, action: 'insert' },
	{ type: 'undecodable', id },
];
const events: readonly object[] = [
	{
		type: 'setup',
		sizes: [{ size: 'auto', ratio: 'automatic', use: 'the service chooses', experimental: false }],
		defaults: { size: 'auto', quality: 'unset' },
		missing: ['address'],
		concurrency: 2,
		history: ['a harbor'],
	},
	{
		type: 'references',
		references: [{ id, name: 'a.png', details: '1 × 1', problem: false, thumbnail: 'https://x/a' }],
	},
	{ type: 'compose', prompt: '', size: 'auto', quality: 'high' },
	{ type: 'jobs', jobs: [job] },
	{ type: 'gallery', search: '', ids: [id], total: 1 },
	{ type: 'images', images: [image] },
	{ type: 'notice', severity: 'error', text: 'No.', undo: id },
];

/** Values that no side ever sends. */
const strange: readonly unknown[] = [
	undefined,
	null,
	0,
	'ready',
	[],
	{},
	{ type: 'no such type' },
	{ type: ['ready'] },
	JSON.parse('{"__proto__": {"type": "ready"}}'),
];

/** Without its bytes, of which there may be many. */
const name = (message: unknown) =>
	JSON.stringify(message, (_, value: unknown) =>
		value instanceof Uint8Array ? value.length : value,
	)?.slice(0, 200);

suite('protocol › studio › to the extension', () => {
	for (const message of requests) {
		test(`takes ${name(message)}, with nothing more and nothing less`, () => {
			assert.deepEqual(receiveFromPage(message), { success: true, message });
			assert.equal(receiveFromPage({ ...message, more: 1 }).success, false);
			for (const key of Object.keys(message)) {
				const less = { ...message, [key]: undefined };
				assert.equal(receiveFromPage(less).success, false, key);
			}
		});
	}

	test('refuses everything else', () => {
		for (const message of [
			...strange,
			...events,
			{ ...generate, prompt: ' \n' },
			{ ...generate, prompt: 'x'.repeat(longestPrompt + 1) },
			{ ...generate, size: '1024x1024; rm -rf /' },
			{ ...generate, quality: 'best' },
			...[0, 5, 1.5, -1, NaN, '4'].map((count) => ({ ...generate, count })),
			...['../x', '', 'x'.repeat(36), `${id}/..`, 5, null].map((wrong) => ({
				type: 'image',
				id: wrong,
				action: 'open',
			})),
			{ type: 'image', id, action: 'delete everything' },
			{ type: 'job', id, action: 'insert' },
			{ type: 'describe', ids: Array.from({ length: mostDescribed + 1 }, () => id) },
			{ type: 'dropReferences', uris: [''] },
			{ type: 'dropReferences', uris: ['x'.repeat(20_001)] },
			{ type: 'dropReferences', uris: Array.from({ length: 101 }, () => 'file:///a') },
			{ type: 'addReference', name: 'a.png', bytes: new Uint8Array() },
			{ type: 'addReference', name: 'a.png', bytes: [1, 2, 3] },
			{ type: 'addReference', name: 'a.png', bytes: 'iVBORw0KGgo=' },
			{ type: 'addReference', name: 'x'.repeat(1001), bytes: new Uint8Array([1]) },
			{ type: 'addReference', name: 'a.png', bytes: new Uint8Array(largestReference + 1) },
			{ type: 'moveReference', id, to: -1 },
			{ type: 'search', text: 'x'.repeat(longestPrompt + 1) },
		]) {
			assert.equal(receiveFromPage(message).success, false, name(message));
		}
	});

	test('says what is wrong without repeating it', () => {
		const refused = receiveFromPage({ type: 'image', id: '/etc/passwd', action: 'open' });
		assert.ok(!refused.success);
		assert.match(refused.problem, /^id invalid_format/);
		assert.ok(!refused.problem.includes('passwd'));
	});
});

suite('protocol › studio › to the page', () => {
	for (const message of events) {
		test(`takes ${name(message)}, with nothing more`, () => {
			assert.deepEqual(receiveFromExtension(message), { success: true, message });
			assert.equal(receiveFromExtension({ ...message, more: 1 }).success, false);
		});
	}

	test('refuses everything else', () => {
		for (const message of [
			...strange,
			...requests,
			{ type: 'jobs', jobs: [{ ...job, progress: 2 }] },
			{ type: 'jobs', jobs: [{ ...job, state: 'saved' }] },
			{ type: 'jobs', jobs: [{ ...job, ratio: 0 }] },
			{ type: 'images', images: [{ ...image, width: 0 }] },
			{ type: 'images', images: [{ ...image, source: '' }] },
			{ type: 'images', images: [{ ...image, name: 'x'.repeat(4001) }] },
			{ type: 'gallery', search: '', ids: ['../x'], total: 1 },
			{ type: 'compose', size: 'huge' },
		]) {
			assert.equal(receiveFromExtension(message).success, false, name(message));
		}
	});
});

suite('protocol › studio › saved state', () => {
	test('is what the page has written, or nothing', () => {
		const state = { draft: { prompt: 'a', count: 2 }, search: 'b', shown: id };
		assert.deepEqual(savedStateSchema.parse(state), state);
		for (const wrong of [...strange, { ...state, draft: undefined }, { ...state, shown: 'x' }]) {
			assert.equal(savedStateSchema.safeParse(wrong).success, false);
		}
	});

	test('may name what is not there', () => {
		const state = { draft: { prompt: '', count: 1 }, search: '' };
		const all = { ...state, shown: undefined, compared: undefined };
		assert.ok(savedStateSchema.safeParse(all).success);
		// As it comes back after a reload.
		assert.deepEqual(savedStateSchema.parse(JSON.parse(JSON.stringify(all))), state);
	});
});
