import {
	fromExtensionSchema,
	type AnswerTo,
	type EventOf,
	type FromPage,
	type Protocol,
	type RequestOf,
} from './channel.js';
import { received } from './received.js';

interface PageOptions<P extends Protocol> {
	/** Sends a message to the extension. */
	post(message: FromPage): void;
	onEvent(event: EventOf<P>): void;
	/** Is told what is wrong with a message that makes no sense, without its content. */
	onRefused(problem: string): void;
	/** How long an answer is waited for, in milliseconds. */
	readonly timeoutMs?: number;
}

/** The page's end of the channel. */
export class PageEnd<P extends Protocol> {
	readonly #waiting = new Map<string, Waiting>();
	#closed = false;

	constructor(
		private readonly protocol: P,
		private readonly options: PageOptions<P>,
	) {}

	/**
	 * Asks the extension for something. The promise is always settled, at the latest after the
	 * time-out.
	 *
	 * @throws {ChannelError}
	 */
	ask<R extends RequestOf<P>>(request: R): Promise<AnswerTo<P, R['type']>> {
		return new Promise((resolve, reject) => {
			if (this.#closed) {
				reject(new ChannelError('closed'));
				return;
			}
			const id = crypto.randomUUID();
			const timer = setTimeout(() => {
				this.#waiting.delete(id);
				reject(new ChannelError('late'));
			}, this.options.timeoutMs ?? defaultTimeoutMs);
			this.#waiting.set(id, {
				type: request.type,
				// What it is given was checked by the schema of this type.
				resolve: (answer) => resolve(answer as AnswerTo<P, R['type']>),
				reject,
				timer,
			});
			try {
				this.options.post({ kind: 'request', id, request });
			} catch (error) {
				this.#take(id)?.reject(new ChannelError('failed', messageOf(error)));
			}
		});
	}

	/** Takes what the extension has sent. */
	receive(data: unknown): void {
		const envelope = received(fromExtensionSchema, data);
		if (!envelope.success) {
			this.options.onRefused(envelope.problem);
			return;
		}
		const { message } = envelope;
		switch (message.kind) {
			case 'event':
				this.#receiveEvent(message.event);
				return;
			case 'answer':
				this.#receiveAnswer(this.#take(message.id), message.answer);
				return;
			case 'error':
				this.#take(message.id)?.reject(new ChannelError('failed', message.message));
				return;
			case 'closed':
				this.#closed = true;
				for (const id of [...this.#waiting.keys()]) {
					this.#take(id)?.reject(new ChannelError('closed'));
				}
		}
	}

	#receiveEvent(data: unknown): void {
		const event = received(this.protocol.event, data);
		if (event.success) {
			this.options.onEvent(event.message as EventOf<P>);
		} else {
			this.options.onRefused(event.problem);
		}
	}

	/** @param waiting missing where the request was settled before or came from an earlier page */
	#receiveAnswer(waiting: Waiting | undefined, data: unknown): void {
		if (waiting === undefined) {
			return;
		}
		const schema = this.protocol.answers[waiting.type];
		if (schema === undefined) {
			waiting.resolve(undefined);
			return;
		}
		const answer = received(schema, data);
		if (answer.success) {
			waiting.resolve(answer.message);
		} else {
			this.options.onRefused(answer.problem);
			waiting.reject(new ChannelError('malformed'));
		}
	}

	/** From now on nobody waits for it. */
	#take(id: string): Waiting | undefined {
		const waiting = this.#waiting.get(id);
		this.#waiting.delete(id);
		clearTimeout(waiting?.timer);
		return waiting;
	}
}

/**
 * Why a request was not fulfilled: the extension says so (`failed`), it has closed its end, it was
 * not heard of in time (`late`), or what it answered makes no sense.
 */
export class ChannelError extends Error {
	override readonly name = 'ChannelError';

	/** @param message for people */
	constructor(
		readonly kind: 'failed' | 'closed' | 'late' | 'malformed',
		message = kind === 'failed' ? '' : words[kind],
	) {
		super(message);
	}
}

interface Waiting {
	readonly type: string;
	readonly resolve: (answer: unknown) => void;
	readonly reject: (error: ChannelError) => void;
	readonly timer: ReturnType<typeof setTimeout>;
}

/** Answers take milliseconds; on the slowest machine, with many images, seconds. */
const defaultTimeoutMs = 60_000;

const words = {
	closed: 'Easel is no longer connected to this page. Close the page and open it again.',
	late: 'Easel has not answered. If this happens again, reload the window.',
	malformed: 'Easel has given an answer that makes no sense. Reload the window.',
};

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
