import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RecipeIndex, type Noted } from '../../../../src/recipes/reading/recipeIndex.js';
import { recipe } from '../pngs.js';
import { useFolder } from '../../scratch.js';

const { id, createdAt, operation, size, quality, parents, references, round } = recipe;
const found = (prompt: string): NonNullable<Noted> => ({
	...{ width: 6, height: 4, bytes: 123 },
	recipe: { id, createdAt, operation, prompt, size, quality, parents, references, round },
});
/** Unlike all those that a recipe names. */
const hash = '0123456789abcdef'.repeat(4);
const mebibyte = 1024 * 1024;

suite('RecipeIndex', () => {
	const at = useFolder();
	const file = () => at('storage/recipes.jsonl');

	const lines = async () => (await readFile(file(), 'utf8')).split('\n').filter(Boolean);

	test('knows what an image said as long as it is the same, also when it is opened again', async () => {
		const index = new RecipeIndex(file());
		assert.equal(index.noted('/a.png', '1'), 'none');
		index.note('/a.png', '1', found('a fox'));
		index.note('/b.png', '1', undefined);
		const style = { path: '.easel/style.md', sha256: hash, references: 0 };
		const styled = { ...found('styled'), recipe: { ...found('styled').recipe, style } };
		index.note('/styled.png', '1', styled);
		index.flush();
		for (const one of [index, new RecipeIndex(file())]) {
			assert.deepEqual(one.noted('/a.png', '1'), { found: found('a fox') });
			assert.deepEqual(one.noted('/styled.png', '1'), { found: styled });
			assert.deepEqual(one.noted('/b.png', '1'), { found: undefined });
			assert.equal(one.noted('/a.png', '2'), 'none');
			assert.equal(one.noted('/c.png', '1'), 'none');
		}
		assert.equal((await lines()).length, 3);
	});

	test('writes what was noted once, at a flush, for its owner alone', async () => {
		const index = new RecipeIndex(file());
		index.flush();
		index.note('/a.png', '1', found('a fox'));
		await assert.rejects(stat(path.dirname(file())), { code: 'ENOENT' });
		index.flush();
		index.flush();
		assert.equal((await lines()).length, 1);
		if (process.platform !== 'win32') {
			assert.equal((await stat(file())).mode & 0o777, 0o600);
			assert.equal((await stat(path.dirname(file()))).mode & 0o777, 0o700);
		}
	});

	test('knows the hash of an image as long as it is the same', () => {
		const index = new RecipeIndex(file());
		index.noteHash('/a.png', '1', hash);
		assert.equal(index.hashOf('/a.png', '1'), undefined, 'of an image of which nothing is noted');
		index.note('/a.png', '1', found('a fox'));
		index.noteHash('/a.png', '2', hash);
		assert.equal(index.hashOf('/a.png', '1'), undefined, 'of another image in its place');
		index.noteHash('/a.png', '1', hash);
		index.flush();
		for (const one of [index, new RecipeIndex(file())]) {
			assert.equal(one.hashOf('/a.png', '1'), hash);
			assert.equal(one.hashOf('/a.png', '2'), undefined);
			assert.equal(one.hashOf('/b.png', '1'), undefined);
			assert.deepEqual(one.noted('/a.png', '1'), { found: found('a fox') });
		}
		index.note('/a.png', '2', found('another'));
		assert.equal(index.hashOf('/a.png', '2'), undefined);
	});

	test('keeps what two windows write at once, and what follows a line that was cut off', async () => {
		const [one, other] = [new RecipeIndex(file()), new RecipeIndex(file())];
		one.note('/a.png', '1', found('one'));
		one.flush();
		await appendFile(file(), '\n{"v":1,"file":"/c.p');
		other.note('/b.png', '1', found('other'));
		other.flush();
		const both = new RecipeIndex(file());
		assert.deepEqual(both.noted('/a.png', '1'), { found: found('one') });
		assert.deepEqual(both.noted('/b.png', '1'), { found: found('other') });
	});

	test('takes nothing that it cannot have written', async () => {
		const index = new RecipeIndex(file());
		index.note('/a.png', '1', found('a fox'));
		index.noteHash('/a.png', '1', hash);
		index.flush();
		const line = (await lines()).at(-1)!;
		for (const [from, to] of [
			['"v":2', '"v":1'],
			['"mark":"1"', '"mark":1'],
			['"width":6', '"width":6.5'],
			[hash, `x${hash}`],
			[hash, `${hash}a`],
			[hash, hash.toUpperCase()],
			[`"${id}"`, '"../../etc"'],
			['{', ''],
		] as const) {
			assert.ok(line.includes(from));
			await writeFile(file(), line.replace(from, to));
			assert.equal(new RecipeIndex(file()).noted('/a.png', '1'), 'none', to);
		}
		await writeFile(file(), line);
		assert.deepEqual(new RecipeIndex(file()).noted('/a.png', '1'), { found: found('a fox') });
	});

	test('leaves out an image that says very much, and keeps what it knew', async () => {
		const index = new RecipeIndex(file());
		index.note('/a.png', '1', found(''));
		index.flush();
		const least = (await lines())[0]!.length;
		index.note('/a.png', '1', found('x'.repeat(20_000 - least)));
		index.flush();
		assert.deepEqual(
			(await lines()).map(({ length }) => length),
			[least, 20_000],
		);
		index.note('/a.png', '2', found('x'.repeat(20_001 - least)));
		index.flush();
		assert.equal((await lines()).length, 2);
		assert.equal(index.noted('/a.png', '2'), 'none');
	});

	test('is written anew without unused lines, where these are most of it', async () => {
		const index = new RecipeIndex(file());
		for (let number = 0; number < 100; number += 1) {
			index.note(`/${String(number)}.png`, '1', found('x'.repeat(1000)));
		}
		index.flush();
		const before = (await stat(file())).size;
		const again = new RecipeIndex(file());
		again.noted('/7.png', '1');
		again.noted('/8.png', '1');
		await again.tidy();
		const after = (await stat(file())).size;
		assert.ok(after < before / 40, `${String(after)} of ${String(before)} bytes`);
		// It goes on from there, and knows how long it is now.
		again.note('/new.png', '1', found('new'));
		again.flush();
		await again.tidy();
		assert.equal((await lines()).length, 3);
		const last = new RecipeIndex(file());
		assert.deepEqual(last.noted('/7.png', '1'), { found: found('x'.repeat(1000)) });
		assert.deepEqual(last.noted('/new.png', '1'), { found: found('new') });
	});

	test('never grows longer than it may be, in whatever script people write', async () => {
		await mkdir(path.dirname(file()));
		const line = `${'x'.repeat(19_999)}\n`;
		await writeFile(file(), line.repeat((32 * mebibyte) / line.length - 2));
		const index = new RecipeIndex(file());
		for (const name of ['a', 'b']) {
			// Of three bytes each.
			index.note(`/${name}.png`, '1', found('狐'.repeat(10_000)));
			index.flush();
		}
		const { size } = await stat(file());
		assert.ok(size > 32 * mebibyte - 30_000 && size <= 32 * mebibyte, String(size));
		assert.deepEqual(new RecipeIndex(file()).noted('/a.png', '1'), {
			found: found('狐'.repeat(10_000)),
		});
	});

	test('does without a file where there can be none', async () => {
		await mkdir(file(), { recursive: true });
		const index = new RecipeIndex(file());
		index.note('/a.png', '1', found('a fox'));
		index.flush();
		await index.tidy();
		assert.deepEqual(index.noted('/a.png', '1'), { found: found('a fox') });
	});
});
