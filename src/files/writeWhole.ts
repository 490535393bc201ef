import type { Stats } from 'node:fs';
import { mkdir, open, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from './fsErrors.js';
import { retryTransient, type RetryOptions } from './retryTransient.js';

/** Mode of the files of our storage: for their owner alone. Windows has no such modes. */
export const privateFile = 0o600;

/** Mode of the folders of our storage: for their owner alone. */
export const privateFolder = 0o700;

/**
 * Replaces a file: a reader finds the old content or the new one, never half of it, also after a
 * crash of the machine. Resolves when content and name are flushed. A refusal that may pass is waited
 * out: on Windows the rename fails for as long as another process has the file open.
 *
 * @throws the system's error; the old content stands then, or the new one with a name not flushed
 */
export async function writeWhole(
	file: string,
	content: string | Uint8Array,
	retry?: RetryOptions,
): Promise<void> {
	await retryTransient(async () => {
		await replaceOnce(file, content);
		await flushNames(path.dirname(file));
	}, retry);
}

/**
 * Replaces a file as {@link writeWhole} does, for what must not be there where this fails: a name that
 * cannot be flushed is no failure, so a power failure may take the whole file back.
 *
 * @throws the system's error; the old content stands then
 */
export async function writeRevocable(file: string, content: string): Promise<void> {
	await retryTransient(() => replaceOnce(file, content));
	await flushNames(path.dirname(file)).catch(() => undefined);
}

/**
 * Replaces a file in one step, once the new content is flushed. Does not flush its name.
 *
 * @param part the path that holds the new content until then
 * @throws the system's error; the old content stands then
 */
export async function replaceOnce(
	file: string,
	content: Content,
	part = `${file}.${crypto.randomUUID()}.part`,
	mode = privateFile,
): Promise<void> {
	await writeFlushed(part, content, mode);
	try {
		await rename(part, file);
	} catch (error) {
		await rm(part).catch(() => undefined);
		throw error;
	}
}

/**
 * Flushes the names in a folder, so that a power failure does not take back what was renamed or made
 * there. Does nothing where that cannot be done at all, on Windows and some file systems.
 *
 * @throws the system's error where the names could not be written, or the folder is gone. A later
 * flush that succeeds proves nothing then; the caller makes them anew
 */
export async function flushNames(folder: string): Promise<void> {
	try {
		const handle = await open(folder, 'r');
		try {
			await handle.sync();
		} finally {
			await handle.close();
		}
	} catch (error) {
		if (notFlushed.has(codeOf(error))) {
			throw error;
		}
	}
}

/** Failures of a flush that could have succeeded; all others say that a folder cannot be flushed. */
const notFlushed: ReadonlySet<string> = new Set([
	...['EIO', 'ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'],
	...['ENOENT', 'ENOTDIR'],
]);

/** Makes a folder and those above it that are missing, and flushes their names. @throws the system's error */
export async function makeFolder(folder: string): Promise<void> {
	const first = await mkdir(folder, { recursive: true });
	const made: string[] = [];
	// Those made are from the first one, which is nearest to the root, down to the folder itself.
	for (let one = path.resolve(folder); first !== undefined && one.length >= first.length;) {
		made.push(one);
		one = path.dirname(one);
	}
	try {
		for (const one of made) {
			await flushNames(path.dirname(one));
		}
	} catch (error) {
		// The next caller would take them for flushed.
		for (const one of made) {
			await rmdir(one).catch(() => undefined);
		}
		throw error;
	}
}

/** Reads a UTF-8 file, waiting out a refusal that may pass. @throws the system's error */
export async function readWhole(file: string, retry?: RetryOptions): Promise<string> {
	return retryTransient(() => readFile(file, 'utf8'), retry);
}

export type Content = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Writes a new file and flushes it. Where that fails, the flush above all, nothing of it counts, and
 * it is removed.
 *
 * @throws the system's error, or that of the content; `EEXIST` where the name is taken; `ENOENT` where
 * the file has lost its name meanwhile, as with a folder that was deleted
 */
export async function writeFlushed(
	file: string,
	content: Content,
	mode = privateFile,
): Promise<void> {
	const handle = await open(file, 'wx', mode);
	let hasName: boolean;
	try {
		let written: Stats;
		try {
			await handle.writeFile(content);
			await handle.sync().catch(ignoreUnsupported);
			written = await handle.stat();
		} finally {
			await handle.close();
		}
		// A file that has lost its name takes all that is written, and is gone once it is closed.
		hasName = (await stat(file)).size === written.size;
	} catch (error) {
		await rm(file, { force: true }).catch(() => undefined);
		throw error;
	}
	if (!hasName) {
		// It is not ours to remove.
		throw Object.assign(new Error('another file has its name'), { code: 'ENOENT' });
	}
}

/** Throws the error of a flush, but not where a network file system cannot flush at all. */
export function ignoreUnsupported(error: unknown): void {
	if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error))) {
		throw error;
	}
}
