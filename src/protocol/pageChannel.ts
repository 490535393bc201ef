import {
	fromExtensionSchema,
	parseMessage,
	type EventOf,
	type FromPage,
	type Protocol,
	type RequestOf,
} from './channel.js';

interface PageOptions<P extends Protocol> {
	/** Sends a message to the extension. */
	post(message: FromPage): void;
	onEvent(event: EventOf<P>): void;
	/** Called with what is wrong with a message that makes no sense, without its content. */
	onRefused(problem: string): void;
	/** Time limit of a request, in milliseconds. */
	readonly timeoutMs?: number;
}

/** The page's end of the channel. */
export class PageChannel<P extends Protocol> {
	/** By the identifiers of the requests; an answer to another one is for an earlier page. */
	readonly #waiting = new Map<string, PromiseWithResolvers<void>>();
	#closed = false;

	constructor(
		private readonly protocol: P,
		private readonly options: PageOptions<P>,
	) {}

	/**
	 * Asks the extension for something. The promise is always settled: when that is done, at the latest
	 * after the time-out.
	 *
	 * @throws {ChannelError}
	 */
	async ask(request: RequestOf<P>): Promise<void> {
		if (this.#closed) {
			throw new ChannelError('closed');
		}
		const id = crypto.randomUUID();
		const answer = Promise.withResolvers<void>();
		const { timeoutMs = defaultTimeoutMs } = this.options;
		const timer = setTimeout(() => answer.reject(new ChannelError('late')), timeoutMs);
		this.#waiting.set(id, answer);
		try {
			this.options.post({ kind: 'request', id, request });
			await answer.promise;
		} catch (error) {
			throw error instanceof ChannelError ? error : new ChannelError('failed', messageOf(error));
		} finally {
			clearTimeout(timer);
			this.#waiting.delete(id);
		}
	}

	/** Takes what the extension has sent. */
	receive(data: unknown): void {
		const envelope = parseMessage(fromExtensionSchema, data);
		if (!envelope.success) {
			this.options.onRefused(envelope.problem);
			return;
		}
		const { message } = envelope;
		switch (message.kind) {
			case 'event':
				this.#receiveEvent(message.event);
				return;
			case 'done':
				this.#waiting.get(message.id)?.resolve();
				return;
			case 'error':
				this.#waiting.get(message.id)?.reject(new ChannelError('failed', message.message));
				return;
			case 'closed':
				this.#closed = true;
				for (const answer of this.#waiting.values()) {
					answer.reject(new ChannelError('closed'));
				}
		}
	}

	#receiveEvent(data: unknown): void {
		const event = parseMessage(this.protocol.event, data);
		if (event.success) {
			this.options.onEvent(event.message as EventOf<P>);
		} else {
			this.options.onRefused(event.problem);
		}
	}
}

/**
 * Why a request was not fulfilled: the extension says so (`failed`), it has closed its end, or it was
 * not heard of in time (`late`).
 */
export class ChannelError extends Error {
	override readonly name = 'ChannelError';

	/** @param message for people */
	constructor(
		readonly kind: 'failed' | 'closed' | 'late',
		message = kind === 'failed' ? '' : words[kind],
	) {
		super(message);
	}
}

/** Answers take milliseconds; on the slowest machine, with many images, seconds. */
const defaultTimeoutMs = 60_000;

const words = {
	closed: 'Easel is no longer connected to this page. Close the page and open it again.',
	late: 'Easel has not answered. If this happens again, reload the window.',
};

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
