import assert from 'node:assert/strict';
import net from 'node:net';
import path from 'node:path';
import { notedText } from '../../src/editor/errorTexts.js';
import { certificateFor, listen } from '../unit/service/networkFixtures.js';
import { Asking, type Question } from './asking.js';
import {
	credentials,
	host,
	proxyPrograms,
	type ProxyOptions,
	type RunningProxy,
} from './proxyPrograms.js';

const { user, password } = credentials;

for (const program of proxyPrograms()) {
	suite(`networks › ${program.name}`, function () {
		this.timeout(120_000);
		let asking: Asking;
		let count = 0;
		const running: RunningProxy[] = [];

		suiteSetup(async () => {
			asking = await Asking.begin();
		});

		suiteTeardown(() => asking.end());

		teardown(async () => {
			await Promise.all(running.splice(0).map((proxy) => proxy.close()));
		});

		/** Starts a proxy and returns its host and port. */
		async function proxyWith(options: ProxyOptions = {}): Promise<string> {
			count += 1;
			const folder = path.join(asking.folder, `proxy-${String(count)}`);
			const proxy = await program.start(folder, asking.port, options);
			running.push(proxy);
			return `127.0.0.1:${String(proxy.port)}`;
		}

		async function assertMade(question: Question): Promise<void> {
			const before = asking.service.imagesMade;
			const end = await asking.ask(question);
			assert.equal(end.state, 'received', JSON.stringify(end));
			assert.equal(asking.service.imagesMade, before + 1);
		}

		const known = () => ({ NODE_EXTRA_CA_CERTS: asking.authority });

		test('is used as http.proxy and every variable name it, over IPv4 and IPv6', async () => {
			const proxy = await proxyWith();
			await assertMade({ proxy: `http://${proxy}` });
			await assertMade({ proxy: `http://${proxy.replace('127.0.0.1', '[::1]')}` });
			for (const name of ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']) {
				await assertMade({ env: { ...known(), [name]: proxy } });
			}
		});

		test('gets the password, wherever it stands', async () => {
			const proxy = await proxyWith({ asks: true });
			const basic = Buffer.from(`${user}:${password}`).toString('base64');
			await assertMade({ proxy: `http://${user}:${password}@${proxy}` });
			await assertMade({ proxy, proxyAuthorization: `Basic ${basic}` });
			await assertMade({ env: { ...known(), HTTPS_PROXY: `http://${user}:${password}@${proxy}` } });
		});

		test('that gets no password, or a wrong one, says so at once, and is asked once', async () => {
			const proxy = await proxyWith({ asks: true });
			const change = { retry: 'all' } as const;
			assert.equal(
				await asking.refusal({ change, proxy: `http://${proxy}` }),
				`The proxy ${proxy} wants a user name and password (407). Put them into the setting http.proxy, as in http://user:password@${proxy}, with special characters percent-encoded.`,
			);
			const env = { ...known(), HTTPS_PROXY: `${user}:wrong@${proxy}` };
			const end = await asking.ask({ change, env });
			assert.equal(end.state, 'failed');
			assert.equal(end.attempts.length, 1);
			const { message, error } = end.failure;
			assert.match(
				notedText(message, error) ?? '',
				/rejected the user name .* in the environment variable HTTPS_PROXY;/,
			);
			assert.ok(!JSON.stringify(end).includes('wrong'));
		});

		test('is passed by where it is switched off or the host is excepted', async () => {
			const thief = await listen(net.createServer());
			// This machine, by an address that does not say so.
			const address = `https://0.0.0.0:${String(asking.port)}`;
			const proxy = `127.0.0.1:${String(thief.port)}`;
			try {
				const questions: readonly Question[] = [
					{ proxy, proxySupport: 'off' },
					{ proxy, noProxy: ['0.0.0.0'] },
					{ proxy, env: { ...known(), NO_PROXY: 'a.test,0.0.0.0' } },
					{ env: { ...known(), HTTPS_PROXY: proxy, no_proxy: '*' } },
					{ proxy, address: `https://[::1]:${String(asking.port)}` },
					{ proxy, address: `https://localhost:${String(asking.port)}` },
				];
				for (const question of questions) {
					await assertMade({ address, ...question });
				}
				assert.equal(thief.connections(), 0);
			} finally {
				await thief.close();
			}
			await assertMade({
				proxy: await proxyWith(),
				noProxy: ['a.test'],
				env: { ...known(), NO_PROXY: '*' },
			});
		});

		test('in front of a service whose authority is known to the system or to Node alone', async () => {
			const proxy = await proxyWith();
			const authority = asking.authority;
			await assertMade({ proxy, env: { NODE_EXTRA_CA_CERTS: authority } });
			// The store of the system is where OpenSSL's variable says, where the system uses OpenSSL.
			if (process.platform === 'linux') {
				await assertMade({ proxy, env: { SSL_CERT_FILE: authority } });
			}
			const questions: readonly Question[] = [
				{ env: {} },
				{ env: { SSL_CERT_FILE: authority }, systemCertificates: false },
			];
			for (const question of questions) {
				assert.match(
					await asking.refusal({ proxy, ...question }),
					/^The certificate of images\.example\.com:\d+ through the proxy 127\.0\.0\.1:\d+ is not trusted \(\w+\)\. .*NODE_EXTRA_CA_CERTS\.$/,
				);
			}
		});

		test('that refuses every connection says whom to ask', async () => {
			const proxy = await proxyWith({ forbids: true });
			const target = `${host}:${String(asking.port)}`;
			assert.equal(
				await asking.refusal({ proxy }),
				`The proxy ${proxy} does not allow connections to ${target} (403). Ask its administrator to allow CONNECT to ${target}, or add the host to the setting http.noProxy.`,
			);
		});

		test('that cuts silent connections is named, and the outcome is unknown', async () => {
			const proxy = await proxyWith({ idleSeconds: 1 });
			asking.service.faults.add({ hold: true, times: 1 });
			const end = await asking.ask({ proxy });
			asking.service.releaseHeld();
			assert.equal(end.state, 'failed', JSON.stringify(end));
			assert.equal(end.failure.charge, 'unknown');
			const words = notedText(end.failure.message, end.failure.error);
			assert.match(words, /through the proxy 127\.0\.0\.1:\d+ broke \(ECONNRESET\)\./);
			assert.match(words, /ask its administrator to allow silent connections/);
		});

		if (program.canSpeakTls) {
			test('that speaks TLS is checked, unless the setting is off', async () => {
				const certificate = await certificateFor(['127.0.0.1']);
				const proxy = `https://${await proxyWith({ certificate })}`;
				assert.match(
					await asking.refusal({ proxy }),
					/^The certificate of the proxy 127\.0\.0\.1:\d+ is not trusted \(\w+\)\. .*http\.proxyStrictSSL/,
				);
				await assertMade({ proxy, proxyStrictSSL: false });
			});
		}
	});
}
