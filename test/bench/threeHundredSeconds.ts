/**
 * Calls a server that answers after 330 s, with our client and with the global `fetch` at the same
 * time, and prints how each call ends: `npx tsx test/bench/threeHundredSeconds.ts [seconds]`.
 * The expected end: ours 200 after 330 s, `fetch` an error after 300 s.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { drawPicture } from '../service/picture.js';
import { performance } from 'node:perf_hooks';
import { callService } from '../../src/service/client.js';
import {
	defaultNetworkOptions,
	openTransport,
	type NetworkOptions,
	type Transport,
} from '../../src/service/transport.js';
import { certificateFor, connectProxy, listen } from '../unit/service/networkFixtures.js';

const seconds = Number(process.argv[2] ?? 330);
const body = JSON.stringify({ prompt: 'a lighthouse' });

void main();

async function main(): Promise<void> {
	const order = { prompt: 'a lighthouse', size: '1024x1024', references: [] };
	const image = (await drawPicture(order)).toString('base64');
	const answer = JSON.stringify({ created: 1, data: [{ b64_json: image }] });
	const scratch = await mkdtemp(path.join(tmpdir(), 'easel-long-'));
	const slowly: http.RequestListener = (incoming, response) => {
		incoming.resume().on('end', () => {
			setTimeout(() => response.end(answer), seconds * 1000);
		});
	};
	const certificate = await certificateFor(['images.example.com']);
	const [plain, secure] = [http.createServer(slowly), https.createServer(certificate, slowly)];
	for (const server of [plain, secure]) {
		// Node's server has time-outs of its own, which are not what is measured here.
		server.requestTimeout = 0;
		server.headersTimeout = 0;
	}
	const [listening, behind] = [await listen(plain), await listen(secure)];
	const proxy = await connectProxy(behind.port);
	const address = `http://127.0.0.1:${String(listening.port)}`;
	const call = (to: string, network: Partial<NetworkOptions>, name: string) =>
		timed(`our client${name}`, () =>
			throughClient(
				openTransport(
					to,
					{ ...defaultNetworkOptions, ...network },
					{},
					{ extraCa: [certificate.cert] },
				),
				path.join(scratch, `image${name}`),
			),
		);

	const results = await Promise.all([
		call(address, {}, ''),
		call(
			'https://images.example.com',
			{ proxy: `http://127.0.0.1:${String(proxy.port)}` },
			' through a proxy, with TLS',
		),
		timed('global fetch', async () => {
			const response = await fetch(address, { method: 'POST', body });
			await response.text();
			return response.status;
		}),
	]);
	console.table(results);
	await Promise.all([listening, behind, proxy].map((one) => one.close()));
	await rm(scratch, { recursive: true });
	process.exitCode = results.slice(0, 2).every(({ result }) => result === '200') ? 0 : 1;
}

async function throughClient(transport: Transport, file: string): Promise<number> {
	const { status } = await callService(
		{ prompt: 'a lighthouse', size: '1024x1024', references: [] },
		{ transport, key: 'bench-key-0c1e', file, timeoutMs: 900_000 },
	);
	return status;
}

async function timed(call: string, run: () => Promise<number>) {
	const start = performance.now();
	const result = await run().then(String, (error: unknown) => {
		const { cause } = error as { cause?: { code?: string } };
		return cause?.code ?? String(error);
	});
	const elapsed = (performance.now() - start) / 1000;
	return { call, result, seconds: Number(elapsed.toFixed(1)) };
}
