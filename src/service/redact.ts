import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { replaceOnce } from '../files/writeWhole.js';

/**
 * Makes text fit for the log, in which neither keys nor base64 of images may stand (specification,
 * "Authentication", 5): keys, and the secrets that are given, become `***`, base64 its length.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
	return hideSecrets(text, secrets)
		.replace(/\b(bearer|basic)\s+[^\s"',;]+/gi, '$1 ***')
		.replace(/((?:x-)?api[-_]?key["']?\s*[:=]\s*["']?)[^\s"',;]+/gi, '$1***')
		.replace(/\/\/[^/\s:@]+:[^/\s@]+@/g, '//***@')
		.replace(/[A-Za-z0-9+/]{200,}={0,2}/g, (match) => `[${String(match.length)} characters]`);
}

/**
 * Replaces every run of 8 or more consecutive characters of a secret by `***`, in any letter case:
 * plain, percent-encoded, as escapes of JSON, and in base64 of a text that contains it. Shorter
 * secrets are searched for as a whole; those under 4 characters stay: they would black out ordinary
 * words. Takes a time that grows linearly with the text.
 */
export function hideSecrets(text: string, secrets: readonly string[]): string {
	const grams = secrets.filter(({ length }) => length >= minSecretLength).map(gramsOf);
	const bytes = Buffer.from(text);
	let result = '';
	let shownTo = 0;
	for (const [start, end] of findRuns(bytes.toString('latin1'), grams)) {
		result += `${bytes.toString('utf8', shownTo, start)}***`;
		shownTo = end;
	}
	return shownTo === 0 ? text : result + bytes.toString('utf8', shownTo);
}

/**
 * Hides secrets in a file of any content and size. Runs of them as in {@link hideSecrets} become as
 * many `*`, so that whatever else stands in the file keeps its place. Secrets under 8 characters
 * stay: the data of an image contain them by chance.
 *
 * @throws the system's error; the file is as it was then
 */
export async function redactInPlace(file: string, secrets: readonly string[]): Promise<void> {
	const clean = `${file}.clean`;
	await rm(clean, { force: true });
	await replaceOnce(file, redactPieces(file, secrets), clean);
}

async function* redactPieces(source: string, secrets: readonly string[]): AsyncGenerator<Buffer> {
	const grams = secrets.filter(({ length }) => length >= minRunLength).map(gramsOf);
	// The end of what was read is held back: a run may go on in the next piece.
	let held = '';
	let shown = Buffer.alloc(0);
	// Opened only when it is read: what fails before must leave nothing open.
	for await (const piece of createReadStream(source) as AsyncIterable<Buffer>) {
		held += piece.toString('latin1');
		shown = Buffer.concat([shown, piece]);
		for (const [start, end] of findRuns(held, grams)) {
			shown.fill('*', start, end);
		}
		const cut = Math.max(0, held.length - maxRunLength);
		yield shown.subarray(0, cut);
		held = held.slice(cut);
		shown = shown.subarray(cut);
	}
	yield shown;
}

const minSecretLength = 4;
const minRunLength = 8;

/** Of the shortest run, in bytes, and more: 6 for each of its own, as in `\u0041`. */
export const maxRunLength = 64;

type Grams = ReturnType<typeof gramsOf>;

/** Returns the shortest runs of a secret: bytes of UTF-8, read as latin1, in lower case. */
function gramsOf(secret: string) {
	const text = Buffer.from(secret).toString('latin1').toLowerCase();
	const length = Math.min(text.length, minRunLength);
	const texts = new Set<string>();
	/** Has 1 at each pair of bytes that is in one of them. */
	const pairs = new Uint8Array(65_536);
	for (let at = 0; at + 1 < text.length; at++) {
		pairs[pairAt(text, at)] = 1;
		if (at + length <= text.length) {
			texts.add(text.slice(at, at + length));
		}
	}
	return { length, texts, pairs };
}

function pairAt(text: string, at: number): number {
	return (text.charCodeAt(at) << 8) | text.charCodeAt(at + 1);
}

/** Finds the runs of secrets in bytes that were read as latin1; none touches another one. */
function* findRuns(text: string, all: readonly Grams[]): Generator<[start: number, end: number]> {
	const found = new Uint8Array(text.length + 1);
	for (const { length, texts, pairs } of all) {
		for (const { decoded, placeOf } of decodings(text, length)) {
			const lower = decoded.toLowerCase();
			for (let at = 0; at + length <= lower.length;) {
				if (pairs[pairAt(lower, at + length - 2)] === 0) {
					// Nothing that contains this pair is a run.
					at += length - 1;
					continue;
				}
				if (texts.has(lower.slice(at, at + length))) {
					found.fill(1, ...placeOf(at, at + length));
				}
				at++;
			}
		}
	}
	for (let start = found.indexOf(1); start >= 0;) {
		const end = found.indexOf(0, start);
		yield [start, end];
		start = found.indexOf(1, end);
	}
}

interface Decoding {
	readonly decoded: string;
	/** Returns where in the text itself a part of `decoded` stands. */
	placeOf(this: void, start: number, end: number): [start: number, end: number];
}

/** Decodes each encoding once, not one in the other. */
function* decodings(text: string, minLength: number): Generator<Decoding, void> {
	yield { decoded: text, placeOf: (start, end) => [start, end] };
	yield* unescaped(text, /(%[0-9a-f]{2})/i, (escape) => Buffer.from(escape.slice(1), 'hex'));
	yield* unescaped(text, /(\\(?:u[0-9a-fA-F]{4}|["\\/]))/, (escape) =>
		Buffer.from(JSON.parse(`"${escape}"`) as string),
	);
	// Both alphabets (RFC 4648, parts 4 and 5); Node reads them mixed, too.
	const minEncoded = Math.ceil((minLength * 4) / 3);
	for (const { 0: run, index } of text.matchAll(
		new RegExp(`[\\w+/-]{${String(minEncoded)},}`, 'g'),
	)) {
		// Words may stand right before the first group of four.
		for (let skipped = 0; skipped < 4 && skipped + minEncoded <= run.length; skipped++) {
			const first = index + skipped;
			yield {
				decoded: Buffer.from(run.slice(skipped), 'base64').toString('latin1'),
				placeOf: (start, end) => [
					first + Math.floor((start * 4) / 3),
					first + Math.ceil((end * 4) / 3),
				],
			};
		}
	}
}

function* unescaped(
	text: string,
	escapes: RegExp,
	decode: (escape: string) => Buffer,
): Generator<Decoding, void> {
	const parts = text.split(escapes);
	if (parts.length === 1) {
		return;
	}
	let decoded = '';
	const places: number[] = [];
	let place = 0;
	for (const [index, part] of parts.entries()) {
		const isEscape = index % 2 === 1;
		const said = isEscape ? decode(part).toString('latin1') : part;
		for (let at = 0; at < said.length; at++) {
			places.push(isEscape ? place : place + at);
		}
		decoded += said;
		place += part.length;
	}
	places.push(place);
	yield { decoded, placeOf: (start, end) => [places[start]!, places[end]!] };
}
