import assert from 'node:assert/strict';
import {
	compareProtocol,
	defaultView,
	comparisonStateSchema,
	viewSchema,
} from '../../../src/protocol/compare';
import { parseMessage } from '../../../src/protocol/channel';

const receiveFromExtension = (data: unknown) => parseMessage(compareProtocol.event, data);
const receiveFromPage = (data: unknown) => parseMessage(compareProtocol.request, data);

const image = {
	type: 'image',
	name: 'harbor.png',
	source: 'https://file+.vscode-resource.vscode-cdn.net/harbor.png?v=1',
	width: 1024,
	height: 1024,
	details: '1024 × 1024 · 1.2 MB',
};
const problem = { type: 'problem', name: 'gone.png', message: '“gone.png” was not found.' };
const pair = { left: 'file:///harbor.png', right: 'file:///gone.png' };
const show = { type: 'show', pair, left: image, right: problem };

suite('protocol › compare › to the page', () => {
	test('refuses everything else', () => {
		for (const message of [
			{ type: 'ready' },
			{ ...show, extra: 1 },
			{ ...show, left: { ...image, type: 'problem' } },
			{ ...show, left: { ...image, onerror: 'alert(1)' } },
			{ ...show, left: { ...image, source: '' } },
			{ ...show, left: { ...image, source: 'x'.repeat(30_000) } },
			{ ...show, left: { ...image, name: 'x'.repeat(2000) } },
			...[0, -1, 1.5, NaN, Infinity, '1024', 2 ** 40].map((width) => ({
				...show,
				left: { ...image, width },
			})),
			{ ...show, right: undefined },
			{ ...show, pair: { left: pair.left } },
		]) {
			assert.equal(
				receiveFromExtension(message).success,
				false,
				JSON.stringify(message)?.slice(0, 200),
			);
		}
	});
});

suite('protocol › compare › to the extension', () => {
	test('refuses everything else', () => {
		for (const message of [
			show,
			{ type: 'ready', path: '/etc/passwd' },
			{ type: 'decide', decision: 'delete' },
			{ type: 'decide', decision: 'replace', image: 'file:///etc/passwd' },
			{ type: 'undecodable' },
			{ type: 'mark', image: 'file:///etc/passwd' },
			{ type: 'undecodable', side: 'middle' },
			{ type: 'undecodable', side: 'x'.repeat(1e6) },
		]) {
			assert.equal(receiveFromPage(message).success, false, JSON.stringify(message)?.slice(0, 200));
		}
	});

	test('says what is wrong in few words, and never those of the message', () => {
		const secret = 'a-very-secret-word'.repeat(100_000);
		for (const message of [
			{ type: secret },
			{ type: 'undecodable', side: secret },
			{ type: 'ready', [secret]: secret },
			Object.fromEntries(Array.from({ length: 10_000 }, (_, key) => [`k${String(key)}`, secret])),
		]) {
			const refused = receiveFromPage(message);
			assert.ok(!refused.success);
			assert.ok(refused.problem.length > 0 && refused.problem.length < 500);
			assert.ok(!refused.problem.includes('secret'), refused.problem);
		}
	});
});

suite('protocol › compare › state saved with the editor', () => {
	test('comes back as it was', () => {
		const view = { ...defaultView, mode: 'overlay', zoom: 2.5, center: { x: 0.1, y: 0.9 } };
		assert.deepEqual(comparisonStateSchema.parse({ pair, view }), { pair, view });
	});

	test('loses a view that makes no sense, not the images', () => {
		for (const view of [
			undefined,
			{ ...defaultView, mode: 'diff' },
			{ ...defaultView, position: 101 },
			{ ...defaultView, blink: 4 },
			{ ...defaultView, adjusted: { x: 0, y: 0, scale: 0 } },
			{ ...defaultView, zoom: 0 },
			{ ...defaultView, center: { x: 2, y: 0 } },
		]) {
			assert.equal(viewSchema.safeParse(view).success, false);
			assert.deepEqual(comparisonStateSchema.parse({ pair, view }), { pair, view: defaultView });
		}
	});
});
