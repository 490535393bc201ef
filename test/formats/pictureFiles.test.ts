import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { wordsOf } from '../../src/editor/errorTexts.js';
import { inspectImage } from '../../src/images/inspect.js';
import { Thumbnails } from '../../src/images/thumbnails/thumbnails.js';
import { launchBrowser } from '../host/browser.js';
import { Sandbox } from '../host/sandbox.js';
import { bundleWorker } from '../unit/images/thumbnails/bundle.js';
import {
	animation,
	encoder,
	pngChunk,
	turned,
	webpChunk,
} from '../unit/images/thumbnails/pictures.js';
import {
	apng,
	drawnPng,
	exif,
	extended,
	fourColorJpeg,
	height,
	iccProfile,
	opaque,
	primaries,
	width,
	withChunks,
	withProfileParts,
} from './oddPictures.js';

const maxSide = 64;
/** Mean difference of a color, of 255: what scaling and coding make of the plainest picture is 1.3. */
const maxDifference = 2.5;

/** Plain pictures. */
interface Plain {
	readonly png: Buffer;
	readonly jpeg: Buffer;
	readonly webp: Buffer;
}

type Row = readonly [name: string, make: (plain: Plain) => Buffer, problem?: RegExp];

const orientations = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const turning = pngChunk('eXIf', exif(6));
const damaged = Buffer.from(turning).fill(0, turning.length - 1);
const swapped = iccProfile([...primaries.srgb].reverse());
const wide = iccProfile(primaries.p3);
const iccp = (profile: Buffer) =>
	pngChunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), deflateSync(profile)]));
const cut = (file: Buffer) => file.subarray(0, Math.floor(file.length * 0.7));
const frame = (webp: Buffer, x: number, y: number) => [{ file: webp, width, height, x, y }];
const isCmyk = /^"picture" is a CMYK image, made for print, which Easel cannot decode\. Convert it/;
const isDamaged = /^"picture" cannot be decoded\. It is damaged/;

const rows: readonly Row[] = [
	...orientations.flatMap((each): Row[] => [
		[
			`PNG, orientation ${String(each)}`,
			({ png }) => withChunks(png, [pngChunk('eXIf', exif(each))]),
		],
		[`JPEG, orientation ${String(each)}`, ({ jpeg }) => turned(jpeg, each)],
		[
			`WebP, orientation ${String(each)}`,
			({ webp }) => extended(webp, 8, [], [webpChunk('EXIF', exif(each))]),
		],
	]),
	[
		'PNG, orientation in the other byte order',
		({ png }) => withChunks(png, [pngChunk('eXIf', exif(6, true))]),
	],
	['PNG, orientation behind its pixels', ({ png }) => withChunks(png, [], [turning])],
	['PNG, orientation twice', ({ png }) => withChunks(png, [turning, pngChunk('eXIf', exif(1))])],
	['PNG, orientation with a wrong checksum', ({ png }) => withChunks(png, [damaged])],
	[
		'PNG, orientation behind 100 KB',
		({ png }) => withChunks(png, [pngChunk('teSt', Buffer.alloc(100_000)), turning]),
	],
	...([0, 2, 4, 6] as const).flatMap((colorType) =>
		([8, 16] as const).flatMap((bitDepth) =>
			[false, true].map((interlaced): Row => {
				const name = ['gray', '', 'color', '', 'gray with alpha', '', 'color with alpha'][
					colorType
				]!;
				const bits = `${String(bitDepth)} bits${interlaced ? ', interlaced' : ''}`;
				return [`PNG, ${name}, ${bits}`, () => drawnPng({ colorType, bitDepth, interlaced })];
			}),
		),
	),
	...(
		[
			['swapped channels', swapped],
			['Display P3', wide],
		] as const
	).flatMap(([name, profile]): Row[] => [
		[`PNG, a profile of ${name}`, ({ png }) => withChunks(png, [iccp(profile)])],
		[`JPEG, a profile of ${name}`, ({ jpeg }) => withProfileParts(jpeg, profile)],
		[
			`WebP, a profile of ${name}`,
			({ webp }) => extended(webp, 0x20, [webpChunk('ICCP', profile)]),
		],
	]),
	[
		'JPEG, a profile in parts in any order',
		({ jpeg }) => withProfileParts(jpeg, swapped.subarray(0, 200), swapped.subarray(200)),
	],
	[
		'PNG, a profile that is none',
		({ png }) => withChunks(png, [pngChunk('iCCP', Buffer.from('a\0\0b'))]),
	],
	['PNG, animated', ({ png }) => apng(png)],
	['WebP, animated', ({ webp }) => animation({ width, height }, frame(webp, 0, 0))],
	[
		'WebP, animated, in a corner',
		({ webp }) => animation({ width: 120, height: 80 }, frame(webp, 20, 10)),
	],
	['JPEG, CMYK', () => fourColorJpeg(), isCmyk],
	['JPEG, CMYK of Adobe', () => fourColorJpeg(0), isCmyk],
	['JPEG, YCCK of Adobe', () => fourColorJpeg(2), isCmyk],
	['PNG, cut off', () => cut(drawnPng({ colorType: 2, bitDepth: 8 })), isDamaged],
	['JPEG, cut off', ({ jpeg }) => cut(jpeg), isDamaged],
	['WebP, cut off', ({ webp }) => cut(webp), isDamaged],
];

suite('Picture files are what a browser shows', () => {
	let sandbox: Sandbox;
	let browser: Browser;
	let page: Page;
	let thumbnails: Thumbnails;
	let plain: Plain;

	suiteSetup(async function () {
		this.timeout(120_000);
		sandbox = new Sandbox();
		const script = path.join(sandbox.root, 'worker.js');
		await bundleWorker(script);
		const folder = sandbox.folder('thumbnails');
		thumbnails = new Thumbnails({ folder, script, maxSide, quality: 100 });
		browser = await launchBrowser(sandbox);
		page = await browser.newPage();
		plain = {
			png: drawnPng({ colorType: 6, bitDepth: 8 }),
			jpeg: (await encoder('jpeg'))(opaque(), { quality: 95 }),
			webp: (await encoder('webp'))(opaque(), { quality: 95 }),
		};
	});

	suiteTeardown(async () => {
		await thumbnails.dispose();
		await browser.close();
		sandbox.close();
	});

	/** Returns the dimensions of a file in the browser, and its colors at the size of a thumbnail. */
	async function shown(file: string) {
		const source = `data:application/octet-stream;base64,${(await readFile(file)).toString('base64')}`;
		const answer = await page.evaluate(`(async () => {
			const image = new Image();
			image.src = ${JSON.stringify(source)};
			await image.decode();
			const { naturalWidth: width, naturalHeight: height } = image;
			const scale = Math.min(1, ${String(maxSide)} / Math.max(width, height));
			const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale));
			const context = canvas.getContext('2d');
			context.imageSmoothingQuality = 'high';
			context.drawImage(image, 0, 0, canvas.width, canvas.height);
			const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
			return { width, height, colors: data.map((each, at) => at % 4 === 3 ? each : each * data[at | 3] / 255).join() };
		})()`);
		const { colors, ...size } = answer as { width: number; height: number; colors: string };
		return { size, colors: colors.split(',').map(Number) };
	}

	for (const [name, make, problem] of rows) {
		test(name, async () => {
			const file = path.join(sandbox.folder(name), 'picture');
			await writeFile(file, make(plain));
			const real = await shown(file);
			const { width, height } = await inspectImage(file);
			assert.deepEqual({ width, height }, real.size);
			if (problem !== undefined) {
				await assert.rejects(thumbnails.get({ path: file }), (error) =>
					problem.test(wordsOf(error)),
				);
				return;
			}
			const { colors } = await shown((await thumbnails.get({ path: file })).file);
			assert.equal(colors.length, real.colors.length);
			const sum = real.colors.reduce((all, each, at) => all + Math.abs(each - colors[at]!), 0);
			assert.ok(sum / colors.length < maxDifference, String(sum / colors.length));
		});
	}
});
