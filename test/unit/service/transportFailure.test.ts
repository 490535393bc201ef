import assert from 'node:assert/strict';
import net from 'node:net';
import { failureOf, wordedFailure } from './wordedFailure.js';
import { certificateFor, echoServer, freePort, listen, useServers } from './networkFixtures.js';

const host = 'images.example.com';

suite('service › transportFailure', () => {
	const opened = useServers();

	test('a host that does not exist', async () => {
		const { code, reason, text } = await failureOf('https://images.invalid');
		assert.equal(reason, 'dns');
		assert.equal(
			text,
			`The host images.invalid cannot be found (${code}). Check the service address and your network connection, and whether a proxy has to be set in http.proxy.`,
		);
	});

	test('nothing listens, on one address or on all of a host', async () => {
		const port = String(await freePort());
		for (const name of ['127.0.0.1', 'localhost']) {
			assert.deepEqual(await failureOf(`http://${name}:${port}`), {
				code: 'ECONNREFUSED',
				reason: 'refused',
				text: `${name}:${port} does not accept connections (ECONNREFUSED). Check the service address and whether the service is running.`,
				isRepeatable: true,
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
			reason: 'certificateNotTrusted',
			text: `The certificate of localhost:${String(unknown.port)} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). If your company inspects traffic, add its root certificate to the operating system's store. Or name its file in the environment variable NODE_EXTRA_CA_CERTS.`,
			isRepeatable: true,
		});
		const wrongHost = await failureOf(
			`https://127.0.0.1:${String(unknown.port)}`,
			{},
			{ extraCa: [own.cert] },
		);
		assert.equal(wrongHost.reason, 'certificateOfAnotherHost');
		assert.match(wrongHost.text, /belongs to another host \(ERR_TLS_CERT_ALTNAME_INVALID\)/);

		const old = await certificateFor(['localhost'], { expired: true });
		const expired = await opened(echoServer(old));
		const late = await failureOf(
			`https://localhost:${String(expired.port)}`,
			{},
			{ extraCa: [old.cert] },
		);
		assert.equal(late.reason, 'certificateNotValidToday');
		assert.match(late.text, /is not valid today \(CERT_HAS_EXPIRED\)\. Check the clock/);
	});

	test('the connection breaks', async () => {
		for (const hangUp of ['resetAndDestroy', 'destroy'] as const) {
			const server = await opened(
				listen(
					net.createServer((socket) => {
						socket.once('data', () => socket[hangUp]());
					}),
				),
			);
			const name = `127.0.0.1:${String(server.port)}`;
			assert.deepEqual(await failureOf(`http://${name}`), {
				code: 'ECONNRESET',
				reason: 'reset',
				text: `The connection to ${name} broke (ECONNRESET). If this always happens after the same time, ask the operator of the service to allow longer requests.`,
				isRepeatable: true,
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
		assert.equal(http.reason, 'notHttp');
		assert.match(http.text, /answered with something that is not HTTP \(HPE_/);
		const tls = await failureOf(`https://127.0.0.1:${port}`);
		assert.equal(tls.reason, 'notTls');
		assert.match(tls.text, /does not speak TLS correctly \((ERR_SSL_|EPROTO)/);
	});

	const address = new URL(`https://${host}`);
	const coded = (code: unknown, more = {}) => Object.assign(new Error('failed'), { code, ...more });

	test('every code of the system and of OpenSSL has its reason and its words, short enough to be shown whole', () => {
		const proxy = {
			name: 'proxy.corp.example.com:8080',
			scheme: 'http:',
			source: 'the environment variable HTTPS_PROXY',
			credentialsSource: undefined,
		};
		const table: readonly (readonly [codes: readonly string[], reason: string, words: RegExp])[] = [
			[['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_FAIL'], 'dns', /cannot be found/],
			[['ECONNREFUSED'], 'refused', /does not accept connections/],
			[['CONNECT_TIMEOUT', 'ETIMEDOUT'], 'connectTimeout', /did not answer the connection/],
			[['ECONNRESET', 'ECONNABORTED', 'EPIPE'], 'reset', /broke/],
			[
				['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
				'certificateOfAnotherHost',
				/belongs to another host/,
			],
			[
				['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
				'certificateNotValidToday',
				/is not valid today/,
			],
			[
				[
					...['SELF_SIGNED_CERT_IN_CHAIN', 'CERT_UNTRUSTED', 'INVALID_CA', 'INVALID_PURPOSE'],
					...['CERT_REVOKED', 'NO_CERT_HAS_EXPIRED', 'CERT_HAS_EXPIRED_FORMAT'],
					...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
				],
				'certificateNotTrusted',
				/is not trusted/,
			],
			[
				['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL'],
				'unreachable',
				/no route to|no way to/,
			],
			[['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'], 'notTls', /does not speak TLS/],
			[['HPE_INVALID_CONSTANT'], 'notHttp', /not HTTP/],
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
				const failure = wordedFailure(coded(code), address);
				assert.deepEqual([failure.code, failure.reason], [code, reason]);
				assert.match(failure.text, words);
				assert.ok(failure.text.includes(host) && failure.text.includes(`(${code})`), failure.text);
				for (const { text } of [failure, wordedFailure(coded(code), address, proxy)]) {
					assert.ok(text.length <= 300, `${String(text.length)}: ${text}`);
				}
			}
		}
	});

	test('needs neither a code nor an error', () => {
		const reason = (error: unknown) => {
			const failure = wordedFailure(error, address);
			return `${failure.reason} ${failure.code}`;
		};
		assert.equal(reason(coded('ETIMEDOUT', { syscall: 'connect' })), 'connectTimeout ETIMEDOUT');
		assert.equal(reason(coded('ETIMEDOUT', { syscall: 'read' })), 'reset ETIMEDOUT');
		for (const none of [coded(''), coded(5), coded(undefined), new Error('what?'), undefined]) {
			assert.equal(reason(none), 'other UNKNOWN');
		}
	});
});
