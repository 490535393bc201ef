import { open, readFile, rename, rm } from 'node:fs/promises';
import { codeOf } from './refusal.js';
import { patiently, type Patience } from './patiently.js';

/** Only their owner reads the files of our storage. */
export const privateFile = 0o600;

/** Only their owner looks into the folders of our storage. */
export const privateFolder = 0o700;

/**
 * Replaces a file: whoever reads it finds the old content or the new one, never a half, also after
 * a crash of the machine. Resolves when it is on disk. A refusal that may pass is waited out: on
 * Windows the rename fails for as long as somebody has the file open.
 *
 * @throws the system's error, where it does not pass; the old content stands then
 */
export async function writeWhole(
	file: string,
	content: string | Uint8Array,
	patience?: Patience,
): Promise<void> {
	await patiently(async () => {
		const part = `${file}.${crypto.randomUUID()}.part`;
		try {
			await writeFlushed(part, content);
			await rename(part, file);
		} catch (error) {
			await rm(part).catch(() => undefined);
			throw error;
		}
	}, patience);
}

/** Reads a text, waiting out what may pass. */
export async function readWhole(file: string, patience?: Patience): Promise<string> {
	return patiently(() => readFile(file, 'utf8'), patience);
}

/** Writes a new file and flushes it. */
export async function writeFlushed(file: string, content: string | Uint8Array): Promise<void> {
	const handle = await open(file, 'wx', privateFile);
	try {
		await handle.writeFile(content);
		await handle.sync().catch(ignoreUnsupported);
	} finally {
		await handle.close();
	}
}

/** Some network file systems cannot flush. Then nobody can do better. */
export function ignoreUnsupported(error: unknown): void {
	if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error))) {
		throw error;
	}
}
