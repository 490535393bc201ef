import assert from 'node:assert/strict';

/** Four times the length may take four times as long; the rest is for caches and the collector. */
const maxGrowth = 8;
/** More than noise adds: the square of four is 16. */
const clearGrowth = 12;
const minLength = 2 * 1024;
/** Four times as much is the mebibyte that is promised; beyond it, memory is what takes the time. */
const maxLength = 256 * 1024;
/** Below it, the noise of the measurement is no small part of it. */
const minMeasurableMs = 1;
/** Time between two updates of a thread's processor time on an idle machine. */
const tickMs = 4;

/** Makes an input of about that length, and the call that works on it. */
export type Prepare = (length: number) => () => unknown;

/**
 * Asserts that the processor time of a call grows no worse than linearly with the length of what it
 * works on. A call that is too quick to be measured passes.
 */
export function assertLinear(prepare: Prepare, what: string): void {
	let growth = measureGrowth(prepare);
	// What a busy machine adds is not there each time; what is worse than linear is.
	for (let again = 0; again < 2 && growth > maxGrowth; again++) {
		growth = Math.min(growth, measureGrowth(prepare));
	}
	assert.ok(
		growth <= maxGrowth,
		`${what} takes ${growth.toFixed(1)} times as long for four times the length`,
	);
}

/** The same of a call that is over when its promise resolves, for inputs of 256 KiB and a mebibyte. */
export async function assertLinearAsync(
	prepare: (length: number) => () => Promise<unknown>,
	what: string,
): Promise<void> {
	const least: number[] = [];
	for (const length of [maxLength, maxLength * 4]) {
		const times: number[] = [];
		for (let count = 0; count < 3; count++) {
			const call = prepare(length);
			const before = threadMs();
			await call();
			times.push(threadMs() - before);
		}
		least.push(Math.min(...times));
	}
	const [ms = 0, longerMs = 0] = least;
	assert.ok(
		longerMs <= ms * maxGrowth,
		`${what} takes ${(longerMs / ms).toFixed(1)} times as long for four times the length`,
	);
}

/**
 * Returns how many times the processor time of a call its time for four times the length is; 0 where
 * it is too quick to be measured.
 */
function measureGrowth(prepare: Prepare): number {
	let length = minLength;
	let ms = minMs(prepare(length), 3, minMeasurableMs);
	while (ms < minMeasurableMs) {
		if (length >= maxLength) {
			return 0;
		}
		length *= 2;
		ms = minMs(prepare(length), 3, minMeasurableMs);
	}
	const longerMs = minMs(prepare(length * 4), 5, ms * maxGrowth);
	const growth = longerMs / ms;
	if (growth <= maxGrowth) {
		return growth;
	}
	// What outgrows a cache of the processor does so once; what is worse than linear goes on.
	const call = prepare(length * 16);
	let maxMs = processorMs(call);
	if (maxMs > longerMs * maxGrowth && maxMs < longerMs * clearGrowth) {
		maxMs = minMs(call, 5, longerMs * maxGrowth);
	}
	return Math.min(growth, maxMs / longerMs);
}

/** Returns how long a call needs the processor on this thread, in milliseconds. */
export function processorMs(call: () => unknown): number {
	const before = threadMs();
	const started = performance.now();
	call();
	const ms = threadMs() - before;
	const passedMs = performance.now() - started;
	// On a busy machine the time of a thread may stand still for longer than a call.
	return ms < minMeasurableMs && passedMs > 2 * tickMs ? passedMs : ms;
}

function threadMs(): number {
	// Linux brings the time of a thread up to date where that of its process is asked for; else it is
	// as old as the last tick.
	process.cpuUsage();
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
}

/** Returns the least of so many calls, because all else is noise; one that is quick enough is the last. */
function minMs(call: () => unknown, calls: number, enoughMs = 0): number {
	let least = Infinity;
	for (let index = 0; index < calls && least > enoughMs; index++) {
		least = Math.min(least, processorMs(call));
	}
	return least;
}
