import assert from 'node:assert/strict';
import type net from 'node:net';
import { failureOf, wordedFailure } from './wordedFailure.js';
import { certificateFor, echoServer, freePort, rawServer, useServers } from './networkFixtures.js';

const host = 'images.example.com';

suite('service › transportFailure', () => {
	const opened = useServers();

	async function answering(act: (socket: net.Socket) => void): Promise<string> {
		return `127.0.0.1:${String((await opened(rawServer(act))).port)}`;
	}

	test('each way in which a connection fails has its code and its reason, and most may be tried again', async () => {
		const closed = String(await freePort());
		const silent = await answering(() => undefined);
		const own = await certificateFor(['localhost']);
		const old = await certificateFor(['localhost'], { expired: true });
		const known = { extraCa: [own.cert, old.cert] };
		const secure = String((await opened(echoServer(own))).port);
		const expired = String((await opened(echoServer(old))).port);
		const resetting = await answering((socket) => socket.resetAndDestroy());
		const hangingUp = await answering((socket) => socket.destroy());
		const mail = await answering((socket) => socket.end('220 mail.example.com\r\n'));
		for (const [failing, code, reason, overrides = {}] of [
			['https://images.invalid', /^(ENOTFOUND|EAI_AGAIN)$/, 'dns'],
			[`http://127.0.0.1:${closed}`, /^ECONNREFUSED$/, 'refused'],
			// It has several addresses.
			[`http://localhost:${closed}`, /^ECONNREFUSED$/, 'refused'],
			[`https://${silent}`, /^CONNECT_TIMEOUT$/, 'connectTimeout', { connectTimeoutMs: 100 }],
			[`https://localhost:${secure}`, /^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'certificateNotTrusted'],
			[`https://127.0.0.1:${secure}`, /_ALTNAME_INVALID$/, 'certificateOfAnotherHost', known],
			[`https://localhost:${expired}`, /^CERT_HAS_EXPIRED$/, 'certificateNotValidToday', known],
			[`http://${resetting}`, /^ECONNRESET$/, 'reset'],
			[`http://${hangingUp}`, /^ECONNRESET$/, 'reset'],
			[`http://${mail}`, /^HPE_/, 'notHttp'],
			[`https://${mail}`, /^(ERR_SSL_|EPROTO)/, 'notTls'],
		] as const) {
			const failure = await failureOf(failing, {}, overrides);
			assert.match(failure.code, code);
			// An answer that is not understood may have been paid.
			const isRepeatable = reason !== 'notHttp';
			assert.deepEqual([failure.reason, failure.isRepeatable], [reason, isRepeatable], failing);
			assert.ok(failure.text.includes(new URL(failing).host), failure.text);
		}
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
			[['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_FAIL'], 'dns', /cannot be found.*http\.proxy/],
			[['ECONNREFUSED'], 'refused', /does not accept connections.*whether the service is running/],
			[
				['CONNECT_TIMEOUT', 'ETIMEDOUT'],
				'connectTimeout',
				/did not answer the connection.*http\.proxy/,
			],
			[['ECONNRESET', 'ECONNABORTED', 'EPIPE'], 'reset', /broke.*longer requests/],
			[
				['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
				'certificateOfAnotherHost',
				/belongs to another host/,
			],
			[
				['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
				'certificateNotValidToday',
				/is not valid today.*Check the clock/,
			],
			[
				[
					...['SELF_SIGNED_CERT_IN_CHAIN', 'CERT_UNTRUSTED', 'INVALID_CA', 'INVALID_PURPOSE'],
					...['CERT_REVOKED', 'NO_CERT_HAS_EXPIRED', 'CERT_HAS_EXPIRED_FORMAT'],
					...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
				],
				'certificateNotTrusted',
				/is not trusted.*operating system's store.*NODE_EXTRA_CA_CERTS/,
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
