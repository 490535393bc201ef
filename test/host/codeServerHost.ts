import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './browser';
import {
	codeServerEditorVersion,
	installExtension,
	prepareCodeServer,
	serverFolders,
	startServer,
	type Server,
} from './codeServer';
import type { ColorScheme, Editor, Host, InHostOptions, InHostRun, OpenOptions } from './host';
import { kill } from './processes';
import { quietSettings } from './quietSettings';
import { Sandbox } from './sandbox';
import { until } from './until';

/** VS Code's server and workbench from npm, with a headless browser as its window. */
export class CodeServerHost implements Host {
	readonly name = `VS Code ${codeServerEditorVersion} (server and browser)`;

	async prepare(): Promise<void> {
		await prepareCodeServer();
	}

	async runInExtensionHost(options: InHostOptions): Promise<InHostRun> {
		const program = await prepareCodeServer();
		return inSandbox(async (sandbox) => {
			for (const extension of options.otherExtensions ?? []) {
				const installed = join(serverFolders(sandbox).extensions, basename(extension));
				await cp(extension, installed, { recursive: true });
			}
			const server = await startServer({
				program,
				sandbox,
				env: options.env,
				userFiles: { settings: { ...quietSettings, ...options.userSettings } },
				underDevelopment: true,
			});
			const remote = (path: string) => `vscode-remote://127.0.0.1:${server.port}${encodeURI(path)}`;
			const payload = JSON.stringify([
				['extensionDevelopmentPath', remote(options.extensionPath)],
				['extensionTestsPath', remote(options.testsPath)],
			]);
			const browser = await launchBrowser(sandbox);
			const page = await newPage(browser);
			await page.goto(
				`${folderUrl(server, options.folder)}&payload=${encodeURIComponent(payload)}`,
			);
			return {
				logsDir: serverFolders(sandbox).logs,
				ended: new Promise<void>((_, reject) =>
					page.once('crash', () => reject(new Error('The workbench page crashed.'))),
				),
				async screenshot(file) {
					await page.screenshot({ path: file });
					return true;
				},
				async close() {
					await browser.close();
					sandbox.close();
				},
			};
		});
	}

	async open(options: OpenOptions): Promise<Editor> {
		const program = await prepareCodeServer();
		return inSandbox(async (sandbox) => {
			const packages = [options.vsix, ...(options.otherVsix ?? [])];
			const extensions = await installedFolder(program, packages);
			await cp(extensions, serverFolders(sandbox).extensions, { recursive: true });
			const editor = new CodeServerEditor(program, sandbox, options);
			try {
				await editor.start();
				return editor;
			} catch (error) {
				await editor.close();
				throw error;
			}
		});
	}
}

class CodeServerEditor implements Editor {
	readonly dataDir: string;
	readonly logsDir: string;
	readonly globalStorage: string;
	private server!: Server;
	private window!: Page;
	private folder: string;

	constructor(
		private readonly program: string,
		private readonly sandbox: Sandbox,
		private readonly options: OpenOptions,
	) {
		this.folder = options.folder;
		const folders = serverFolders(sandbox);
		this.dataDir = folders.userData;
		this.logsDir = folders.logs;
		this.globalStorage = folders.globalStorage;
	}

	get page(): Page {
		return this.window;
	}

	get url(): string {
		return folderUrl(this.server, this.folder);
	}

	async start(): Promise<void> {
		this.server = await startServer({
			program: this.program,
			sandbox: this.sandbox,
			env: this.options.env,
			userFiles: {
				settings: { ...quietSettings, ...colorSettings, ...this.options.settings },
				keyBindings: this.options.keyBindings,
			},
			restricted: this.options.restricted,
			// The page's storage hangs on its address, so a restart keeps the port.
			port: this.server?.port,
		});
		this.window ??= await newPage(await warmBrowser());
		await this.window.goto(this.url);
		await workbenchStands(this.window);
	}

	async reload(): Promise<void> {
		const before = await this.extensionHostPid();
		await this.window.reload();
		await workbenchStands(this.window);
		await until(() => this.server.extensionHostPid() !== before, 'a new extension host');
	}

	async extensionHostPid(): Promise<number> {
		await until(() => this.server.extensionHostPid() !== undefined, 'an extension host');
		return this.server.extensionHostPid()!;
	}

	async killExtensionHost(): Promise<number> {
		const pid = await this.extensionHostPid();
		kill(pid);
		return pid;
	}

	async preferColors(scheme: ColorScheme): Promise<void> {
		await this.window.evaluate((detail) => {
			window.dispatchEvent(new CustomEvent('preferColors', { detail }));
		}, scheme);
	}

	async closeWindow(): Promise<void> {
		// The page first: it would start another extension host.
		await this.window.goto('about:blank');
		await until(() => {
			// After a reload the one before it may still be there.
			const pid = this.server.extensionHostPid();
			if (pid !== undefined) kill(pid);
			return pid === undefined;
		}, 'the extension host to end');
	}

	async openWindow(folder = this.folder): Promise<void> {
		this.folder = folder;
		await this.window.goto(this.url);
		await workbenchStands(this.window);
		await this.extensionHostPid();
	}

	async restart(): Promise<void> {
		// The host first: left alone, it would wait for its server to come back.
		const pid = this.server.extensionHostPid();
		await this.server.stop();
		if (pid !== undefined) kill(pid);
		await this.window.goto('about:blank');
		await this.start();
	}

	async close(): Promise<void> {
		await this.window?.context().close();
		this.sandbox.close();
	}
}

/** Follows the system, to the themes that every version of VS Code has. */
const colorSettings = {
	'window.autoDetectColorScheme': true,
	'workbench.preferredLightColorTheme': 'Default Light Modern',
	'workbench.preferredDarkColorTheme': 'Default Dark Modern',
};

let warm: Browser | undefined;

/** The browser of this process: every window has a context of its own, with nothing of another's. */
async function warmBrowser(): Promise<Browser> {
	if (!warm?.isConnected()) warm = await inSandbox(launchBrowser);
	return warm;
}

const installed = new Map<string, string>();

/** A folder of extensions in which these packages are installed, once for this process. */
async function installedFolder(program: string, packages: readonly string[]): Promise<string> {
	const key = packages.join('\n');
	let folder = installed.get(key);
	if (folder === undefined) {
		folder = await inSandbox(async (sandbox) => {
			for (const vsix of packages) await installExtension(program, sandbox, vsix);
			return serverFolders(sandbox).extensions;
		});
		installed.set(key, folder);
	}
	return folder;
}

/** The address that opens a folder, `http://127.0.0.1:port/?folder=…`, or the file of a workspace. */
export function folderUrl(server: Server, folder: string): string {
	const kind = folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
	return `${server.address}/?${kind}=${encodeURIComponent(folder)}`;
}

async function newPage(browser: Browser): Promise<Page> {
	const context = await browser.newContext({
		viewport: { width: 1280, height: 800 },
		permissions: ['clipboard-read', 'clipboard-write'],
	});
	context.setDefaultTimeout(60_000);
	await context.addInitScript(standStill);
	await context.addInitScript(followColorScheme);
	return context.newPage();
}

/**
 * In the page. What VS Code moves and fades all the time, such as progress bars and scrollbars, has
 * the window painted up to 60 times a second: without a graphics card, up to a fifth of all that
 * these tests compute. Easel's own pages move as ever.
 */
function standStill(): void {
	if (window !== top) return;
	const style = new CSSStyleSheet();
	style.replaceSync(
		'*, *::before, *::after { animation: none !important; transition: none !important; }',
	);
	document.adoptedStyleSheets.push(style);
}

/**
 * In the page. The scheme of colors that the system prefers, as the workbench asks for it: a test
 * changes it at once, whatever is open on the screen.
 */
function followColorScheme(): void {
	if (window !== top) return;
	const answers = new Map([
		['(prefers-color-scheme: dark)', false],
		['(prefers-color-scheme: light)', true],
		['(forced-colors: active)', false],
	]);
	const asked: MediaQueryList[] = [];
	const matchMedia = window.matchMedia.bind(window);
	window.matchMedia = (query) => {
		const list = matchMedia(query);
		if (answers.has(query)) {
			// A method: what compiles the tests leaves it as it is.
			Object.defineProperty(list, 'matches', {
				get() {
					return answers.get(query);
				},
			});
			asked.push(list);
		}
		return list;
	};
	window.addEventListener('preferColors', (event) => {
		const { dark, highContrast } = (event as CustomEvent<ColorScheme>).detail;
		answers.set('(prefers-color-scheme: dark)', dark);
		answers.set('(prefers-color-scheme: light)', !dark);
		answers.set('(forced-colors: active)', highContrast);
		for (const list of asked) list.dispatchEvent(new Event('change'));
	});
}

async function workbenchStands(page: Page): Promise<void> {
	await page.locator('.monaco-workbench').waitFor();
	await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
}

// A start that fails half-way leaves nothing behind.
async function inSandbox<T>(work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
	const sandbox = new Sandbox();
	try {
		return await work(sandbox);
	} catch (error) {
		sandbox.close();
		throw error;
	}
}
