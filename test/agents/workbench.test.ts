import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { inspectImage } from '../../src/images/inspect.js';
import type { AgentJob, AgentMissingImage } from '../../src/protocol/agents.js';
import { resultsFolder, Workbench } from '../e2e/workbench.js';
import { parseAgentText } from '../host/agentText.js';
import { until } from '../host/until.js';
import { startImageService, type ImageService } from '../service/server.js';

const key = 'agents-key-41c7';
/** An answer, with its time and its parts. */
interface Answer extends AgentJob {
	readonly error?: string;
	readonly missing: readonly AgentMissingImage[];
	/** Duration of the call, in milliseconds. */
	readonly ms: number;
	/** Types of the parts behind the text. */
	readonly parts: readonly string[];
	/** Size of the preview; 0 without one. */
	readonly previewBytes: number;
}

/** A row of the table: a caller, its calls, and their requests and files. */
interface Row {
	readonly what: string;
	readonly calls: number;
	readonly requests: number;
	readonly files: number;
}

suite('Agents, in the real workbench', () => {
	const rows: Row[] = [];
	const clients: Client[] = [];
	let scratch: string;
	let service: ImageService;
	let workbench: Workbench;
	let calls = 0;

	suiteSetup(async () => {
		scratch = await mkdtemp(path.join(tmpdir(), 'easel-agents-'));
	});

	setup(async () => {
		calls = 0;
		service = await startImageService({ key, latencyMs: 500 });
	});

	teardown(async () => {
		for (const client of clients.splice(0)) {
			await client.close();
		}
		await workbench?.close();
		await service?.close();
	});

	suiteTeardown(async () => {
		await rm(scratch, { recursive: true });
		const lines = rows.map(({ what, calls: made, requests, files }) =>
			[what.padEnd(62), made, requests, files].join('  '),
		);
		console.log(['', `${'caller'.padEnd(62)}  calls  requests  files`, ...lines].join('\n'));
	});

	async function open(settings: Readonly<Record<string, unknown>> = {}, folder?: string) {
		workbench = await Workbench.open({
			...(folder !== undefined && { folder }),
			settings: { 'easel.service.address': service.address, ...settings },
			env: { EASEL_API_KEY: key },
		});
	}

	/** Sets the server up as a user does, and starts it as Claude Code does. */
	async function connect(name = 'Writer Agent', cwd = workbench.folder): Promise<Client> {
		const launcher = path.join(workbench.editor.globalStorage, 'easel.easel/agents/server.cjs');
		if (!(await readFile(launcher, 'utf8').catch(() => ''))) {
			await workbench.runCommand('Easel: Copy MCP Configuration');
			await workbench.waitForQuickInput('Copy MCP Configuration');
			await workbench.typeInQuickInput('Claude Code');
			await workbench.waitForItems(/^Claude Code/);
			await workbench.acceptStep();
			await until(async () => (await readFile(launcher, 'utf8').catch(() => '')) !== '', launcher);
		}
		const client = new Client({ name, version: '1.0.0' });
		clients.push(client);
		await client.connect(
			new StdioClientTransport({
				command: process.execPath,
				args: [launcher],
				cwd,
			}),
		);
		return client;
	}

	async function call(client: Client, tool: string, args: object, timeout?: number) {
		calls += 1;
		const started = performance.now();
		const answer = await client.callTool(
			{ name: tool, arguments: { ...args } },
			{ ...(timeout !== undefined && { timeout }) },
		);
		const content = answer.content as { type: string; text?: string; data?: string }[];
		const text = content[0]?.text ?? '';
		const said = (text.startsWith('{') ? parseAgentText(text) : { error: text }) as Answer;
		const parts = content.slice(1).map(({ type }) => type);
		const preview = content.find(({ type }) => type === 'image')?.data ?? '';
		const previewBytes = Buffer.from(preview, 'base64').length;
		// More than words would be a picture in them.
		assert.ok(text.length < 20_000, `${tool}: ${String(text.length)} characters`);
		return { ...said, ms: performance.now() - started, parts, previewBytes };
	}

	/** Waits for the end as the skill says, and as the words of an error say; asks for nothing anew. */
	async function waitForEnd(client: Client, { job }: Pick<Answer, 'job'>): Promise<Answer> {
		for (let errors = 0; ;) {
			const answer = await call(client, 'wait_for_image', { job, up_to_seconds: 50 });
			if (answer.error !== undefined) {
				errors += 1;
				if (errors > 2 || !/Call again/.test(answer.error)) throw new Error(answer.error);
				continue;
			}
			if (answer.state !== 'running' && answer.state !== 'confirming') return answer;
		}
	}

	async function count(what: string): Promise<Row> {
		const names = await readdir(workbench.folder, { recursive: true });
		const files = names.filter((name) => name.endsWith('.png')).length;
		const row = { what, calls, requests: service.requests.length, files };
		rows.push(row);
		return row;
	}

	test('illustrates a page by the skill, and records the transcript', async () => {
		await open();
		const client = await connect();
		const lines = ['# An agent illustrates a page', ''];
		const step = async (thought: string, tool: string, args: object) => {
			const answer = await call(client, tool, args);
			const { parts } = answer;
			const said = { ...answer, ms: undefined, parts: undefined, previewBytes: undefined };
			const shown = JSON.stringify(said).replaceAll(workbench.folder, '…').slice(0, 700);
			lines.push(`**Agent:** ${thought}`, '', `→ \`${tool}\` \`${JSON.stringify(args)}\``, '');
			lines.push(`← \`${shown}\`${parts.length > 0 ? ` and ${parts.join(', ')}` : ''}`, '');
			return answer;
		};

		await step('First I look for what exists.', 'list_images', { query: 'sensor' });
		const { missing } = await step('Are images missing on this page?', 'find_missing_images', {
			folder: 'docs/architecture.md',
		});
		const [sensor] = missing;
		assert.equal(missing.length, 1);
		assert.equal(sensor?.target, 'docs/images/sensor.png');
		await step('What may I spend without a question?', 'get_budget', {});
		const wish = {
			request_key: 'architecture-sensor',
			prompt:
				'A water-level sensor fixed to a wooden pier, seen from the water [fault delay=3000 bytes=24000000]',
			alt_text: 'A water-level sensor on a wooden pier, half above the water',
			target: sensor.target,
		};
		const asked = await step('The sensor is missing; I ask for it.', 'generate_image', wish);
		assert.equal(asked.state, 'confirming');
		assert.ok(asked.ms < 25_000);
		assert.equal(service.requests.length, 0);
		const question = await workbench.waitForNotification(/Writer Agent asks for 1 image/);
		assert.match(question, /1 paid request.*A water-level sensor.*docs\/images\/sensor\.png/);
		await workbench.screenshot('agents-question');
		await workbench.clickNotificationButton('Generate');
		const done = await step('The user is asked. I wait.', 'wait_for_image', { job: asked.job });
		assert.equal(done.state, 'done');
		assert.deepEqual(done.parts, ['image', 'resource_link']);
		assert.ok(done.previewBytes > 1000 && done.previewBytes <= 200_000, String(done.previewBytes));
		const [image] = done.images;
		const file = path.join(workbench.folder, 'docs/images/sensor.png');
		const { width, height } = await inspectImage(file);
		assert.deepEqual([image?.path, image?.width, image?.height], [sensor.target, width, height]);
		assert.equal(image?.alt_text, wish.alt_text);
		const again = await step('Did my first call get lost? The same key.', 'generate_image', wish);
		assert.deepEqual([again.job, again.state], [asked.job, 'done']);
		const left = await step('Is the page whole now?', 'find_missing_images', {
			folder: 'docs/architecture.md',
		});
		assert.deepEqual(left.missing, []);
		await writeFile(path.join(resultsFolder, 'agents-transcript.md'), `${lines.join('\n')}\n`);
		assert.equal((await count('illustrates a page, repeats its call')).requests, 1);
	});

	test('makes one image of 100 s for a client with a limit of 60 s that retries three times', async () => {
		await open();
		const client = await connect();
		const wish = { request_key: 'slow', prompt: 'A slow harbor [fault delay=100000]' };
		const first = await call(client, 'generate_image', wish, 60_000);
		await workbench.clickNotificationButton('Generate');
		for (let retry = 1; retry <= 3; retry += 1) {
			const { job, ms } = await call(client, 'generate_image', wish, 60_000);
			assert.equal(job, first.job);
			assert.ok(ms < 25_000, String(ms));
		}
		// Another client, and one that is killed in the middle of its call.
		const other = await connect('Second Agent');
		const waiting = call(other, 'wait_for_image', { job: first.job }).catch(() => undefined);
		await service.waitForRequest(1);
		await other.close();
		await waiting;
		const third = await connect('Third Agent');
		assert.equal((await call(third, 'generate_image', wish)).job, first.job);
		// Meanwhile the window is reloaded.
		await workbench.reloadWindow();
		const { state, images } = await waitForEnd(client, first);
		assert.equal(state, 'done');
		assert.equal(images.length, 1);
		const row = await count('60 s, three retries, killed, second client, reloaded window');
		assert.deepEqual([row.requests, row.files], [1, 1]);
	}).timeout(300_000);

	test('shows the words of a hostile caller without links', async () => {
		await open();
		const client = await connect('<b>x</b> [Save](command:workbench.action.files.saveAll)');
		const asked = await call(client, 'generate_image', {
			request_key: 'link',
			prompt: 'A [harbor](command:workbench.action.files.saveAll) $(alert)',
		});
		assert.equal(asked.state, 'confirming');
		const question = await workbench.waitForNotification(/asks for 1 image/);
		assert.match(question, /\[harbor\] \P{L}*command/u, 'words, and no link');
		assert.equal(await workbench.page.locator('.notification-toast a[href]').count(), 0);
		await workbench.clickNotificationButton('Decline');
		assert.equal((await waitForEnd(client, asked)).state, 'declined');
		assert.equal((await count('hostile: links')).requests, 0);
	});

	test('makes images in the second folder of a window, for an agent that works there', async () => {
		const [first, second] = ['first', 'second'].map((name) =>
			path.join(scratch, 'folders', name),
		) as [string, string];
		for (const folder of [first, path.join(second, 'docs')]) {
			await mkdir(folder, { recursive: true });
		}
		await writeFile(path.join(second, 'docs', 'a.md'), '# A\n');
		const workspace = path.join(scratch, 'two.code-workspace');
		await writeFile(workspace, JSON.stringify({ folders: [{ path: first }, { path: second }] }));
		await open({ 'easel.budget.imagesPerDay': 5 }, workspace);
		const client = await connect('Second Agent', path.join(second, 'docs'));
		for (const [wish, file] of [
			[{ target: 'images/pier.png' }, 'docs/images/pier.png'],
			[{ insert_into: { document: 'a.md' } }, undefined],
			// Where Easel chooses the place, it is in the folder of the agent, too.
			[{}, undefined],
		] as const) {
			const input = { prompt: `A pier, ${JSON.stringify(wish)}`, ...wish };
			const begun = await call(client, 'generate_image', input);
			const done = await waitForEnd(client, begun);
			assert.equal(done.state, 'done', JSON.stringify(done));
			const made = path.resolve(second, 'docs', done.images[0]!.path);
			assert.ok(made.startsWith(second + path.sep), made);
			assert.ok((await readFile(made)).length > 0);
			assert.equal(file === undefined ? made : path.join(second, file), made);
		}
		assert.match(await readFile(path.join(second, 'docs', 'a.md'), 'utf8'), /!\[/);
		assert.deepEqual(await readdir(first), []);
		assert.equal(service.requests.length, 3);
	}).timeout(180_000);
});
