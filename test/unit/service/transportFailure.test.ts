import assert from 'node:assert/strict';
import net from 'node:net';
import {
	defaultNetworkOptions,
	openTransport,
	type NetworkOptions,
	type TransportOverrides,
} from '../../../src/service/transport.js';
import { TunnelError } from '../../../src/service/tunnel.js';
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

	const address = new URL(`https://${host}`);
	const coded = (code: unknown, more = {}) => Object.assign(new Error('failed'), { code, ...more });

	test('every code of the system and of OpenSSL has its reason and its words', () => {
		const table: readonly (readonly [codes: readonly string[], reason: string, words: RegExp])[] = [
			[['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'], 'dns', /cannot be found/],
			[['ECONNREFUSED'], 'refused', /does not accept connections/],
			[['CONNECT_TIMEOUT', 'ETIMEDOUT'], 'connectTimeout', /did not answer the connection/],
			[['ECONNRESET', 'ECONNABORTED', 'EPIPE'], 'reset', /broke/],
			[
				['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
				'certificate',
				/belongs to another host/,
			],
			[['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'], 'certificate', /is not valid today/],
			[
				[
					...['SELF_SIGNED_CERT_IN_CHAIN', 'CERT_UNTRUSTED', 'INVALID_CA', 'INVALID_PURPOSE'],
					...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
				],
				'certificate',
				/is not trusted/,
			],
			[
				['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL'],
				'other',
				/no way to/,
			],
			[['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'], 'other', /does not speak TLS/],
			[['HPE_INVALID_CONSTANT'], 'other', /not HTTP/],
			[
				[
					...['EMFILE', 'NOT_EPROTO', 'X_HPE_', 'X_EPIPE', 'EPIPE_X', 'X_ENETDOWN', 'ENETDOWN_X'],
					...['X_EAI_', 'X_INVALID_CA', 'INVALID_CA_X', 'X_HOSTNAME_MISMATCH', 'X_UNABLE_TO_X'],
					...['HOSTNAME_MISMATCH_X'],
				],
				'other',
				/The connection to .* failed/,
			],
		];
		for (const [codes, reason, words] of table) {
			for (const code of codes) {
				const failure = transportFailure(coded(code), address);
				assert.deepEqual([failure.code, failure.reason], [code, reason]);
				assert.match(failure.text, words);
				assert.ok(failure.text.includes(host) && failure.text.includes(`(${code})`), failure.text);
			}
		}
	});

	test('the answer of a proxy tells whose fault it is', () => {
		const words = (status: number) =>
			transportFailure(new TunnelError('PROXY', 'p:1', status), address).text;
		assert.match(words(407), /user name and password/);
		assert.match(words(499), /does not let you connect/);
		assert.match(words(500), /could not reach/);
	});

	test('a code that is none does not hide the one that says something', () => {
		for (const none of ['', 5, undefined]) {
			const failure = transportFailure(coded(none, { cause: coded('EMFILE') }), address);
			assert.equal(failure.code, 'EMFILE');
			assert.equal(transportFailure(coded(none), address).code, 'UNKNOWN');
		}
	});

	test('looks through causes and aggregates, and needs neither', () => {
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
		const group = new AggregateError([]);
		group.errors.push(group);
		assert.equal(reason(group), 'other UNKNOWN');
	});
});
