import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { completeIf, receiveImage } from '../../unit/service/receive.js';
import { AnswerError } from '../../../src/service/errors.js';
import { seeded } from '../../unit/images/random.js';
import { inCase, type Fuzz } from '../campaign';
import { below } from './mutate.js';

/** The reader of answers has no more than this while it reads one, beside what it began with. */
const maxMemory = 96 * 1024 * 1024;

/** Processor time for one answer, in milliseconds; the largest has 4 MiB. */
const maxMs = 5_000;

/** In memory where the system offers that: every image is flushed. */
const quickFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

type Random = () => number;

/**
 * Gives the reader of answers what a broken or hostile service may send: answers with more in them
 * than is announced, escaped in every way, cut off, changed, and split anywhere. What it makes of one
 * must be what `JSON.parse` and Node's own base64 make of it, or an {@link AnswerError}; and what it
 * makes must not depend on where the pieces end.
 * Neither a crash, a wrong image, a hang nor memory without a bound may come of one.
 */
export const fuzzAnswers: Fuzz = async ({ cases, seed }) => {
	const folder = await mkdtemp(path.join(quickFolder, 'easel-fuzz-answers-'));
	const count = { received: 0, refused: 0 };
	try {
		for (let number = 0; number < cases; number += 1) {
			const random = seeded(seed * 1_000_003 + number);
			count[await inCase(seed, number, () => fuzzOne(random, path.join(folder, 'image')))] += 1;
		}
	} finally {
		await rm(folder, { recursive: true });
	}
	return { cases, note: `${String(count.received)} received, ${String(count.refused)} refused` };
};

/** The outcome of an answer. */
type End = 'received' | 'refused';

interface Outcome {
	readonly end: End;
	readonly image: Buffer | undefined;
	readonly problem: string | undefined;
}

async function fuzzOne(random: Random, file: string): Promise<End> {
	// The pieces behind the first 512 characters of an image are read in a way of their own.
	const most = chance(random, 0.005) ? 100_000 : pick(random, [400, 400, 4_000]);
	const image = bytesOf(random, most);
	const sound = Buffer.from(answerWith(random, image));
	const sent = chance(random, 0.35) ? sound : damaged(random, sound);
	const first = await read(pieces(random, sent), file, image);
	const again = await read(pieces(random, sent), file, image);
	if (first.end !== again.end || kindOf(first) !== kindOf(again)) {
		throw new Error(`depends on where it is split: ${words(first)}, then ${words(again)}`);
	}
	if (sent === sound && (first.end !== 'received' || !first.image?.equals(image))) {
		throw new Error(`a sound answer: ${words(first)}`);
	}
	const plain = imageByPlainWay(sent);
	// Where the first item has no image, that of the second counts.
	const sought = plain && [plain, Buffer.from('hi')];
	if (first.end === 'received' && sought?.some((one) => first.image?.equals(one)) === false) {
		throw new Error(`not what JSON.parse finds: ${words(first)}`);
	}
	return first.end;
}

/** Two of the problems say the same of an image with characters that belong nowhere. */
function kindOf({ problem }: Outcome): string | undefined {
	return problem === 'brokenBase64' ? 'notJson' : problem;
}

function words({ end, image, problem }: Outcome): string {
	return `${end} ${problem ?? ''} ${String(image?.length ?? 0)} bytes`;
}

/** Reads an answer in these pieces, and looks at the time and memory that it takes. */
async function read(parts: readonly Buffer[], file: string, image: Buffer): Promise<Outcome> {
	const before = process.memoryUsage.rss();
	const cpu = process.cpuUsage();
	let most = before;
	// eslint-disable-next-line @typescript-eslint/require-await -- a body is read asynchronously
	async function* body(): AsyncGenerator<Uint8Array> {
		for (const [index, part] of parts.entries()) {
			yield part;
			if (index % 64 === 0) {
				most = Math.max(most, process.memoryUsage.rss());
			}
		}
	}
	let outcome: Outcome;
	try {
		await receiveImage(body(), file, { inspect: completeIf(image) });
		const received = await readFile(file);
		outcome = { end: 'received', image: received, problem: undefined };
		await rm(file);
	} catch (error) {
		outcome = { end: 'refused', image: undefined, problem: problemOf(error) };
	}
	most = Math.max(most, process.memoryUsage.rss());
	const { user, system } = process.cpuUsage(cpu);
	if (user + system > maxMs * 1000) {
		throw new Error(`took ${String((user + system) / 1000)} ms of the processor`);
	}
	if (most - before > maxMemory) {
		throw new Error(`took ${String((most - before) / 1024 / 1024)} MiB`);
	}
	return outcome;
}

/** @throws what is no refusal of an answer */
function problemOf(error: unknown): string | undefined {
	if (error === undefined || error instanceof AnswerError) {
		return error?.facts.code;
	}
	throw new Error('a crash', { cause: error });
}

/**
 * Returns the image that a reader with everything in memory finds; `undefined` where it refuses what ours
 * understands: an end that is missing or followed by more, a raw line break, an item without an image.
 */
function imageByPlainWay(sent: Buffer): Buffer | undefined {
	let base64: unknown;
	try {
		const value = JSON.parse(sent.toString('utf8')) as { data: { b64_json: unknown }[] };
		base64 = value.data[0]!.b64_json;
	} catch {
		return undefined;
	}
	if (typeof base64 !== 'string' || base64 === '') {
		return undefined;
	}
	const marker = base64.indexOf('base64,');
	return Buffer.from(base64.slice(marker < 0 ? 0 : marker + 7), 'base64');
}

/** An answer as a service may write it, with the image in it. */
function answerWith(random: Random, image: Buffer): string {
	const prefix = pick(random, [
		'',
		'',
		'',
		'data:image/png;base64,',
		'data:;charset=utf-8;base64,',
	]);
	let base64 = image.toString('base64');
	if (chance(random, 0.1)) {
		base64 = base64.replace(/=+$/, '');
	}
	if (chance(random, 0.1)) {
		base64 = base64.replace(/.{76}/g, '$&\r\n');
	}
	const item = fields(random, [
		`"b64_json"${blank(random)}:${blank(random)}${text(random, prefix + base64)}`,
	]);
	const more = chance(random, 0.2) ? `,{"b64_json":"aGk=","a":${value(random, 3)}}` : '';
	const all = fields(random, [
		`"data":${blank(random)}[${blank(random)}${item}${more}${blank(random)}]`,
	]);
	return blank(random) + all + blank(random);
}

/** An object with this field somewhere among others. */
function fields(random: Random, known: readonly string[]): string {
	const others = (most: number) =>
		Array.from({ length: below(random, most) }, () => {
			const name = pick(random, [
				'id',
				'é',
				'usage',
				'b64',
				'',
				'x'.repeat(300),
				'a"b',
				'__proto__',
			]);
			return `${JSON.stringify(name)}:${value(random, 3)}`;
		});
	return `{${[...others(3), ...known, ...others(3)].join(`,${blank(random)}`)}}`;
}

function value(random: Random, depth: number): string {
	const kind = below(random, depth > 0 ? 8 : 6);
	switch (kind) {
		case 0:
			return pick(random, ['0', '-1.5e3', '12345678901234567890', '1E-2']);
		case 1:
			return pick(random, ['true', 'false', 'null']);
		case 2:
			return text(
				random,
				'x'.repeat(chance(random, 0.01) ? 70_000 : pick(random, [0, 255, 256, 257])),
			);
		case 3:
			return text(random, '👩‍🚀 é 図 \ud83d "b64_json":"aGk=" \\ / \u2028');
		case 4:
			return '"aGk="';
		case 5:
			return pick(random, ['{}', '[]', '{"data":[{"b64_json":"aGk="}]}', '[{"b64_json":"aGk="}]']);
		case 6:
			return `[${Array.from({ length: below(random, 4) }, () => value(random, depth - 1)).join(',')}]`;
		default:
			return `{"a":${value(random, depth - 1)},"b64_json":${value(random, depth - 1)}}`;
	}
}

/** A text in JSON, with more or fewer of its characters written as escapes. */
function text(random: Random, content: string): string {
	const share = pick(random, [0, 0, 0.01, 0.3, 1]);
	if (share === 0) {
		return JSON.stringify(content);
	}
	const escape = (unit: string) => {
		const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
		return unit === '/' && chance(random, 0.5)
			? '\\/'
			: `\\u${chance(random, 0.5) ? hex : hex.toUpperCase()}`;
	};
	const units = content.split('').map((unit) => {
		return chance(random, share) ? escape(unit) : JSON.stringify(unit).slice(1, -1);
	});
	return `"${units.join('')}"`;
}

const bombs = [
	...['[', '{"a":', '{},', '1,', '"",', '9', 'x', '\\', '"', ' ', '\\u0041', '=', '\0'],
	...['é'],
];

/** The same answer, cut off, changed, mixed with itself, or with something without an end in it. */
function damaged(random: Random, answer: Buffer): Buffer {
	const at = below(random, answer.length + 1);
	const [before, behind] = [answer.subarray(0, at), answer.subarray(at)];
	switch (below(random, 7)) {
		case 0:
			return before;
		case 1:
			return Buffer.concat([before, behind.subarray(below(random, 8))]);
		case 2: {
			const changed = Buffer.from(answer);
			for (let times = 1 + below(random, 4); times > 0; times -= 1) {
				changed[below(random, changed.length)] = below(random, 256);
			}
			return changed;
		}
		case 3:
			return Buffer.concat([before, Buffer.from(pick(random, [...'"\\{}[]:,u0aZ=!/'])), behind]);
		case 4:
			return Buffer.concat([before, answer.subarray(below(random, at + 1))]);
		case 5: {
			const bomb = pick(random, bombs);
			const times = below(random, chance(random, 0.03) ? 400_000 : 2_000);
			return Buffer.concat([before, Buffer.from(bomb.repeat(times)), behind]);
		}
		default:
			return Buffer.concat([
				answer,
				Buffer.from(pick(random, ['<html>', '{}', ' x', '\n\n', '\xff'])),
			]);
	}
}

/** Splits bytes anywhere, in the middle of a character or an escape too. */
function pieces(random: Random, whole: Buffer): Buffer[] {
	const size = pick(random, [1, 2, 3, 7, 100, 1_000, 16_384, 65_536]);
	// Single bytes of what is large would take minutes; those of a small one do the same.
	const least = Math.max(size, Math.ceil(whole.length / 200));
	const result: Buffer[] = [];
	for (let at = 0; at < whole.length;) {
		const length = chance(random, 0.2) ? 1 + below(random, 2 * least) : least;
		result.push(whole.subarray(at, at + length));
		at += length;
	}
	return result;
}

function bytesOf(random: Random, most: number): Buffer {
	return Buffer.from(Array.from({ length: 1 + below(random, most) }, () => below(random, 256)));
}

function blank(random: Random): string {
	return pick(random, ['', '', '', ' ', '\r\n\t']);
}

function chance(random: Random, share: number): boolean {
	return random() < share;
}

function pick<T>(random: Random, from: readonly T[]): T {
	return from[below(random, from.length)]!;
}
