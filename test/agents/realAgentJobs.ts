import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Workbench } from '../e2e/workbench.js';
import { Sandbox } from '../host/sandbox.js';
import { until } from '../host/until.js';
import { startImageService, type ImageService } from '../service/server.js';
import { InstalledAgent, type RealAgent } from './realAgents.js';
import { ScriptedModel, type Script } from './scriptedModel.js';

const key = 'real-agents-key-93b0';
const document = 'docs/architecture.md';

type JobName = 'slow page' | 'killed' | 'own limit' | 'declined' | 'reloaded';

/** A row of the table that is printed when all agents are through. */
interface Row {
	readonly agent: RealAgent;
	readonly job: string;
	readonly calls: number;
	readonly requests: number;
	readonly files: number;
	readonly pictures: number;
	readonly seconds: number;
	/** Text of the last result that the model has read. */
	readonly words: string;
}

type Illustrated = Row & { readonly file: string };
type Run = ReturnType<InstalledAgent['start']>;

const rows: Row[] = [];

process.once('exit', () => {
	const lines = rows.map(({ agent, words, ...row }) => {
		const version = agent.package.slice(agent.package.lastIndexOf('@') + 1);
		const figures = [row.calls, row.requests, row.files, row.pictures, row.seconds].join(' | ');
		return `| ${agent.name} | ${version} | ${row.job} | ${figures} | ${words} |`;
	});
	const titles = 'agent | version | job | calls | requests | files | pictures | s | last words';
	console.log(['', `| ${titles} |`, `|${'---|'.repeat(9)}`, ...lines].join('\n'));
});

/**
 * Defines the tests of an agent: it illustrates a page, and it is refused in a folder that no window
 * has open. All its jobs share a window, as a day's work does.
 *
 * @param jobs those in which this agent differs from others
 */
export function testAgent(agent: RealAgent, jobs: readonly JobName[]): void {
	suite(`${agent.name}, as npm has it`, () => {
		let sandbox: Sandbox;
		let model: ScriptedModel;
		let service: ImageService;
		let workbench: Workbench;
		let installed: InstalledAgent;

		suiteSetup(async function () {
			this.timeout(300_000);
			sandbox = new Sandbox();
			model = await ScriptedModel.start();
			service = await startImageService({ key });
			workbench = await Workbench.open({
				settings: { 'easel.service.address': service.address },
				env: { EASEL_API_KEY: key },
			});
			installed = await InstalledAgent.install(agent, sandbox, model.address);
			await installed.paste(await copiedConfiguration());
		});

		teardown(function () {
			if (this.currentTest?.isFailed()) console.log(model.log.join('\n'));
		});

		suiteTeardown(async () => {
			await workbench?.close();
			await service?.close();
			await model?.close();
			sandbox?.close();
		});

		async function copiedConfiguration(): Promise<string> {
			await workbench.runCommand('Easel: Copy MCP Configuration');
			await workbench.waitForQuickInput('Copy MCP Configuration');
			await workbench.typeInQuickInput(agent.name);
			await workbench.waitForItems(new RegExp(`^${agent.name}`));
			await workbench.acceptStep();
			await workbench.waitForNotification(/The MCP configuration for .* is copied/);
			return workbench.page.evaluate(() => navigator.clipboard.readText());
		}

		/** Has the agent illustrate the page, and records what came of it. */
		async function illustrate(
			job: string,
			seconds: number,
			during: () => Promise<void>,
		): Promise<Illustrated> {
			const started = Date.now();
			const sent = service.requests.length;
			const before = await pictures();
			const name = job.replaceAll(/\W+/g, '-');
			const file = `docs/images/${name}.png`;
			model.begin(
				pageScript({
					request_key: name,
					prompt: `A pier, ${job} [fault delay=${String(seconds * 1000)}]`,
					...{ alt_text: `A pier, ${job}`, target: file, insert_into: { document } },
				}),
			);
			try {
				await during();
			} finally {
				installed.killAll();
			}
			const { results, calls } = model;
			const base64 = results.filter(({ text }) => /[A-Za-z0-9+/]{200}/.test(text));
			assert.deepEqual(base64, [], 'pictures in words');
			const words = results.at(-1)?.text ?? '';
			const row = {
				...{ agent, job, calls, requests: service.requests.length - sent },
				files: (await pictures()).length - before.length,
				pictures: results.reduce((sum, one) => sum + one.pictures, 0),
				seconds: Math.round((Date.now() - started) / 1000),
			};
			const note = [fieldOf('state', words), fieldOf('note', words)].filter(Boolean).join(': ');
			const short = (note || words).replaceAll(workbench.folder, '…').replaceAll(/\s+/g, ' ');
			rows.push({ ...row, words: short.slice(0, 200) });
			return { ...row, words, file };
		}

		/** Waits for the end of an agent that is not killed. */
		async function finished({ ended, output }: Run): Promise<void> {
			assert.equal(await ended, 0, output());
		}

		async function pictures(): Promise<string[]> {
			const folders = [workbench.folder, sandbox.folder('elsewhere')];
			const names = await Promise.all(folders.map((one) => readdir(one, { recursive: true })));
			return names.flat().filter((name) => name.endsWith('.png'));
		}

		/** Waits for the question; some of the programs take a minute to start on a busy machine. */
		const asked = () => workbench.waitForNotification(/asks for 1 image/, 120_000);

		/** Starts the agent, and waits until its image is requested. */
		async function startedImage(): Promise<Run> {
			const sent = service.requests.length;
			const run = installed.start(workbench.folder);
			await answer('Generate');
			await service.waitForRequest(sent + 1);
			return run;
		}

		async function answer(button: 'Generate' | 'Decline'): Promise<void> {
			await asked();
			await workbench.clickNotificationButton(button);
		}

		/** Checks that one image was bought, lies where it is meant to be, and is linked. */
		async function assertIllustrated({ job, requests, files, words, file }: Illustrated) {
			assert.deepEqual([requests, files, fieldOf('state', words)], [1, 1, 'done'], words);
			assert.ok((await readFile(path.join(workbench.folder, file))).length > 1000);
			const text = await readFile(path.join(workbench.folder, document), 'utf8');
			assert.ok(text.includes(`![A pier, ${job}](images/${path.basename(file)})`), text);
		}

		test('illustrates a page', async () => {
			const seconds = jobs.includes('slow page') ? 100 : 5;
			const row = await illustrate(`page, ${String(seconds)} s`, seconds, async () => {
				const run = installed.start(workbench.folder);
				await answer('Generate');
				await finished(run);
			});
			await assertIllustrated(row);
			if (agent.showsPictures) assert.equal(row.pictures, 1, 'the model sees the picture');
		}).timeout(300_000);

		test('is refused where it works in a folder that is not open', async () => {
			const cwd = sandbox.folder('elsewhere');
			await writeFile(path.join(cwd, 'package.json'), '{}');
			const row = await illustrate('wrong folder', 0, () => finished(installed.start(cwd)));
			assert.deepEqual([row.requests, row.files], [0, 0]);
			const open = `“${cwd}” open. Open are: ${workbench.folder}.`;
			assert.ok(row.words.includes(open) && row.words.includes('argument workspace'), row.words);
			assert.doesNotMatch((await workbench.notifications()).join('\n'), /asks for/);
		}).timeout(180_000);

		const further: Readonly<Record<Exclude<JobName, 'slow page'>, () => void>> = {
			killed: () =>
				test('finds its image after it was killed and started again', async () => {
					const row = await illustrate('killed, started again', 20, async () => {
						const run = await startedImage();
						run.kill();
						await run.ended;
						await finished(installed.start(workbench.folder));
					});
					await assertIllustrated(row);
				}).timeout(240_000),
			declined: () =>
				test('reads that the user does not want the image', async () => {
					const row = await illustrate('declined', 0, async () => {
						const run = installed.start(workbench.folder);
						await answer('Decline');
						await finished(run);
					});
					assert.deepEqual([row.requests, row.files], [0, 0]);
					assert.equal(fieldOf('state', row.words), 'declined', row.words);
				}).timeout(180_000),
			reloaded: () =>
				test('gets its image through a reload of the window', async () => {
					const row = await illustrate('window reloaded', 20, async () => {
						const run = await startedImage();
						await until(() => model.results.length > 0, 'the answer with the job');
						await workbench.reloadWindow();
						await finished(run);
					});
					await assertIllustrated(row);
				}).timeout(240_000),
			'own limit': () =>
				test('repeats calls that take it too long', async () => {
					await installed.limitCalls();
					const row = await illustrate('own limit of 10 s', 25, async () => {
						const run = installed.start(workbench.folder);
						await asked();
						await until(() => model.results.length > 0, 'the end of the first call');
						await answer('Generate');
						await finished(run);
					});
					await assertIllustrated(row);
					// The program has ended a call, and says so in words of its own.
					const inTime = model.results.filter(({ text }) => fieldOf('state', text) !== undefined);
					assert.ok(inTime.length < model.results.length, 'no call took too long');
				}).timeout(240_000),
		};
		for (const job of jobs) {
			if (job !== 'slow page') further[job]();
		}
	});
}

/** Asks for an image, waits for it, and repeats a call that was not answered, as models do. */
function pageScript(wish: Readonly<Record<string, unknown>>): Script {
	return (results) => {
		const job = results
			.map(({ text }) => fieldOf('job', text))
			.findLast((one) => one !== undefined);
		const last = results.at(-1)?.text ?? 'Call again';
		const goesOn = /^(?:running|confirming)$/.test(fieldOf('state', last) ?? '');
		const isUnanswered = fieldOf('state', last) === undefined && !last.includes('Open are');
		if (!goesOn && (!isUnanswered || results.length > 12)) return { say: 'The page is done.' };
		return job === undefined
			? { call: 'generate_image', args: wish }
			: { call: 'wait_for_image', args: { job } };
	};
}

/** Returns a field of an answer, which clients wrap in words of their own. */
function fieldOf(name: 'job' | 'state' | 'note', text: string): string | undefined {
	return new RegExp(`"${name}":\\s*"([^"]+)"`).exec(text)?.[1];
}
