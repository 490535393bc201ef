import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { exportImage } from '../../src/images/exports/exportImage.js';
import type { ExportFormat, ExportOptions } from '../../src/images/exports/order.js';
import { cachedPackages } from '../host/cache.js';
import { Sandbox } from '../host/sandbox.js';
import { seeded } from '../unit/images/random.js';
import { bundleWorker } from '../unit/images/thumbnails/bundle.js';
import { encoder, pngOf } from '../unit/images/thumbnails/pictures.js';

/** The part of sharp that is used here. */
interface Sharp {
	resize(options: object): Sharp;
	flatten(options: object): Sharp;
	removeAlpha(): Sharp;
	greyscale(): Sharp;
	raw(): Sharp;
	png(options: object): Sharp;
	webp(options: object): Sharp;
	jpeg(options: object): Sharp;
	metadata(): Promise<{ width: number; height: number; format: string }>;
	toBuffer(): Promise<Buffer>;
}

const presets = {
	page: { format: 'webp', width: 600, maxBytes: 200_000 },
	// Not larger than its source: sharp shifts what it enlarges by half a pixel.
	card: { format: 'jpeg', width: 800, height: 420, fit: 'cover' },
	icon: { format: 'png', width: 256, height: 256, fit: 'cover', palette: true },
} as const satisfies Record<string, ExportOptions>;

const [width, height] = [1024, 1024];

/** Draws by a number; each kind is drawn in several ways. */
const drawings: Readonly<Record<string, (context: SKRSContext2D, random: () => number) => void>> = {
	drawing: (context, random) => {
		for (let at = 0; at < 12; at++) {
			context.fillStyle = ['#0b7', '#fc3', '#36c', '#e54', '#fff'][at % 5]!;
			context.beginPath();
			context.arc(random() * width, random() * height, 60 + random() * 160, 0, 7);
			context.fill();
		}
	},
	photograph: (context, random) => {
		for (let at = 0; at < 4000; at++) {
			const size = 200 * random() ** 3 + 3;
			const hue = 20 + 200 * random();
			context.fillStyle = `hsl(${String(hue)} ${String(60 * random())}% ${String(70 * random() + 15)}% / 0.5)`;
			context.fillRect(random() * width, random() * height, size, size * random());
		}
	},
	gradient: (context, random) => {
		for (let at = 0; at < 3; at++) {
			const gradient = context.createRadialGradient(
				...([random() * width, random() * height, 0] as const),
				...([width / 2, height / 2, width] as const),
			);
			gradient.addColorStop(0, `hsl(${String(360 * random())} 70% 60% / 0.8)`);
			gradient.addColorStop(1, `hsl(${String(360 * random())} 70% 30% / 0.4)`);
			context.fillStyle = gradient;
			context.fillRect(0, 0, width, height);
		}
	},
	text: (context, random) => {
		context.fillStyle = '#222';
		for (let y = 40; y < height; y += 34) {
			context.font = `${String(14 + Math.floor(random() * 16))}px sans-serif`;
			context.fillText('Sphinx of black quartz, judge my vow. 0123456789 '.repeat(2), 20, y);
		}
	},
	alpha: (context, random) => {
		context.clearRect(0, 0, width, height);
		for (let at = 0; at < 30; at++) {
			context.fillStyle = `hsl(${String(360 * random())} 80% 50% / ${String(random())})`;
			context.fillRect(random() * width, random() * height, 300 * random(), 300 * random());
		}
	},
};

/** Thirty sources: six of each kind, one in three as JPEG or WebP, some of 16 bits. */
async function* sources(): AsyncGenerator<{ name: string; file: Buffer; isOpaque: boolean }> {
	const jpeg = await encoder('jpeg');
	const webp = await encoder('webp');
	for (const [kind, draw] of Object.entries(drawings)) {
		for (let index = 0; index < 6; index++) {
			const canvas = createCanvas(width, height);
			const context = canvas.getContext('2d');
			context.fillStyle = '#f4f1ea';
			context.fillRect(0, 0, width, height);
			draw(context, seeded(index + 1));
			const { data } = context.getImageData(0, 0, width, height);
			const png = canvas.toBuffer('image/png');
			const isOpaque = kind !== 'alpha';
			const variants: Readonly<Record<number, () => Buffer>> = {
				1: () => (isOpaque ? jpeg({ width, height, data }, { quality: 95 }) : png),
				3: () => webp({ width, height, data }, { quality: 95 }),
				5: () => deep(data),
			};
			const file = variants[index]?.() ?? png;
			yield { name: `${kind} ${String(index)}`, file, isOpaque };
		}
	}
}

/** A PNG of 16 bits. */
function deep(data: Uint8ClampedArray): Buffer {
	const line = 1 + width * 8;
	const lines = Buffer.alloc(height * line);
	for (let at = 0; at < data.length; at++) {
		const place = Math.floor(at / (width * 4)) * line + 1 + (at % (width * 4)) * 2;
		lines.fill(data[at]!, place, place + 2);
	}
	return pngOf({ width, height, colorType: 6, bitDepth: 16 }, lines, deflateSync(lines));
}

suite('Exports are as good as those of sharp', () => {
	let sandbox: Sandbox;
	let script: string;
	let sharp: (file: Uint8Array) => Sharp;

	suiteSetup(async function () {
		this.timeout(300_000);
		sandbox = new Sandbox();
		script = path.join(sandbox.root, 'worker.js');
		await bundleWorker(script);
		const modules = await cachedPackages(['sharp@0.35.5']);
		sharp = createRequire(path.join(modules, 'x.js'))('sharp') as typeof sharp;
	});

	suiteTeardown(() => sandbox.close());

	test('in dimensions, and in likeness at the same weight', async function () {
		this.timeout(3_600_000);
		const rows: string[] = [];
		const worse: string[] = [];
		for await (const { name, file, isOpaque } of sources()) {
			const source = path.join(sandbox.root, 'source');
			await writeFile(source, file);
			for (const [preset, options] of Object.entries(presets)) {
				const started = Date.now();
				const made = await exportImage(source, options, script);
				const took = Date.now() - started;
				const facts = await sharp(made.bytes).metadata();
				assert.deepEqual([facts.width, facts.height], [made.width, made.height], name);
				const size = { width: made.width, height: made.height, fit: 'cover' };
				const resized = () => {
					const one = sharp(file).resize(size);
					return options.format === 'jpeg' ? one.flatten({ background: '#fff' }) : one;
				};
				const begun = Date.now();
				const other = await sameWeight(resized, options.format, made.bytes.length);
				const otherTook = (Date.now() - begun) / other.tries;
				const gray = (one: Sharp) =>
					one.flatten({ background: '#888' }).greyscale().raw().toBuffer();
				const wanted = await gray(resized());
				const [ours, theirs] = [
					ssim(wanted, await gray(sharp(made.bytes)), made),
					ssim(wanted, await gray(sharp(other.bytes)), made),
				];
				const weights = `${String(made.bytes.length)}/${String(other.bytes.length)}`;
				const row = `${name} ${preset} ${weights} B, SSIM ${ours.toFixed(4)}/${theirs.toFixed(4)}, ${String(took)}/${otherTook.toFixed(0)} ms`;
				rows.push(row);
				// At a weight that sharp does not reach, its likeness means nothing.
				const isComparable = other.bytes.length < made.bytes.length * 1.05;
				if (isComparable && ours < theirs * 0.95) {
					worse.push(row);
				}
				assert.ok(isOpaque || options.format !== 'jpeg' || made.isFlattened, row);
			}
		}
		await writeFile(path.join(sandbox.root, 'table.txt'), rows.join('\n'));
		if (process.env['EASEL_TEST_TABLE'] !== undefined) {
			await writeFile(process.env['EASEL_TEST_TABLE'], `${rows.join('\n')}\n`);
		}
		assert.deepEqual(worse, []);
	});

	/** The best file of sharp that is not heavier. */
	async function sameWeight(resized: () => Sharp, format: ExportFormat, bytes: number) {
		const steps = format === 'png' ? [256, 192, 128, 96, 64, 32, 16] : qualities;
		let best: Buffer | undefined;
		let [low, high] = [0, steps.length - 1];
		let tries = 0;
		while (low <= high) {
			const middle = (low + high) >> 1;
			const step = steps[middle]!;
			const file = await (
				format === 'png'
					? resized().png({ palette: true, colours: step, effort: 7 })
					: format === 'webp'
						? resized().webp({ quality: step })
						: resized().jpeg({ quality: step, mozjpeg: true })
			).toBuffer();
			tries++;
			if (file.length <= bytes * 1.02) {
				best = file;
				high = middle - 1;
			} else {
				best ??= middle === steps.length - 1 ? file : undefined;
				low = middle + 1;
			}
		}
		return { bytes: best!, tries };
	}
});

const qualities = Array.from({ length: 99 }, (_, at) => 99 - at);

/** Mean structural similarity of two gray pictures, in blocks of 8 × 8 (Wang and others, 2004). */
function ssim(
	one: Buffer,
	other: Buffer,
	{ width: across, height: down }: { readonly width: number; readonly height: number },
): number {
	const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
	let total = 0;
	let blocks = 0;
	for (let top = 0; top + 8 <= down; top += 4) {
		for (let left = 0; left + 8 <= across; left += 4) {
			const sums = [0, 0, 0, 0, 0];
			for (let at = 0; at < 64; at++) {
				const place = (top + (at >> 3)) * across + left + (at & 7);
				const [a, b] = [one[place]!, other[place]!];
				sums.forEach((_, index) => (sums[index]! += [a, b, a * a, b * b, a * b][index]!));
			}
			const [a, b, aa, bb, ab] = sums.map((sum) => sum / 64) as [
				number,
				number,
				number,
				number,
				number,
			];
			total +=
				((2 * a * b + c1) * (2 * (ab - a * b) + c2)) /
				((a * a + b * b + c1) * (aa - a * a + bb - b * b + c2));
			blocks++;
		}
	}
	return total / blocks;
}
