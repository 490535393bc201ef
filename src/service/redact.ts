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
 * Replaces secrets by `***`, in any letter case. Finds a secret as it is, percent-encoded, and with
 * the escapes of JSON (`\uXXXX`, `\"`, `\\`, `\/`), where any share of its characters is encoded. Does
 * not find it in base64, in one encoding within another, nor in part, as a service shows it that masks
 * keys. Secrets under 4 characters stay: they would black out ordinary words. Takes a time that grows
 * linearly with the text.
 */
export function hideSecrets(text: string, secrets: readonly string[]): string {
	const bytes = Buffer.from(text);
	let result = '';
	let shownTo = 0;
	for (const [start, end] of findSecrets(bytes.toString('latin1'), secrets, minLength)) {
		result += `${bytes.toString('utf8', shownTo, start)}***`;
		shownTo = end;
	}
	return shownTo === 0 ? text : result + bytes.toString('utf8', shownTo);
}

/**
 * Hides secrets in a file of any content and size, in the forms of {@link hideSecrets}. Each becomes
 * as many `*`, so that the rest of the file keeps its place. Secrets under 8 characters stay: the data
 * of an image contain them by chance.
 *
 * @throws the system's error; the file is as it was then
 */
export async function redactInPlace(file: string, secrets: readonly string[]): Promise<void> {
	const clean = `${file}.clean`;
	await rm(clean, { force: true });
	await replaceOnce(file, redactPieces(file, secrets), clean);
}

async function* redactPieces(source: string, secrets: readonly string[]): AsyncGenerator<Buffer> {
	// The end of what was read is held back: a secret may go on in the next piece.
	const heldBytes = Math.max(0, ...secrets.map(maxEncodedLength));
	let held = '';
	let shown = Buffer.alloc(0);
	// Opened only when it is read: what fails before must leave nothing open.
	for await (const piece of createReadStream(source) as AsyncIterable<Buffer>) {
		held += piece.toString('latin1');
		shown = Buffer.concat([shown, piece]);
		for (const [start, end] of findSecrets(held, secrets, minFileLength)) {
			shown.fill('*', start, end);
		}
		const cut = Math.max(0, held.length - heldBytes);
		yield shown.subarray(0, cut);
		held = held.slice(cut);
		shown = shown.subarray(cut);
	}
	yield shown;
}

const minLength = 4;
const minFileLength = 8;

/** Returns how long a secret can be in the longest form that is found: 6 for each byte, as `\u0041`. */
export function maxEncodedLength(secret: string): number {
	return 6 * Buffer.byteLength(secret);
}

/** Finds secrets of a length in bytes that were read as latin1; none touches another one. */
function* findSecrets(
	text: string,
	secrets: readonly string[],
	shortest: number,
): Generator<[start: number, end: number]> {
	const found = new Uint8Array(text.length + 1);
	for (const { decoded, placeOf } of decodings(text)) {
		const lower = decoded.toLowerCase();
		for (const secret of secrets.filter(({ length }) => length >= shortest)) {
			const sought = Buffer.from(secret).toString('latin1').toLowerCase();
			for (let at = lower.indexOf(sought); at >= 0;) {
				const end = at + sought.length;
				found.fill(1, ...placeOf(at, end));
				at = lower.indexOf(sought, end);
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

/** Decodes each encoding once, not one within the other. */
function* decodings(text: string): Generator<Decoding, void> {
	yield { decoded: text, placeOf: (start, end) => [start, end] };
	yield* unescaped(text, /(%[0-9a-f]{2})/i, (escape) => Buffer.from(escape.slice(1), 'hex'));
	yield* unescaped(text, /(\\(?:u[0-9a-fA-F]{4}|["\\/]))/, (escape) =>
		Buffer.from(JSON.parse(`"${escape}"`) as string),
	);
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
