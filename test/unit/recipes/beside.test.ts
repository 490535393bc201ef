import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { besideName, besideText, readBeside } from '../../../src/recipes/beside.js';
import { inFolder, recipe } from './pngs.js';

const image = 'c'.repeat(64);

suite('The recipe beside an image', () => {
	test('is named after the whole name of the image', () => {
		assert.equal(besideName('/w/fox.png'), '/w/fox.png.json');
	});

	test('has a line for each field, and says which image it is of', () => {
		const text = besideText(recipe, image);
		assert.ok(text.endsWith(`\t"image": "${image}"\n}\n`));
		const other = besideText({ ...recipe, model: 'other' }, image).split('\n');
		assert.deepEqual(
			other.filter((line) => !text.split('\n').includes(line)),
			['\t"model": "other",'],
		);
	});

	test('is read back', async () => {
		await inFolder(async (at, write) => {
			await write('a.png.json', Buffer.from(besideText(recipe, image)));
			assert.deepEqual(await readBeside(at('a.png')), { ...recipe, image });
			assert.equal(await readBeside(at('b.png')), undefined);
			await write('c.png.json', Buffer.from('{"version":2}'));
			assert.equal(await readBeside(at('c.png')), 'newer');
		});
	});

	test('is nothing else by that name', async () => {
		await inFolder(async (at, write) => {
			await write('a.png.json', Buffer.from('{"name":"a package"}'));
			assert.equal(await readBeside(at('a.png')), undefined);
			await write('b.png.json', Buffer.alloc(1024 * 1024 + 1, 0x20));
			assert.equal(await readBeside(at('b.png')), undefined);
			await mkdir(at('c.png.json'));
			assert.equal(await readBeside(at('c.png')), undefined);
			if (process.platform !== 'win32') {
				await symlink('/dev/zero', at('d.png.json'));
				assert.equal(await readBeside(at('d.png')), undefined);
				await symlink('e.png.json', at('e.png.json'));
				await assert.rejects(readBeside(at('e.png')), { code: 'ELOOP' });
			}
		});
	});
});
