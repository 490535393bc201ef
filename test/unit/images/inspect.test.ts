import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { wordsOf } from '../../../src/editor/errorTexts.js';
import {
	detectFormat,
	ImageError,
	type ImageProblem,
	inspectImage,
	isNamedByFormat,
	maxImageBytes,
} from '../../../src/images/inspect';
import { fourColorJpeg } from '../../formats/oddPictures.js';
import { scratch as folder, useScratch } from '../scratch.js';
import { pngChunk, pngOf, webpChunk } from './thumbnails/pictures';

suite('inspectImage', () => {
	useScratch();

	test('says of a JPEG whether it has the colors of print', async () => {
		const rgb = createCanvas(8, 8).toBuffer('image/jpeg');
		for (const [bytes, isCmyk] of [
			[fourColorJpeg(), true],
			[fourColorJpeg(2), true],
			[rgb],
		] as const) {
			const file = join(folder, 'a.jpg');
			await writeFile(file, bytes);
			assert.equal((await inspectImage(file)).isCmyk, isCmyk);
		}
	});
});

suite('isNamedByFormat', () => {
	useScratch();
	test('goes by the bytes, and takes .jpeg for .jpg', () => {
		for (const name of ['a.jpg', 'a.JPEG', '/b.png/a.Jpg']) {
			assert.ok(isNamedByFormat(name, { extension: '.jpg' }), name);
		}
		for (const name of ['a.png', 'jpg', 'a.jpg.webp']) {
			assert.ok(!isNamedByFormat(name, { extension: '.jpg' }), name);
		}
	});
});

suite('inspectImage', () => {
	useScratch();
	let png: Buffer;
	let jpeg: Buffer;
	let webp: Buffer;

	suiteSetup(() => {
		const canvas = createCanvas(30, 20);
		const context = canvas.getContext('2d');
		context.fillStyle = 'orange';
		context.fillRect(5, 5, 20, 10);
		png = canvas.toBuffer('image/png');
		jpeg = canvas.toBuffer('image/jpeg');
		webp = canvas.toBuffer('image/webp');
	});

	const fileOf = async (bytes: Uint8Array, name = 'picture') => {
		const path = join(folder, name);
		await writeFile(path, bytes);
		return path;
	};

	const assertSize = async (bytes: Uint8Array, size: readonly [number, number]) => {
		const { width, height } = await inspectImage(await fileOf(bytes));
		assert.deepEqual([width, height], size);
	};

	const assertProblem = (path: string, kind: ImageProblem) =>
		assert.rejects(inspectImage(path), (error: unknown) => {
			assert.ok(error instanceof ImageError, String(error));
			assert.equal(error.kind, kind);
			assert.equal(error.path, path);
			return true;
		});

	const assertDamaged = async (bytes: Uint8Array) => assertProblem(await fileOf(bytes), 'damaged');

	test('returns the facts of each format by the bytes, not by the name', async () => {
		for (const [bytes, format, extension] of [
			[png, 'png', '.png'],
			[jpeg, 'jpeg', '.jpg'],
			[webp, 'webp', '.webp'],
		] as const) {
			assert.deepEqual(await inspectImage(await fileOf(bytes, 'any.png')), {
				...{ format, extension, contentType: `image/${format}` },
				...{ width: 30, height: 20, bytes: bytes.length },
			});
		}
	});

	test('reads all three kinds of WebP', async () => {
		await assertSize(webpOf('VP8 ', '300000 9d012a 2c01 c800'), [300, 200]);
		await assertSize(webpOf('VP8L', '2f 2bc13100 0000000000'), [300, 200]);
		await assertSize(webpOf('VP8X', '10000000 2b0100 c70000'), [300, 200]);
		await assertDamaged(webpOf('VP8 ', '310000 9d012a 2c01 c800'));
		await assertDamaged(webpOf('VP8 ', '300000 9d012b 2c01 c800'));
		await assertDamaged(webpOf('VP8 ', '300000 9d012a 0000 c800'));
		await assertDamaged(webpOf('VP8L', '2e 2bc13100 0000000000'));
		await assertDamaged(webpOf('ALPH', '10000000 2b0100 c70000'));
		// Bits that have to be 0.
		for (const flags of ['80', '40', '01']) {
			await assertDamaged(webpOf('VP8X', `${flags}000000 2b0100 c70000`));
		}
	});

	test('finds the frame of a JPEG behind megabytes of other segments', async () => {
		const many = Array.from({ length: 100 }, () => segment(0xe2, Buffer.alloc(65_000, 0xff)));
		await assertSize(jpegOf(...many, sof(300, 200)), [300, 200]);
	});

	test('finds the frame of a JPEG wherever its first piece ends', async () => {
		for (let start = 64 * 1024 - 24; start < 64 * 1024 + 4; start++) {
			const rest = start - 2 - 60_000 - 4;
			const before = [segment(0xe2, Buffer.alloc(59_996)), segment(0xe2, Buffer.alloc(rest))];
			const jpeg = jpegOf(...before, sof(300, 200));
			assert.equal(jpeg[start + 1], 0xc2);
			await assertSize(jpeg, [300, 200]);
		}
	});

	test('is not misled by the preview picture inside EXIF', async () => {
		const preview = Buffer.concat([Buffer.from('Exif\0\0'), Buffer.alloc(20), sof(16, 12)]);
		await assertSize(jpegOf(segment(0xe1, preview), sof(300, 200)), [300, 200]);
		await assertDamaged(jpegOf(segment(0xe1, preview)));
	});

	test('allows a JPEG without any segment before its frame, and fill bytes', async () => {
		await assertSize(jpegOf(sof(300, 200)), [300, 200]);
		await assertSize(jpegOf(Buffer.from([0xff, 0xff]), sof(300, 200)), [300, 200]);
	});

	for (const bigEndian of [true, false]) {
		test(`turns a JPEG as its ${bigEndian ? 'big' : 'little'}-endian EXIF says`, async () => {
			for (const orientation of [1, 2, 3, 4]) {
				await assertSize(jpegOf(exif(orientation, bigEndian), sof(300, 200)), [300, 200]);
			}
			for (const orientation of [5, 6, 7, 8]) {
				await assertSize(jpegOf(exif(orientation, bigEndian), sof(300, 200)), [200, 300]);
			}
			for (const orientation of [0, 9, 65535]) {
				await assertSize(jpegOf(exif(orientation, bigEndian), sof(300, 200)), [300, 200]);
			}
		});
	}

	test('shows a JPEG with broken EXIF as if it had none', async () => {
		const whole = exif(6, true).subarray(4);
		for (let length = 6; length < 18; length++) {
			const cut = segment(0xe1, whole.subarray(0, length));
			await assertSize(jpegOf(cut, sof(300, 200)), [300, 200]);
		}
	});

	test('turns a JPEG by its first EXIF segment, and by nothing else', async () => {
		const turning = exif(6, true);
		const straight = exif(1, true);
		const other = segment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0<x/>'));
		const elsewhere = Buffer.from(turning).fill(0xe2, 1, 2);
		await assertSize(jpegOf(turning, straight, sof(300, 200)), [200, 300]);
		await assertSize(jpegOf(straight, turning, sof(300, 200)), [300, 200]);
		await assertSize(jpegOf(other, turning, sof(300, 200)), [200, 300]);
		await assertSize(jpegOf(elsewhere, sof(300, 200)), [300, 200]);
		await assertSize(jpegOf(elsewhere, turning, sof(300, 200)), [200, 300]);
	});

	test('refuses a JPEG whose frame is cut off', async () => {
		const whole = jpegOf(sof(300, 200));
		const end = whole.length - 2;
		for (let length = 3; length < end; length++) {
			await assertDamaged(whole.subarray(0, length));
		}
		await assertSize(whole.subarray(0, end), [300, 200]);
	});

	test('refuses a JPEG without a usable frame', async () => {
		await assertDamaged(jpegOf(segment(0xc0, Buffer.from([8, 0, 200, 1, 44, 0]))));
		// What stands between the start and the frame: no marker, one that has no length, a restart.
		const empty = segment(0xe0, Buffer.alloc(0));
		await assertDamaged(jpegOf(empty, Buffer.from([0, 0xe0, 0, 2]), sof(300, 200)));
		for (const marker of [0x01, 0xbf, 0xd0, 0xd7, 0xd8, 0xd9]) {
			await assertDamaged(jpegOf(segment(marker, Buffer.alloc(2)), sof(300, 200)));
		}
		await assertDamaged(jpegOf(Buffer.from([0xff, 0xe0, 0, 0]), sof(300, 200)));
		await assertDamaged(jpegOf(sof(0, 200)));
		await assertDamaged(jpegOf(sof(300, 0)));
		await assertDamaged(jpegOf(segment(0xda, Buffer.alloc(10)), sof(300, 200)));
		await assertDamaged(jpegOf(segment(0xc0, Buffer.from([8, 0, 200, 1, 44, 3]))));
		await assertDamaged(jpegOf(Buffer.from([0xff, 0xe0, 0, 1]), sof(300, 200)));
	});

	// What a browser does with these is tested in `test/formats/pictureFiles.test.ts`.
	test('turns a PNG by the EXIF before its pixels alone', async () => {
		const turning = pngChunk('eXIf', exif(6, true).subarray(10));
		const insertedAt = (at: number) =>
			Buffer.concat([png.subarray(0, at), turning, png.subarray(at)]);
		await assertSize(insertedAt(33), [20, 30]);
		await assertSize(insertedAt(png.length - 12), [30, 20]);
	});

	test('refuses a PNG whose header is broken', async () => {
		for (const position of [8, 11, 12, 15, 16, 20, 24, 28, 29, 32]) {
			const broken = Buffer.from(png);
			broken[position]! ^= 1;
			await assertDamaged(broken);
		}
	});

	test('refuses a PNG that claims to be larger than a PNG can be', async () => {
		const claiming = (width: number, height: number) =>
			pngOf({ width, height, colorType: 0, bitDepth: 8 }, Buffer.alloc(0));
		await assertSize(claiming(2 ** 31 - 1, 2 ** 31 - 1), [2 ** 31 - 1, 2 ** 31 - 1]);
		await assertDamaged(claiming(2 ** 31, 1));
		await assertDamaged(claiming(1, 2 ** 31));
	});

	test('says what is wrong with other files', async () => {
		await assertProblem(join(folder, 'none.png'), 'missing');
		await assertProblem(join(await fileOf(png, 'file.png'), 'inside.png'), 'missing');
		await assertProblem(folder, 'folder');
		await assertProblem(await fileOf(Buffer.alloc(0)), 'empty');
		await assertProblem(await fileOf(Buffer.from('GIF89a')), 'notAnImage');
		await assertProblem(await fileOf(Buffer.from('<svg xmlns=""/>')), 'notAnImage');
		await assertProblem(await fileOf(Buffer.from('RIFF....WAVEfmt ')), 'notAnImage');
		await assertProblem('with\0zero', 'unreadable');
		const huge = await fileOf(png, 'huge.png');
		await truncate(huge, maxImageBytes + 1);
		await assertProblem(huge, 'tooLarge');
	});

	// Windows has no pipes among its files.
	if (process.platform !== 'win32') {
		test('reads no device', async () => {
			const path = join(folder, 'device.png');
			await symlink('/dev/zero', path);
			await assertProblem(path, 'unreadable');
		});

		test('does not wait for a named pipe', async () => {
			const path = join(folder, 'pipe.png');
			execFileSync('mkfifo', [path]);
			await assertProblem(path, 'unreadable');
		});
	}

	test('names what goes by the name of an image, and the step that helps', async () => {
		const head = (text: string) => Buffer.from(text, 'latin1');
		const error404 = '<html>\n<head><title>404 Not Found</title></head></html>';
		const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
		for (const [bytes, words] of [
			[
				head(
					`version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 12345\n`,
				),
				/^"a\.png" is a Git LFS pointer, not the image itself\. Run `git lfs pull`, then try again\.$/,
			],
			[head('/annex/objects/SHA256E-s12345--4d7a.png\n'), /git-annex pointer.* `git annex get`/],
			[head('.git/annex/objects/x/y/SHA256E-s1--4d.png'), /git-annex pointer/],
			[
				Buffer.concat([png.subarray(0, 8), head('\0\0\0\x04CgBI\x50\0\x20\x02'), png.subarray(8)]),
				/Apple's optimized form \(CgBI\).*Export it again/,
			],
			[head(`\r\n <!DOCTYPE html>\n${error404}`), /is a web page.* Download the image again/],
			[head(error404), /is a web page/],
			[head('\xef\xbb\xbf<!doctype HTML><p>Sign in'), /is a web page/],
			[head(`<!-- 404 <svg> --><HTML lang="en">${svg}`), /is a web page/],
			[head(svg), /is an SVG drawing\. Export it as PNG/],
			[head(`<?xml version="1.0"?>\n<!-- <html> -->\n<!DOCTYPE svg>\n${svg}`), /is an SVG drawing/],
			[head('\0\0\0\x18ftypheic\0\0\0\0'), /is a HEIC image\. Convert it to PNG, JPEG or WebP/],
			[head('\0\0\0\x18ftypmif1\0\0\0\0'), /is a HEIC image/],
			[head('\0\0\0\x18ftypavif\0\0\0\0'), /is an AVIF image/],
			[head('\0\0\0\x0cJXL \r\n'), /is a JPEG XL image/],
			[head('GIF89a'), /is a GIF image/],
			[head('MM\0*'), /is a TIFF image/],
			[head('\0\0\x01\0\x01\0'), /is an icon file/],
			[head('8BPS'), /is a Photoshop document/],
			[head('%PDF-1.7'), /is a PDF document/],
			// What says nothing of itself.
			[head('<Error><Code>AccessDenied</Code></Error>'), /is not a PNG, JPEG or WebP image/],
			[head('<!-- never closed <html>'), /is not a PNG, JPEG or WebP image/],
			[head('version 2 of the picture'), /is not a PNG, JPEG or WebP image/],
		] as const) {
			await assert.rejects(inspectImage(await fileOf(bytes, 'a.png')), (error: Error) => {
				assert.match(wordsOf(error), words);
				assert.equal((error as ImageError).kind, 'notAnImage');
				return true;
			});
		}
	});

	test('takes a WebP as the editor shows it, whatever its EXIF says', async () => {
		const orientation = exif(6, false).subarray(10);
		const withExif = Buffer.concat([
			webpOf('VP8X', '08000000 2b0100 c70000'),
			webpOf('EXIF', orientation.toString('hex')).subarray(12),
		]);
		await assertSize(withExif, [300, 200]);
	});
});

suite('detectFormat', () => {
	useScratch();
	test('goes by the whole signature', () => {
		const bytes = (text: string) => Buffer.from(text, 'latin1');
		assert.equal(detectFormat(bytes('\x89PNG\r\n\x1a\n')), 'png');
		assert.equal(detectFormat(bytes('\x89PNG\n\x1a\n')), undefined);
		assert.equal(detectFormat(bytes('\x89PNG\r\n\x1a')), undefined);
		assert.equal(detectFormat(bytes('\xff\xd8\xff')), 'jpeg');
		assert.equal(detectFormat(bytes('\xff\xd8')), undefined);
		assert.equal(detectFormat(bytes('RIFF\0\0\0\0WEBP')), 'webp');
		assert.equal(detectFormat(bytes('RIFF\0\0\0\0WEB')), undefined);
		assert.equal(detectFormat(bytes('RIFX\0\0\0\0WEBP')), undefined);
		assert.equal(detectFormat(bytes('RIFF\0\0\0\0AVI ')), undefined);
		assert.equal(detectFormat(bytes('')), undefined);
	});
});

/** A WebP file with one chunk, its payload in hexadecimal digits. */
function webpOf(chunk: string, payload: string): Buffer {
	const bytes = Buffer.from(payload.replaceAll(' ', ''), 'hex');
	return webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), webpChunk(chunk, bytes)]));
}

/** A JPEG of these segments, without pixels. */
function jpegOf(...segments: readonly Buffer[]): Buffer {
	return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, Buffer.from([0xff, 0xd9])]);
}

function segment(marker: number, payload: Buffer): Buffer {
	const start = Buffer.from([0xff, marker, 0, 0]);
	start.writeUInt16BE(2 + payload.length, 2);
	return Buffer.concat([start, payload]);
}

/** A frame header with three components. */
function sof(width: number, height: number): Buffer {
	const payload = Buffer.alloc(15);
	payload[0] = 8;
	payload.writeUInt16BE(height, 1);
	payload.writeUInt16BE(width, 3);
	payload[5] = 3;
	return segment(0xc2, payload);
}

/** An EXIF segment with one entry, the orientation. */
function exif(orientation: number, bigEndian: boolean): Buffer {
	const tiff = Buffer.alloc(26);
	const write16 = (value: number, offset: number) =>
		bigEndian ? tiff.writeUInt16BE(value, offset) : tiff.writeUInt16LE(value, offset);
	const write32 = (value: number, offset: number) =>
		bigEndian ? tiff.writeUInt32BE(value, offset) : tiff.writeUInt32LE(value, offset);
	tiff.write(bigEndian ? 'MM' : 'II');
	write16(42, 2);
	write32(8, 4);
	write16(1, 8);
	write16(0x112, 10);
	write16(3, 12);
	write32(1, 14);
	write16(orientation, 18);
	return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff]));
}
