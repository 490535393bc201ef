import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { Bench, Images, modern } from './support';

// The SDK's client has no tasks any more, so the messages are those of the specification.
const taskSchema = z.looseObject({
	taskId: z.uuid(),
	status: z.string(),
	statusMessage: z.string(),
	createdAt: z.iso.datetime(),
	lastUpdatedAt: z.iso.datetime(),
});
const legacySchema = taskSchema.extend({ ttl: z.number(), pollInterval: z.number() });
const modernSchema = taskSchema.extend({ ttlMs: z.number(), pollIntervalMs: z.number() });
const anything = z.looseObject({});

suite('Tasks of MCP', () => {
	let bench: Bench;
	let images: Images;

	setup(async () => {
		bench = await Bench.create();
		images = new Images();
		await bench.openWindow(images);
	});

	teardown(() => bench.end());

	const call = { name: 'generate_image', arguments: { prompt: 'A pier', request_key: 'pier' } };

	suite('of 2025-11-25', () => {
		const begin = async (client: Client) => {
			const created = await client.request(
				{ method: 'tools/call', params: { ...call, task: {} } },
				z.looseObject({ task: legacySchema }),
			);
			return created.task;
		};
		const get = (client: Client, taskId: string) =>
			client.request({ method: 'tasks/get', params: { taskId } }, legacySchema);

		test('are offered for what takes long', async () => {
			const client = await bench.connect();
			const { tasks } = client.getServerCapabilities() as { tasks?: unknown };
			assert.deepEqual(tasks, { cancel: {}, requests: { tools: { call: {} } } });
			const { tools } = await client.request(
				{ method: 'tools/list' },
				z.object({ tools: z.array(z.looseObject({ name: z.string() })) }),
			);
			const offered = tools.filter((tool) => tool['execution'] !== undefined);
			assert.deepEqual(
				offered.map(({ name, execution }) => [name, execution]),
				[
					['generate_image', { taskSupport: 'optional' }],
					['edit_image', { taskSupport: 'optional' }],
				],
			);
		});

		test('are the job, and end with its answer', async () => {
			const client = await bench.connect();
			const task = await begin(client);
			assert.equal(task.status, 'working');
			assert.equal(task.pollInterval, 5_000);
			assert.ok(task.ttl >= 3_600_000);
			assert.equal((await get(client, task.taskId)).status, 'working');
			const result = client.request(
				{ method: 'tasks/result', params: { taskId: task.taskId } },
				z.looseObject({ content: z.array(anything), _meta: anything }),
			);
			images.end();
			const { content, _meta } = await result;
			assert.deepEqual(
				content.map(({ type }) => type),
				['text', 'image', 'resource_link'],
			);
			assert.deepEqual(_meta, {
				'io.modelcontextprotocol/related-task': { taskId: task.taskId },
			});
			// Nothing is kept in a server: another one knows it as well.
			const other = await bench.connect();
			assert.equal((await get(other, task.taskId)).status, 'completed');
			assert.equal(images.requested, 1);
		});

		test('are cancelled once', async () => {
			const client = await bench.connect();
			const { taskId } = await begin(client);
			const cancel = () =>
				client.request({ method: 'tasks/cancel', params: { taskId } }, legacySchema);
			assert.equal((await cancel()).status, 'cancelled');
			await assert.rejects(cancel(), { code: -32602 });
		});

		test('fail as the job does', async () => {
			const client = await bench.connect();
			const { taskId } = await begin(client);
			images.end('failed');
			assert.equal((await get(client, taskId)).status, 'failed');
			const result = await client.request(
				{ method: 'tasks/result', params: { taskId } },
				z.looseObject({ isError: z.boolean() }),
			);
			assert.equal(result.isError, true);
		});

		test('are refused for what is answered at once, and where there is none', async () => {
			const client = await bench.connect();
			const params = { name: 'get_budget', arguments: {}, task: {} };
			await assert.rejects(client.request({ method: 'tools/call', params }, anything), {
				code: -32601,
			});
			await assert.rejects(get(client, crypto.randomUUID()), { code: -32602 });
		});
	});

	suite('of the extension for 2026-07-28', () => {
		const withTasks = {
			...modern,
			capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
		};

		test('are made for a client that knows them, and for no other', async () => {
			const client = await bench.connect({}, withTasks);
			const { extensions } = client.getServerCapabilities() ?? {};
			assert.deepEqual(extensions, { 'io.modelcontextprotocol/tasks': {} });
			// The client takes a task for no result, and says what it got.
			await assert.rejects(client.callTool(call), /Unsupported result type 'task'/);
			assert.equal(images.requested, 1);
			const other = await bench.connect({}, modern);
			const result = await other.callTool(call);
			const { job } = JSON.parse((result.content[0] as { text: string }).text) as {
				job: string;
			};
			const params = { taskId: job };
			const get = () => client.request({ method: 'tasks/get', params }, modernSchema);
			const working = await get();
			assert.deepEqual([working.taskId, working.status], [job, 'working']);
			assert.equal(working.pollIntervalMs, 5_000);
			assert.ok(working.ttlMs >= 3_600_000);
			images.end('declined');
			const ended = await get();
			assert.equal(ended.status, 'completed');
			const { content } = z.object({ content: z.array(anything) }).parse(ended['result']);
			assert.match(String(content[0]?.['text']), /declined/);
		});

		test('are cancelled, and never ask for anything', async () => {
			const client = await bench.connect({}, modern);
			const result = await client.callTool(call);
			const { job } = JSON.parse((result.content[0] as { text: string }).text) as {
				job: string;
			};
			const params = { taskId: job };
			const request = (method: string, more = {}) =>
				client.request({ method, params: { ...params, ...more } }, anything);
			await request('tasks/update', { inputResponses: {} });
			await request('tasks/cancel');
			assert.equal((await request('tasks/get'))['status'], 'cancelled');
			await assert.rejects(request('tasks/get', { taskId: crypto.randomUUID() }), {
				code: -32602,
			});
		});
	});
});
