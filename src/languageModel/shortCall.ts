import { Client } from 'undici';
import type { HttpAnswer } from '../service/httpAnswer.js';
import type { Transport } from '../service/transport.js';

interface ShortMessage {
	/** The key in its header, and what else is not the same in all requests. */
	readonly headers: Readonly<Record<string, string>>;
	/** JSON; without it, the request is a GET. */
	readonly body?: string;
	readonly transport: Transport;
}

/**
 * Sends a request by `undici` and resolves with the head of the answer. It is for what is answered
 * within seconds and is no image: those are sent by `sendRequest`, which tells to the byte what has left.
 *
 * @param onStep called with `sent` when there is a connection: from then on it may have left; with
 *   `answering` when the head of an answer has arrived
 * @param signal ends the call, also after the head has arrived
 * @throws what `transport.connect` throws, the error of the connection, or that of `undici`'s parser
 */
export async function callShort(
	{ origin, pathname, search }: URL,
	{ headers, body, transport }: ShortMessage,
	onStep: (step: 'sent' | 'answering') => void,
	signal: AbortSignal,
): Promise<HttpAnswer> {
	const client = new Client(origin, {
		// Its own would know neither the proxy nor the certificates of VS Code.
		connect: (_, done) => {
			transport.connect(signal).then(
				(socket) => {
					onStep('sent');
					done(null, socket);
				},
				(error: Error) => done(error, null),
			);
		},
		// The signal ends the call.
		headersTimeout: 0,
		bodyTimeout: 0,
	});
	const close = () => {
		// What waits for the body gets the error.
		client.destroy().catch(() => undefined);
	};
	try {
		const answer = await client.request({
			method: body === undefined ? 'GET' : 'POST',
			path: pathname + search,
			headers: {
				accept: 'application/json',
				...headers,
				'accept-encoding': 'identity',
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			body: body ?? null,
			signal,
			reset: true,
		});
		onStep('answering');
		const { statusCode, statusText } = answer;
		return {
			status: statusCode,
			statusMessage: statusText,
			headers: Object.fromEntries(
				Object.entries(answer.headers).map(([name, value]) => [name, [value].flat()[0]]),
			),
			body: answer.body,
			close,
		};
	} catch (error) {
		close();
		throw error;
	}
}
