import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';

/** Gives each test of a suite an empty folder, and returns what makes the paths in it. */
export function useFolder(): (name?: string) => string {
	let folder: string;
	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-unit-'));
	});
	teardown(async () => {
		// What a test has put in the place of the file system must not remove it.
		mock.restoreAll();
		await rm(folder, { recursive: true });
	});
	return (name = '') => path.join(folder, name);
}
