// What can go wrong in a worker, for `faultyWorker`: bundled together with the real one and
// called right behind it, so that nothing of it is in the product.
import { existsSync, readFileSync } from 'node:fs';
import fs, { type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import timers from 'node:timers/promises';

/** Ends the worker from within as soon as it gets SIGUSR2. */
export function breakOnSignal(how: 'throw' | 'reject' | 'allocate'): void {
	process.on('SIGUSR2', () => {
		switch (how) {
			case 'throw':
				throw new Error('not caught\na second line');
			case 'reject':
				void Promise.reject(new Error('not handled'));
				return;
			case 'allocate':
				for (const held: unknown[] = []; ;) {
					held.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
				}
		}
	});
}

/** Says something in every way that a process has, and ends with it, as soon as it gets SIGUSR2. */
export function sayOnSignal(words: string): void {
	process.on('SIGUSR2', () => {
		console.error(words);
		process.stderr.write(Buffer.from(`${words}\n`));
		throw new Error(words, { cause: new Error(words) });
	});
}

/** Says at its end, in its output, how much memory and processor time it has taken. */
export function reportPeak(): void {
	process.on('exit', () => {
		const file = '/proc/self/status';
		// The other figure has on Linux that of the process before it, too.
		const status = existsSync(file) ? readFileSync(file, 'utf8') : '';
		const peak = /^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
		const { user, system } = process.cpuUsage();
		process.stderr.write(`peak ${String(peak)} KiB, ${((user + system) / 1000).toFixed(0)} ms\n`);
	});
}

/** Lets the waits between two attempts, of 3 s and more, take a tenth of that. */
export function hurryAttempts(): void {
	const { setTimeout } = timers;
	Object.assign(timers, {
		setTimeout: (ms: number, ...args: unknown[]) =>
			(setTimeout as (...given: unknown[]) => unknown)(
				// What has passed since the failure is left out of a wait.
				ms > 2_000 && ms <= 15_000 ? ms / 10 : ms,
				...args,
			),
	});
}

/** Lets what is to happen in hours happen as soon as the worker has had time to ask for its image. */
export function passHours(): void {
	const { setInterval } = globalThis;
	globalThis.setInterval = ((then: () => void, ms: number, ...args: unknown[]) =>
		setInterval(then, ms > 60 * 60 * 1000 ? 500 : ms, ...args)) as typeof setInterval;
}

/** A step of the file system: `open` and `rename` with the path, the others of an open file. */
type Step = 'open' | 'rename' | 'read' | 'write' | 'sync';

export interface Refusal {
	readonly steps: readonly Step[];
	/** A regular expression for the name of the file, of a rename for its old one. */
	readonly file: string;
	/** The system's code. */
	readonly code: string;
	/** It refuses as long as this file is there. */
	readonly flag: string;
	/** Number of steps that pass before. */
	readonly after?: number;
	/** Files below this folder are not refused. */
	readonly except?: string;
}

/** Lets the file system refuse steps, as a disk does that is full, broken or not reachable. */
export function refuse({ steps, file, code, flag, after = 0, except }: Refusal): void {
	let seen = 0;
	intercept((step, name, folder) => {
		const isMeant = steps.includes(step) && new RegExp(file).test(name) && existsSync(flag);
		const isBelow = except !== undefined && folder.startsWith(except);
		if (isMeant && !isBelow && (seen += 1) > after) {
			throw Object.assign(new Error(`${code}: refused, ${step}`), { code });
		}
	});
}

/**
 * Kills the worker right before a step.
 *
 * @param file a regular expression for its name
 * @param once only where this file lies beside the one of the step
 */
export function dieBefore(step: Step, file: string, once?: string): void {
	intercept((now, name, folder) => {
		const isTime = once === undefined || existsSync(path.join(folder, once));
		if (now === step && new RegExp(file).test(name) && isTime) {
			process.kill(process.pid, 'SIGKILL');
		}
	});
}

type Before = (step: Step, name: string, folder: string) => void;

/** Calls back before each step; what that throws is the step's refusal. */
function intercept(before: Before): void {
	const files = new WeakMap<FileHandle, string>();
	const { open, rename } = fs;
	const look = (step: Step, file: string) => {
		before(step, path.basename(file), path.dirname(file));
	};
	fs.open = async (...args) => {
		look('open', String(args[0]));
		const handle = await open(...args);
		if (!files.has(handle)) {
			files.set(handle, String(args[0]));
			watch(handle);
		}
		return handle;
	};
	fs.rename = async (...args) => {
		look('rename', String(args[0]));
		await rename(...args);
	};

	function watch(handle: FileHandle): void {
		const file = files.get(handle)!;
		for (const name of ['read', 'write', 'sync'] as const) {
			const step = handle[name].bind(handle) as (...args: unknown[]) => Promise<unknown>;
			Object.defineProperty(handle, name, {
				value: async (...args: unknown[]) => {
					look(name, file);
					return step(...args);
				},
			});
		}
		const writeFile = handle.writeFile.bind(handle);
		Object.defineProperty(handle, 'writeFile', {
			value: (content: AsyncIterable<Uint8Array> | string | Uint8Array) => {
				const isWhole = typeof content === 'string' || content instanceof Uint8Array;
				return writeFile(watched(isWhole ? [Buffer.from(content)] : content));
			},
		});

		async function* watched(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
			for await (const piece of pieces) {
				look('write', file);
				yield piece;
			}
		}
	}
}
