import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createServer } from '../../src/mcp/server.js';
import { cachedPackages } from '../host/cache';
import { Bench, builtServer, Images } from './support';

// The protocol's own tools, installed once into the cache: they weigh 130 MB.
const inspector = '@modelcontextprotocol/inspector@2.12.0';
const conformance = '@modelcontextprotocol/conformance@0.1.16';

interface Outcome {
	readonly code: number;
	readonly output: string;
	readonly errors: string;
}

/** Runs a script in a folder of its own, which takes what it writes. */
async function runScript(script: string, args: readonly string[]): Promise<Outcome> {
	const home = await mkdtemp(path.join(tmpdir(), 'easel-protocol-'));
	try {
		const child = spawn(process.execPath, [script, ...args], {
			cwd: home,
			env: { ...process.env, HOME: home, MCP_INSPECTOR_SECRET_STORE: 'memory' },
		});
		const [output, errors, [code]] = await Promise.all([
			text(child.stdout),
			text(child.stderr),
			once(child, 'exit') as Promise<[number]>,
		]);
		return { code, output, errors };
	} finally {
		await rm(home, { recursive: true, force: true });
	}
}

suite('The inspector of MCP', () => {
	let script: string;
	let bench: Bench;

	suiteSetup(async function () {
		this.timeout(600_000);
		const packages = await cachedPackages([inspector]);
		script = path.join(packages, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');
	});

	setup(async () => {
		bench = await Bench.create();
	});

	teardown(() => bench.end());

	async function inspect(...args: readonly string[]): Promise<Outcome> {
		const config = path.join(path.dirname(bench.storage), 'servers.json');
		const server = {
			command: process.execPath,
			args: [builtServer(), ...['--windows', bench.notes, '--workspace', bench.workspace]],
		};
		await writeFile(config, JSON.stringify({ mcpServers: { easel: server } }));
		return runScript(script, [
			...['--cli', '--config', config, '--server', 'easel', '--protocol-era', 'legacy', '--quiet'],
			...args,
		]);
	}

	test('gets an answer to each of ten thousand calls', async () => {
		const images = new Images();
		await bench.openWindow(images);
		const { code, output, errors } = await inspect(
			...['--method', 'tools/call', '--tool-name', 'get_budget', '--format', 'json'],
			...['--load', '--load-requests', '10000', '--load-concurrency', '20'],
		);
		assert.equal(code, 0, `${output}\n${errors}`);
		assert.equal(images.calls.length, 10_000, output);
	});
});

/**
 * Scenarios that do not apply. The suite is made for servers with the tools, prompts and resources of the
 * reference server, over HTTP.
 */
const notApplicable = {
	'It calls tools of the reference server, such as `test_simple_text`.': [
		...['tools-call-simple-text', 'tools-call-image', 'tools-call-audio'],
		...['tools-call-embedded-resource', 'tools-call-mixed-content', 'tools-call-with-logging'],
		...['tools-call-error', 'tools-call-with-progress', 'json-schema-2020-12'],
	],
	'Nothing is asked of a client.': [
		...['tools-call-sampling', 'tools-call-elicitation'],
		...['elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
	],
	'The server has tools alone.': [
		...['logging-set-level', 'completion-complete'],
		...['resources-list', 'resources-read-text', 'resources-read-binary'],
		...['resources-templates-read', 'resources-subscribe', 'resources-unsubscribe'],
		...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args'],
		...['prompts-get-embedded-resource', 'prompts-get-with-image'],
	],
	'It concerns HTTP; a local process has its streams.': [
		...['server-sse-polling', 'server-sse-multiple-streams', 'dns-rebinding-protection'],
	],
};

suite('The conformance suite of MCP', () => {
	let bench: Bench;
	let http: Server;

	setup(async () => {
		bench = await Bench.create();
		await bench.openWindow(new Images());
		http = await serveOverHttp(bench);
	});

	teardown(async () => {
		http.close();
		http.closeAllConnections();
		await bench.end();
	});

	test('accepts what applies to a server with tools', async function () {
		this.timeout(600_000);
		const packages = await cachedPackages([conformance]);
		const script = path.join(packages, '@modelcontextprotocol/conformance/dist/index.js');
		const expected = path.join(path.dirname(bench.storage), 'expected.yml');
		const names = Object.values(notApplicable).flat();
		await writeFile(expected, `server:\n${names.map((name) => `  - ${name}\n`).join('')}`);
		const { port } = http.address() as AddressInfo;
		const { code, output, errors } = await runScript(script, [
			...['server', '--url', `http://localhost:${String(port)}/mcp`],
			...['--suite', 'all', '--expected-failures', expected],
		]);
		// It fails also where one of these passes.
		assert.equal(code, 0, `${output}\n${errors}`);
		for (const name of ['server-initialize', 'ping', 'tools-list']) {
			assert.match(output, new RegExp(`✓ ${name}: [1-9]\\d* passed, 0 failed`));
		}
	});
});

/** The suite speaks HTTP alone: the SDK's own handler stands before the server. */
async function serveOverHttp(bench: Bench): Promise<Server> {
	const options = {
		folder: bench.notes,
		workspace: bench.workspace,
		isExact: true,
		maxWaitMs: 5_000,
		maxStartMs: 0,
		progressEveryMs: 20,
		version: '1.2.3',
	};
	const handler = createMcpHandler(() => createServer(options));
	const server = createHttpServer((request, response) => {
		const answer = async () => {
			const body = await buffer(request);
			const headers = request.headers as Record<string, string>;
			const { method = 'GET', url = '/' } = request;
			const fetched = await handler.fetch(
				new Request(`http://localhost${url}`, {
					method,
					headers,
					...(body.length > 0 && { body: Uint8Array.from(body) }),
				}),
			);
			response.writeHead(fetched.status, Object.fromEntries(fetched.headers));
			response.end(Buffer.from(await fetched.arrayBuffer()));
		};
		answer().catch((error: unknown) => response.destroy(error as Error));
	});
	await once(server.listen(0), 'listening');
	return server;
}
