import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Empty folder of the test that runs; it is removed with all that is in it. */
export let scratch: string;

/** Gives each test of a suite the folder. */
export function useScratch(): void {
	setup(async () => {
		scratch = await mkdtemp(path.join(tmpdir(), 'easel-test-'));
	});
	teardown(() => rm(scratch, { recursive: true, force: true }));
}
