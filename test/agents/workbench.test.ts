import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { inspectImage } from '../../src/images/inspect.js';
import type { AgentJob, AgentMissingImage } from '../../src/protocol/agents.js';
import { packedExtension } from '../bench/extensions.js';
import { resultsFolder, Workbench } from '../e2e/workbench.js';
import { parseAgentText } from '../host/agentText.js';
import { until } from '../host/until.js';
import { startImageService, type ImageService } from '../service/server.js';

const key = 'agents-key-41c7';
/** The command of an extension that calls the tools as an agent of VS Code does. */
const callerCommand = 'Agent: Call Tools';

/** What an answer says that is not asked about closer. */
interface Answer extends AgentJob {
	readonly error?: string;
	readonly missing: readonly AgentMissingImage[];
	/** How long it has taken, in milliseconds. */
	readonly ms: number;
	/** Types of the parts behind the text. */
	readonly parts: readonly string[];
	/** Of the preview, if there is one. */
	readonly previewBytes: number;
}

/** A row of the table: what a caller has done, and what it has come to. */
interface Row {
	readonly what: string;
	readonly calls: number;
	readonly requests: number;
	readonly files: number;
	readonly money: string;
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
		const lines = rows.map(({ what, calls: made, requests, files, money }) =>
			[what.padEnd(62), made, requests, files, money].join('  '),
		);
		console.log(['', `${'caller'.padEnd(62)}  calls  requests  files  money`, ...lines].join('\n'));
	});

	async function open(
		settings: Readonly<Record<string, unknown>> = {},
		others: string[] = [],
		folder?: string,
	) {
		workbench = await Workbench.open({
			...(folder !== undefined && { folder }),
			otherVsix: others,
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
			await workbench.pickItem('Claude Code');
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

	/** As the skill says: waits for the end, and asks for nothing anew. */
	async function waitForEnd(client: Client, { job }: Pick<Answer, 'job'>): Promise<Answer> {
		for (;;) {
			const answer = await call(client, 'wait_for_image', { job, up_to_seconds: 50 });
			if (answer.state !== 'running' && answer.state !== 'confirming') return answer;
		}
	}

	async function count(what: string, money = ''): Promise<Row> {
		const names = await readdir(workbench.folder, { recursive: true });
		const files = names.filter((name) => name.endsWith('.png')).length;
		const row = { what, calls, requests: service.requests.length, files, money };
		rows.push(row);
		return row;
	}

	test('An agent illustrates a page by the skill, and the transcript says how', async () => {
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

	test('A client with a limit of 60 s that retries three times gets one image of 100 s', async () => {
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

	test('Eight callers at once never get more than the budget has', async () => {
		await open({
			'easel.budget.imagesPerDay': 3,
			'easel.budget.price': { currency: 'EUR', image: 0.04 },
			'easel.service.concurrency': 8,
		});
		const client = await connect();
		const wishes = Array.from({ length: 8 }, (_, at) => ({
			request_key: `wish-${String(at)}`,
			prompt: `Harbor number ${String(at)}`,
			target: `images/harbor-${String(at)}.png`,
		}));
		const answers = await Promise.all(wishes.map((wish) => call(client, 'generate_image', wish)));
		const states = answers.map(({ state }) => state);
		assert.equal(states.filter((state) => state === 'confirming').length, 5, states.join());
		const allowed = answers.filter(({ state }) => state !== 'confirming');
		for (const answer of allowed) {
			assert.equal((await waitForEnd(client, answer)).state, 'done');
		}
		const { budget } = await call(client, 'get_budget', {});
		assert.deepEqual([budget.used_today, budget.allowed_today], [3, 3]);
		const row = await count('eight at once, three in the budget', budget.price ?? '');
		assert.deepEqual([row.requests, row.files], [3, 3]);
		// The user can still allow one of the others.
		await workbench.clickNotificationButton('Generate');
		await service.waitForRequest(4);
	});

	test('A hostile caller gets words, and nothing else', async () => {
		await open();
		const client = await connect('<b>x</b> [Save](command:workbench.action.files.saveAll)');
		const before = await readdir(workbench.folder, { recursive: true });
		const wish = { request_key: 'bad', prompt: 'A harbor' };
		for (const args of [
			{ ...wish, target: '../outside.png' },
			{ ...wish, target: '/etc/outside.png' },
			{ ...wish, references: ['../../etc/passwd'] },
			{ ...wish, insert_into: { document: '../README.md' } },
			{ ...wish, prompt: '' },
			{ ...wish, count: 400 },
			{ ...wish, address: 'https://example.com' },
		]) {
			const { error } = await call(client, 'generate_image', args);
			assert.match(error ?? '', /\S/, JSON.stringify(args));
		}
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
		// As many calls as a mad caller makes: they are refused, and the window lives.
		const flood = await Promise.all(
			Array.from({ length: 10_000 }, () => call(client, 'get_budget', {})),
		);
		assert.ok(flood.some(({ error }) => /within a minute/.test(error ?? '')));
		await workbench.runCommand('View: Close All Editors');
		assert.deepEqual(await readdir(workbench.folder, { recursive: true }), before);
		assert.equal((await count('hostile: paths, links, 10,000 calls')).requests, 0);
	}).timeout(300_000);

	test('An agent in the second folder of a window makes images there, and in another project none', async () => {
		const [first, second, other] = ['first', 'second', 'other'].map((name) =>
			path.join(scratch, 'folders', name),
		) as [string, string, string];
		for (const folder of [first, path.join(second, 'docs'), path.join(other, '.git')]) {
			await mkdir(folder, { recursive: true });
		}
		await writeFile(path.join(second, 'docs', 'a.md'), '# A\n');
		const workspace = path.join(scratch, 'two.code-workspace');
		await writeFile(workspace, JSON.stringify({ folders: [{ path: first }, { path: second }] }));
		await open({ 'easel.budget.perSession': 5 }, [], workspace);
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

		const stranger = await connect('Other Agent', other);
		const refused = await call(stranger, 'generate_image', { prompt: 'A boat' });
		assert.ok(
			refused.error?.includes(`“${other}”`) && refused.error.includes(second),
			refused.error,
		);
		assert.equal(service.requests.length, 3);
	}).timeout(180_000);

	test('VS Code calls the tools itself, and its own MCP client the server', async () => {
		const target = path.join(scratch, 'answers.json');
		await open({ 'chat.mcp.access': 'all' }, [await callerExtension(scratch, target)]);
		await workbench.runCommand(callerCommand);
		await workbench.waitForNotification(/asks for 1 image/);
		await workbench.clickNotificationButton('Generate');
		// VS Code asks for itself before a tool of a server may change something.
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await dialog.getByRole('button', { name: 'Yes' }).click({ timeout: 60_000 });
		await until(async () => (await readFile(target, 'utf8').catch(() => '')) !== '', target);
		const answers = JSON.parse(await readFile(target, 'utf8')) as Record<string, string[]>;
		const [first, second, done, third] = answers['tool']!.map(
			(text) => parseAgentText(text) as Answer,
		);
		assert.equal(second?.job, first?.job);
		assert.deepEqual([third?.error, third?.job], [undefined, first?.job]);
		assert.equal(done?.state, 'done');
		assert.equal(done?.images.length, 1);
		assert.deepEqual(answers['parts'], ['image/webp', 'image/webp']);
		const row = await count('a language model tool, twice; then MCP of VS Code');
		assert.deepEqual([row.requests, row.files], [1, 1]);
	});
});

/** Packages an extension that calls the tools as VS Code has agents call them, and writes the answers. */
function callerExtension(folder: string, target: string): Promise<string> {
	const [category = '', title = ''] = callerCommand.split(': ');
	const source = `
		const { renameSync, writeFileSync } = require('node:fs');
		const { commands, lm, CancellationTokenSource, LanguageModelTextPart } = require('vscode');
		const target = ${JSON.stringify(target)};
		exports.activate = () => commands.registerCommand('caller.call', async () => {
			const parts = [];
			const invoke = async (name, input) => {
				const { content } = await lm.invokeTool(
					name, { input, toolInvocationToken: undefined }, new CancellationTokenSource().token);
				parts.push(...content.slice(1).map(({ mimeType }) => mimeType));
				return content[0].value;
			};
			const wish = { request_key: 'of-vscode', prompt: 'A harbor by a tool' };
			const first = await invoke('easel_generate_image', wish);
			const second = await invoke('easel_generate_image', wish);
			let last = second;
			while (['running', 'confirming'].includes(JSON.parse(last).state)) {
				last = await invoke('easel_wait_for_image', { job: JSON.parse(last).job });
			}
			await commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
			const ofMcp = lm.tools.find(({ name }) => /^mcp_.*generate_image$/.test(name));
			const third = ofMcp === undefined
				? JSON.stringify({ error: lm.tools.map(({ name }) => name).join() })
				: await invoke(ofMcp.name, wish);
			writeFileSync(target + '.new', JSON.stringify({ tool: [first, second, last, third], parts }));
			renameSync(target + '.new', target);
		});
	`;
	return packedExtension(folder, 'caller', source, {
		contributes: { commands: [{ command: 'caller.call', title, category }] },
	});
}
