import assert from 'node:assert/strict';
import net from 'node:net';
import {
	defaultNetworkOptions,
	openTransport,
	type NetworkOptions,
	type TransportOverrides,
} from '../../../src/service/transport.js';
import { transportFailure, type TransportFailure } from '../../../src/service/transportFailure.js';
import {
	certificateFor,
	connectProxy,
	echoServer,
	freePort,
	listen,
	type Listening,
} from './networkFixtures.js';
import { send } from './requests.js';

const host = 'images.example.com';

/** Calls an address that fails, and returns what is said about it. */
async function failureOf(
	address: string,
	network: Partial<NetworkOptions> = {},
	overrides: TransportOverrides = {},
): Promise<TransportFailure> {
	const options = { ...defaultNetworkOptions, ...network };
	return send(openTransport(new URL(address), options, {}, overrides)).then(
		() => assert.fail('It should have failed.'),
		(error: unknown) => transportFailure(error, new URL(address)),
	);
}

suite('service › transportFailure', () => {
	const closing: Listening[] = [];

	teardown(async () => {
		await Promise.all(closing.splice(0).map((listening) => listening.close()));
	});

	async function opened<T extends Listening>(listening: Promise<T>): Promise<T> {
		closing.push(await listening);
		return listening;
	}

	test('a host that does not exist', async () => {
		const { code, reason, text } = await failureOf('https://images.invalid');
		assert.equal(reason, 'dns');
		assert.equal(
			text,
			`The host images.invalid cannot be found (${code}). Check the service address and your network connection.`,
		);
	});

	test('nothing listens, on one address or on all of a host', async () => {
		const port = String(await freePort());
		for (const name of ['127.0.0.1', 'localhost']) {
			assert.deepEqual(await failureOf(`http://${name}:${port}`), {
				code: 'ECONNREFUSED',
				reason: 'refused',
				text: `${name}:${port} does not accept connections (ECONNREFUSED). Check the service address and whether the service is running.`,
			});
		}
	});

	test('the connection is never answered', async () => {
		const silent = await opened(listen(net.createServer()));
		const address = `https://127.0.0.1:${String(silent.port)}`;
		const { code, reason, text } = await failureOf(address, {}, { connectTimeoutMs: 100 });
		assert.deepEqual([code, reason], ['CONNECT_TIMEOUT', 'connectTimeout']);
		assert.match(text, /^127\.0\.0\.1:\d+ did not answer the connection in time.*http\.proxy\.$/);
	});

	test('a certificate that is unknown, expired or of another host', async () => {
		const own = await certificateFor(['localhost']);
		const unknown = await opened(echoServer(own));
		assert.deepEqual(await failureOf(`https://localhost:${String(unknown.port)}`), {
			code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
			reason: 'certificate',
			text: `The certificate of localhost:${String(unknown.port)} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). If your company inspects traffic, add its root certificate to the operating system's store.`,
		});
		const wrongHost = await failureOf(
			`https://127.0.0.1:${String(unknown.port)}`,
			{},
			{ extraCa: [own.cert] },
		);
		assert.equal(wrongHost.reason, 'certificate');
		assert.match(wrongHost.text, /belongs to another host \(ERR_TLS_CERT_ALTNAME_INVALID\)/);

		const old = await certificateFor(['localhost'], { expired: true });
		const expired = await opened(echoServer(old));
		const late = await failureOf(
			`https://localhost:${String(expired.port)}`,
			{},
			{ extraCa: [old.cert] },
		);
		assert.equal(late.reason, 'certificate');
		assert.match(late.text, /is not valid today \(CERT_HAS_EXPIRED\)\. Check the clock/);
	});

	test('the connection breaks', async () => {
		const resetting = await opened(
			listen(
				net.createServer((socket) => {
					socket.once('data', () => socket.resetAndDestroy());
				}),
			),
		);
		const hangingUp = await opened(
			listen(
				net.createServer((socket) => {
					socket.once('data', () => socket.destroy());
				}),
			),
		);
		for (const [server, code] of [
			[resetting, 'ECONNRESET'],
			[hangingUp, 'ECONNRESET'],
		] as const) {
			const name = `127.0.0.1:${String(server.port)}`;
			assert.deepEqual(await failureOf(`http://${name}`), {
				code,
				reason: 'reset',
				text: `The connection to ${name} broke (${code}).`,
			});
		}
	});

	test('something else than HTTP or TLS answers', async () => {
		const chatty = await opened(
			listen(
				net.createServer((socket) => {
					socket.end('220 mail.example.com\r\n');
				}),
			),
		);
		const port = String(chatty.port);
		const http = await failureOf(`http://127.0.0.1:${port}`);
		assert.equal(http.reason, 'other');
		assert.match(http.text, /answered with something that is not HTTP \(HPE_/);
		const tls = await failureOf(`https://127.0.0.1:${port}`);
		assert.equal(tls.reason, 'other');
		assert.match(tls.text, /does not speak TLS as it should \(ERR_SSL_|EPROTO/);
	});

	test('every failure of the proxy names the proxy, never its password', async () => {
		const own = await certificateFor(['127.0.0.1']);
		const server = await opened(echoServer());
		const cases: readonly (readonly [url: string, code: string, words: RegExp])[] = [
			[
				await proxyAddress(connectProxy(server.port, { status: 407 })),
				'PROXY_STATUS_407',
				/wants a user name and password \(407\).*http\.proxy/,
			],
			[
				await proxyAddress(connectProxy(server.port, { status: 403 })),
				'PROXY_STATUS_403',
				/does not let you connect to images\.example\.com \(403\).*http\.noProxy/,
			],
			[
				await proxyAddress(connectProxy(server.port, { status: 504 })),
				'PROXY_STATUS_504',
				/could not reach images\.example\.com \(504\)/,
			],
			[
				await proxyAddress(connectProxy(server.port, { certificate: own }), 'https'),
				'PROXY_DEPTH_ZERO_SELF_SIGNED_CERT',
				/certificate of the proxy .* is not trusted.*http\.proxyStrictSSL/,
			],
			[
				`http://user:secret@127.0.0.1:${String(await freePort())}`,
				'PROXY_ECONNREFUSED',
				/cannot be used \(PROXY_ECONNREFUSED\).*HTTPS_PROXY/,
			],
		];
		for (const [proxy, expectedCode, words] of cases) {
			const { code, reason, text } = await failureOf(`https://${host}`, { proxy });
			assert.deepEqual([code, reason], [expectedCode, 'proxy']);
			assert.match(text, words);
			assert.ok(text.includes(new URL(proxy).host));
			assert.ok(!text.includes('secret'));
		}
	});

	async function proxyAddress(proxy: Promise<Listening>, scheme = 'http'): Promise<string> {
		return `${scheme}://user:secret@127.0.0.1:${String((await opened(proxy)).port)}`;
	}

	test('looks through causes and aggregates, and needs neither', () => {
		const address = new URL(`https://${host}`);
		const coded = (code: string, more = {}) => Object.assign(new Error(code), { code, ...more });
		const reason = (error: unknown) => {
			const failure = transportFailure(error, address);
			return `${failure.reason} ${failure.code}`;
		};
		const refused = coded('ECONNREFUSED');
		assert.equal(reason(new TypeError('failed', { cause: refused })), 'refused ECONNREFUSED');
		assert.equal(reason(new AggregateError([coded('X'), refused])), 'refused ECONNREFUSED');
		assert.equal(reason(coded('ANY', { cause: refused })), 'refused ECONNREFUSED');
		assert.equal(reason(coded('ETIMEDOUT', { syscall: 'connect' })), 'connectTimeout ETIMEDOUT');
		assert.equal(reason(coded('ETIMEDOUT', { syscall: 'read' })), 'reset ETIMEDOUT');
		assert.equal(reason(coded('ENETUNREACH')), 'other ENETUNREACH');
		assert.equal(reason(new Error('what?')), 'other UNKNOWN');
		assert.equal(reason(undefined), 'other UNKNOWN');
		const loop = new Error('loop');
		loop.cause = loop;
		assert.equal(reason(loop), 'other UNKNOWN');
	});
});
