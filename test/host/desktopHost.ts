import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
	downloadAndUnzipVSCode,
	resolveCliArgsFromVSCodeExecutablePath,
	runTests,
} from '@vscode/test-electron';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { cacheFolder } from './cache';
import type { ColorScheme, Editor, Host, InHostOptions, InHostRun, OpenOptions } from './host';
import { kill, processesOf } from './processes';
import { quietSettings } from './quietSettings';
import { run } from './run';
import { Sandbox } from './sandbox';
import { writeUserFiles, type UserFiles } from './userFiles';

/**
 * The desktop build: the one at `EASEL_VSCODE_PATH`, else the release that `EASEL_VSCODE_VERSION`
 * names (`1.106.0`; `stable`, the newest, by default), downloaded once.
 */
export class DesktopHost implements Host {
	readonly name = 'VS Code (desktop)';

	async prepare(): Promise<void> {
		await executable();
	}

	async runInExtensionHost(options: InHostOptions): Promise<InHostRun> {
		const vscodeExecutablePath = await executable();
		const sandbox = new Sandbox();
		const folders = await desktopFolders(sandbox, { settings: options.userSettings });
		const ended = runTests({
			vscodeExecutablePath,
			extensionDevelopmentPath: [options.extensionPath, ...(options.otherExtensions ?? [])],
			extensionTestsPath: options.testsPath,
			extensionTestsEnv: sandbox.environment(options.env),
			launchArgs: [options.folder, ...folders.args],
		}).then(() => {});
		return {
			logsDir: folders.logs,
			ended,
			screenshot: () => Promise.resolve(false),
			async close() {
				sandbox.close();
				await ended.catch(() => {}); // It ends because we ended it.
			},
		};
	}

	async open(options: OpenOptions): Promise<Editor> {
		const program = await executable();
		const sandbox = new Sandbox();
		try {
			const folders = await desktopFolders(sandbox, options);
			for (const vsix of [options.vsix, ...(options.otherVsix ?? [])]) {
				await installInto(program, sandbox, folders.args, vsix);
			}
			const editor = new DesktopEditor(program, sandbox, options, folders);
			await editor.start();
			return editor;
		} catch (error) {
			sandbox.close();
			throw error;
		}
	}
}

class DesktopEditor implements Editor {
	readonly url = undefined;
	readonly dataDir: string;
	readonly logsDir: string;
	readonly globalStorage: string;
	private application: ElectronApplication | undefined;
	private window!: Page;
	private folder: string;

	constructor(
		private readonly program: string,
		private readonly sandbox: Sandbox,
		private readonly options: OpenOptions,
		private readonly folders: Awaited<ReturnType<typeof desktopFolders>>,
	) {
		this.folder = options.folder;
		this.dataDir = folders.userData;
		this.logsDir = folders.logs;
		this.globalStorage = join(folders.userData, 'User/globalStorage');
	}

	get page(): Page {
		return this.window;
	}

	async start(): Promise<void> {
		this.application = await _electron.launch({
			executablePath: this.program,
			args: [
				this.folder,
				...this.folders.args,
				'--no-sandbox',
				'--disable-gpu-sandbox',
				'--disable-updates',
				'--skip-welcome',
				'--skip-release-notes',
				...(this.options.restricted ? [] : ['--disable-workspace-trust']),
				'--force-disable-user-env',
			],
			env: this.sandbox.environment(this.options.env) as Record<string, string>,
			timeout: 60_000,
		});
		this.window = await this.application.firstWindow();
		this.window.setDefaultTimeout(60_000);
		await this.workbenchStands();
	}

	async reload(): Promise<void> {
		const before = await this.extensionHostPid();
		await this.window.reload();
		await this.workbenchStands();
		await this.extensionHostPid((pid) => pid !== before);
	}

	async extensionHostPid(accept: (pid: number) => boolean = () => true): Promise<number> {
		for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
			const pid = await this.findExtensionHost();
			if (pid !== undefined && accept(pid)) return pid;
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
		throw new Error('Waited 60 s for an extension host.');
	}

	async preferColors({ dark, highContrast }: ColorScheme): Promise<void> {
		const file = join(this.folders.userData, 'User/settings.json');
		const settings = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
		const [darkTheme, lightTheme] = highContrast
			? ['Default High Contrast', 'Default High Contrast Light']
			: ['Default Dark Modern', 'Default Light Modern'];
		settings['workbench.colorTheme'] = dark ? darkTheme : lightTheme;
		// The desktop build watches this file.
		await writeFile(file, JSON.stringify(settings, undefined, '\t'));
	}

	async killExtensionHost(): Promise<number> {
		const pid = await this.extensionHostPid();
		kill(pid);
		return pid;
	}

	async closeWindow(): Promise<void> {
		// Its last window: the application goes with it.
		await this.application?.close();
	}

	async openWindow(folder = this.folder): Promise<void> {
		this.folder = folder;
		await this.start();
	}

	async restart(): Promise<void> {
		const process = this.application?.process();
		const ended = new Promise((resolve) => process?.once('exit', resolve));
		if (process?.pid !== undefined) kill(process.pid);
		await ended;
		await this.start();
	}

	close(): Promise<void> {
		// Its windows may ask whether to save; the sandbox does not.
		this.application = undefined;
		this.sandbox.close();
		return Promise.resolve();
	}

	// Electron's own list of processes names the extension host; its command line does not.
	private async findExtensionHost(): Promise<number | undefined> {
		const metrics = await this.application?.evaluate((electron) =>
			(electron as ElectronModule).app.getAppMetrics(),
		);
		const named = metrics?.findLast((one) =>
			/extension-?host/i.test(`${one.name ?? ''} ${one.serviceName ?? ''}`),
		)?.pid;
		if (named !== undefined) return named;
		return processesOf(this.sandbox.root).findLast((one) => /extension-?host/i.test(one.command))
			?.pid;
	}

	private async workbenchStands(): Promise<void> {
		await this.window.locator('.monaco-workbench').waitFor();
		await this.window.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
	}
}

/** Part of Electron that is used; its types are not installed. */
interface ElectronModule {
	app: { getAppMetrics(): { pid: number; name?: string; serviceName?: string }[] };
}

function executable(): Promise<string> {
	const named = process.env['EASEL_VSCODE_PATH'];
	if (named) return Promise.resolve(named);
	const version = process.env['EASEL_VSCODE_VERSION'] || 'stable';
	return downloadAndUnzipVSCode({ version, cachePath: cacheFolder });
}

async function desktopFolders(sandbox: Sandbox, { settings, keyBindings }: UserFiles) {
	const userData = sandbox.folder('user-data');
	const extensions = sandbox.folder('extensions');
	await writeUserFiles(sandbox.folder('user-data/User'), {
		settings: { ...quietSettings, ...settings },
		keyBindings,
	});
	return {
		userData,
		logs: join(userData, 'logs'),
		args: [`--user-data-dir=${userData}`, `--extensions-dir=${extensions}`],
	};
}

async function installInto(
	program: string,
	sandbox: Sandbox,
	profile: readonly string[],
	vsix: string,
): Promise<void> {
	// With the profile of the machine, because ours is named by the arguments.
	const [cli, ...args] = resolveCliArgsFromVSCodeExecutablePath(program, {
		reuseMachineInstall: true,
	});
	await run(cli!, [...args, ...profile, '--install-extension', vsix], {
		env: sandbox.environment(),
		shell: process.platform === 'win32',
	});
}
