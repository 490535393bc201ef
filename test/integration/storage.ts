import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Storage of the extension in the test that runs. */
export let storage: string;

/** Gives each test of a suite a storage of its own. */
export function useStorage(): void {
	const all: string[] = [];
	setup(async () => {
		storage = await mkdtemp(path.join(tmpdir(), 'easel-integration-'));
		all.push(storage);
	});
	// Behind the suite: what a test has dismissed is noted a moment later.
	suiteTeardown(async () => {
		for (const one of all) {
			await rm(one, { recursive: true, force: true, maxRetries: 10 });
		}
	});
}
