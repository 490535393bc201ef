import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** One observed request. */
export interface Sending<T> {
	/** What `start` returned. */
	readonly result: T;
	/**
	 * Whether the request had left: undici had handed all of its body to the connection. The last
	 * piece may still have been in this machine's buffers, so `false` is certain and `true` means
	 * that the service may have it. That is the safe side: what may have left may be charged.
	 */
	sent(): boolean;
	/** Ends the observation; `sent` keeps its answer. */
	dispose(): void;
}

/**
 * Starts one undici request and observes whether it leaves. undici itself tells it through Node's
 * diagnostics channels only (undici's documentation, page "Diagnostics Channel Support").
 *
 * @param start starts exactly one request, synchronously, with a dispatcher of this package
 * @param onSent called once, when the request has left
 */
export function observeSending<T>(start: () => T, onSent?: () => void): Sending<T> {
	let request: unknown;
	let sent = false;

	// Every copy of undici in the process publishes on these channels, Node's own included. Ours is
	// the first request that is created while `start` runs; a `CONNECT` to a proxy follows it.
	const onCreate = (message: unknown) => {
		request ??= requestOf(message);
	};
	const onBodySent = (message: unknown) => {
		if (!sent && request !== undefined && requestOf(message) === request) {
			sent = true;
			dispose();
			onSent?.();
		}
	};
	const dispose = () => {
		unsubscribe(bodySentChannel, onBodySent);
	};

	subscribe(createChannel, onCreate);
	subscribe(bodySentChannel, onBodySent);
	try {
		return { result: start(), sent: () => sent, dispose };
	} catch (error) {
		dispose();
		throw error;
	} finally {
		unsubscribe(createChannel, onCreate);
	}
}

const createChannel = 'undici:request:create';
const bodySentChannel = 'undici:request:bodySent';

function requestOf(message: unknown): unknown {
	return (message as { readonly request?: unknown }).request;
}
