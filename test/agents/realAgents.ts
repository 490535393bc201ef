import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cachedPackages } from '../host/cache';
import { sandboxVariable } from '../host/processes';
import { run } from '../host/run';
import type { Sandbox } from '../host/sandbox';

/** A program from npm that people work with, with what it needs to run without one. */
export interface RealAgent {
	/** As **Copy MCP Configuration…** lists it. */
	readonly name: string;
	/** With its version. */
	readonly package: string;
	readonly program: string;
	/** File that takes the configuration where it is JSON, below the home folder. */
	readonly file?: string;
	/** Files below the home folder that send it to a model of ours. */
	readonly files?: (model: string) => Readonly<Record<string, string>>;
	readonly env?: (model: string) => Readonly<Record<string, string>>;
	readonly args: readonly string[];
	/** True where its model sees a preview; Copilot CLI passes no picture on to a model of one's own. */
	readonly showsPictures?: true;
	/** Its own way to limit a call to 10 s. */
	readonly limit: {
		readonly env?: Readonly<Record<string, string>>;
		readonly args?: readonly string[];
		/** Adds to the entry of the server in its file. */
		readonly entry?: object;
	};
}

export const realAgents = {
	claudeCode: {
		name: 'Claude Code',
		package: '@anthropic-ai/claude-code@2.1.332',
		program: 'claude',
		showsPictures: true,
		env: (model) => ({
			...{ ANTHROPIC_BASE_URL: model, ANTHROPIC_API_KEY: 'dummy' },
			CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
		}),
		args: ['-p', '--allowedTools', 'mcp__easel', '--'],
		limit: { env: { MCP_TOOL_TIMEOUT: '10000' } },
	},
	codex: {
		name: 'Codex',
		package: '@openai/codex@0.171.0',
		program: 'codex',
		showsPictures: true,
		files: (model) => ({
			'.codex/config.toml': [
				'model = "scripted"',
				'model_provider = "scripted"',
				'[model_providers.scripted]',
				'name = "Scripted"',
				`base_url = "${model}/v1"`,
				'wire_api = "responses"',
			].join('\n'),
		}),
		// Its first turn does not wait for other servers, and a turn is all that it has here.
		args: ['exec', '--skip-git-repo-check', '-c', 'mcp_servers.easel.required=true'],
		limit: { args: ['-c', 'mcp_servers.easel.tool_timeout_sec=10'] },
	},
	geminiCli: {
		name: 'Gemini CLI',
		package: '@google/gemini-cli@0.61.0',
		program: 'gemini',
		showsPictures: true,
		files: () => ({
			'.gemini/settings.json': JSON.stringify({
				security: { auth: { selectedType: 'gemini-api-key' } },
				general: { disableAutoUpdate: true },
				privacy: { usageStatisticsEnabled: false },
			}),
		}),
		env: (model) => ({
			...{ GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'dummy' },
			GEMINI_CLI_TRUST_WORKSPACE: 'true',
		}),
		args: ['--approval-mode', 'yolo', '--model', 'scripted', '--prompt'],
		limit: { entry: { timeout: 10_000 } },
	},
	opencode: {
		name: 'opencode',
		package: 'opencode-ai@1.18.33',
		program: 'opencode',
		showsPictures: true,
		file: '.config/opencode/opencode.json',
		files: (model) => ({
			'.config/opencode/opencode.json': JSON.stringify({
				autoupdate: false,
				share: 'disabled',
				provider: {
					scripted: {
						npm: '@ai-sdk/openai-compatible',
						options: { baseURL: `${model}/v1`, apiKey: 'dummy' },
						models: {
							scripted: {
								...{ attachment: true, tool_call: true },
								modalities: { input: ['text', 'image'], output: ['text'] },
							},
						},
					},
				},
			}),
		}),
		env: () => ({
			...{ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
			OPENCODE_PURE: '1',
		}),
		args: ['run', '--model', 'scripted/scripted'],
		limit: { entry: { timeout: 10_000 } },
	},
	copilotCli: {
		name: 'GitHub Copilot CLI',
		package: '@github/copilot@1.0.102',
		program: 'copilot',
		file: '.copilot/mcp-config.json',
		env: (model) => ({
			...{ COPILOT_PROVIDER_BASE_URL: `${model}/v1`, COPILOT_PROVIDER_API_KEY: 'dummy' },
			...{ COPILOT_MODEL: 'scripted', COPILOT_OFFLINE: 'true' },
		}),
		args: ['--allow-all-tools', '--prompt'],
		limit: { entry: { timeout: 10_000 } },
	},
} as const satisfies Readonly<Record<string, RealAgent>>;

/** An agent as one user has it installed: with a home folder of its own. */
export class InstalledAgent {
	readonly #running = new Set<() => void>();
	#limit: RealAgent['limit'] = {};

	private constructor(
		readonly agent: RealAgent,
		private readonly sandbox: Sandbox,
		private readonly model: string,
		private readonly modules: string,
	) {}

	/** Installs it, and sends it to a model. @throws an Error where it cannot be had */
	static async install(agent: RealAgent, sandbox: Sandbox, model: string): Promise<InstalledAgent> {
		const modules = await cachedPackages([agent.package]);
		const installed = new InstalledAgent(agent, sandbox, model, modules);
		for (const [file, content] of Object.entries(agent.files?.(model) ?? {})) {
			await mkdir(path.dirname(installed.inHome(file)), { recursive: true });
			await writeFile(installed.inHome(file), content);
		}
		return installed;
	}

	/** Does with a copied configuration what its message says: runs it in a shell, or adds it to the file. */
	async paste(text: string): Promise<void> {
		const { file } = this.agent;
		if (file === undefined) {
			await this.shell(text);
			return;
		}
		const old = JSON.parse(await readFile(this.inHome(file), 'utf8').catch(() => '{}')) as object;
		await mkdir(path.dirname(this.inHome(file)), { recursive: true });
		await writeFile(this.inHome(file), JSON.stringify({ ...old, ...(JSON.parse(text) as object) }));
	}

	/** Limits each call to 10 s from now on, as this program can be set up. */
	async limitCalls(): Promise<void> {
		const { limit, file } = this.agent;
		this.#limit = limit;
		if (file === undefined || limit.entry === undefined) return;
		const text = await readFile(this.inHome(file), 'utf8');
		const settings = JSON.parse(text, (name, value: object) =>
			name === 'easel' ? { ...value, ...limit.entry } : value,
		) as object;
		await writeFile(this.inHome(file), JSON.stringify(settings));
	}

	/** Starts it in a folder with a task. */
	start(cwd: string) {
		const { program, args } = this.agent;
		const [first = '', ...rest] = args;
		const child = spawn(
			path.join(this.modules, '.bin', program),
			[first, ...(this.#limit.args ?? []), ...rest, 'Illustrate the page.'],
			{ cwd, env: this.#env(), stdio: ['ignore', 'pipe', 'pipe'], detached: true },
		);
		let output = '';
		child.stdout.on('data', (data) => (output += data));
		child.stderr.on('data', (data) => (output += data));
		const kill = () => process.kill(-child.pid!, 'SIGKILL');
		const ended = once(child, 'close').then(([code]) => {
			this.#running.delete(kill);
			return code as number | null;
		});
		this.#running.add(kill);
		return { output: () => output, ended, kill };
	}

	/** Kills what still runs of it. */
	killAll(): void {
		for (const kill of this.#running) kill();
	}

	shell(command: string): Promise<string> {
		return run('sh', ['-c', command], { cwd: this.sandbox.root, env: this.#env() });
	}

	inHome(file: string): string {
		return path.join(this.sandbox.folder('home'), file);
	}

	/** Nothing of the user who runs the tests. */
	#env(): NodeJS.ProcessEnv {
		const { PATH = '', TMPDIR = tmpdir() } = process.env;
		return {
			...{ [sandboxVariable]: this.sandbox.root, TMPDIR },
			PATH: [path.join(this.modules, '.bin'), path.dirname(process.execPath), PATH].join(
				path.delimiter,
			),
			...{ HOME: this.sandbox.folder('home'), NO_COLOR: '1', CI: '1' },
			...this.agent.env?.(this.model),
			...this.#limit.env,
		};
	}
}
