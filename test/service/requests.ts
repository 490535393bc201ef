export type Endpoint = 'generations' | 'edits';

/** A file as it arrived in the form of an edit. */
export interface RecordedFile {
	readonly field: string;
	readonly fileName: string | undefined;
	readonly contentType: string;
	/** In bytes. */
	readonly size: number;
	/** In lower-case hex. */
	readonly sha256: string;
}

export interface RecordedField {
	readonly name: string;
	/** Text in a form; any JSON value in a JSON body. */
	readonly value: unknown;
}

/** One request to an image endpoint. The record is live: it changes until `ended`. */
export interface RecordedRequest {
	/** Starts at 1. */
	readonly sequence: number;
	/** The `x-request-id` of the answer. */
	readonly id: string;
	readonly endpoint: Endpoint;
	/** Headers as received; `authorization` is replaced by the result of its check. */
	readonly headers: Readonly<Record<string, string>>;
	/** In the order of the body. */
	readonly fields: readonly RecordedField[];
	/** In the order of the body. */
	readonly references: readonly RecordedFile[];
	/** In milliseconds since the epoch. */
	readonly startedAt: number;
	/** In milliseconds since the epoch; set with `ended`. */
	readonly endedAt: number | undefined;
	/** The status sent, or who ended the request without a whole answer: service or client. */
	readonly status: number | 'cut' | 'aborted' | undefined;
	/** The body was read and passed the checks. */
	readonly received: boolean;
	/** Waits for `releaseHeld`. */
	readonly held: boolean;
	/** The service is through with it, including the work it goes on with for an absent client. */
	readonly ended: boolean;
	/** Counts in `imagesMade`. */
	readonly imageMade: boolean;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export type OpenRequest = Writable<RecordedRequest> & {
	fields: RecordedField[];
	references: RecordedFile[];
};

/** A request that is none to an image endpoint: a wrong path or a wrong method. */
export interface StrayRequest {
	readonly method: string;
	readonly path: string;
	readonly status: number;
}

/** States of a request that a test can wait for: `left` means that the client went away. */
export type Milestone = 'received' | 'held' | 'left' | 'ended';

/** The service's memory of its requests, and the place to wait for them. */
export class Ledger {
	readonly requests: OpenRequest[] = [];
	readonly strays: StrayRequest[] = [];
	imagesMade = 0;
	/** The largest number of image requests that were open at once. */
	maxAtOnce = 0;
	private readonly waiting = new Set<() => void>();
	private closed = false;

	/** Number of image requests that are open now. */
	get open(): number {
		return this.requests.filter(({ ended }) => !ended).length;
	}

	begin(endpoint: Endpoint, headers: Readonly<Record<string, string>>): OpenRequest {
		const sequence = this.requests.length + 1;
		const request: OpenRequest = {
			sequence,
			id: `req_${String(sequence).padStart(6, '0')}`,
			endpoint,
			headers,
			fields: [],
			references: [],
			startedAt: Date.now(),
			endedAt: undefined,
			status: undefined,
			received: false,
			held: false,
			ended: false,
			imageMade: false,
		};
		this.requests.push(request);
		this.maxAtOnce = Math.max(this.maxAtOnce, this.open);
		this.changed();
		return request;
	}

	/** Changes a request and wakes those that wait for that. */
	update(request: OpenRequest, change: Partial<OpenRequest>): void {
		Object.assign(request, change);
		this.changed();
	}

	countImage(request: OpenRequest): void {
		this.imagesMade++;
		this.update(request, { imageMade: true });
	}

	/**
	 * Resolves as soon as the condition holds; it is looked at after each change of any request.
	 *
	 * @throws {Error} where the service closes before, or what the condition throws
	 */
	waitUntil(condition: () => boolean): Promise<void> {
		return new Promise((resolve, reject) => {
			const look = (): void => {
				try {
					if (!condition()) {
						if (!this.closed) {
							return;
						}
						throw new Error('The image service was closed while a test waited for it.');
					}
					resolve();
				} catch (error) {
					reject(error instanceof Error ? error : new Error(String(error)));
				}
				this.waiting.delete(look);
			};
			this.waiting.add(look);
			look();
		});
	}

	/**
	 * Resolves with the `sequence`-th request (from 1) as soon as it is where `until` says.
	 *
	 * @throws {Error} where the request ends otherwise, so that a test fails instead of waiting
	 */
	async waitForRequest(sequence: number, until: Milestone): Promise<RecordedRequest> {
		await this.waitUntil(() => {
			const request = this.requests[sequence - 1];
			if (request === undefined) {
				return false;
			}
			const reached = until === 'left' ? request.status === 'aborted' : request[until];
			if (!reached && request.ended) {
				throw new Error(
					`Request ${sequence} ended with ${request.status}; it never was "${until}".`,
				);
			}
			return reached;
		});
		return this.requests[sequence - 1]!;
	}

	close(): void {
		this.closed = true;
		this.changed();
	}

	changed(): void {
		for (const look of [...this.waiting]) {
			look();
		}
	}
}
