import { spawn, type ChildProcess } from 'node:child_process';
import { addAbortListener } from 'node:events';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EaselError, factsOfError, type ErrorFacts, type FactsOf } from '../easelError.js';
import { isNotFound } from '../files/fsErrors.js';
import { privateFile } from '../files/writeWhole.js';
import { CancelledError } from '../service/errors.js';
import { readState, workerOutputFile } from './jobFolder.js';
import { toMessageLine } from './messageLines.js';
import {
	receive,
	startMessageSchema,
	type StartMessage,
	type WorkerInput,
} from './workerProtocol.js';

/** The worker did not start, and nothing was sent. */
export class WorkerError extends EaselError {
	override readonly name = 'WorkerError';
}

export interface StartOptions {
	/** The worker's bundle. */
	readonly script: string;
	readonly input: WorkerInput;
	/** Gives the start up. */
	readonly signal?: AbortSignal;
	/** Programs that may run the worker, in this order; the editor's own and Node by default. */
	readonly programs?: readonly string[];
	/** Limit of a start with each program, in ms in which this process can work; 20,000 by default. */
	readonly startTimeoutMs?: number;
}

/**
 * Starts the process that requests the image, and resolves when it can be followed. It goes on when
 * this process ends: none of its streams leads here any more, and it is detached, because on Windows
 * libuv ends every other child with its parent.
 *
 * Usually the editor's own program runs it, as Node. Some editors open a window of theirs instead.
 * Therefore a process gets its input, and with it the key, only after it has reported as our worker;
 * where the editor's program does not, the user's own Node is tried.
 *
 * @returns its process id, for the log; 0 where the system gave none
 * @throws {WorkerError} where it does not start; nothing was sent then
 * @throws {CancelledError} where the signal was aborted before it was ready
 */
export async function startWorker(options: StartOptions): Promise<number> {
	const { programs = [process.execPath, ...(await nodesOnPath())], signal } = options;
	const tries: FactsOf<'worker.notAllowed'>['tries'][number][] = [];
	for (const program of programs) {
		if (signal?.aborted) {
			throw new CancelledError('notSent');
		}
		const outcome = await tryToStart(program, options);
		if (typeof outcome === 'number') {
			return outcome;
		}
		tries.push({ place: program, reason: outcome });
	}
	throw new WorkerError({ code: 'worker.notAllowed', minNode, tries });
}

/**
 * @returns its process id, or why this program does not run our worker
 * @throws {WorkerError} where our worker ran, and refused
 */
async function tryToStart(
	program: string,
	{ script, input, signal = new AbortController().signal, startTimeoutMs = 20_000 }: StartOptions,
): Promise<number | ErrorFacts> {
	// Opening empties the file of what a program that was tried before has written.
	const output = await open(path.join(input.folder, workerOutputFile), 'w', privateFile).catch(
		() => undefined,
	);
	let child: ChildProcess;
	try {
		child = spawn(program, ['--max-semi-space-size=1', script], {
			detached: true,
			windowsHide: true,
			// The current folder of a process cannot be removed on Windows, nor its drive be ejected.
			cwd: path.parse(script).root,
			// What it writes while it dies, for example out of memory, is found in the job's folder.
			stdio: ['pipe', 'pipe', output?.fd ?? 'ignore'],
			env: { ...inherited(), ELECTRON_RUN_AS_NODE: '1' },
		});
	} catch (error) {
		return factsOfError(error);
	} finally {
		// Not awaited: the `error` of a program that cannot be run comes in the next tick, and the
		// listener for it is added below.
		output?.close().catch(() => undefined);
	}
	const end = Promise.withResolvers<number | ErrorFacts>();
	let isWorker = false;
	const refuse = (reason: ErrorFacts) => {
		if (isWorker) {
			end.reject(new WorkerError({ code: 'worker.notStarted', reason }));
		}
		end.resolve(reason);
	};
	child.on('error', (error) => {
		refuse(factsOfError(error));
	});
	/** With its order it may be at work although its `ready` was not read: killed, it loses a paid image. */
	const refuseUnlessAtWork = async (reason: ErrorFacts) => {
		// Timers come before what lies in the pipe; now that is read.
		await new Promise(setImmediate);
		if (isWorker && (await mayBeAtWork(input.folder))) {
			end.resolve(child.pid ?? 0);
		}
		refuse(reason);
	};
	child.once('exit', (code, killed) => {
		void refuseUnlessAtWork(
			killed === null
				? { code: 'start.exited', exitCode: String(code) }
				: { code: 'start.killed', signal: killed },
		);
	});
	const { stdin, stdout } = child;
	stdin?.on('error', () => undefined);
	stdout?.on('error', () => undefined);
	// Where the table of open files is full, Node makes no streams.
	if (stdout) {
		receive(stdout, startMessageSchema, (message: StartMessage) => {
			if (message.type === 'hello' && readsSystemCertificates(message.node)) {
				isWorker = true;
				stdin?.write(toMessageLine(input));
			} else if (message.type === 'hello') {
				refuse({ code: 'start.oldNode', version: message.node });
			} else if (message.type === 'refused') {
				refuse(message.error);
			} else if (isWorker) {
				end.resolve(child.pid ?? 0);
			}
		});
	}
	const ended = new AbortController();
	void awakeFor(startTimeoutMs, ended.signal).then(() =>
		refuseUnlessAtWork({ code: isWorker ? 'start.timeout' : 'start.noAnswer' }),
	);
	const cancelling = addAbortListener(signal, () => {
		end.reject(new CancelledError('notSent'));
	});
	let outcome: number | ErrorFacts | undefined;
	try {
		outcome = await end.promise;
		return outcome;
	} finally {
		ended.abort();
		cancelling[Symbol.dispose]();
		if (typeof outcome !== 'number') {
			await kill(child);
		}
		stdin?.destroy();
		stdout?.destroy();
		child.unref();
	}
}

/**
 * Waits until this process has been able to work for so long, or the signal is aborted. The time is
 * counted in small steps: after a sleep of the machine, or where the thread was held up, one step at
 * most is over at once, and what has come meanwhile is read during the others.
 */
async function awakeFor(ms: number, signal: AbortSignal): Promise<void> {
	for (let step = 0; step < steps && !signal.aborted; step += 1) {
		await delay(ms / steps, undefined, { signal, ref: false }).catch(() => undefined);
	}
}

const steps = 30;

/**
 * Returns whether a worker that has its order may have sent the request, which the journal notes
 * before.
 */
async function mayBeAtWork(folder: string): Promise<boolean> {
	try {
		return (await readState(folder)).state !== 'queued';
	} catch (error) {
		return !isNotFound(error);
	}
}

/**
 * Kills a process that was started in vain, with those that it has started (on Windows it alone): it
 * may be a script that runs Node. Waits until it is gone; one that cannot be killed holds nothing up.
 */
async function kill(child: ChildProcess): Promise<void> {
	const { pid, exitCode, signalCode } = child;
	if (pid === undefined || exitCode !== null || signalCode !== null) {
		return;
	}
	const gone = Promise.withResolvers<unknown>();
	child.once('exit', gone.resolve);
	try {
		if (process.platform !== 'win32') {
			process.kill(-pid, 'SIGKILL');
		}
	} catch {
		// It has just ended.
	}
	child.kill('SIGKILL');
	setTimeout(gone.resolve, killTimeoutMs).unref();
	await gone.promise;
}

const killTimeoutMs = 2_000;

const minNode = '22.15';

/** `tls.getCACertificates` came with Node 22.15 and 23.10. */
function readsSystemCertificates(version: string): boolean {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	return major > 23 || (major === 23 && minor >= 10) || (major === 22 && minor >= 15);
}

/**
 * Returns the absolute path of Node as the user has installed it, if it is there. Only absolute
 * folders of the PATH count: a relative one would lead into the folder that happens to be open.
 */
export async function nodesOnPath(
	env: NodeJS.ProcessEnv = process.env,
	system: NodeJS.Platform = process.platform,
): Promise<string[]> {
	const flavor = system === 'win32' ? path.win32 : path.posix;
	const name = system === 'win32' ? 'node.exe' : 'node';
	const [, folders = ''] = Object.entries(env).find(([key]) => key.toUpperCase() === 'PATH') ?? [];
	for (const folder of folders.split(flavor.delimiter).filter((each) => flavor.isAbsolute(each))) {
		const file = flavor.join(folder, name);
		const found = await stat(file).catch(() => undefined);
		if (found?.isFile() === true) {
			return [file];
		}
	}
	return [];
}

/** The worker gets these variables alone, none of the editor's own and no keys of other tools. */
const passedOn =
	/^(PATH|HOME|USER|LOGNAME|LANG|LC_.*|TMPDIR|TEMP|TMP|SystemRoot|windir|APPDATA|LOCALAPPDATA|USERPROFILE|(HTTPS?|NO|ALL)_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i;

function inherited(): NodeJS.ProcessEnv {
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.test(name)));
}
