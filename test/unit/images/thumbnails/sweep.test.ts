import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mock } from 'node:test';
import { sweep } from '../../../../src/images/thumbnails/sweep.js';
import { scratch as folder, useScratch } from '../../scratch.js';

const now = Date.parse('2026-03-04T12:00:00.000Z');
const hourMs = 3_600_000;
const endless = { bytes: Infinity, files: Infinity };

suite('images › thumbnails › sweep', () => {
	useScratch();
	teardown(() => {
		mock.restoreAll();
	});

	const left = () => readdirSync(folder).sort();

	/** A file of so many bytes that was used so many milliseconds ago. */
	function write(name: string, bytes: number, agoMs: number): void {
		writeFileSync(path.join(folder, name), Buffer.alloc(bytes));
		utimesSync(path.join(folder, name), (now - agoMs) / 1000, (now - agoMs) / 1000);
	}

	const nameOf = (index: number) => `${index.toString(16).padStart(64, '0')}-256.webp`;

	/** Ten thumbnails of ten bytes each; the higher its number, the longer ago one was used. */
	function writeTen(): string[] {
		const names = Array.from({ length: 10 }, (_, index) => nameOf(index));
		for (const [index, name] of names.entries()) {
			write(name, 10, index * 1000);
		}
		return names;
	}

	test('leaves everything where nothing exceeds its bounds', () => {
		const names = writeTen();
		sweep(folder, { bytes: 100, files: 10 }, now);
		assert.deepEqual(left(), names);
	});

	test('looks at both bounds until both hold', () => {
		const names = writeTen();
		sweep(folder, { bytes: 50, files: 9 }, now);
		assert.deepEqual(left(), names.slice(0, 4));
		sweep(folder, { bytes: 39, files: 2 }, now);
		assert.deepEqual(left(), names.slice(0, 1));
	});

	test('deletes what a crash has left half written, and nothing that is being written', () => {
		const part = (name: string) => `${nameOf(1)}.${name}.part`;
		write(part('old'), 10, hourMs + 1000);
		write(part('fresh'), 10, hourMs);
		write(nameOf(2), 10, 100 * hourMs);
		sweep(folder, endless, now);
		assert.deepEqual(left(), [part('fresh'), nameOf(2)].sort());
		// It is no thumbnail yet, so it counts for none.
		sweep(folder, { bytes: 10, files: 1 }, now);
		assert.deepEqual(left(), [part('fresh'), nameOf(2)].sort());
	});

	test('leaves alone what is not ours', () => {
		const hash = 'a'.repeat(64);
		const foreign = [
			...['notes.txt', `${hash}.webp`, `${hash}-.webp`, `${hash}-x.webp`, `${hash}-256.png`],
			...[`x${hash}-256.webp`, `${hash.slice(1)}-256.webp`, `${hash.toUpperCase()}-256.webp`],
		];
		for (const name of foreign) {
			write(name, 10, hourMs * 100);
		}
		mkdirSync(path.join(folder, nameOf(1)));
		sweep(folder, { bytes: 0, files: 0 }, now);
		assert.deepEqual(left(), [...foreign, nameOf(1)].sort());
	});
});
