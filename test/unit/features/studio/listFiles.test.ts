import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
	listFiles,
	sortingKey,
	type ListOptions,
} from '../../../../src/features/studio/listFiles.js';
import { scratch as root, useScratch } from '../../scratch.js';

suite('studio › listFiles', () => {
	useScratch();
	let folder: string;

	setup(async () => {
		folder = path.join(root, 'work', 'images');
		await mkdir(folder, { recursive: true });
	});

	const isMeant = (name: string) => name.endsWith('.png');
	const list = (options: Partial<ListOptions> = {}) =>
		listFiles(folder, { isMeant, maxNames: 100, roots: [path.join(root, 'work')], ...options });
	const write = (...names: string[]) =>
		Promise.all(names.map((name) => writeFile(path.join(folder, name), 'x')));

	test('lists files of a name that is meant, as people sort them, and no folders', async () => {
		await write('b10.png', 'B2.png', 'a.png', 'notes.md', 'b1.png');
		await mkdir(path.join(folder, 'c.png'));
		assert.deepEqual(await list(), {
			names: ['a.png', 'b1.png', 'B2.png', 'b10.png'],
			more: 0,
			elsewhere: 0,
		});
	});

	test('sorts names that differ in their case alone always in the same way', async () => {
		await write('a.png', 'A.png');
		assert.deepEqual((await list()).names, ['A.png', 'a.png']);
		assert.ok(sortingKey('v2') < sortingKey('v10'));
		assert.equal(sortingKey('A007'), sortingKey('a7'));
	});

	test('sorts an underscore before letters, and numbers that are the same by their names', async () => {
		const numbers = Array.from({ length: 9 }, (_, zeros) => `v${'0'.repeat(9 - zeros)}1.png`);
		await write('ab.png', 'a_b.png', ...numbers.toReversed());
		assert.deepEqual((await list()).names, ['a_b.png', 'ab.png', ...numbers]);
	});

	test('lists the first so many, wherever the folder has them, and counts the others', async () => {
		const names = Array.from({ length: 25 }, (_, index) => `p${String(index)}.png`);
		await write(...names);
		for (const maxNames of [1, 2, 3, 12, 24]) {
			assert.deepEqual(await list({ maxNames }), {
				names: names.slice(0, maxNames),
				more: 25 - maxNames,
				elsewhere: 0,
			});
		}
		assert.deepEqual((await list({ maxNames: 25 })).more, 0);
	});

	test('follows links that stay inside, counts those that lead out, forgets those to nothing', async () => {
		await write('a.png');
		await mkdir(path.join(root, 'work', 'other'));
		await writeFile(path.join(root, 'work', 'other', 'x'), 'x');
		await writeFile(path.join(root, 'secret.png'), 'x');
		await symlink('../other/x', path.join(folder, 'b.png'));
		await symlink('../../secret.png', path.join(folder, 'c.png'));
		await symlink('../other', path.join(folder, 'd.png'));
		await symlink('nothing', path.join(folder, 'e.png'));
		await symlink('f.png', path.join(folder, 'f.png'));
		await symlink('../../secret.png', path.join(folder, 'g.png'));
		assert.deepEqual(await list(), { names: ['a.png', 'b.png'], more: 0, elsewhere: 2 });
	});

	test('follows links into each of the roots, also where another one is gone', async () => {
		await writeFile(path.join(root, 'x'), 'x');
		await symlink('../../x', path.join(folder, 'a.png'));
		const roots = [path.join(root, 'gone'), path.join(root, 'work'), root];
		assert.deepEqual(await list({ roots }), { names: ['a.png'], more: 0, elsewhere: 0 });
	});

	test('lists what lies in a folder itself, whatever the roots are', async () => {
		await write('a.png', 'b.png');
		await symlink('a.png', path.join(folder, 'c.png'));
		const found = await list({ roots: [path.join(root, 'other')] });
		assert.deepEqual(found, { names: ['a.png', 'b.png'], more: 0, elsewhere: 1 });
	});

	test('takes a root that is a link for what it leads to', async () => {
		await write('a.png');
		await symlink('work', path.join(root, 'linked'));
		await symlink('a.png', path.join(folder, 'b.png'));
		const through = await listFiles(path.join(root, 'linked', 'images'), {
			...{ isMeant, maxNames: 10, roots: [path.join(root, 'linked')] },
		});
		assert.deepEqual(through.names, ['a.png', 'b.png']);
	});

	test('throws what the system says of a folder that is gone or none', async () => {
		await rm(folder, { recursive: true });
		await assert.rejects(list(), { code: 'ENOENT' });
		await writeFile(folder, 'x');
		await assert.rejects(list(), { code: 'ENOTDIR' });
	});

	test('gives other work its turn while it reads ten thousand', async () => {
		for (let index = 0; index < 10_000; index++) {
			writeFileSync(path.join(folder, `${String(index)}.png`), '');
		}
		let inOneTurn = 0;
		let atMost = 0;
		const countOne = (name: string) => {
			if (inOneTurn === 0) {
				setImmediate(() => {
					inOneTurn = 0;
				});
			}
			inOneTurn += 1;
			atMost = Math.max(atMost, inOneTurn);
			return isMeant(name);
		};
		const { names } = await list({ maxNames: 10_000, isMeant: countOne });
		assert.equal(names.length, 10_000);
		assert.equal(names.at(-1), '9999.png');
		assert.ok(atMost <= 1024, `${String(atMost)} names in one turn`);
	});
});
