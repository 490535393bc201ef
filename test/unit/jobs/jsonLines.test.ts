import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import fs, { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import * as z from 'zod';
import { fileOfMonth, JsonLines } from '../../../src/jobs/jsonLines.js';
import { onFlush } from '../files/flushes.js';
import { scratch as storage, useScratch } from '../scratch.js';

const schema = z.object({ about: z.string(), word: z.string() });
type Line = z.infer<typeof schema>;

suite('jobs › jsonLines', () => {
	useScratch();
	const file = () => path.join(storage, 'lines.jsonl');

	/** Opens the lines as another window. */
	function opened(
		change: Partial<ConstructorParameters<typeof JsonLines<Line>>[0]> = {},
	): JsonLines<Line> {
		return new JsonLines({ file: file(), schema, keyOf: ({ about }) => about, ...change });
	}

	async function words(one: JsonLines<Line>): Promise<string[]> {
		return [...(await one.lines()).values()].map(({ about, word }) => `${about} ${word}`);
	}

	test('has what other windows append, and their last word', async () => {
		const [here, there] = [opened(), opened()];
		assert.deepEqual(await words(here), []);
		await there.append([{ about: 'a', word: 'one' }]);
		await here.append([{ about: 'b', word: 'two' }]);
		await there.append([{ about: 'b', word: 'three' }]);
		assert.deepEqual((await words(here)).sort(), ['a one', 'b three']);
		assert.deepEqual((await words(there)).sort(), ['a one', 'b three']);
	});

	test('says when there is something new, and only then', async () => {
		const [here, there] = [opened(), opened()];
		const seen = new Set<unknown>();
		const isNew = async (what: string) => {
			const lines = await here.lines();
			assert.ok(!seen.has(lines), what);
			seen.add(lines);
			assert.equal(await here.lines(), lines, `${what}, and nothing since`);
		};
		await here.append([{ about: 'a', word: 'one' }]);
		await isNew('the first line');
		await here.append([{ about: 'a', word: 'two' }]);
		await isNew('another one');
		await there.append([{ about: 'a', word: 'three' }]);
		await isNew('of another window');
		await appendFile(file(), '\n{"about":"b","wo\n{"about":"b","word":"four"}');
		await isNew('behind one that was cut off');
		await rm(file());
		await there.append([{ about: 'c', word: 'five' }]);
		await isNew('in another file');
	});

	test('knows what it has appended, and only the user may read the file', async () => {
		const here = opened();
		await here.lines();
		await here.append([{ about: 'a', word: 'one' }]);
		await here.append([
			{ about: 'b', word: 'two' },
			{ about: 'c', word: 'three' },
		]);
		assert.deepEqual([...(await here.lines()).keys()], ['a', 'b', 'c']);
		const { mode } = await stat(file());
		assert.equal(process.platform === 'win32' ? 0 : mode & 0o077, 0);
	});

	test('appends one after the other, made of what was appended before, whatever failed', async () => {
		const here = opened();
		await Promise.all(
			['one', 'two', 'three'].map((word) =>
				here.change((known) => [
					{ about: 'a', word: [known.get('a')?.word, word].filter(Boolean).join(' ') },
				]),
			),
		);
		const failed = here.change(() => {
			throw new Error('not this one');
		});
		const next = here.append([{ about: 'b', word: 'four' }]);
		await assert.rejects(failed, { message: 'not this one' });
		await next;
		assert.deepEqual(await words(opened()), ['a one two three', 'b four']);
	});

	test('reads no more than what has come since', async () => {
		const here = opened();
		await here.append([{ about: 'a', word: 'one' }]);
		await here.lines();
		// What is known already is not read again: as if it were damaged meanwhile.
		const whole = await readFile(file(), 'utf8');
		const handle = whole.replace('one', 'won');
		await writeFile(file(), handle, { flag: 'r+' });
		await appendFile(file(), '\n{"about":"b","word":"two"}');
		assert.deepEqual(await words(here), ['a one', 'b two']);
	});

	test('takes a line whose end comes later, and letters of several bytes', async () => {
		const here = opened();
		const line = Buffer.from('\n{"about":"a","word":"Hafen 🦊"}');
		for (const cut of [1, 12, line.length - 6, line.length - 4, line.length - 1]) {
			await writeFile(file(), line.subarray(0, cut));
			const fresh = opened();
			assert.deepEqual(await words(fresh), [], String(cut));
			await appendFile(file(), line.subarray(cut));
			assert.deepEqual(await words(fresh), ['a Hafen 🦊'], String(cut));
		}
		assert.deepEqual(await words(here), ['a Hafen 🦊']);
	});

	test('leaves out what was cut off, also when more follows', async () => {
		const here = opened();
		await writeFile(file(), '\n{"about":"a","wo');
		assert.deepEqual(await words(here), []);
		await opened().append([{ about: 'b', word: 'two' }]);
		assert.deepEqual(await words(here), ['b two']);
	});

	test('begins anew where the file is another one, shorter, or gone', async () => {
		const here = opened();
		await here.append([
			{ about: 'a', word: 'one' },
			{ about: 'b', word: 'two' },
		]);
		await here.lines();
		await writeFile(file(), '\n{"about":"c","word":"three"}');
		assert.deepEqual(await words(here), ['c three']);
		await rm(file());
		assert.deepEqual(await words(here), []);
		await here.append([{ about: 'd', word: 'four' }]);
		assert.deepEqual(await words(here), ['d four']);
	});

	/** Lines as another window writes them. */
	async function write(lines: readonly Line[]): Promise<void> {
		await writeFile(file(), lines.map((line) => `\n${JSON.stringify(line)}`).join(''));
	}

	const about = (...names: string[]) => names.map((name) => ({ about: name, word: 'x' }));

	const late = (name: string) => `\n${JSON.stringify({ about: name, word: 'late' })}`;

	test('appends again what it has written into a file that another window has just replaced', async () => {
		await write(about('a'));
		const { open } = fs;
		const method = mock.method(fs, 'open', async (...given: Parameters<typeof open>) => {
			const handle = await open(...given);
			if (given[1] === 'a') {
				method.mock.restore();
				renameSync(file(), `${file()}.old`);
				writeFileSync(file(), late('b'));
			}
			return handle;
		});
		const here = opened();
		await here.append(about('c'));
		assert.deepEqual(await words(opened()), ['b late', 'c x']);
		assert.deepEqual(await words(here), ['b late', 'c x']);
	});

	test('says that a line is there only when it is flushed, and writes it anew where that has failed', async () => {
		const here = opened();
		await here.append(about('a'));
		let flushes = 0;
		const flushed = await onFlush(() => {
			flushes += 1;
			if (flushes === 1) {
				throw Object.assign(new Error('refused'), { code: 'EIO' });
			}
		});
		await here.append(about('b'));
		mock.restoreAll();
		assert.ok(flushes >= 2 && flushed.size >= 2);
		assert.deepEqual((await readFile(file(), 'utf8')).match(/"about":"b"/g)?.length, 2);
		assert.deepEqual(await words(opened()), ['a x', 'b x']);
	});

	test('takes nothing for appended that was refused', async () => {
		const here = opened();
		await here.lines();
		await mkdir(file());
		await assert.rejects(here.append(about('a')), { code: 'EISDIR' });
		await rm(file(), { recursive: true });
		await here.change((known) => (known.has('a') ? [] : about('a')));
		assert.deepEqual(await words(opened()), ['a x']);
	});

	test('of months has one order for all windows, and forgets whole months', async () => {
		let now = new Date(2026, 0, 31).getTime();
		const month = (behindMs = 0) => opened({ maxAgeMonths: 1, now: () => now - behindMs });
		const [here, there] = [month(), month()];
		await here.append(about('a'));
		const january = fileOfMonth(file(), new Date(now));
		now = new Date(2026, 1, 1).getTime();
		await there.append(about('b'));
		await here.lines();
		// One that is late.
		await appendFile(january, late('c'));
		// A window whose clock is behind, or in another time zone: what it appends comes last all the same.
		await month(3_600_000).append(about('d'));
		for (const window of [here, there, month()]) {
			assert.deepEqual([...(await window.lines()).keys()], ['a', 'c', 'b', 'd']);
		}
		now = new Date(2026, 2, 1).getTime();
		assert.deepEqual(await words(here), ['b x', 'd x']);
		assert.deepEqual(await readdir(storage), ['lines-2026-02.jsonl']);
	});

	test('knows whether a line could not be read, and which came after it', async () => {
		const here = opened();
		await here.append(about('a'));
		await here.lines();
		assert.deepEqual([here.unreadable], [undefined]);
		await appendFile(file(), '\n{"format":2,"about":"b","word":"x"}\n');
		await here.lines();
		assert.deepEqual(here.unreadable, { before: undefined });
		await here.append(about('c', 'd'));
		await here.lines();
		assert.deepEqual(here.unreadable, { before: about('c')[0] });
	});

	test('lets others have the thread every 8 ms while many lines are read, and not after each', async () => {
		await write(about(...Array.from({ length: 100 }, (_, index) => String(index))));
		// A clock of our own, so that no busy machine decides: a line takes 3 ms.
		let time = 0;
		mock.method(performance, 'now', () => time);
		let turns = 0;
		let turn: NodeJS.Immediate;
		const count = () => {
			turns += 1;
			turn = setImmediate(count);
		};
		turn = setImmediate(count);
		const linesInTurn = new Map<number, number>();
		const slow = schema.transform((line) => {
			time += 3;
			linesInTurn.set(turns, (linesInTurn.get(turns) ?? 0) + 1);
			return line;
		});
		try {
			await opened({ schema: slow }).lines();
		} finally {
			clearImmediate(turn);
			mock.restoreAll();
		}
		assert.deepEqual([...linesInTurn.values()].slice(0, -1), new Array(33).fill(3));
	});
});
