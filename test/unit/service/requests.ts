import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Transport } from '../../../src/service/transport.js';

export interface Answer {
	readonly status: number | undefined;
	readonly headers: http.IncomingHttpHeaders;
	readonly text: string;
}

/** Sends one request over a transport, with nothing of ours but its connection. */
export async function send(
	transport: Transport,
	{ path = '/', body = '{}', signal = AbortSignal.timeout(10_000) } = {},
): Promise<Answer> {
	const socket = await transport.connect(signal);
	const request = http.request({
		method: 'POST',
		path,
		headers: { host: new URL(transport.address).host, 'content-length': body.length },
		createConnection: () => socket,
	});
	request.end(body);
	const [response] = (await once(request, 'response')) as [IncomingMessage];
	return {
		status: response.statusCode,
		headers: response.headers,
		text: await text(response),
	};
}
