import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileOfMonth } from '../../../src/jobs/jsonLines.js';
import {
	keylessAgeMs,
	keyScope,
	Wishes,
	wishesFile,
	type IdentifiedWish,
} from '../../../src/jobs/wishes.js';
import { scratch as storage, useScratch } from '../scratch.js';

const day = 24 * 60 * 60 * 1000;
const minute = 60_000;

suite('jobs › wishes', () => {
	useScratch();
	let now: number;
	const open = () => new Wishes(storage, () => now);

	setup(() => {
		now = Date.UTC(2026, 0, 1);
	});

	const wish = (change: Partial<IdentifiedWish> = {}): IdentifiedWish => ({
		id: crypto.randomUUID(),
		scope: ['/docs'],
		key: 'pier',
		tool: 'generate_image',
		input: { prompt: 'a pier', size: '1024x1024' },
		caller: { door: 'mcp', name: 'Claude Code' },
		count: 1,
		identity: 'a pier',
		...change,
	});

	test('a key that is claimed again is the wish of the first call, also in another window', async () => {
		const first = wish();
		const won = await open().claim(first);
		assert.deepEqual([won.type, won.wish.id], ['won', first.id]);
		for (const wishes of [open(), open()]) {
			const again = await wishes.claim(wish({ caller: { door: 'tool' } }));
			assert.deepEqual([again.type, again.wish.id], ['known', first.id]);
		}
		// Nothing is written for what is known.
		const text = await readFile(fileOfMonth(path.join(storage, wishesFile), new Date(now)), 'utf8');
		assert.equal(text.trim().split('\n').length, 1);
	});

	test('arguments in another order are the same ones', async () => {
		const wishes = open();
		await wishes.claim(wish());
		const again = await wishes.claim(wish({ input: { size: '1024x1024', prompt: 'a pier' } }));
		assert.equal(again.type, 'known');
	});

	test('the same key with other arguments, or for another tool, is a conflict that has both', async () => {
		const wishes = open();
		await wishes.claim(wish());
		const other = await wishes.claim(wish({ input: { prompt: 'a boat' } }));
		assert.equal(other.type, 'conflict');
		assert.match(other.wish.arguments, /a pier/);
		assert.equal((await wishes.claim(wish({ tool: 'edit_image' }))).type, 'conflict');
	});

	test('a key counts for thirty days', async () => {
		const first = wish();
		await open().claim(first);
		now += 30 * day;
		assert.equal((await open().claim(wish())).wish.id, first.id);
		now += 1;
		const later = wish();
		const won = await open().claim(later);
		assert.deepEqual([won.type, won.wish.id], ['won', later.id]);
		// The first one is forgotten as a key, and can still be asked for.
		assert.equal((await open().get(first.id))?.id, first.id);
	});

	test('without a key, the same arguments are the same wish for thirty minutes', async () => {
		const keyless = () => wish({ key: undefined });
		const first = keyless();
		await open().claim(first);
		now += 30 * minute;
		assert.equal((await open().claim(keyless())).wish.id, first.id);
		const other = await open().claim(wish({ key: undefined, input: { prompt: 'a boat' } }));
		assert.equal(other.type, 'won');
		assert.equal((await open().claim(wish())).type, 'won', 'a key is a wish of its own');
		now += 1;
		assert.equal((await open().claim(keyless())).type, 'won');
	});

	test('a key counts in its workspace, whichever folder is first, and in a window of a folder around it', async () => {
		const first = wish({ scope: ['/src', '/docs'] });
		await open().claim(first);
		for (const scope of [
			['/docs', '/src'],
			['/docs'],
			['/other', '/src'],
			['/docs/guide'],
			['/'],
		]) {
			const { type, wish: known } = await open().claim(wish({ scope }));
			assert.deepEqual([type, known.id], ['known', first.id], scope.join());
		}
		for (const scope of [['/other'], ['/docs-old'], ['vscode-vfs://docs']]) {
			assert.equal((await open().claim(wish({ scope, input: {} }))).type, 'won', scope.join());
		}
	});

	test('a key counts in its workspace by whatever links that is opened', async () => {
		const [folder, link] = [path.join(storage, 'docs'), path.join(storage, 'link')];
		await mkdir(folder);
		await symlink(folder, link, 'junction');
		const first = wish({ scope: await keyScope([link]) });
		await open().claim(first);
		const again = await open().claim(wish({ scope: await keyScope([folder]) }));
		assert.equal(again.wish.id, first.id);
		const gone = path.join(storage, 'gone');
		assert.deepEqual(await keyScope(['vscode-vfs://docs', gone]), ['vscode-vfs://docs', gone]);
	});

	test('a key whose wish failed before anything was sent is free for another claim', async () => {
		const first = wish();
		const { wish: claimed } = await open().claim(first);
		await open().note(claimed, { state: 'failed', failures: ['The disk is full.'] });
		assert.equal(await open().find(wish()), undefined);
		const next = wish({ input: { prompt: 'a boat' } });
		assert.deepEqual((await open().claim(next)).wish.id, next.id);
		assert.equal((await open().claim(wish({ input: next.input }))).wish.id, next.id);
	});

	test('finds open and recent wishes for a target, or for the same image of a workspace', async () => {
		const claimed = [];
		for (const [key, change] of Object.entries({
			target: { target: '/docs/hero' },
			elsewhere: { target: '/docs/hero', scope: ['/docs/deep'], identity: 'a boat' },
			image: {},
			otherWorkspace: { scope: ['/other'] },
			neither: { target: '/docs/boat', identity: 'a boat' },
			ended: { target: '/docs/hero' },
			wanted: { target: '/docs/hero' },
			later: { target: '/docs/hero' },
		})) {
			claimed.push((await open().claim(wish({ key, ...change }))).wish);
		}
		const [first, , , , , ended, wanted] = claimed;
		await open().note(first!, { state: 'accepted' });
		await open().note(ended!, { state: 'ended' });
		const keys = (wishes: readonly { readonly key?: string | undefined }[]) =>
			wishes.map(({ key }) => key);
		const before = ['target', 'elsewhere', 'image'];
		assert.deepEqual(keys(await open().rivals(wanted!)), [...before, 'ended']);
		now += keylessAgeMs;
		assert.deepEqual(keys(await open().rivals(wanted!, true)), [...before, 'later']);
	});

	test('notes progress by further lines, which leave the wish its place, in every window', async () => {
		const file = fileOfMonth(path.join(storage, wishesFile), new Date(now));
		const wishes = open();
		const { wish: first } = await wishes.claim(wish({ target: '/docs/hero' }));
		const { wish: second } = await wishes.claim(wish({ key: 'hero', target: '/docs/hero' }));
		const before = await readFile(file, 'utf8');
		assert.equal((await open().get(first.id))?.progress, undefined);
		await wishes.note(first, { state: 'accepted' });
		assert.deepEqual(await open().rivals(first), []);
		assert.deepEqual(
			(await open().rivals(second)).map(({ id }) => id),
			[first.id],
		);
		await wishes.note(first, { state: 'ended', failures: ['No image.'] });
		const known = await open().find(wish());
		assert.equal(known?.wish.progress?.state, 'ended');
		assert.deepEqual(known?.wish.progress?.failures, ['No image.']);
		const text = await readFile(file, 'utf8');
		assert.ok(text.startsWith(before));
		assert.equal(text.trim().split('\n').length, 4);
	});

	test('leaves a claim of a newer Easel as it is', async () => {
		const line = JSON.stringify({ format: 2, id: crypto.randomUUID(), key: 'pier' });
		await appendFile(fileOfMonth(path.join(storage, wishesFile), new Date(now)), `\n${line}`);
		assert.equal((await open().claim(wish())).type, 'won');
		const text = await readFile(fileOfMonth(path.join(storage, wishesFile), new Date(now)), 'utf8');
		assert.ok(text.includes(line));
	});

	test('shows the beginning of long arguments alone, and compares them all', async () => {
		const long = (end: string) => wish({ input: { prompt: 'x'.repeat(30_000) + end } });
		const wishes = open();
		const won = await wishes.claim(long('a'));
		assert.equal(won.wish.arguments.length, 1000);
		assert.equal((await wishes.claim(long('a'))).type, 'known');
		assert.equal((await wishes.claim(long('b'))).type, 'conflict');
	});

	test('forgets wishes when their keys do not count any more', async () => {
		await open().claim(wish());
		now += 92 * day;
		const later = wish();
		assert.equal((await open().claim(later)).type, 'won');
		assert.deepEqual(await readdir(storage), [
			path.basename(fileOfMonth(wishesFile, new Date(now))),
		]);
	});
});
