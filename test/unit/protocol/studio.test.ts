import assert from 'node:assert/strict';
import { maxMarkNoteLength, maxMarks } from '../../../src/images/marks';
import { studioProtocol } from '../../../src/protocol/studio';
import {
	everything,
	maxReferenceBytes,
	maxNameLength,
	maxNoteLength,
	maxPromptLength,
	maxSelected,
	maxDescribed,
	maxInRound,
	studioStateSchema,
} from '../../../src/protocol/studioModel';
import { parseMessage } from '../../../src/protocol/channel';

const receiveFromExtension = (data: unknown) => parseMessage(studioProtocol.event, data);
const receiveFromPage = (data: unknown) => parseMessage(studioProtocol.request, data);

const id = '0d9f5b0e-6f0c-4f6f-9a3e-0c8a8f6f7a11';
const job = {
	id,
	prompt: 'a harbor',
	label: '3a',
	details: '1024 × 1024',
	state: 'running',
	words: '0:07 · usually 2 to 3 minutes',
	short: '0:07',
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
	final: false,
	label: '3a',
	isFavorite: true,
	title: 'Pier',
	note: 'For Ann.',
	chain: [{ label: 'photo.jpg' }, { label: '1c', id }],
	exists: true,
	source: 'https://file+.vscode-resource.vscode-cdn.net/a.png?v=1',
};
const round = {
	id,
	title: 'Round 3',
	name: 'Harbors',
	prompt: 'a harbor',
	prompts: 1,
	from: { label: '2b', id },
	collapsed: false,
	age: 'just now',
};
const slot = { id, kind: 'image', ratio: 1.5 };
const query = { text: 'a', among: 'favorites', size: 'auto' };
const rounds = {
	type: 'rounds',
	query,
	rounds: [{ id, slots: [slot, { ...slot, kind: 'job' }], collapsed: true }],
	total: 2,
	favorites: 1,
	hasStyle: true,
	folder: 'images',
};
const generate = {
	type: 'generate',
	references: [id],
	prompt: 'a harbor',
	size: '1024x1024',
	quality: 'low',
	count: 4,
};
/** Without its bytes, of which there may be many. */
const name = (message: unknown) =>
	JSON.stringify(message, (_, value: unknown) =>
		value instanceof Uint8Array ? value.length : value,
	)?.slice(0, 200);

suite('protocol › studio › to the extension', () => {
	for (const message of [
		generate,
		{ type: 'describe', rounds: [id], images: [id] },
		{ type: 'addReference', name: 'a.png', bytes: new Uint8Array([1]) },
		{ type: 'annotateImages', ids: [id], title: '' },
	]) {
		test(`takes ${name(message)}, with nothing more`, () => {
			assert.deepEqual(receiveFromPage(message), { success: true, message });
			assert.equal(receiveFromPage({ ...message, more: 1 }).success, false);
		});
	}

	test('takes marks on the picture alone, and no more than an image can have', () => {
		const mark = { shape: 'rectangle', note: 'n', x: 0, y: 0, width: 1, height: 1 };
		const withMarks = (...marks: readonly object[]) => ({ ...generate, edited: id, marks });
		const message = withMarks(mark);
		assert.deepEqual(receiveFromPage(message), { success: true, message });
		for (const marks of [
			[{ ...mark, x: -0.1 }],
			[{ ...mark, note: 'n'.repeat(maxMarkNoteLength + 1) }],
			[{ ...mark, shape: 'area', points: [] }],
			new Array<object>(maxMarks + 1).fill(mark),
		]) {
			assert.equal(receiveFromPage(withMarks(...marks)).success, false);
		}
	});

	test('refuses everything else', () => {
		for (const message of [
			...[{}, { type: 'no such type' }, { type: ['ready'] }],
			rounds,
			{ ...generate, prompt: ' \n' },
			{ ...generate, prompt: 'x'.repeat(maxPromptLength + 1) },
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
			...['rounds', 'images'].map((key) => ({
				...{ type: 'describe', rounds: [], images: [] },
				[key]: Array.from({ length: maxDescribed + 1 }, () => id),
			})),
			{ ...generate, references: ['../x'] },
			{ ...generate, edited: '../x' },
			{ type: 'jobs', ids: [], action: 'again' },
			{ type: 'jobs', ids: [id], action: 'cancel' },
			{ type: 'annotateImages', ids: [id], title: 'x'.repeat(maxNameLength + 1) },
			{ type: 'annotateImages', ids: [id], note: 'x'.repeat(maxNoteLength + 1) },
			{ type: 'annotateImages', ids: [id], isFavorite: 'yes' },
			{ type: 'annotateRound', id, name: 'x'.repeat(maxNameLength + 1) },
			{ type: 'dropReferences', uris: [''] },
			{ type: 'dropReferences', uris: ['x'.repeat(20_001)] },
			{ type: 'dropReferences', uris: Array.from({ length: 101 }, () => 'file:///a') },
			{ type: 'addReference', name: 'a.png', bytes: new Uint8Array() },
			{ type: 'addReference', name: 'a.png', bytes: [1, 2, 3] },
			{ type: 'addReference', name: 'a.png', bytes: 'iVBORw0KGgo=' },
			{ type: 'addReference', name: 'x'.repeat(1001), bytes: new Uint8Array([1]) },
			{ type: 'addReference', name: 'a.png', bytes: new Uint8Array(maxReferenceBytes + 1) },
			{ type: 'chooseFolder', folder: 'file:///etc' },
			{ type: 'describe', rounds: [], images: ['file:///etc/passwd'] },
			{ type: 'moveReference', id, to: -1 },
			{ type: 'restyle', images: [] },
			{ type: 'restyle', images: ['../x'] },
			{ type: 'restyle', images: Array.from({ length: maxSelected + 1 }, () => id) },
			{ type: 'search', query: { ...everything, text: 'x'.repeat(maxPromptLength + 1) } },
			{ type: 'search', query: { ...everything, among: 'elsewhere' } },
		]) {
			assert.equal(receiveFromPage(message).success, false, name(message));
		}
	});
});

suite('protocol › studio › to the page', () => {
	for (const message of [
		rounds,
		{ type: 'jobs', jobs: [job] },
		{ type: 'described', rounds: [round], images: [image] },
	]) {
		test(`takes ${name(message)}, with nothing more`, () => {
			assert.deepEqual(receiveFromExtension(message), { success: true, message });
			assert.equal(receiveFromExtension({ ...message, more: 1 }).success, false);
		});
	}

	test('refuses everything else', () => {
		for (const message of [
			...[{}, { type: 'no such type' }, { type: ['ready'] }],
			generate,
			{ type: 'jobs', jobs: [{ ...job, progress: 2 }] },
			{ type: 'jobs', jobs: [{ ...job, state: 'saved' }] },
			{ type: 'jobs', jobs: [{ ...job, label: 'x'.repeat(21) }] },
			...[
				{ ...image, width: 0 },
				{ ...image, source: '' },
				{ ...image, name: 'x'.repeat(4001) },
				{ ...image, chain: Array.from({ length: 101 }, () => ({ label: '1a' })) },
			].map((wrong) => ({ type: 'described', rounds: [], images: [wrong] })),
			{ type: 'described', rounds: [{ ...round, prompts: 0 }], images: [] },
			...[
				{ ratio: 0 },
				{ ratio: 21 },
				{ ratio: Number.NaN },
				{ ratio: '1' },
				{ id: '../x' },
				{ id: undefined },
				{ kind: 'other' },
				{ more: 1 },
			].map((wrong) => ({ ...rounds, rounds: [{ id, slots: [{ ...slot, ...wrong }] }] })),
			...[
				{ slots: [] },
				{ slots: new Array(1) },
				{ slots: Array.from({ length: maxInRound + 1 }, () => slot) },
				{ slots: { 0: slot } },
				{ id: 'x' },
				{ collapsed: 1 },
				{ more: 1 },
			].map((wrong) => ({ ...rounds, rounds: [{ id, slots: [slot], ...wrong }] })),
			...[
				[null],
				[[]],
				new Array(1),
				Array.from({ length: 100_001 }, () => ({ id, slots: [slot] })),
			].map((wrong) => ({ ...rounds, rounds: wrong })),
			{ type: 'compose', references: [], size: 'huge' },
			{ type: 'compose', size: 'auto' },
		]) {
			assert.equal(receiveFromExtension(message).success, false, name(message));
		}
	});
});

suite('protocol › studio › saved state', () => {
	test('is what the page has written, or nothing', () => {
		const state = {
			...{ draft: { prompt: 'a', count: 2 }, query, shown: id },
			folder: { cells: 'small', at: id },
		};
		assert.deepEqual(studioStateSchema.parse(state), state);
		for (const wrong of [
			...[undefined, null, {}],
			{ ...state, draft: undefined },
			{ ...state, shown: 'x' },
			{ ...state, folder: { cells: 'huge' } },
		]) {
			assert.equal(studioStateSchema.safeParse(wrong).success, false);
		}
	});
});
