import { open, type FileHandle } from 'node:fs/promises';
import { mock } from 'node:test';

/**
 * Has every flush of a file call `act` first, and be refused where that throws. `mock.restoreAll`
 * ends it.
 *
 * @returns the files that were flushed; one that is closed has the descriptor -1
 */
export async function onFlush(
	act: () => void | Promise<void> = () => undefined,
): Promise<ReadonlySet<FileHandle>> {
	const handle = await open(import.meta.filename, 'r');
	const prototype = Object.getPrototypeOf(handle) as Pick<FileHandle, 'sync'>;
	await handle.close();
	const { sync } = prototype;
	const flushed = new Set<FileHandle>();
	mock.method(prototype, 'sync', async function (this: FileHandle) {
		flushed.add(this);
		await act();
		return sync.call(this);
	});
	return flushed;
}
