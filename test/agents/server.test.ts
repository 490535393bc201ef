import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, readdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { leaseOwnerSchema } from '../../src/jobs/leaseOwner.js';
import {
	agentTools,
	agentWindowSchema,
	publishedSchema,
	type AgentToolName,
} from '../../src/protocol/agents.js';
import { until } from '../host/until';
import { Bench, Images, modern } from './support';

const toolNames = Object.keys(agentTools) as AgentToolName[];

suite('The MCP server', () => {
	let bench: Bench;
	let images: Images;

	setup(async () => {
		bench = await Bench.create();
		images = new Images();
	});

	teardown(() => bench.end());

	const generate = (client: Client, key = 'pier') =>
		client.callTool({
			name: 'generate_image',
			arguments: { prompt: 'A pier', request_key: key },
		});

	for (const [version, options] of [
		['2025-11-25', {}],
		['2026-07-28', modern],
	] as const) {
		suite(`in version ${version} of the protocol`, () => {
			test('lists the tools as the contract has them', async () => {
				const client = await bench.connect({}, options);
				assert.equal(client.getNegotiatedProtocolVersion(), version);
				assert.match(client.getInstructions() ?? '', /request_key.*untrusted.*never instructions/s);
				const { tools } = await client.listTools();
				assert.deepEqual(
					tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
					toolNames.map((name) => ({
						name,
						description: agentTools[name].description,
						inputSchema: publishedSchema(name),
					})),
				);
				// All of it stands in the context of a model, in each of its turns.
				assert.ok(JSON.stringify(tools).length < 9800, JSON.stringify(tools));
				assert.doesNotMatch(JSON.stringify(tools), /"(?:\$schema|format|pattern|anyOf|oneOf)"/);
				for (const { name, annotations } of tools) {
					const { isReadOnly } = agentTools[name as AgentToolName];
					assert.equal(annotations?.readOnlyHint, isReadOnly, name);
					// Codex refuses others where its approval policy is never.
					assert.equal(annotations?.openWorldHint, false, name);
					const isDestructive = annotations?.destructiveHint ?? !isReadOnly;
					assert.equal(isDestructive, name === 'cancel_image', name);
				}
			});

			test('passes a call on, and the picture back beside the words', async () => {
				await bench.openWindow(images);
				const client = await bench.connect({}, options);
				const started = await generate(client);
				const [words] = started.content;
				assert.ok(words?.type === 'text');
				const { job, state } = JSON.parse(words.text) as { job: string; state: string };
				assert.equal(state, 'running');
				images.end();
				const done = await client.callTool({ name: 'wait_for_image', arguments: { job } });
				assert.deepEqual(
					done.content.map(({ type }) => type),
					['text', 'image', 'resource_link'],
				);
				const [end, picture, link] = done.content;
				assert.ok(end?.type === 'text' && picture?.type === 'image');
				const { workspace, untrusted } = JSON.parse(end.text) as Record<string, unknown>;
				assert.equal(workspace, bench.workspace);
				assert.match(JSON.stringify(untrusted), /docs\/images\/pier\.png/);
				assert.ok(!end.text.includes(picture.data));
				assert.equal(done.structuredContent, undefined);
				assert.ok(link?.type === 'resource_link');
				assert.equal(link.uri, 'file:///work/docs/images/pier.png');
				assert.deepEqual(link.annotations?.audience, ['user']);
				assert.deepEqual(images.callers, [
					{ door: 'mcp', name: 'Test Agent' },
					{ door: 'mcp', name: 'Test Agent' },
				]);
			});

			test('reports progress in the words of the window while a call waits', async () => {
				await bench.openWindow(images);
				images.msOfSecond = 1_000;
				const client = await bench.connect({}, options);
				const started = await generate(client);
				const { job } = JSON.parse((started.content[0] as { text: string }).text) as {
					job: string;
				};
				const reported: { progress: number; message?: string | undefined }[] = [];
				const { promise, resolve } = Promise.withResolvers<void>();
				const waiting = client.callTool(
					{ name: 'wait_for_image', arguments: { job } },
					{
						onprogress: (one) => {
							reported.push(one);
							if (reported.length > 1 && one.message === images.progress) {
								resolve();
							}
						},
					},
				);
				await promise;
				images.end();
				await waiting;
				assert.ok(reported[0]!.progress < reported.at(-1)!.progress);
			});

			test('answers a tool that does not exist with an error', async () => {
				await bench.openWindow(images);
				const client = await bench.connect({}, options);
				await assert.rejects(client.callTool({ name: 'buy_everything' }), /Unknown tool/);
				await assert.rejects(client.callTool({ name: 'toString' }), /Unknown tool/);
			});
		});
	}

	test('cancels nothing where its client is killed, and ends itself', async () => {
		await bench.openWindow(images);
		images.msOfSecond = 1_000;
		const first = await bench.connect();
		const started = await generate(first);
		const { job } = JSON.parse((started.content[0] as { text: string }).text) as { job: string };
		const { pid } = first.transport as unknown as { readonly pid: number };
		const called = images.called();
		const waiting = first.callTool({ name: 'wait_for_image', arguments: { job } });
		waiting.catch(() => undefined);
		await called;
		await first.close();
		await until(() => !isAlive(pid), 'the end of the server');
		images.end();
		const second = await bench.connect();
		const done = await second.callTool({ name: 'wait_for_image', arguments: { job } });
		assert.match((done.content[0] as { text: string }).text, /"state":"done"/);
		assert.ok(!images.calls.includes('cancel_image'));
	});

	test('takes the words of an error for a result that a model reads', async () => {
		await bench.openWindow(images);
		const client = await bench.connect();
		const result = await client.callTool({ name: 'get_image', arguments: { path: 'x.png' } });
		assert.equal(result.isError, true);
		assert.match((result.content[0] as { text: string }).text, /is not in this test/);
	});

	test('understands the folder and the wait of a call in other forms', async () => {
		await bench.openWindow(images);
		images.msOfSecond = 0;
		const client = await bench.connect({ workspace: tmpdir() });
		const workspace = pathToFileURL(bench.workspace).href;
		const started = await client.callTool({
			name: 'generate_image',
			arguments: { prompt: 'A pier', workspace, count: '1' },
		});
		assert.equal(started.isError, undefined, JSON.stringify(started));
		const { job } = JSON.parse((started.content[0] as { text: string }).text) as { job: string };
		const args = { job, up_to_seconds: '999', workspace: null };
		const waited = await client.callTool({ name: 'wait_for_image', arguments: args });
		assert.match((waited.content[0] as { text: string }).text, /"state":"running"/);
		assert.deepEqual(images.folders, [bench.workspace, bench.workspace]);
	});

	test('answers a call with a picture in it, and goes on after a line that is longer still', async () => {
		await bench.openWindow(images);
		const client = await bench.connect();
		const callWith = (length: number, timeout?: number) =>
			client.callTool(
				{
					name: 'edit_image',
					arguments: { image: `data:image/png;base64,${'A'.repeat(length)}`, instruction: 'x' },
				},
				{ ...(timeout !== undefined && { timeout }) },
			);
		for (const mebibytes of [1, 2, 9]) {
			const result = await callWith(mebibytes * 1024 * 1024);
			assert.equal(result.isError, true);
			assert.match((result.content[0] as { text: string }).text, /Pass images by their paths/);
		}
		assert.deepEqual(images.calls, []);
		await assert.rejects(callWith(11 * 1024 * 1024, 500), /timed out/i);
		await generate(client);
		assert.deepEqual(images.calls, ['generate_image']);
	});
});

suite('The socket of a window', () => {
	let bench: Bench;
	let images: Images;

	setup(async () => {
		bench = await Bench.create();
		images = new Images();
	});

	teardown(() => bench.end());

	async function readNote() {
		const [name] = await readdir(bench.notes);
		const content = await readFile(path.join(bench.notes, name!), 'utf8');
		const { owner, ...note } = agentWindowSchema.parse(JSON.parse(content));
		return { ...note, address: leaseOwnerSchema.parse(owner).address };
	}

	/** Sends lines, and returns what comes back until the window closes the connection. */
	async function exchange(...lines: readonly string[]): Promise<string> {
		const { address } = await readNote();
		const socket = connect(address);
		const answer = text(socket).catch(() => '');
		socket.on('error', () => undefined);
		for (const line of lines) {
			socket.write(line);
		}
		return answer;
	}

	test('answers only a caller with the token', async () => {
		await bench.openWindow(images);
		const { token } = await readNote();
		const call = { tool: 'get_budget', arguments: {}, caller: { door: 'mcp' } };
		assert.match(await exchange(`${JSON.stringify({ token, ...call })}\n`), /"answer"/);
		for (const wrong of ['', token.slice(1), `${token}x`, 7, null, undefined]) {
			assert.equal(await exchange(`${JSON.stringify({ token: wrong, ...call })}\n`), '');
		}
		assert.equal(images.calls.length, 1);
	});

	test('closes a connection that sends anything else', async () => {
		await bench.openWindow(images, undefined, 200);
		const { token } = await readNote();
		const long = 'x'.repeat(1024 * 1024 + 1);
		for (const line of ['soup\n', '[]\n', 'null\n', '{}\n', `${long}\n`, long, 'no end', '']) {
			assert.equal(await exchange(line), '', line.slice(0, 20));
		}
		// A call of another version has words, because its user can do something about it.
		assert.match(await exchange(`${JSON.stringify({ token })}\n`), /does not understand/);
		assert.deepEqual(images.calls, []);
	});

	test('takes one call of a connection', async () => {
		await bench.openWindow(images);
		const { token } = await readNote();
		const call = `${JSON.stringify({ token, tool: 'get_budget', arguments: {}, caller: { door: 'mcp' } })}\n`;
		await exchange(call + call);
		assert.equal(images.calls.length, 1);
	});

	test('has a note for its user alone, and leaves nothing when it is closed', async () => {
		const socket = await bench.openWindow(images);
		const { address } = await readNote();
		const [name] = await readdir(bench.notes);
		const { mode } = await stat(path.join(bench.notes, name!));
		assert.equal(process.platform === 'win32' ? 0 : mode & 0o077, 0);
		await rm(bench.notes, { recursive: true });
		await socket.restore();
		assert.equal((await readNote()).address, address);
		await socket.close();
		assert.deepEqual(await readdir(bench.notes), []);
		await socket.restore();
		assert.deepEqual(await readdir(bench.notes), []);
		const attempt = connect(address);
		const [error] = (await once(attempt, 'error')) as [NodeJS.ErrnoException];
		assert.equal(error.code, 'ENOENT');
	});
});

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
