import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import tls, { type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import {
	defaultNetworkOptions,
	openTransport,
	type NetworkOptions,
	type TransportOverrides,
} from '../../src/service/transport.js';
import {
	certificateFor,
	connectProxy,
	echoServer,
	socksProxy,
	type Certificate,
	type Listening,
} from '../unit/service/networkFixtures.js';
import { send } from '../unit/service/requests.js';
import { bundle } from './support.js';

interface Call extends TransportOverrides {
	readonly network?: Partial<NetworkOptions>;
	readonly env?: Record<string, string>;
}

/** Calls an address once over a transport of its own; returns the headers that arrived there. */
async function call(address: string, options: Call = {}) {
	const transport = open(address, options);
	const { status, text } = await send(transport);
	assert.equal(status, 200);
	return {
		viaProxy: transport.viaProxy?.name,
		headers: JSON.parse(text) as Record<string, string>,
	};
}

function open(address: string, { network, env = {}, ...overrides }: Call = {}) {
	return openTransport(
		new URL(address),
		{ ...defaultNetworkOptions, ...network },
		env,
		'extraCa' in overrides || 'connectTimeoutMs' in overrides ? overrides : {},
	);
}

async function codeOf(failing: Promise<unknown>): Promise<string> {
	return failing.then(
		() => assert.fail('It should have failed.'),
		(error: unknown) => (error as { code: string }).code,
	);
}

const host = 'images.example.com';

suite('service › transport', () => {
	let folder: string;
	let certificate: Certificate;
	let secure: Listening;
	let plain: Listening;
	const closing: Listening[] = [];

	suiteSetup(async () => {
		folder = await mkdtemp(path.join(os.tmpdir(), 'easel-transport-'));
		certificate = await certificateFor([host, 'localhost', '127.0.0.1']);
		secure = await echoServer(certificate);
		plain = await echoServer();
		closing.push(secure, plain);
	});

	suiteTeardown(async () => {
		await Promise.all(closing.map((listening) => listening.close()));
		await rm(folder, { recursive: true, maxRetries: 10 });
	});

	teardown(() => {
		mock.restoreAll();
	});

	/** Calls in a process of its own, since Node reads some variables at its start alone. */
	async function callInChild(
		address: string,
		options: NetworkOptions,
		env: Record<string, string>,
	): Promise<string> {
		const caller = await bundle(`import { openTransport } from './src/service/transport.ts';
			import { send } from './test/unit/service/requests.ts';
			const [address, options] = process.argv.slice(2);
			send(openTransport(new URL(address), JSON.parse(options), {}))
				.then(({ status }) => status, ({ code }) => code)
				.then((result) => { console.log(result); });`);
		const { stdout } = await promisify(execFile)(
			process.execPath,
			[caller, address, JSON.stringify(options)],
			{ env: { PATH: process.env['PATH'], ...env } },
		);
		return stdout.trim();
	}

	async function opened<T extends Listening>(listening: Promise<T>): Promise<T> {
		closing.push(await listening);
		return listening;
	}

	const secureAddress = () => `https://localhost:${String(secure.port)}`;
	const plainAddress = () => `http://localhost:${String(plain.port)}`;

	test('sends a host its name, which an address has not, and speaks HTTP 1.1', async () => {
		const server = await opened(
			echoServer(certificate, ({ socket }, response) => {
				const { servername, alpnProtocol } = socket as TLSSocket;
				response.end(JSON.stringify({ servername, alpnProtocol }));
			}),
		);
		for (const [name, servername] of [
			['localhost', 'localhost'],
			['127.0.0.1', false],
		] as const) {
			const address = `https://${name}:${String(server.port)}`;
			const { headers } = await call(address, { extraCa: [certificate.cert] });
			assert.deepEqual(headers, { servername, alpnProtocol: 'http/1.1' });
		}
	});

	test('lets TCP ask for a moment every 40 s whether the other side is there, on whatever way', async () => {
		const own = await certificateFor(['127.0.0.1']);
		const plainProxy = await opened(connectProxy(plain.port));
		const secureProxy = await opened(connectProxy(secure.port, { certificate: own }));
		const socks = await opened(socksProxy(plain.port));
		const ways: Record<string, [address: string, proxy?: string]> = {
			directly: [plainAddress()],
			'by TLS': [secureAddress()],
			'through a proxy': [`http://${host}`, addressOf(plainProxy)],
			'by TLS through TLS': [`https://${host}`, `https://127.0.0.1:${String(secureProxy.port)}`],
			'through SOCKS': [`http://${host}`, `socks5://us:pw@127.0.0.1:${String(socks.port)}`],
		};
		// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own this
		const { setKeepAlive } = net.Socket.prototype;
		for (const [way, [address, proxy = '']] of Object.entries(ways)) {
			const calls: unknown[][] = [];
			mock.method(net.Socket.prototype, 'setKeepAlive', function (this: net.Socket, ...args: []) {
				assert.ok(!(this instanceof tls.TLSSocket), way);
				calls.push(args);
				return setKeepAlive.apply(this, args);
			});
			mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
			const transport = open(address, {
				network: { proxy },
				extraCa: [certificate.cert, own.cert],
			});
			const socket = await transport.connect(new AbortController().signal);
			const passed = (ms: number) => {
				mock.timers.tick(ms);
				return calls.splice(0);
			};
			const on = [[true, 1_000]];
			assert.deepEqual(passed(39_999), [], way);
			assert.deepEqual(passed(1), on, way);
			assert.deepEqual(passed(1_499), [], way);
			assert.deepEqual(passed(1), [[false]], way);
			assert.deepEqual(passed(38_499), [], way);
			assert.deepEqual(passed(1), on, way);
			socket.destroy();
			await once(socket, 'close');
			// The raw socket below ends a moment after those of TLS.
			await new Promise(setImmediate);
			assert.deepEqual(passed(200_000), [], way);
			mock.timers.reset();
			mock.restoreAll();
		}
	});

	suite('certificates', () => {
		test('NODE_EXTRA_CA_CERTS and, if wanted, the system store are trusted', async () => {
			const file = path.join(folder, 'ca.pem');
			await writeFile(file, certificate.cert);
			const inChild = (env: Record<string, string>, systemCertificates: boolean) =>
				callInChild(secureAddress(), { ...defaultNetworkOptions, systemCertificates }, env);
			assert.deepEqual(
				await Promise.all([
					inChild({}, true),
					inChild({ NODE_EXTRA_CA_CERTS: file }, true),
					inChild({ NODE_EXTRA_CA_CERTS: file }, false),
					inChild({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, true),
				]),
				['DEPTH_ZERO_SELF_SIGNED_CERT', '200', '200', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
			);
			// Where Node lets a test put a certificate into the system's store.
			if (process.platform === 'linux') {
				assert.deepEqual(
					await Promise.all([
						inChild({ SSL_CERT_FILE: file }, true),
						inChild({ SSL_CERT_FILE: file }, false),
					]),
					['200', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
				);
			}
		});

		test('of the system store, those count that are valid', async () => {
			const [own, valid, expired] = await Promise.all([
				certificateFor(['own.example.com']),
				certificateFor(['valid.example.com']),
				certificateFor(['expired.example.com'], { expired: true }),
			]);
			const stores: Readonly<Record<string, string[]>> = {
				default: [own.cert],
				system: [valid.cert, own.cert, expired.cert, 'what cannot be read'],
			};
			mock.method(tls, 'getCACertificates', (store: string) => stores[store]);
			const { createSecureContext } = tls;
			const trusted: unknown[] = [];
			mock.method(tls, 'createSecureContext', (options: tls.SecureContextOptions) => {
				trusted.push(options.ca);
				return createSecureContext(options);
			});
			for (const systemCertificates of [true, false]) {
				const extraCa = [certificate.cert];
				await call(secureAddress(), { extraCa, network: { systemCertificates } });
			}
			assert.deepEqual(trusted, [
				[own.cert, valid.cert, certificate.cert],
				[own.cert, certificate.cert],
			]);
		});
	});

	suite('through a proxy', () => {
		test('that speaks TLS, whose certificate is verified unless proxyStrictSSL is off', async () => {
			const own = await certificateFor(['127.0.0.1', 'localhost']);
			const proxy = await opened(connectProxy(secure.port, { certificate: own }));
			for (const name of ['127.0.0.1', 'localhost']) {
				const network = { proxy: `https://${name}:${String(proxy.port)}` };
				const address = `https://${host}`;
				const both = [certificate.cert, own.cert];
				await call(address, { network, extraCa: both });
				assert.equal(
					await codeOf(call(address, { network, extraCa: [certificate.cert] })),
					'PROXY_DEPTH_ZERO_SELF_SIGNED_CERT',
				);
				const lenient = { ...network, proxyStrictSSL: false };
				await call(address, { network: lenient, extraCa: [certificate.cert] });
				// The service's certificate is verified always.
				assert.equal(
					await codeOf(call(address, { network: lenient, extraCa: [own.cert] })),
					'DEPTH_ZERO_SELF_SIGNED_CERT',
				);
			}
		});
	});
});

function addressOf(proxy: Listening): string {
	return `http://127.0.0.1:${String(proxy.port)}`;
}
