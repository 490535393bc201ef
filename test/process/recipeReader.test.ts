import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { besideText } from '../../src/recipes/beside.js';
import { recipeChunks, recipeKeyword } from '../../src/recipes/ours.js';
import type { FoundRecipe } from '../../src/recipes/reading/orders.js';
import { RecipeReader } from '../../src/recipes/reading/recipeReader.js';
import { recipeJson, type Recipe } from '../../src/recipes/recipe.js';
import { png, recipe, zTXt } from '../unit/recipes/pngs.js';
import { logTo } from '../../src/log.js';
import { rare } from '../host/rare.js';
import { bundle, sha256OfBytes } from './support.js';

const webp = Buffer.from(
	'524946461a000000574542505650384c0d0000002f00000010071011118888fe0700',
	'hex',
);

suite('RecipeReader', () => {
	let scratch: string;
	let script: string;
	let folder: string;
	let index: string;
	let reader: RecipeReader;
	let troubles: string[];

	suiteSetup(async () => {
		scratch = await mkdtemp(path.join(tmpdir(), 'easel-reader-'));
		script = await bundle(`import './src/recipes/reading/worker.ts';`);
	});

	suiteTeardown(() => rm(scratch, { recursive: true, maxRetries: 10, force: true }));

	setup(async () => {
		folder = await mkdtemp(path.join(scratch, 'images-'));
		index = path.join(folder, 'storage', 'recipes.jsonl');
		troubles = [];
		reader = readerOf(script);
		logTo({ error: (what) => troubles.push(path.basename(what)) });
	});

	teardown(() => reader.dispose());

	function readerOf(worker: string, timeLimitMs?: number): RecipeReader {
		return new RecipeReader({
			script: worker,
			index,
			...(timeLimitMs === undefined ? {} : { timeLimitMs }),
		});
	}

	const at = (name: string) => path.join(folder, name);

	async function write(name: string, bytes: Buffer | string): Promise<string> {
		await mkdir(path.dirname(at(name)), { recursive: true });
		await writeFile(at(name), bytes);
		return at(name);
	}

	const made = (prompt: string): Recipe => ({ ...recipe, prompt });
	const withRecipe = (prompt: string) => png(recipeChunks(made(prompt), true));

	/** The prompts that are found, by the names of the files. */
	async function read(names: readonly string[], from = reader): Promise<Record<string, string>> {
		return Object.fromEntries(
			(await all(names, from)).map(({ file, recipe: { prompt } }) => [
				path.relative(folder, file),
				prompt,
			]),
		);
	}

	async function all(names: readonly string[], from = reader): Promise<FoundRecipe[]> {
		const found: FoundRecipe[] = [];
		for await (const some of from.read(names.map(at))) {
			found.push(...some);
		}
		return found;
	}

	test('reads recipes in images, beside them, and what other programs have left of them', async () => {
		await write('in.png', withRecipe('in the image'));
		await write('beside.png', png());
		await write('beside.png.json', besideText(made('beside the image'), 'a'.repeat(64)));
		await write('both.png', withRecipe('in the image'));
		await write('both.png.json', besideText(made('beside the image'), 'a'.repeat(64)));
		await write('packed.png', png(zTXt(recipeKeyword, Buffer.from(recipeJson(made('packed'))))));
		await write('photo.webp', webp);
		await write('photo.webp.json', besideText(made('no PNG'), 'a'.repeat(64)));
		await write('none.png', png());
		await write('none.webp', webp);
		const names = ['in', 'beside', 'both', 'packed', 'none'].map((name) => `${name}.png`);
		assert.deepEqual(await read([...names, 'photo.webp', 'none.webp']), {
			'in.png': 'in the image',
			'beside.png': 'beside the image',
			'both.png': 'in the image',
			'packed.png': 'packed',
			'photo.webp': 'no PNG',
		});
	});

	test('says of an image what a list needs, and no more', async () => {
		await write('a.png', withRecipe('a fox'));
		const { id, createdAt, operation, size, quality, parents, references, round } = recipe;
		assert.deepEqual(await all(['a.png']), [
			{
				file: at('a.png'),
				...{ width: 6, height: 4 },
				bytes: (await stat(at('a.png'))).size,
				recipe: {
					...{ id, createdAt, operation, prompt: 'a fox' },
					...{ size, quality, parents, references, round },
				},
			},
		]);
	});

	test('leaves out what strangers have made of it', async () => {
		await write('text.png', 'no image');
		await write('empty.png', '');
		await write('folder.png/inner.txt', '');
		await write('wrong.png', png());
		for (const [name, change] of Object.entries({
			id: { id: '../../etc' },
			time: { createdAt: 'yesterday' },
			path: { operation: 'delete' },
			many: { parents: Array.from({ length: 10_000 }, () => ({ sha256: 'a'.repeat(64) })) },
			long: { prompt: 'a'.repeat(300_000) },
			version: { version: 'one' },
		})) {
			await write(`${name}.png`, png());
			await write(`${name}.png.json`, JSON.stringify({ ...recipe, ...change }));
		}
		await write('sparse.png', withRecipe('sparse'));
		await truncate(at('sparse.png'), 2 * 2 ** 30);
		await write('sparse2.png', png());
		await write('sparse2.png.json', '');
		await truncate(at('sparse2.png.json'), 2 * 2 ** 30);
		const names = ['text', 'empty', 'folder', 'id', 'time', 'path', 'number', 'many', 'long'];
		const all = [...names, 'version', 'sparse', 'sparse2', 'gone'].map((name) => `${name}.png`);
		if (process.platform !== 'win32') {
			await symlink('/dev/zero', at('zero.png'));
			await symlink('/dev/tty', at('terminal.png'));
			await symlink(at('sparse.png'), at('link.png'));
			execFileSync('mkfifo', [at('pipe.png')]);
			await write('piped.png', png());
			execFileSync('mkfifo', [at('piped.png.json')]);
			await write('linked.png', png());
			await symlink('/dev/zero', at('linked.png.json'));
			all.push('zero.png', 'terminal.png', 'link.png', 'pipe.png', 'piped.png', 'linked.png');
		}
		await write('last.png', withRecipe('the last one'));
		assert.deepEqual(await read([...all, 'last.png']), { 'last.png': 'the last one' });
		assert.deepEqual(troubles, []);
	});

	test('takes what has not changed from its index, and reads what has', async () => {
		for (const name of ['a', 'b', 'c']) {
			await write(`${name}.png`, withRecipe(name));
		}
		const names = ['a.png', 'b.png', 'c.png'];
		await read(names);
		await reader.dispose();
		const lines = (await readFile(index, 'utf8')).trim().split('\n');
		assert.equal(lines.length, 3);
		// What the index says is taken without a look into the image.
		await writeFile(index, lines.join('\n').replace('"prompt":"a"', '"prompt":"noted"'));
		await write('b.png', withRecipe('another'));
		await rm(at('c.png'));
		const found = { 'a.png': 'noted', 'b.png': 'another' };
		assert.deepEqual(await read(names), found);
		// A file beside an image counts as well.
		await write('d.png', png());
		assert.deepEqual(await read([...names, 'd.png']), found);
		await write('d.png.json', besideText(made('beside'), 'a'.repeat(64)));
		assert.deepEqual(await read([...names, 'd.png']), { ...found, 'd.png': 'beside' });
	});

	test('hashes images that it has read, remembers that, and hashes anew what has changed', async () => {
		const hashes = async () => {
			const found: Record<string, string> = {};
			for await (const some of reader.hash(['a.png', 'b.png', 'gone.png'].map(at))) {
				for (const [file, sha256] of some) {
					found[path.basename(file)] = sha256;
				}
			}
			return found;
		};
		const [a, b] = [withRecipe('a'), withRecipe('b')];
		await write('a.png', a);
		await write('b.png', b);
		await read(['a.png', 'b.png']);
		const expected = { 'a.png': sha256OfBytes(a), 'b.png': sha256OfBytes(b) };
		assert.deepEqual(await hashes(), expected);
		await reader.dispose();
		const noted = (await readFile(index, 'utf8')).replaceAll(sha256OfBytes(a), 'c'.repeat(64));
		await writeFile(index, noted);
		assert.deepEqual(await hashes(), { ...expected, 'a.png': 'c'.repeat(64) });
		assert.deepEqual(await read(['a.png', 'b.png']), { 'a.png': 'a', 'b.png': 'b' });
		const other = withRecipe('c');
		await write('a.png', other);
		assert.deepEqual(await hashes(), { ...expected, 'a.png': sha256OfBytes(other) });
	});

	test('forgets what is no more, so that the index does not grow', async () => {
		const names = Array.from({ length: 300 }, (_, number) => `${String(number)}.png`);
		await Promise.all(names.map((name) => write(name, withRecipe(name))));
		assert.equal(Object.keys(await read(names)).length, 300);
		const before = (await stat(index)).size;
		await reader.dispose();
		await read(names.slice(0, 3));
		const after = (await stat(index)).size;
		assert.ok(after < before / 50, `${String(after)} of ${String(before)} bytes`);
		await reader.dispose();
		assert.equal(Object.keys(await read(names.slice(0, 3))).length, 3);
	});

	rare('passes over what never ends, and gives up where that is more than a file', async () => {
		const stuck = path.join(scratch, 'stuck.js');
		// The worker as it is, but for files that hang as those of a dead network share do.
		await writeFile(
			stuck,
			`const { parentPort } = require('node:worker_threads');
			const on = parentPort.on.bind(parentPort);
			parentPort.on = (name, listener) => on(name, (order) => {
				if (order.files?.some((file) => file.includes('stuck'))) {
					for (;;);
				}
				listener(order);
			});
			require(${JSON.stringify(script)});`,
		);
		const names = ['a.png', 'stuck.png', 'b.png'];
		await Promise.all(names.map((name) => write(name, withRecipe(name))));
		const hasty = readerOf(stuck, 1000);
		assert.deepEqual(Object.keys(await read(names, hasty)), ['a.png', 'b.png']);
		assert.deepEqual(troubles, ['stuck.png']);
		const many = Array.from({ length: 9 }, (_, number) => `stuck${String(number)}.png`);
		assert.deepEqual(await read([...many, 'a.png'], hasty), {});
		assert.equal(troubles.length, 6);
		await hasty.dispose();
	});

	test('ends between two steps where it is cancelled', async () => {
		const names = Array.from({ length: 1200 }, (_, number) => `${String(number)}.png`);
		await Promise.all(names.map((name) => write(name, withRecipe(name))));
		const controller = new AbortController();
		let found = 0;
		for await (const some of reader.read(names.map(at), controller.signal)) {
			found += some.length;
			controller.abort();
		}
		assert.ok(found > 0 && found <= 500, String(found));
	});

	test('reports that its worker cannot start', async () => {
		const none = readerOf(path.join(scratch, 'none.js'));
		await write('a.png', withRecipe('a'));
		assert.deepEqual(await read(['a.png'], none), {});
		assert.deepEqual(troubles, ['a.png']);
	});
});
