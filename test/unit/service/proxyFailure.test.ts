import assert from 'node:assert/strict';
import { callService } from '../../../src/service/client.js';
import {
	defaultNetworkOptions,
	openTransport,
	type NetworkOptions,
	type TransportOverrides,
} from '../../../src/service/transport.js';
import type { ProxyFacts } from '../../../src/service/transportFailure.js';
import { failureOf, wordedFailure } from './wordedFailure.js';
import { TunnelError, type Refusal } from '../../../src/service/tunnel.js';
import {
	certificateFor,
	connectProxy,
	echoServer,
	freePort,
	rawServer,
	useServers,
} from './networkFixtures.js';

const host = 'images.example.com';
const address = new URL(`https://${host}`);

/** The messages of failures behind a company's proxy. */
suite('service › transportFailure, with a proxy', () => {
	const opened = useServers();

	/** A proxy that says this to the first bytes of a connection; without words, it hangs up. */
	async function proxyThatSays(answer?: string): Promise<string> {
		const proxy = await opened(
			rawServer((socket) => (answer === undefined ? socket.destroy() : socket.end(answer))),
		);
		return `127.0.0.1:${String(proxy.port)}`;
	}

	const throughProxy = (
		network: Partial<NetworkOptions>,
		overrides: TransportOverrides = {},
		env: Record<string, string> = {},
	) => failureOf(address.href, network, overrides, env);

	const asking = (scheme: string) =>
		`HTTP/1.1 407 No\r\nProxy-Authenticate: ${scheme}\r\n\r\n<html>Who are you?</html>`;

	test('a proxy that wants to know who one is says where that goes', async () => {
		const proxy = await proxyThatSays(asking('Basic realm="x"'));
		// One that names no sign-in is taken for one with passwords.
		const silent = await proxyThatSays('HTTP/1.1 407 No\r\n\r\n');
		for (const [name, network, env, source] of [
			[proxy, { proxy: `http://${proxy}` }, {}, 'the setting http.proxy'],
			[proxy, {}, { HTTPS_PROXY: proxy }, 'the environment variable HTTPS_PROXY'],
			[silent, { proxy: silent }, {}, 'the setting http.proxy'],
		] as const) {
			const { text, isRepeatable } = await throughProxy(network, {}, env);
			assert.equal(
				text,
				`The proxy ${name} wants a user name and password (407). Put them into ${source}, as in http://user:password@${name}, with special characters percent-encoded.`,
			);
			assert.ok(!isRepeatable, 'a password that is offered four times locks an account');
		}
	});

	test('a refusal of the proxy is not repeated, nor is it one of the service', async () => {
		for (const [status, repeatable] of [
			[302, false],
			[502, true],
		] as const) {
			const proxy = await proxyThatSays(`HTTP/1.1 ${String(status)} No\r\n\r\n`);
			const transport = openTransport(address, { ...defaultNetworkOptions, proxy }, {});
			const call = { prompt: 'a harbor', model: 'm', size: '1024x1024' as const, references: [] };
			await assert.rejects(
				callService(call, { transport, key: 'k', file: '/nowhere/at-all', timeoutMs: 10_000 }),
				{ name: 'ConnectionError', charge: 'notSent', status: undefined, repeatable },
			);
		}
	});

	test('names the setting of a password that is refused, and never shows it', async () => {
		const proxy = await proxyThatSays(asking('Basic realm="x"'));
		for (const [network, env, source] of [
			[{ proxy: `http://user:secret@${proxy}` }, {}, 'the setting http.proxy'],
			[{}, { http_proxy: `user:secret@${proxy}` }, 'the environment variable http_proxy'],
			[{ proxy, proxyAuthorization: 'secret' }, {}, 'the setting http.proxyAuthorization'],
		] as const) {
			const { text, isRepeatable } = await throughProxy(network, {}, env);
			assert.equal(
				text,
				`The proxy ${proxy} rejected the user name and password (407). Correct them in ${source}; in an address, special characters are percent-encoded. If they are right, ask the administrator of the proxy.`,
			);
			assert.ok(!isRepeatable);
		}
	});

	test('a proxy that knows the sign-in of the system alone says what to do instead', async () => {
		const proxy = await proxyThatSays(asking('Negotiate\r\nProxy-Authenticate: NTLM'));
		for (const credentials of ['', 'user:secret@']) {
			const { text } = await throughProxy({ proxy: `http://${credentials}${proxy}` });
			assert.match(text, /a sign-in that Easel does not support \(407, negotiate, ntlm\)\. Ask/);
		}
	});

	test('a refusal says whom to ask, and the way around', async () => {
		const proxy = await proxyThatSays('HTTP/1.1 403 No\r\n\r\n<html>Forbidden by policy</html>');
		const { code, reason, text, isRepeatable } = await throughProxy({ proxy });
		assert.deepEqual([code, reason, isRepeatable], ['PROXY_STATUS_403', 'proxy', false]);
		assert.equal(
			text,
			`The proxy ${proxy} does not allow connections to ${host} (403). Ask its administrator to allow CONNECT to ${host}, or add the host to the setting http.noProxy.`,
		);
	});

	test('a proxy that cannot reach the service is asked again, and says what to check', async () => {
		const proxy = await proxyThatSays('HTTP/1.1 503 No\r\n\r\n<html>Sorry</html>');
		const { text, isRepeatable } = await throughProxy({ proxy });
		assert.ok(isRepeatable);
		assert.match(text, /could not connect to images\.example\.com \(503\)\. Check the service/);
	});

	test('a page to log in is called that, whatever its status, and is not quoted', async () => {
		const page = 'Content-Length: 24\r\n\r\n<html>Please log in</html>';
		const redirecting = await proxyThatSays(`HTTP/1.1 302 Found\r\nLocation: /login\r\n${page}`);
		const redirected = await throughProxy({ proxy: redirecting });
		assert.match(redirected.text, /answered with something else \(302\), such as a sign-in page/);
		const accepting = await proxyThatSays(`HTTP/1.1 200 OK\r\n${page}`);
		const accepted = await throughProxy({ proxy: accepting });
		assert.match(accepted.text, new RegExp(`through the proxy ${accepting} is not TLS `));
		for (const { text } of [redirected, accepted]) {
			assert.match(text, /open a web page in your browser/i);
			assert.doesNotMatch(text, /html|Please/);
		}
	});

	test('distinguishes a proxy that hangs up, is gone, or is something else', async () => {
		const mail = await proxyThatSays('220 mail.example.com\r\n');
		for (const [proxy, words] of [
			[await proxyThatSays(), /hung up before it connected.*\(ECONNRESET\).*allow CONNECT/],
			[`127.0.0.1:${String(await freePort())}`, /does not accept connections \(ECONNREFUSED\)/],
			['proxy.invalid:3128', /cannot be found \((ENOTFOUND|EAI_AGAIN)\).*VPN/],
			[mail, /does not answer like an HTTP proxy \(HPE_\w+\).*socks5:\/\//],
			[`https://${mail}`, /does not speak TLS \(\w+\).*starts with http:\/\//],
			[`socks5://${mail}`, /answered with something else \(SOCKS_INVALID\)/],
		] as const) {
			const { reason, text } = await throughProxy({ proxy });
			assert.equal(reason, 'proxy');
			assert.match(text, words);
			assert.ok(text.includes(proxy.replace(/^\w+:\/\//, '')), text);
			assert.match(text, /Check the setting http\.proxy|check the setting http\.proxy/);
		}
	});

	test('reports a silent proxy after the time for a connection', async () => {
		const silent = await opened(rawServer(() => undefined));
		const proxy = `127.0.0.1:${String(silent.port)}`;
		const { text } = await throughProxy({ proxy }, { connectTimeoutMs: 100 });
		assert.match(
			text,
			/^The proxy \S+ did not connect in time \(CONNECT_TIMEOUT\)\. Check the setting/,
		);
	});

	test('a certificate of a proxy says what is wrong with it', async () => {
		const unknown = await certificateFor(['127.0.0.1']);
		const other = await certificateFor(['other.example.com']);
		const late = await certificateFor(['127.0.0.1'], { expired: true });
		const extraCa = [other.cert, late.cert];
		for (const [certificate, words] of [
			[unknown, /is not trusted \(\w+\)\..*operating system.*http\.proxyStrictSSL/],
			[other, /belongs to another host \(\w+\)\. In the setting http\.proxy, use the name/],
			[late, /is not valid today \(\w+\)\. Check the clock.*tell the administrator of the proxy/],
		] as const) {
			const proxy = await opened(connectProxy(1, { certificate }));
			const network = { proxy: `https://127.0.0.1:${String(proxy.port)}` };
			assert.match((await throughProxy(network, { extraCa })).text, words);
		}
	});

	test('what fails behind the proxy names it too', async () => {
		const own = await certificateFor([host]);
		const service = await opened(echoServer(own));
		const inspecting = await opened(connectProxy(service.port));
		const untrusted = await throughProxy({ proxy: `127.0.0.1:${String(inspecting.port)}` });
		assert.match(untrusted.text, /^The certificate of \S+ through the proxy \S+ is not trusted/);
		const breaking = await opened(rawServer((socket) => socket.destroy()));
		const cutting = await opened(connectProxy(breaking.port));
		const cut = await throughProxy({ proxy: `127.0.0.1:${String(cutting.port)}` });
		assert.match(cut.text, /through the proxy \S+ broke \(ECONNRESET\).*of 15 minutes/);
	});

	const facts: ProxyFacts = {
		name: 'proxy.corp.example.com:8080',
		scheme: 'http:',
		source: 'HTTPS_PROXY',
		credentialsSource: undefined,
	};
	const knowing = { ...facts, credentialsSource: 'http.proxyAuthorization' };

	test('every way to fail is said with a next step, short enough to be shown whole', () => {
		for (const [code, refusal] of [
			...['ENOTFOUND', 'ECONNREFUSED', 'EHOSTUNREACH', 'CONNECT_TIMEOUT', 'EMFILE', 'EPIPE'],
			...['CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID', 'FAILED', 'HPE_INVALID_CONSTANT'],
			...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'ERR_SSL_WRONG_VERSION_NUMBER'],
			['STATUS_407', 'credentials'],
			['STATUS_403', 'forbidden'],
			['STATUS_504', 'unreachable'],
			['SOCKS_AUTHENTICATION', 'notAProxy'],
		].map((each) => (typeof each === 'string' ? [each] : each) as [string, Refusal?])) {
			for (const schemes of [[], ['negotiate', 'kerberos', 'ntlm']]) {
				const error = new TunnelError(`PROXY_${code}`, refusal, schemes);
				for (const proxy of [facts, knowing]) {
					const { text } = wordedFailure(error, address, proxy);
					assert.ok(text.length <= 300, `${String(text.length)}: ${text}`);
					assert.match(text, /[.,] (Check|If|Ask|Add|Put|Correct|Enter|Open|Use) /i);
					assert.ok(text.includes(facts.name));
				}
			}
		}
	});
});
