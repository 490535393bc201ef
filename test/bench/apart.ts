import { spawnSync } from 'node:child_process';

/** What a run in a process of its own has measured. */
export interface Figures {
	readonly ms: number;
	readonly longestBlockMs: number;
	readonly memoryMiB: number;
}

/**
 * Runs a script several times, each in a process of its own, so that memory is that of the run
 * alone, and returns the median of each figure.
 *
 * @param script prints its figures as JSON
 */
export function medianApart(script: string, args: readonly string[], rounds: number): Figures {
	const runs = Array.from({ length: rounds }, () => {
		const run = spawnSync(process.execPath, ['--import', 'tsx', script, ...args], {
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		return JSON.parse(run.stdout) as Figures;
	});
	const middle = (pick: (figures: Figures) => number) =>
		runs.map(pick).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
	return {
		ms: middle((run) => run.ms),
		longestBlockMs: middle((run) => run.longestBlockMs),
		memoryMiB: middle((run) => run.memoryMiB),
	};
}
