import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { retryTransient } from '../../../src/files/retryTransient.js';
import { writeWhole } from '../../../src/files/writeWhole.js';

const refusal = (code: string) => Object.assign(new Error(code), { code });

suite('files › retryTransient', () => {
	test('does a step again that was refused for a moment', async () => {
		for (const code of [
			'EMFILE',
			'ENFILE',
			'EBUSY',
			'EPERM',
			'EACCES',
			'EIO',
			'ENOSPC',
			'EAGAIN',
		]) {
			let tries = 0;
			const refused: unknown[] = [];
			const result = await retryTransient(
				() => ((tries += 1) < 4 ? Promise.reject(refusal(code)) : Promise.resolve('done')),
				{ onStall: (code) => refused.push(code) },
			);
			assert.equal(result, 'done');
			assert.deepEqual(refused, [code, undefined]);
		}
	});

	test('takes an answer for an answer', async () => {
		for (const code of [
			'ENOENT',
			'EEXIST',
			'EISDIR',
			'ENOTDIR',
			'EROFS',
			'ENAMETOOLONG',
			'ELOOP',
		]) {
			let tries = 0;
			await assert.rejects(
				retryTransient(() => {
					tries += 1;
					return Promise.reject(refusal(code));
				}),
				{ code },
			);
			assert.equal(tries, 1, code);
		}
		await assert.rejects(
			retryTransient(() => Promise.reject(new Error('a mistake of ours'))),
			/mistake/,
		);
	});

	test('gives up when the time is over, with the last refusal', async () => {
		let tries = 0;
		const startedAt = performance.now();
		await assert.rejects(
			retryTransient(() => Promise.reject(refusal(`E${String((tries += 1))}`)), { maxMs: 100 }),
			() => true,
		);
		const elapsed = performance.now() - startedAt;
		assert.ok(elapsed >= 95 && elapsed < 2000, String(elapsed));
		assert.ok(tries >= 4 && tries < 12, String(tries));
	});

	test('is ended at once by its signal', async () => {
		const controller = new AbortController();
		const step = retryTransient(() => Promise.reject(refusal('EBUSY')), {
			maxMs: 60_000,
			signal: controller.signal,
		});
		controller.abort();
		await assert.rejects(step, { name: 'AbortError' });
	});
});

suite('files › writeWhole', () => {
	let folder: string;

	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-write-'));
	});

	teardown(() => rm(folder, { recursive: true }));

	test('replaces a file in one step, also under concurrent reads', async () => {
		const file = path.join(folder, 'state.json');
		const content = (letter: string) => letter.repeat(100_000);
		await writeWhole(file, content('a'));
		let writing = true;
		const reading = (async () => {
			while (writing) {
				assert.match(await readFile(file, 'utf8'), /^(a{100000}|b{100000})$/);
			}
		})();
		for (let round = 0; round < 20; round += 1) {
			await writeWhole(file, content(round % 2 === 0 ? 'b' : 'a'));
		}
		writing = false;
		await reading;
		assert.deepEqual(await readdir(folder), ['state.json']);
	});
});
