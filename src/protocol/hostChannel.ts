import {
	fromPageSchema,
	parseMessage,
	type EventOf,
	type FromExtension,
	type Protocol,
	type RequestOf,
} from './channel.js';

/** Handler of each request; the page gets to know when it is done, or what it throws. */
export type Handlers<P extends Protocol> = {
	readonly [Type in RequestOf<P>['type']]: (
		request: Extract<RequestOf<P>, { readonly type: Type }>,
	) => void | PromiseLike<void>;
};

interface ExtensionOptions {
	/** Sends a message to the page. One that is hidden or has gone does not get it. */
	post(message: FromExtension): void;
	/** Called with what is wrong with a message that makes no sense, without its content. */
	onRefused(problem: string): void;
	/** Takes what a handler has thrown, and returns what is sent to the page about it. */
	onFailed(error: unknown): string;
}

/** The extension's end of the channel. */
export class HostChannel<P extends Protocol> {
	#closed = false;

	constructor(
		private readonly protocol: P,
		private readonly handlers: Handlers<P>,
		private readonly options: ExtensionOptions,
	) {}

	/** Sends an event, which the page does not answer. */
	send(event: EventOf<P>): void {
		this.#post({ kind: 'event', event });
	}

	/** Takes what the page has sent. Whatever that is, this neither throws nor rejects. */
	async receive(data: unknown): Promise<void> {
		if (this.#closed) {
			return;
		}
		const envelope = parseMessage(fromPageSchema, data);
		if (!envelope.success) {
			this.options.onRefused(envelope.problem);
			return;
		}
		const { id, request } = envelope.message;
		const known = parseMessage(this.protocol.request, request);
		if (!known.success) {
			this.options.onRefused(known.problem);
			this.#post({
				kind: 'error',
				id,
				message: `Easel does not know this request: ${known.problem}`,
			});
			return;
		}
		try {
			await this.#handle(known.message as RequestOf<P>);
			this.#post({ kind: 'done', id });
		} catch (error) {
			this.#post({ kind: 'error', id, message: this.options.onFailed(error).slice(0, 4000) });
		}
	}

	/** Fails all requests that are not settled yet. From now on nothing is received or sent. */
	close(): void {
		this.#post({ kind: 'closed' });
		this.#closed = true;
	}

	#handle(request: RequestOf<P>): void | PromiseLike<void> {
		// The compiler does not see that the handler and the request are of the same type.
		const handler = this.handlers[request.type as RequestOf<P>['type']] as (
			request: RequestOf<P>,
		) => void | PromiseLike<void>;
		return handler(request);
	}

	#post(message: FromExtension): void {
		if (!this.#closed) {
			this.options.post(message);
		}
	}
}
