import { spawn } from 'node:child_process';
import type { Order } from './conversation.js';

/** What the worker says when it can be followed. */
export const ready = 'ready\n';

/** The name of the socket that a job's worker listens on. */
export function workerName(id: string): string {
	return `${workerPrefix}${id}`;
}

/** The job whose worker listens on this name; `undefined` where it is no worker's. */
export function jobOf(name: string): string | undefined {
	return name.startsWith(workerPrefix) ? name.slice(workerPrefix.length) : undefined;
}

const workerPrefix = 'job-';

/** The worker did not start. Nothing was sent. */
export class WorkerError extends Error {
	override readonly name = 'WorkerError';
}

/**
 * Starts the process that asks for the image, and resolves when it can be followed. It goes on
 * when this process ends: it is detached, because libuv ends every other child together with its
 * parent on Windows, and none of its streams leads here any more.
 *
 * @param script the worker's bundle
 * @returns its process id, for the log
 * @throws {WorkerError} where it does not start; nothing was sent then
 */
export async function startWorker(script: string, order: Order): Promise<number> {
	const child = spawn(process.execPath, ['--max-semi-space-size=1', script], {
		detached: true,
		windowsHide: true,
		stdio: ['pipe', 'pipe', 'ignore'],
		env: { ...inherited(), ELECTRON_RUN_AS_NODE: '1' },
	});
	await new Promise<void>((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (code) => {
			reject(new Error(`it ended with code ${String(code)}`));
		});
		child.stdout.once('data', () => {
			resolve();
		});
		child.stdin.on('error', () => undefined);
		child.stdin.end(JSON.stringify(order));
	}).catch((error: unknown) => {
		const words = error instanceof Error ? error.message : String(error);
		throw new WorkerError(`Easel's worker process could not be started (${words}).`);
	});
	child.removeAllListeners();
	child.stdout.destroy();
	child.unref();
	return child.pid ?? 0;
}

/** Nothing of the editor's own variables, and none of the user's secrets. */
const passedOn =
	/^(PATH|HOME|USER|LOGNAME|LANG|LC_.*|TMPDIR|TEMP|TMP|SystemRoot|windir|APPDATA|LOCALAPPDATA|USERPROFILE|(HTTPS?|NO|ALL)_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i;

function inherited(): NodeJS.ProcessEnv {
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.test(name)));
}
