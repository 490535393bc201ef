import { spawnSync } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Runs a script in a process of its own, so that memory is that of the run alone and nothing has been
 * compiled before.
 *
 * @param script TypeScript or JavaScript that prints its figures as JSON, and nothing else
 * @throws an Error where it fails
 */
export function runApart<Figures>(script: string, args: readonly string[]): Figures {
	const run = spawnSync(process.execPath, ['--import', 'tsx', script, ...args], {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	if (run.status !== 0) {
		throw new Error(`${script} ${args.join(' ')} ended with ${run.signal ?? String(run.status)}.`);
	}
	return JSON.parse(run.stdout) as Figures;
}

/** Watches what a piece of work takes of memory and of the thread that it runs on. */
export class Watch {
	readonly #before = process.memoryUsage.rss();
	#peak = this.#before;
	readonly #timer = setInterval(() => this.look(), 2);
	readonly #delays = monitorEventLoopDelay({ resolution: 1 });
	readonly #startedAt: number;

	constructor() {
		this.#delays.enable();
		this.#startedAt = performance.now();
	}

	/** Looks at the memory now; it does so by itself where the thread is free. */
	look(): void {
		this.#peak = Math.max(this.#peak, process.memoryUsage.rss());
	}

	/** To be called when the work is done. */
	async end(): Promise<{ ms: number; maxBlockMs: number; memoryMiB: number }> {
		const ms = performance.now() - this.#startedAt;
		await new Promise(setImmediate);
		this.#delays.disable();
		clearInterval(this.#timer);
		this.look();
		return {
			ms,
			maxBlockMs: this.#delays.max / 1e6,
			memoryMiB: (this.#peak - this.#before) / 2 ** 20,
		};
	}
}
