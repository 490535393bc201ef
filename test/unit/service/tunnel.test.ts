import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { inspect } from 'node:util';
import { openTunnel, TunnelError, type TunnelOptions } from '../../../src/service/tunnel.js';
import { listen, rawServer, socksProxy, useServers, type Listening } from './networkFixtures.js';

suite('service › tunnel', () => {
	const opened = useServers();
	let proxy: Listening;

	/** A proxy that says this to the first bytes it hears. */
	async function proxyThatSays(answer: string | Buffer): Promise<{ heard: Promise<Buffer> }> {
		const heard = Promise.withResolvers<Buffer>();
		proxy = await opened(
			rawServer((socket, data) => {
				heard.resolve(data);
				socket.write(answer);
			}),
		);
		return { heard: heard.promise };
	}

	async function connected(): Promise<Socket> {
		const socket = net.connect(proxy.port, '127.0.0.1');
		await once(socket, 'connect');
		return socket;
	}

	function optionsFor(scheme: string, change: Partial<TunnelOptions> = {}): TunnelOptions {
		return {
			proxy: new URL(`${scheme}://127.0.0.1:${String(proxy.port)}`),
			authorization: undefined,
			target: { host: 'images.example.com', port: 443 },
			signal: new AbortController().signal,
			...change,
		};
	}

	test('is open with any status of success', async () => {
		for (const status of ['200 OK', '201 Created', '204 No Content', '299 X']) {
			await proxyThatSays(`HTTP/1.1 ${status}\r\nContent-Length: 5\r\n\r\n220 first words`);
			const socket = await openTunnel(await connected(), optionsFor('http'));
			const [data] = (await once(socket, 'data')) as [Buffer];
			assert.equal(data.toString(), '220 first words', status);
			socket.destroy();
		}
	});

	test('asks for an IPv6 address in brackets', async () => {
		const { heard } = await proxyThatSays('HTTP/1.1 200 OK\r\n\r\n');
		const target = { host: 'fd00::1', port: 8443 };
		const socket = await openTunnel(await connected(), optionsFor('http', { target }));
		assert.match((await heard).toString(), /^CONNECT \[fd00::1\]:8443 HTTP\/1\.1\r\n/);
		socket.destroy();
	});

	test('shows the proxy who it is, where that is known', async () => {
		for (const [authorization, header] of [
			['Basic eA==', '\r\nproxy-authorization: Basic eA==\r\n'],
			[undefined, undefined],
		] as const) {
			const { heard } = await proxyThatSays('HTTP/1.1 200 OK\r\n\r\n');
			const socket = await openTunnel(await connected(), optionsFor('http', { authorization }));
			const request = (await heard).toString();
			assert.match(request, /\r\nhost: images\.example\.com:443\r\n/i);
			assert.equal(
				/\r\nproxy-authorization: .*\r\n/.exec(request.toLowerCase())?.[0],
				header?.toLowerCase(),
			);
			socket.destroy();
		}
	});

	test('says whose fault a refusal is', async () => {
		for (const [status, refusal] of [
			[302, 'notAProxy'],
			[400, 'forbidden'],
			[499, 'forbidden'],
			[401, 'credentials'],
			[407, 'credentials'],
			[408, 'unreachable'],
			[429, 'unreachable'],
			[500, 'unreachable'],
		] as const) {
			await proxyThatSays(`HTTP/1.1 ${String(status)} X\r\n\r\n<html>a page</html>`);
			const code = `PROXY_STATUS_${String(status)}`;
			await assert.rejects(openTunnel(await connected(), optionsFor('http')), { code, refusal });
		}
	});

	test('hears which ways to sign in a proxy offers, however it writes them', async () => {
		for (const [headers, schemes] of [
			[[], []],
			[['Basic realm="x"'], ['basic']],
			[
				['Negotiate', 'NTLM'],
				['negotiate', 'ntlm'],
			],
			[
				['Negotiate, NTLM TlRMTVNTUAAC==, Basic realm="a, Digest b"'],
				['negotiate', 'ntlm', 'basic'],
			],
			[['Digest realm="x", nonce="y", qop = "auth"'], ['digest']],
			[['=', ' , "', `${'x'.repeat(21)} y`], []],
			[
				['a', 'b', 'c', 'd', 'e', 'f', 'g'],
				['a', 'b', 'c', 'd', 'e', 'f'],
			],
		] as const) {
			const lines = headers.map((value) => `Proxy-Authenticate: ${value}\r\n`).join('');
			await proxyThatSays(`HTTP/1.1 407 No\r\n${lines}\r\n`);
			await assert.rejects(openTunnel(await connected(), optionsFor('http')), { schemes });
		}
	});

	test('ends with its signal where the proxy does not answer', async () => {
		for (const scheme of ['http', 'socks5']) {
			const { heard } = await proxyThatSays('');
			const controller = new AbortController();
			const opening = openTunnel(
				await connected(),
				optionsFor(scheme, { signal: controller.signal }),
			);
			await heard;
			controller.abort();
			await assert.rejects(opening);
		}
	});

	test('opens a way through a SOCKS proxy, which looks the host up itself', async () => {
		const service = await opened(
			listen(
				net.createServer((socket) => {
					socket.end('from the service');
				}),
			),
		);
		const socks = await opened(socksProxy(service.port));
		proxy = socks;
		const address = new URL(`socks5://us%40er:pw@127.0.0.1:${String(socks.port)}`);
		const socket = await openTunnel(await connected(), optionsFor('socks5', { proxy: address }));
		const [data] = (await once(socket, 'data')) as [Buffer];
		assert.equal(data.toString(), 'from the service');
		assert.deepEqual(socks.targets, ['user us@er', 'images.example.com:443']);
		socket.destroy();
	});

	test('is not the end of the process where a connection that was refused breaks later', async () => {
		await proxyThatSays('HTTP/1.1 403 No\r\n\r\n');
		const socket = await connected();
		await assert.rejects(openTunnel(socket, optionsFor('http')), { code: 'PROXY_STATUS_403' });
		assert.ok(socket.destroyed);
		socket.emit('error', new Error('late'));
	});

	test('names what a SOCKS proxy has against it, and never its password', async () => {
		const reply = (code: number) => Buffer.from([5, 0, 5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
		for (const [answer, code, refusal] of [
			[Buffer.from([5, 0xff]), 'PROXY_SOCKS_AUTHENTICATION', 'credentials'],
			[Buffer.from([5, 2, 1, 1]), 'PROXY_SOCKS_AUTHENTICATION', 'credentials'],
			[reply(2), 'PROXY_SOCKS_NOT_ALLOWED', 'forbidden'],
			[reply(1), 'PROXY_SOCKS_UNREACHABLE', 'unreachable'],
			[reply(5), 'PROXY_SOCKS_UNREACHABLE', 'unreachable'],
			[Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 'PROXY_SOCKS_INVALID', 'notAProxy'],
		] as const) {
			await proxyThatSays(answer);
			const address = new URL(`socks5://user:secret@127.0.0.1:${String(proxy.port)}`);
			const opening = openTunnel(await connected(), optionsFor('socks5', { proxy: address }));
			await assert.rejects(opening, (error) => {
				assert.ok(error instanceof TunnelError);
				assert.deepEqual([error.code, error.refusal], [code, refusal]);
				assert.ok(error.cause instanceof Error && error.cause.message !== '');
				assert.ok(!inspect(error, { depth: 9 }).includes('secret'));
				return true;
			});
		}
	});

	test('a SOCKS proxy that hangs up has done so', async () => {
		for (const hangUp of ['destroy', 'resetAndDestroy'] as const) {
			proxy = await opened(rawServer((socket) => socket[hangUp]()));
			const opening = openTunnel(await connected(), optionsFor('socks5'));
			await assert.rejects(opening, { code: 'PROXY_ECONNRESET' });
		}
	});

	test('offers a SOCKS proxy a password only where there is one', async () => {
		for (const [address, greeting] of [
			['socks5://proxy:1', [5, 1, 0]],
			['socks5://user:pw@proxy:1', [5, 2, 0, 2]],
		] as const) {
			const { heard } = await proxyThatSays(Buffer.from([5, 0xff]));
			const options = optionsFor('socks5', { proxy: new URL(address) });
			await assert.rejects(openTunnel(await connected(), options));
			assert.deepEqual([...(await heard)], greeting);
		}
	});
});
