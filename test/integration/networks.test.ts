import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import net from 'node:net';
import * as vscode from 'vscode';
import { startImageService, type ImageService } from '../service/server.js';
import {
	certificateFor,
	connectProxy,
	listen,
	type ConnectProxy,
	type Listening,
} from '../unit/service/networkFixtures.js';
import { remove, setSetting, writeWorkspaceSettings } from './workspace.js';
import { rare } from '../host/rare.js';

const key = crypto.randomUUID();
/** It leads nowhere without a proxy. */
const host = 'images.example.com';
const expected = `Basic ${Buffer.from('mary:se-cret').toString('base64')}`;

/** Settings of the user, and the way that the request has to take then. */
suite('the network of the user', () => {
	let folder: string;
	let service: ImageService;
	let proxy: ConnectProxy;
	let asking: ConnectProxy;
	let thief: Listening;
	const variable = 'HTTPS_PROXY';
	const before = process.env[variable];

	suiteSetup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-networks-'));
		const certificate = await certificateFor([host]);
		service = await startImageService({ key, tls: certificate, pictures: 'small' });
		const port = Number(new URL(service.address).port);
		proxy = await connectProxy(port);
		asking = await connectProxy(port, { expected });
		thief = await listen(net.createServer());
		await writeFile(path.join(folder, 'authority.pem'), certificate.cert);
		// The worker takes its variables from the extension's process, which the tests share.
		process.env['NODE_EXTRA_CA_CERTS'] = path.join(folder, 'authority.pem');
		process.env['EASEL_API_KEY'] = key;
		await setSetting('easel.service.address', `https://${host}:${String(port)}`);
		await setSetting('easel.service.retry', 'never');
	});

	suiteTeardown(async () => {
		delete process.env['NODE_EXTRA_CA_CERTS'];
		delete process.env['EASEL_API_KEY'];
		await setSetting('easel.service.address', undefined);
		await setSetting('easel.service.retry', undefined);
		await Promise.all([proxy, asking, thief, service].map((one) => one.close()));
		await rm(folder, { recursive: true, maxRetries: 10 });
	});

	setup(() => {
		delete process.env[variable];
	});

	teardown(async () => {
		delete process.env[variable];
		if (before !== undefined) {
			process.env[variable] = before;
		}
		await setSetting('http.proxy', undefined);
		await setSetting('http.proxyAuthorization', undefined);
		await remove('images');
		await remove('.vscode');
	});

	const addressOf = (one: Listening) => `http://127.0.0.1:${String(one.port)}`;

	async function set(settings: Readonly<Record<string, unknown>>): Promise<void> {
		for (const [name, value] of Object.entries(settings)) {
			await setSetting(`http.${name}`, value);
		}
	}

	/** Returns whether an image comes, and how many ways the proxies have opened for it. */
	async function ask(): Promise<{ made: boolean; ways: number }> {
		const ways = () => [proxy, asking].flatMap(({ connects }) => connects).length;
		const waysBefore = ways();
		const uris = await vscode.commands.executeCommand<vscode.Uri[] | undefined>(
			'easel.generateImage',
			{ prompt: 'a harbor' },
		);
		return { made: uris?.length === 1, ways: ways() - waysBefore };
	}

	const through = { made: true, ways: 1 };

	rare(
		'http.proxy is gone through, with its password in the address or in http.proxyAuthorization',
		async () => {
			await set({ proxy: addressOf(proxy) });
			assert.deepEqual(await ask(), through);
			await set({ proxy: `http://mary:se-cret@127.0.0.1:${String(asking.port)}` });
			assert.deepEqual(await ask(), through);
			await set({ proxy: addressOf(asking), proxyAuthorization: expected });
			assert.deepEqual(await ask(), through);
			await set({ proxyAuthorization: undefined });
			assert.deepEqual(await ask(), { made: false, ways: 1 });
		},
	);

	rare('a variable of the environment counts, and http.proxy before it', async () => {
		process.env[variable] = addressOf(proxy);
		assert.deepEqual(await ask(), through);
		process.env[variable] = addressOf(thief);
		await set({ proxy: addressOf(proxy) });
		assert.deepEqual(await ask(), through);
		assert.equal(thief.connections(), 0);
	});

	for (const [form, settings] of [
		['dotted', (proxy: string) => ({ 'http.proxy': proxy, 'http.noProxy': [] })],
		['nested', (proxy: string) => ({ http: { proxy, proxySupport: 'on', noProxy: [] } })],
	] as const) {
		rare(`a proxy that a workspace sets hears nothing: ${form}`, async () => {
			await writeWorkspaceSettings(settings(addressOf(thief)));
			await set({ proxy: addressOf(proxy) });
			assert.deepEqual(await ask(), through);
			await set({ proxy: undefined });
			assert.deepEqual(await ask(), { made: false, ways: 0 });
			assert.equal(thief.connections(), 0);
		});
	}
});
