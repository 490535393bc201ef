/**
 * What a worker is at. Everything but waiting comes to an end soon: what the texts are matched
 * with and parsed by is a stranger's, and so is the text.
 */
type Doing = (typeof kinds)[number];

// Listing a folder is waiting too: a disk or a network may take its time.
const kinds = ['waiting', 'matching', 'reading'] as const;

/** In bytes; longer paths are cut. */
const longestPath = 4096;
/** Which activity it is, its kind, its number, the length of its path; then the path. */
const headLength = 4;
const bytesEach = 4 * headLength + longestPath;

/** The memory that the threads of a collection share for it. */
export function activityMemory(workers: number): SharedArrayBuffer {
	return new SharedArrayBuffer(workers * bytesEach);
}

/** How a worker says what it is at; that takes less than a microsecond. */
export class ActivityNote {
	readonly #head: Int32Array;
	readonly #path: Uint8Array;
	readonly #encoder = new TextEncoder();

	constructor(memory: SharedArrayBuffer, worker: number) {
		this.#head = new Int32Array(memory, worker * bytesEach, headLength);
		this.#path = new Uint8Array(memory, worker * bytesEach + 4 * headLength, longestPath);
	}

	/** @param glob its number */
	matching(glob: number): void {
		this.#note('matching', glob);
	}

	/** @param path of the document */
	reading(path: string): void {
		// The encoder does not write into shared memory itself.
		const bytes = this.#encoder.encode(path).subarray(0, longestPath);
		this.#path.set(bytes);
		Atomics.store(this.#head, 3, bytes.length);
		this.#note('reading', 0);
	}

	waiting(): void {
		this.#note('waiting', 0);
	}

	/** Runs what takes its time for other reasons, and is back at the same thing then. */
	interrupted(work: () => void): void {
		const doing = Atomics.exchange(this.#head, 1, kinds.indexOf('waiting'));
		work();
		Atomics.store(this.#head, 1, doing);
		Atomics.add(this.#head, 0, 1);
	}

	#note(doing: Doing, number: number): void {
		Atomics.store(this.#head, 1, kinds.indexOf(doing));
		Atomics.store(this.#head, 2, number);
		Atomics.add(this.#head, 0, 1);
	}
}

/**
 * Watches what the workers are at.
 *
 * @param longestStallMs the longest that one of them may be at one thing, in milliseconds
 * @param onStall called once, with what one has been at for longer than that: the number of the glob
 * that it matches, or the path of the document that it reads
 * @returns ends the watch
 */
export function watchActivity(
	memory: SharedArrayBuffer,
	longestStallMs: number,
	onStall: (what: number | string) => void,
): () => void {
	const workers = Array.from({ length: memory.byteLength / bytesEach }, (_, worker) => ({
		head: new Int32Array(memory, worker * bytesEach, headLength),
		path: new Uint8Array(memory, worker * bytesEach + 4 * headLength, longestPath),
		seen: -1,
		since: 0,
	}));
	const timer = setInterval(() => {
		for (const worker of workers) {
			const now = Atomics.load(worker.head, 0);
			const doing = kinds[Atomics.load(worker.head, 1)] ?? 'waiting';
			if (now !== worker.seen || doing === 'waiting') {
				worker.seen = now;
				worker.since = performance.now();
			} else if (performance.now() - worker.since > longestStallMs) {
				clearInterval(timer);
				const path = Buffer.from(worker.path.subarray(0, Atomics.load(worker.head, 3)));
				onStall(doing === 'matching' ? Atomics.load(worker.head, 2) : path.toString('utf8'));
				return;
			}
		}
	}, longestStallMs / 4);
	return () => {
		clearInterval(timer);
	};
}
