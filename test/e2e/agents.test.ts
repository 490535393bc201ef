import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AgentJob } from '../../src/protocol/agents.js';
import { packedExtension } from '../bench/extensions.js';
import { parseAgentText } from '../host/agentText.js';
import { until } from '../host/until.js';
import { startImageService, type ImageService } from '../service/server.js';
import { Workbench } from './workbench.js';

const key = 'e2e-agents-key-51d0';

suite('Agents in the workbench', () => {
	let service: ImageService;
	let workbench: Workbench;
	let scratch: string;
	/** Folder in which the stand-in for an agent finds calls, and leaves answers. */
	let calls: string;

	suiteSetup(async () => {
		scratch = await mkdtemp(path.join(tmpdir(), 'easel-agents-'));
		calls = path.join(scratch, 'calls');
		await mkdir(calls);
		service = await startImageService({ key, latencyMs: 900 });
		workbench = await Workbench.open({
			otherVsix: [await agentExtension(scratch, calls)],
			settings: { 'easel.service.address': service.address },
			env: { EASEL_API_KEY: key },
		});
		// The first call waits until both extensions are loaded.
		await until(async () => (await readdir(calls)).includes('ready'), 'the agent');
		await call('get_budget', {});
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
		await rm(scratch, { recursive: true });
	});

	setup(async () => {
		await workbench.dismissEverything();
	});

	type Answer = AgentJob & { readonly error?: string };

	/** Calls a tool as {@link callOnce}, again where Easel says so: a busy machine searches for long. */
	async function call(tool: string, input: object): Promise<Answer> {
		let answer = await callOnce(tool, input);
		while (answer.error?.includes('Call again') === true) {
			answer = await callOnce(tool, input);
		}
		return answer;
	}

	/** Calls a tool by `vscode.lm.invokeTool` of another extension. */
	async function callOnce(tool: string, input: object): Promise<Answer> {
		const id = crypto.randomUUID();
		const file = path.join(calls, `${id}.json`);
		await writeFile(`${file}.part`, JSON.stringify({ tool: `easel_${tool}`, input }));
		await rename(`${file}.part`, file);
		const answer = path.join(calls, `${id}.answer`);
		await until(async () => (await readdir(calls)).includes(`${id}.answer`), 'the answer');
		return parseAgentText(await readFile(answer, 'utf8')) as Answer;
	}

	async function ended(job: string): Promise<Answer> {
		for (;;) {
			const found = await call('wait_for_image', { job, up_to_seconds: 20 });
			if (found.state !== 'running' && found.state !== 'confirming') {
				return found;
			}
		}
	}

	const wish = (change: object = {}) => ({
		request_key: crypto.randomUUID(),
		prompt: 'a pier at dusk, flat illustration',
		...change,
	});

	const images = () => readdir(path.join(workbench.folder, 'images')).catch((): string[] => []);

	test('makes the image that the user allows in the notification, with its link in the document', async () => {
		const before = service.requests.length;
		const begun = await call(
			'generate_image',
			wish({ insert_into: { document: 'docs/architecture.md', line: 3 }, alt_text: 'The pier' }),
		);
		assert.equal(begun.state, 'confirming', JSON.stringify(begun));
		await workbench.waitForNotification(/An agent asks for 1 image .*a pier at dusk/);
		await workbench.screenshot('agents-question');
		// A user who types presses Enter, and allows nothing by it.
		await workbench.openFile('docs/getting-started.md');
		await workbench.editorText().click();
		await workbench.page.keyboard.press('Enter');
		await workbench.page.keyboard.press('ControlOrMeta+Z');
		assert.equal(service.requests.length, before);
		await workbench.clickNotificationButton('Generate');
		const done = await ended(begun.job);
		assert.equal(done.state, 'done', JSON.stringify(done));
		await workbench.waitForFileText('docs/architecture.md', '![The pier](');
		assert.equal(service.requests.length, before + 1);
		assert.ok((await images()).length > 0);
	});

	test('asks anew about a wish whose window is reloaded before the user answers', async () => {
		const before = service.requests.length;
		const input = wish({ target: 'images/asked.png' });
		const begun = await call('generate_image', input);
		await workbench.waitForNotification(/An agent asks for 1 image/);
		await workbench.reloadWindow();
		let again = await call('generate_image', input);
		// The extension host of before lives on for a moment, and has the wish as long.
		await until(async () => {
			again = await call('generate_image', input);
			return (await workbench.page.getByText(/An agent asks for 1 image/).count()) > 0;
		}, 'the question');
		assert.equal(again.job, begun.job);
		await workbench.clickNotificationButton('Generate');
		assert.equal((await ended(begun.job)).state, 'done');
		assert.equal(service.requests.length, before + 1);
	});

	test('names the agent of an image in the studio', async () => {
		const { job } = await call('generate_image', wish({ target: 'images/studio.png' }));
		await workbench.waitForNotification(/An agent asks for 1 image/);
		await workbench.clickNotificationButton('Generate');
		assert.equal((await ended(job)).state, 'done');
		await workbench.dismissEverything();
		await workbench.runCommand('Easel: Open Image Studio');
		await workbench.webview().getByText('By an agent').first().waitFor();
		await workbench.screenshot('agents-studio');
	});
});

/** Packages an extension that does what an agent of VS Code does: it calls tools, one file for each. */
function agentExtension(folder: string, calls: string): Promise<string> {
	const source = `
		const { readFileSync, readdirSync, renameSync, watch, writeFileSync } = require('node:fs');
		const { join } = require('node:path');
		const { lm } = require('vscode');
		const calls = ${JSON.stringify(calls)};
		const begun = new Set();
		async function answer(name) {
			const { tool, input } = JSON.parse(readFileSync(join(calls, name), 'utf8'));
			const { content } = await lm.invokeTool(tool, { input, toolInvocationToken: undefined })
				.then((result) => result, (error) => ({ content: [{ value: JSON.stringify({ error: String(error) }) }] }));
			const file = join(calls, name.replace('.json', '.answer'));
			writeFileSync(file + '.part', content[0].value);
			renameSync(file + '.part', file);
		}
		function look() {
			const names = readdirSync(calls);
			for (const name of names) {
				if (name.endsWith('.json') && !names.includes(name.replace('.json', '.answer')) && !begun.has(name)) {
					begun.add(name);
					void answer(name);
				}
			}
		}
		exports.activate = () => {
			watch(calls, look);
			writeFileSync(join(calls, 'ready'), '');
			look();
		};
	`;
	return packedExtension(folder, 'agent', source, {
		displayName: 'Agent of the Tests',
		activationEvents: ['onStartupFinished'],
	});
}
