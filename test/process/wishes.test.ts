import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Wishes, type Claimed, type Wish } from '../../src/jobs/wishes.js';
import { bundle, ownFolder } from './support.js';

suite('jobs › wishes of several windows at once', () => {
	const storage = ownFolder();

	const script = () =>
		bundle(`import { Wishes } from './src/jobs/wishes.ts';
			const wishes = new Wishes(process.argv[2]!);
			process.stdin.once('data', async () => {
				const claims = Array.from({ length: 20 }, (_, key) =>
					wishes.claim({
						id: crypto.randomUUID(), scope: ['/docs'], key: String(key), tool: 'generate_image',
						input: {}, caller: { door: 'mcp' }, count: 1, identity: key,
					}),
				);
				const keys = [0, 1, 2].map(() =>
					wishes.claim({
						id: crypto.randomUUID(), scope: ['/docs'], key: crypto.randomUUID(), identity: '',
						tool: 'generate_image', input: {}, caller: { door: 'mcp' }, count: 1,
						target: '/docs/images/hero',
					}).then(({ wish }) => wishes.rivals(wish)),
				);
				console.log(JSON.stringify([await Promise.all(claims), await Promise.all(keys)]));
				process.exit();
			});
			console.log('ready');`);

	async function startWindow() {
		const child = spawn(process.execPath, [await script(), storage.path], {
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		await once(child.stdout, 'data');
		return child;
	}

	test('each of 20 keys, and a target of 12 others, has one winner in four processes, and all know it', async () => {
		const windows = await Promise.all(Array.from({ length: 4 }, startWindow));
		const answers = windows.map(async ({ stdin, stdout }) => {
			let text = '';
			stdout.on('data', (part: Buffer) => (text += part.toString()));
			stdin.write('now\n');
			await once(stdout, 'end');
			return JSON.parse(text) as [Claimed[], Wish[][]];
		});
		const found = await Promise.all(answers);
		const all = found.map(([claims]) => claims);
		for (let key = 0; key < 20; key += 1) {
			const claims = all.map((ofWindow) => ofWindow[key]!);
			assert.deepEqual(claims.map(({ type }) => type).sort(), ['known', 'known', 'known', 'won']);
			assert.equal(new Set(claims.map(({ wish }) => wish.id)).size, 1);
		}
		// Twelve further keys have one target: the first claim answers for the others.
		const rivals = found.flatMap(([, ofTarget]) => ofTarget);
		assert.deepEqual(
			rivals.map(({ length }) => length).sort((a, b) => a - b),
			[...new Array(12).keys()],
		);
		const firsts = new Set(rivals.flatMap(([first]) => first?.id ?? []));
		assert.equal(firsts.size, 1);
		// Another process, later.
		const [first] = all[0]!;
		assert.equal((await new Wishes(storage.path).get(first!.wish.id))?.id, first!.wish.id);
	});
});
