import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, readFile, symlink, truncate } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import { maxImageBytes } from '../../src/images/inspect.js';
import { recipeJson } from '../../src/recipes/recipe.js';
import { writeWithoutRecipe, writeWithRecipe } from '../../src/recipes/rewrite.js';
import { xmpPacket } from '../../src/recipes/xmp.js';
import { drawPicture } from '../service/picture.js';
import { padPng } from '../service/png.js';
import { pixelsOf, pngChunk } from '../unit/images/thumbnails/pictures.js';
import {
	caBX,
	chunksOf,
	inFolder,
	inserted,
	iTXt,
	picture,
	plainTexts,
	png,
	recipe,
	tEXt,
} from '../unit/recipes/pngs.js';
import { rare } from '../host/rare.js';

/** Puts metadata of other programs before the picture and behind it. */
const plain = (() => {
	const file = png(tEXt('Title', 'é'), pngChunk('pHYs', Buffer.alloc(9)));
	return Buffer.concat([file.subarray(0, -12), tEXt('Author', 'B'), file.subarray(-12)]);
})();

/** Has a recipe written into the file, several times where there are several recipes. */
async function withRecipes(file: Buffer, ...recipes: readonly (typeof recipe)[]): Promise<Buffer> {
	let bytes = file;
	for (const one of recipes) {
		await inFolder(async (at, write) => {
			assert.equal(await writeWithRecipe(await write('a.png', bytes), at('b.png'), one), 'written');
			assert.deepEqual(await readFile(at('a.png')), bytes);
			assert.deepEqual((await readdir(path.dirname(at('a')))).sort(), ['a.png', 'b.png']);
			bytes = await readFile(at('b.png'));
		});
	}
	return bytes;
}

async function without(file: Buffer): Promise<Buffer | 'signed' | 'none'> {
	let result: Buffer | 'signed' | 'none' = 'none';
	await inFolder(async (at, write) => {
		const end = await writeWithoutRecipe(await write('a.png', file), at('b.png'));
		result = end === 'written' ? await readFile(at('b.png')) : end;
		assert.equal((await readdir(path.dirname(at('a')))).length, end === 'written' ? 2 : 1);
	});
	return result;
}

const expected = [
	['Description', recipe.prompt],
	['Software', 'Easel 1.2.3'],
	['Creation Time', 'Sun, 01 Mar 2026 12:34:56 GMT'],
	['XML:com.adobe.xmp', xmpPacket('Easel 1.2.3', recipe.createdAt)],
	['Easel Recipe', recipeJson(recipe)],
];

/** Asks another program, where it is installed. */
function soundFor(program: string, args: readonly string[], found: RegExp): void {
	const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
	if (error === undefined) {
		assert.equal(status, 0, `${program}: ${stdout}${stderr}`);
		assert.match(`${stdout}${stderr}`, found, program);
	}
}

/** The same picture, its data in many chunks. */
function inPieces(file: Buffer): Buffer {
	const chunks = chunksOf(file);
	const first = chunks.find(({ type }) => type === 'IDAT')!.start;
	const data = picture(file);
	const pieces: Buffer[] = [];
	for (let at = 0; at < data.length; at += 8192) {
		pieces.push(pngChunk('IDAT', data.subarray(at, at + 8192)));
	}
	const last = chunks.findLast(({ type }) => type === 'IDAT')!;
	const end = last.start + 12 + last.data.length;
	return Buffer.concat([file.subarray(0, first), ...pieces, file.subarray(end)]);
}

suite('A recipe in a PNG', () => {
	teardown(() => {
		mock.restoreAll();
	});

	test('stands before the picture, and all else is as it was', async () => {
		const written = await withRecipes(plain, recipe);
		assert.deepEqual(plainTexts(written), expected);
		assert.deepEqual(
			chunksOf(written).map(({ type }) => type),
			[
				...['IHDR', 'tEXt', 'pHYs', 'iTXt', 'iTXt', 'iTXt', 'iTXt', 'iTXt'],
				...['IDAT', 'IDAT', 'tEXt', 'IEND'],
			],
		);
		const others = (file: Buffer) => chunksOf(file).filter(({ type }) => type !== 'iTXt');
		assert.deepEqual(
			others(written).map(({ type, data }) => [type, data]),
			chunksOf(plain).map(({ type, data }) => [type, data]),
		);
		assert.deepEqual(picture(written), picture(plain));
		assert.deepEqual(await pixelsOf(written), await pixelsOf(plain));
	});

	for (const [size, mebibytes] of [
		['1024x1024', 2],
		['2048x2048', 8],
		['2048x2048', 24],
	] as const) {
		(mebibytes === 2 ? test : rare)(
			`leaves a picture of ${String(mebibytes)} MiB as it is, and is taken out of it again`,
			async () => {
				const drawn = await drawPicture({ prompt: 'a harbor', size, references: [] });
				// Encoders write the picture in pieces of 8 or 32 kB.
				const file = padPng(inPieces(drawn), mebibytes * 1024 * 1024);
				await inFolder(async (at, write) => {
					const plain = await write('plain.png', file);
					assert.equal(await writeWithRecipe(plain, at('with.png'), recipe), 'written');
					const written = await readFile(at('with.png'));
					assert.ok(picture(written).equals(picture(file)), 'the picture, byte for byte');
					assert.deepEqual(plainTexts(written).slice(-5), expected);
					assert.equal(await writeWithoutRecipe(at('with.png'), at('without.png')), 'written');
					assert.ok((await readFile(at('without.png'))).equals(file));
					soundFor('pngcheck', ['-q', at('with.png')], /^$/);
					soundFor('exiftool', ['-validate', '-warning', '-s3', at('with.png')], /^OK/);
				});
			},
		).timeout(60_000);
	}

	test('takes the place of an earlier one', async () => {
		const earlier = { ...recipe, prompt: 'another', easel: '0.9.0' };
		const written = await withRecipes(plain, earlier, recipe);
		assert.deepEqual(written, await withRecipes(plain, recipe));
	});

	test('takes the place of an earlier one that others have moved behind the picture, whole or not', async () => {
		const earlier = plainTexts(await withRecipes(png(), { ...recipe, prompt: 'another' }));
		const texts = earlier.map(([key, text]) => iTXt(key, text));
		for (const before of [0, 2]) {
			const theirs = tEXt('Title', 'A');
			const first = [...texts.slice(0, 1), theirs, ...texts.slice(1, before)];
			const file = inserted(png(...(before === 0 ? [theirs] : first)), 'IEND', texts.slice(before));
			const bare = png(theirs);
			assert.deepEqual(await withRecipes(file, recipe), await withRecipes(bare, recipe));
			assert.deepEqual(await without(file), bare);
		}
	});

	test('is removed without a trace', async () => {
		assert.deepEqual(await without(await withRecipes(plain, recipe)), plain);
		assert.equal(await without(plain), 'none');
	});

	test('is removed also where other programs have written the file anew', async () => {
		const texts = plainTexts(await withRecipes(plain, recipe));
		const turned = texts.toReversed().map(([key, text], index) => iTXt(key, text, index % 2 === 0));
		assert.deepEqual(await without(png(...turned)), png());
		const behind = inserted(png(), 'IEND', turned);
		assert.deepEqual(await without(behind), png());
	});

	test('is removed also where it is damaged, with the prompt', async () => {
		const written = await withRecipes(png(), recipe);
		const { start } = chunksOf(written).findLast(({ type }) => type === 'iTXt')!;
		written[start + 60]! ^= 1;
		assert.deepEqual(await without(written), png());
	});

	test('leaves what others have written under the same keywords', async () => {
		const theirs = [
			iTXt('Description', 'a photo'),
			tEXt('Software', 'Camera'),
			tEXt('Creation Time', 'yesterday'),
			iTXt('XML:com.adobe.xmp', '<x:xmpmeta x:xmptk="Camera"/>'),
		];
		const file = png(...theirs);
		const written = await withRecipes(file, recipe);
		const count = chunksOf(written).filter(({ data }) => data.includes('XML:com')).length;
		assert.equal(count, 1, 'a second packet of XMP');
		assert.deepEqual(await without(written), file);
	});

	test('keeps the bytes behind the end of the picture', async () => {
		const file = Buffer.concat([png(), Buffer.from('more')]);
		assert.deepEqual(await without(await withRecipes(file, recipe)), file);
	});

	test('holds whatever a prompt holds', async () => {
		const prompt = 'a\0b\r\nc\ud800 ]]> "</x:xmpmeta>';
		const written = await withRecipes(plain, { ...recipe, prompt });
		assert.equal(plainTexts(written)[0]?.[1], 'a\ufffdb\nc\ufffd ]]> "</x:xmpmeta>');
		assert.deepEqual(JSON.parse(plainTexts(written)[4]![1]), { ...recipe, prompt });
		assert.deepEqual(await without(written), plain);
	});

	test('never stands in a signed file', async () => {
		await inFolder(async (at, write) => {
			const file = await write('a.png', png(caBX));
			assert.equal(await writeWithRecipe(file, at('b.png'), recipe), 'signed');
			assert.equal(await writeWithoutRecipe(file, at('b.png')), 'signed');
			assert.deepEqual(await readdir(path.dirname(file)), ['a.png']);
			assert.deepEqual(await readFile(file), png(caBX));
		});
		// Another program has signed what Easel has written.
		assert.equal(
			await without(inserted(await withRecipes(png(), recipe), 'IDAT', [caBX])),
			'signed',
		);
	});

	test('is not written into what is no sound PNG', async () => {
		for (const [bytes, kind] of [
			[plain.subarray(0, -1), 'damaged'],
			[plain.subarray(0, 60), 'damaged'],
			[Buffer.from('GIF89a'), 'notPng'],
		] as const) {
			await inFolder(async (at, write) => {
				const file = await write('a.png', bytes);
				const refusal = { name: 'PngError', kind };
				await assert.rejects(writeWithRecipe(file, at('b.png'), recipe), refusal);
				await assert.rejects(writeWithoutRecipe(file, at('b.png')), refusal);
				assert.deepEqual(await readdir(path.dirname(file)), ['a.png']);
			});
		}
	});

	test('is not written into a file that is larger than any image', async () => {
		await inFolder(async (at, write) => {
			const file = await write('a.png', plain);
			await truncate(file, maxImageBytes + 1);
			await assert.rejects(writeWithRecipe(file, at('b.png'), recipe), { code: 'TooLarge' });
			assert.deepEqual(await readdir(path.dirname(file)), ['a.png']);
		});
	});

	test('is not written where the copy cannot be made, and nothing stays behind', async () => {
		await inFolder(async (at, write) => {
			const file = await write('a.png', plain);
			await assert.rejects(writeWithRecipe(file, at('none/b.png'), recipe), { code: 'ENOENT' });
			const absurd = { ...recipe, model: 'x'.repeat(1000) };
			await assert.rejects(writeWithRecipe(file, at('b.png'), absurd));
			assert.deepEqual(await readdir(path.dirname(file)), ['a.png']);
			if (process.platform !== 'win32') {
				await symlink('/dev/zero', at('c.png'));
				await assert.rejects(writeWithRecipe(at('c.png'), at('b.png'), recipe), {
					name: 'UnfitFileError',
				});
			}
		});
	});

	test('is read by other programs, where they are installed', async () => {
		await inFolder(async (_, write) => {
			const file = await write('a.png', await withRecipes(png(), recipe));
			const bare = await write('plain.png', png());
			for (const [program, args, found] of [
				['pngcheck', ['-q', file], /^$/],
				['exiftool', ['-validate', '-warning', '-s3', file], /^OK/],
				[
					'exiftool',
					['-s3', '-XMP-iptcExt:DigitalSourceType', '-n', file],
					/trainedAlgorithmicMedia/,
				],
				['exiftool', ['-s3', '-PNG:Software', file], /^Easel 1\.2\.3$/m],
				['exiftool', ['-s3', '-b', '-PNG:Description', file], /🦊/],
				['exiftool', ['-s3', '-PNG:CreationTime', file], /^2026:03:01 12:34:56/m],
				['identify', ['-regard-warnings', '-format', '%wx%h', file], /^6x4$/],
				['compare', ['-metric', 'AE', bare, file, 'null:'], /^0/],
			] as const) {
				soundFor(program, args, found);
			}
		});
	}).timeout(30_000);
});
