import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { LineFile } from '../../../src/jobs/lineFile.js';

const schema = z.object({ about: z.string(), word: z.string() });
type Line = z.infer<typeof schema>;

suite('jobs › line file', () => {
	let storage: string;

	setup(async () => {
		storage = await mkdtemp(path.join(tmpdir(), 'easel-lines-'));
	});

	teardown(() => rm(storage, { recursive: true }));

	const file = () => path.join(storage, 'lines.jsonl');

	/** As each window has one of its own. */
	function opened(
		most = 1000,
		forget: (lines: Map<string, Line>) => Promise<void> = () => Promise.resolve(),
	): LineFile<Line> {
		return new LineFile({ file: file(), schema, keyOf: ({ about }) => about, most, forget });
	}

	async function words(one: LineFile<Line>): Promise<string[]> {
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
		await here.append([{ about: 'a', word: 'one' }]);
		await here.lines();
		const { version } = here;
		await here.lines();
		assert.equal(here.version, version);
		await there.append([{ about: 'a', word: 'two' }]);
		await here.lines();
		assert.notEqual(here.version, version);
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

	test('follows another window that has written it anew', async () => {
		const here = opened();
		for (let time = 0; time < 150; time++) {
			await here.append([{ about: 'a', word: String(time) }]);
		}
		await here.append([{ about: 'b', word: 'stays' }]);
		const { ino } = await stat(file());
		const there = opened(1000, (lines) => {
			lines.delete('a');
			return Promise.resolve();
		});
		assert.deepEqual(await words(there), ['b stays']);
		assert.notEqual((await stat(file())).ino, ino);
		await there.append([{ about: 'c', word: 'new' }]);
		assert.deepEqual(await words(here), ['b stays', 'c new']);
		assert.deepEqual(await words(there), ['b stays', 'c new']);
	});

	test('is read once by those who come together', async () => {
		const lines = Array.from({ length: 5000 }, (_, index) => ({ about: String(index), word: 'x' }));
		await opened().append(lines);
		const here = opened();
		const [first, second] = await Promise.all([here.lines(), here.lines()]);
		assert.equal(first, second);
		assert.equal(first.size, 5000);
	});
});
