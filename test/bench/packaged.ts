import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packageExtension } from '../host/package.js';

let vsix: Promise<string> | undefined;

/** The packaged extension, made once for all that is measured in a workbench. */
export function packaged(): Promise<string> {
	return (vsix ??= make());
}

async function make(): Promise<string> {
	const folder = mkdtempSync(path.join(tmpdir(), 'easel-bench-package-'));
	process.once('exit', () => rmSync(folder, { recursive: true }));
	return packageExtension(path.join(folder, 'easel.vsix'));
}
