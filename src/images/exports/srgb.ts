import type { Pixels } from '../thumbnails/shrink.js';

/**
 * Converts pixels from the colors of an ICC profile to sRGB, in place. Profiles of screens and cameras
 * are three curves and a matrix (ICC.1:2022, part 8.4.3); any other kind is left as it is.
 */
export function toSrgb(picture: Pixels, profile: Buffer | undefined): void {
	const read = profile && readProfile(profile);
	if (read === undefined) {
		return;
	}
	const { curves, matrix } = read;
	const { data } = picture;
	const convert = (at: number) => {
		const red = curves[0]![data[at]!]!;
		const green = curves[1]![data[at + 1]!]!;
		const blue = curves[2]![data[at + 2]!]!;
		for (let row = 0; row < 3; row++) {
			const linear =
				matrix[row * 3]! * red + matrix[row * 3 + 1]! * green + matrix[row * 3 + 2]! * blue;
			data[at + row] = encoded[Math.round(Math.min(1, Math.max(0, linear)) * maxIndex)]!;
		}
	};
	if (!isSrgb(read)) {
		for (let at = 0; at < data.length; at += 4) {
			convert(at);
		}
	}
}

interface Profile {
	/** Light of each of the 256 values, 0 to 1, of red, green and blue. */
	readonly curves: readonly Float64Array[];
	/** From that light to the light of sRGB, by rows. */
	readonly matrix: readonly number[];
}

function readProfile(profile: Buffer): Profile | undefined {
	try {
		const tags = new Map<string, number>();
		for (let index = 0; index < Math.min(profile.readUInt32BE(128), maxTags); index++) {
			const at = 132 + index * 12;
			tags.set(profile.toString('latin1', at, at + 4), profile.readUInt32BE(at + 4));
		}
		const columns = ['rXYZ', 'gXYZ', 'bXYZ'].map((tag) => {
			const at = tags.get(tag)! + 8;
			return [0, 4, 8].map((offset) => fixed(profile, at + offset));
		});
		// Where it has a table too, the table counts.
		if (tags.has('A2B0')) {
			return undefined;
		}
		const curves = ['rTRC', 'gTRC', 'bTRC'].map((tag) => readCurve(profile, tags.get(tag)!));
		const matrix = srgbOfXyz.flatMap((row) =>
			columns.map((column) => row.reduce((sum, value, index) => sum + value * column[index]!, 0)),
		);
		return [...curves.flatMap((curve) => [...curve]), ...matrix].every(Number.isFinite)
			? { curves, matrix }
			: undefined;
	} catch {
		// It ends early, or lacks a tag.
		return undefined;
	}
}

/** Reads a curve as a table (ICC.1:2022, parts 10.6 and 10.18). */
function readCurve(profile: Buffer, at: number): Float64Array {
	const type = profile.toString('latin1', at, at + 4);
	if (type === 'para') {
		const [count, apply] = parametric[profile.readUInt16BE(at + 8)]!;
		const values = Array.from({ length: count }, (_, index) => fixed(profile, at + 12 + index * 4));
		return table((x) => apply(x, values));
	}
	const count = profile.readUInt32BE(at + 8);
	if (type !== 'curv' || count > maxCurve) {
		throw new RangeError('no curve');
	}
	if (count < 2) {
		const gamma = count === 0 ? 1 : profile.readUInt16BE(at + 12) / 256;
		return table((x) => x ** gamma);
	}
	const point = (index: number) =>
		profile.readUInt16BE(at + 12 + Math.min(index, count - 1) * 2) / 65535;
	return table((x) => {
		const place = x * (count - 1);
		const before = Math.floor(place);
		return point(before) + (place - before) * (point(before + 1) - point(before));
	});
}

type Parametric = readonly [count: number, (x: number, values: readonly number[]) => number];

/** ICC.1:2022, table 68. */
const parametric: readonly Parametric[] = [
	[1, (x, [g]) => x ** g!],
	[3, (x, [g, a, b]) => (x >= -b! / a! ? (a! * x + b!) ** g! : 0)],
	[4, (x, [g, a, b, c]) => (x >= -b! / a! ? (a! * x + b!) ** g! + c! : c!)],
	[5, (x, [g, a, b, c, d]) => (x >= d! ? (a! * x + b!) ** g! : c! * x)],
	[7, (x, [g, a, b, c, d, e, f]) => (x >= d! ? (a! * x + b!) ** g! + e! : c! * x + f!)],
];

function table(light: (value: number) => number): Float64Array {
	return Float64Array.from({ length: 256 }, (_, value) => light(value / 255));
}

/** An s15Fixed16Number. */
function fixed(profile: Buffer, at: number): number {
	return profile.readInt32BE(at) / 65536;
}

/** Most profiles are sRGB's own, and a conversion would only round. */
function isSrgb({ curves, matrix }: Profile): boolean {
	const isIdentity = matrix.every((value, at) => Math.abs(value - (at % 4 === 0 ? 1 : 0)) < 0.005);
	return (
		isIdentity &&
		curves.every((curve) =>
			curve.every((light, value) => Math.abs(encoded[Math.round(light * maxIndex)]! - value) <= 1),
		)
	);
}

/** From XYZ under D50, in which profiles are written, to the light of sRGB (IEC 61966-2-1, Bradford). */
const srgbOfXyz = [
	[3.1338561, -1.6168667, -0.4906146],
	[-0.9787684, 1.9161415, 0.033454],
	[0.0719453, -0.2289914, 1.4052427],
];

const maxIndex = 65535;
/** The values of sRGB by their light. */
const encoded = Uint8Array.from({ length: maxIndex + 1 }, (_, index) => {
	const light = index / maxIndex;
	return Math.round(
		255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055),
	);
});

const maxTags = 100;
const maxCurve = 65536;
