import assert from 'node:assert/strict';
import { hasSubscribers } from 'node:diagnostics_channel';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { FormData, request, type Dispatcher } from 'undici';
import { observeSending } from '../../../src/service/observeSending.js';
import { defaultNetworkOptions, openTransport } from '../../../src/service/transport.js';
import { connectProxy, echoServer, freePort, listen } from './networkFixtures.js';

const big = 8 * 1024 * 1024;

function form(bytes: number): FormData {
	const data = new FormData();
	data.append('prompt', 'a lighthouse');
	data.append('image', new Blob([Buffer.alloc(bytes)]), 'a.png');
	return data;
}

/** Sends one request with our transport and returns whether it left, and how it ended. */
async function send(
	address: string,
	body: string | FormData,
	options: { proxy?: string; meanwhile?: () => Promise<unknown> } = {},
) {
	const transport = await openTransport(new URL(address), {
		...defaultNetworkOptions,
		proxy: options.proxy ?? '',
	});
	let times = 0;
	const sending = observeSending(
		() => request(address, { method: 'POST', body, dispatcher: transport.dispatcher }),
		() => {
			times += 1;
		},
	);
	try {
		const [outcome] = await Promise.all([settle(sending.result), options.meanwhile?.()]);
		assert.equal(times, sending.sent() ? 1 : 0);
		return { sent: sending.sent(), outcome };
	} finally {
		sending.dispose();
		await transport.close();
	}
}

async function settle(result: Promise<Dispatcher.ResponseData>): Promise<number | string> {
	try {
		const response = await result;
		await response.body.dump();
		return response.statusCode;
	} catch (error) {
		return (error as { code: string }).code;
	}
}

suite('service › observeSending', () => {
	teardown(() => {
		assert.equal(hasSubscribers('undici:request:create'), false);
		assert.equal(hasSubscribers('undici:request:bodySent'), false);
	});

	test('nothing listens: not sent', async () => {
		const address = `http://127.0.0.1:${String(await freePort())}`;
		assert.deepEqual(await send(address, '{}'), { sent: false, outcome: 'ECONNREFUSED' });
	});

	test('an answer came: sent, with a text and with a form', async () => {
		const server = await echoServer();
		const address = `http://127.0.0.1:${String(server.port)}`;
		assert.deepEqual(await send(address, '{}'), { sent: true, outcome: 200 });
		assert.deepEqual(await send(address, form(1000)), { sent: true, outcome: 200 });
		assert.deepEqual(await send(address, form(big)), { sent: true, outcome: 200 });
		await server.close();
	});

	test('through a proxy it is our request that counts, not the CONNECT', async () => {
		const server = await echoServer();
		const proxy = await connectProxy(server.port);
		const through = { proxy: `http://127.0.0.1:${String(proxy.port)}` };
		const address = 'http://images.example.com';
		assert.deepEqual(await send(address, '{}', through), { sent: true, outcome: 200 });
		assert.deepEqual(await send(address, form(1000), through), { sent: true, outcome: 200 });
		await proxy.close();

		const refusing = await connectProxy(server.port, { status: 403 });
		assert.deepEqual(
			await send(address, '{}', { proxy: `http://127.0.0.1:${String(refusing.port)}` }),
			{ sent: false, outcome: 'PROXY_STATUS_403' },
		);
		await refusing.close();
		await server.close();
	});

	test('the server takes the connection and resets it unread: sent, since it might have read', async () => {
		const server = await listen(
			net.createServer({ pauseOnConnect: true }, (socket) => {
				setTimeout(() => socket.resetAndDestroy(), 100);
			}),
		);
		const { sent, outcome } = await send(`http://127.0.0.1:${String(server.port)}`, '{}');
		assert.equal(sent, true);
		assert.match(String(outcome), /ECONNRESET|UND_ERR_SOCKET/);
		await server.close();
	});

	test('cut after the head and the body: sent', async () => {
		const server = await echoServer(undefined, (incoming) => {
			incoming.resume().on('end', () => incoming.socket.destroy());
		});
		const { sent, outcome } = await send(`http://127.0.0.1:${String(server.port)}`, form(1000));
		assert.deepEqual({ sent, outcome }, { sent: true, outcome: 'UND_ERR_SOCKET' });
		await server.close();
	});

	test('a form that is cut while it is uploaded: not sent', async () => {
		const server = await listen(
			net.createServer((socket) => {
				// Reads the beginning, then nothing more, so that the rest cannot leave.
				socket.once('data', () => {
					socket.pause();
					setTimeout(() => socket.resetAndDestroy(), 100);
				});
			}),
		);
		const { sent, outcome } = await send(`http://127.0.0.1:${String(server.port)}`, form(big * 4));
		assert.equal(sent, false);
		assert.match(String(outcome), /ECONNRESET|EPIPE|UND_ERR_SOCKET/);
		await server.close();
	});

	test('requests of others do not count as ours', async () => {
		const silent = await listen(
			net.createServer({ pauseOnConnect: true }, (socket) => {
				setTimeout(() => socket.resetAndDestroy(), 500);
			}),
		);
		const other = await echoServer();
		const otherAddress = `http://127.0.0.1:${String(other.port)}`;
		const { sent } = await send(`http://127.0.0.1:${String(silent.port)}`, form(big * 4), {
			meanwhile: async () => {
				await delay(50);
				// The package's own copy, and the one inside Node.
				await (await request(otherAddress, { method: 'POST', body: 'x' })).body.dump();
				await (await fetch(otherAddress, { method: 'POST', body: 'x' })).text();
			},
		});
		assert.equal(sent, false);
		await other.close();
		await silent.close();
	});

	test('a start that throws leaves nobody listening', () => {
		assert.throws(
			() =>
				observeSending(() => {
					throw new Error('no');
				}),
			/no/,
		);
	});
});
