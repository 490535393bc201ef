import fs from 'node:fs';
import { mock } from 'node:test';

/** The descriptors that are opened from now on, as long as they are open; `mock.restoreAll` ends it. */
export function openDescriptors(): ReadonlySet<number> {
	const open = new Set<number>();
	const { openSync, closeSync } = fs;
	mock.method(fs, 'openSync', (...given: Parameters<typeof openSync>) => {
		const descriptor = openSync(...given);
		open.add(descriptor);
		return descriptor;
	});
	mock.method(fs, 'closeSync', (descriptor: number) => {
		closeSync(descriptor);
		open.delete(descriptor);
	});
	return open;
}
