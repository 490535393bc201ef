import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';

/** Empty folder of the test that runs; it is removed with all that is in it. */
export let scratch: string;

/** Gives each test of a suite the folder. */
export function useScratch(): void {
	setup(async () => {
		scratch = await mkdtemp(path.join(tmpdir(), 'easel-unit-'));
	});
	teardown(async () => {
		// What a test has put in the place of the file system must not remove it.
		mock.restoreAll();
		// What a test has not waited for may still make a file in it.
		await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
	});
}

/** The same; returns what makes the paths in it. */
export function useFolder(): (name?: string) => string {
	useScratch();
	return (name = '') => path.join(scratch, name);
}
