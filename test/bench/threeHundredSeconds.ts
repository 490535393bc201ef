/**
 * Calls a server that answers after 330 s, with our transport and with the global `fetch` at the
 * same time, and prints how each call ends: `npx tsx test/bench/threeHundredSeconds.ts [seconds]`.
 * The expected end: ours 200 after 330 s, `fetch` an error after 300 s.
 */
import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { request } from 'undici';
import { defaultNetworkOptions, openTransport } from '../../src/service/transport.js';
import { connectProxy, listen } from '../unit/service/networkFixtures.js';

const seconds = Number(process.argv[2] ?? 330);
const body = JSON.stringify({ prompt: 'a lighthouse' });

void main();

async function main(): Promise<void> {
	const server = http.createServer((incoming, response) => {
		incoming.resume().on('end', () => {
			setTimeout(() => response.end('{}'), seconds * 1000);
		});
	});
	// Node's server has time-outs of its own, which are not what is measured here.
	server.requestTimeout = 0;
	server.headersTimeout = 0;
	const listening = await listen(server);
	const proxy = await connectProxy(listening.port);
	const address = `http://127.0.0.1:${String(listening.port)}`;

	const results = await Promise.all([
		timed('our transport', () => throughTransport(address, '')),
		timed('our transport through a proxy', () =>
			throughTransport('http://images.example.com', `http://127.0.0.1:${String(proxy.port)}`),
		),
		timed('global fetch', async () => {
			const response = await fetch(address, { method: 'POST', body });
			await response.text();
			return response.status;
		}),
	]);
	console.table(results);
	await Promise.all([listening.close(), proxy.close()]);
	process.exitCode = results.slice(0, 2).every(({ result }) => result === '200') ? 0 : 1;
}

async function throughTransport(to: string, proxyAddress: string): Promise<number> {
	const transport = await openTransport(
		new URL(to),
		{ ...defaultNetworkOptions, proxy: proxyAddress },
		{},
	);
	try {
		const response = await request(to, {
			method: 'POST',
			body,
			dispatcher: transport.dispatcher,
			headersTimeout: 0,
			bodyTimeout: 0,
		});
		await response.body.dump();
		return response.statusCode;
	} finally {
		await transport.close();
	}
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
