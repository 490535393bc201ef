import { crc32, deflateSync } from 'node:zlib';

/** A PNG file of one line, so that its width identifies it among many files. */
export function pictureOfWidth(width: number): Buffer {
	const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
	header.writeUInt32BE(width);
	return Buffer.concat([
		Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
		chunk('IHDR', header),
		chunk('IDAT', deflateSync(Buffer.alloc(1 + 3 * width, 0x80).fill(0, 0, 1))),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

export function widthOfPicture(png: Buffer): number {
	return png.readUInt32BE(16);
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const frame = Buffer.alloc(8);
	frame.writeUInt32BE(data.length, 0);
	frame.writeUInt32BE(crc32(body), 4);
	return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
