import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from './cache';
import { Sandbox } from './sandbox';

/** A fresh copy of the sample documentation in a temporary folder, which `remove` removes. */
export async function copySample(name = 'harbor'): Promise<{ folder: string; remove: () => void }> {
	// A sandbox, so that it goes even if the runner crashes.
	const sandbox = new Sandbox();
	const folder = join(sandbox.root, name);
	await cp(join(repository, 'test/sample'), folder, { recursive: true });
	return { folder, remove: () => sandbox.close() };
}
