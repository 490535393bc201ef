/*
 * Meaning of a refusal of the file system. "It is not there" and "I could not look" are different
 * answers: code that takes the second for the first forgets, repeats or overwrites what exists.
 */

/** The system's code of an error, for example `ENOENT`; empty where it has none. */
export function codeOf(error: unknown): string {
	const code = (error as { readonly code?: unknown } | null | undefined)?.code;
	return typeof code === 'string' ? code : '';
}

/**
 * Returns whether the file system has said that there is no such file: `ENOENT`, `ENOTDIR` where a
 * file stands in the place of a folder above it, and `FileNotFound` of VS Code's file systems.
 */
export function isNotFound(error: unknown): boolean {
	return ['ENOENT', 'ENOTDIR', 'FileNotFound'].includes(codeOf(error));
}

/**
 * Returns whether the same step may work a moment later: all codes but those that are an answer. A
 * virus scanner or an indexer on Windows causes `EPERM`, `EACCES` and `EBUSY` for some
 * milliseconds, a full table of open files `EMFILE` and `ENFILE`, and a full disk `ENOSPC` until
 * there is room.
 */
export function isTransient(error: unknown): boolean {
	const code = codeOf(error);
	return code !== '' && !final.has(code);
}

const final: ReadonlySet<string> = new Set([
	...['ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY', 'ENAMETOOLONG', 'ELOOP', 'EINVAL'],
	...['EROFS', 'EXDEV', 'EFBIG', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'],
	// Those of VS Code's file systems.
	...['FileNotFound', 'FileExists', 'FileNotADirectory', 'FileIsADirectory'],
	...['ERR_INVALID_ARG_TYPE', 'ERR_INVALID_ARG_VALUE', 'ABORT_ERR', 'NotRegular', 'TooLarge'],
]);
