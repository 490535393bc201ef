import { codeOf } from '../../files/refusal.js';
import type { MissingImage } from './missingIn.js';

/** A folder or document that could not be read; the others were. */
export interface ScanProblem {
	readonly path: string;
	/** A code of the operating system such as `EACCES`, or `TooLarge`. */
	readonly code: string;
}

/** What was found since the last report. */
export interface ScanReport {
	readonly documents: number;
	readonly images: readonly MissingImage[];
	readonly problems: readonly ScanProblem[];
}

/** So many images go in one message, so that taking it takes the other side no time. */
const longestReport = 50;
/** In milliseconds; a person sees no difference to now. */
const longestPause = 50;

/** Collects what is found and passes it on, a little at a time. */
export class Reports {
	#documents = 0;
	#images: MissingImage[] = [];
	#problems: ScanProblem[] = [];
	#sentAt = performance.now();

	constructor(private readonly send: (report: ScanReport) => void) {}

	document(): void {
		this.#documents++;
		if (performance.now() - this.#sentAt > longestPause) {
			this.flush();
		}
	}

	image(image: MissingImage): void {
		this.#images.push(image);
		if (this.#images.length >= longestReport || performance.now() - this.#sentAt > longestPause) {
			this.flush();
		}
	}

	problem(path: string, error: unknown): void {
		const code = codeOf(error) || String(error);
		this.#problems.push({ path, code });
	}

	flush(): void {
		this.send({ documents: this.#documents, images: this.#images, problems: this.#problems });
		this.#documents = 0;
		this.#images = [];
		this.#problems = [];
		this.#sentAt = performance.now();
	}
}
