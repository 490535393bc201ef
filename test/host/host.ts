import type { Page } from 'playwright-core';
import { CodeServerHost } from './codeServerHost';
import { DesktopHost } from './desktopHost';
import type { KeyBinding } from './userFiles';

/** A kind of VS Code that the tests can run in. */
export interface Host {
	readonly name: string;
	/** Makes the editor ready for use; slow the first time, then a matter of milliseconds. */
	prepare(): Promise<void>;
	/** Runs a module's `run()` inside an extension host, beside the extension under development. */
	runInExtensionHost(options: InHostOptions): Promise<InHostRun>;
	/** Opens a folder as a user would, with a packaged extension installed. */
	open(options: OpenOptions): Promise<Editor>;
}

export interface InHostOptions {
	/** The folder to open, absolute. */
	folder: string;
	/** The root of the extension under development, absolute. */
	extensionPath: string;
	/** The roots of other extensions that stand beside it, absolute. */
	otherExtensions?: readonly string[];
	/** The compiled module that exports `run(): Promise<void>`, absolute. */
	testsPath: string;
	/** Added to the extension host's environment. */
	env?: NodeJS.ProcessEnv;
	userSettings?: Record<string, unknown>;
}

/** A run inside an extension host. How the tests fared is for them to report, not for the host. */
export interface InHostRun {
	readonly logsDir: string;
	/** Settles if the editor ends by itself; rejects if it crashes. */
	readonly ended: Promise<void>;
	/** Saves a picture of the editor as PNG; `false` where this kind of host cannot. */
	screenshot(file: string): Promise<boolean>;
	/** Ends every process of the run and removes its data. */
	close(): Promise<void>;
}

export interface OpenOptions {
	/** The folder to open, absolute. */
	folder: string;
	/** The packaged extension to install, absolute. */
	vsix: string;
	/** Other packaged extensions that stand beside it, absolute. */
	otherVsix?: readonly string[];
	settings?: Record<string, unknown>;
	keyBindings?: readonly KeyBinding[];
	/** True where the folder is not trusted, so that it opens in Restricted Mode. */
	restricted?: boolean;
	/** Added to the extension host's environment. */
	env?: NodeJS.ProcessEnv;
}

/** Preferences of the user's system. */
export interface ColorScheme {
	readonly dark: boolean;
	readonly highContrast: boolean;
}

/** An open editor. Everything it keeps lies in a temporary folder that goes with `close`. */
export interface Editor {
	/** The window. Read it anew after `restart` and `openWindow`, which may make another. */
	readonly page: Page;
	/** The workbench's address; `undefined` on the desktop. */
	readonly url: string | undefined;
	/** The user's data: settings, state, storage. */
	readonly dataDir: string;
	readonly logsDir: string;
	/** Folder of the extensions' global storage, with a folder for each. */
	readonly globalStorage: string;
	/** Has the window follow another scheme of colors; what is open in it stays open. */
	preferColors(scheme: ColorScheme): Promise<void>;
	/** Reloads the window, as `Developer: Reload Window` does, and waits until it stands. */
	reload(): Promise<void>;
	/** Waits for the extension host and returns its process id; the newest if there are two. */
	extensionHostPid(): Promise<number>;
	/** Ends the extension host without warning (SIGKILL) and returns the id it had. */
	killExtensionHost(): Promise<number>;
	/** Closes the window: it is gone, and its extension host with it. */
	closeWindow(): Promise<void>;
	/**
	 * Opens the window again after `closeWindow`, and waits until it stands: on the same folder, or
	 * from now on on another one.
	 */
	openWindow(folder?: string): Promise<void>;
	/** Ends the whole editor without warning and starts it anew on the same data. */
	restart(): Promise<void>;
	/** Ends every process, detached ones too, and removes all data. Safe to call twice. */
	close(): Promise<void>;
}

/**
 * The kind of host that `EASEL_TEST_HOST` or the option `--desktop` names: `code-server` (the default, from npm) or
 * `desktop` (the desktop build: downloaded, or the one that `EASEL_VSCODE_PATH` points to).
 */
export function chooseHost(): Host {
	const name = process.argv.includes('--desktop')
		? 'desktop'
		: process.env['EASEL_TEST_HOST'] || 'code-server';
	if (name === 'code-server') return new CodeServerHost();
	if (name === 'desktop') return new DesktopHost();
	throw new Error(`EASEL_TEST_HOST is “${name}”; it can be “code-server” or “desktop”.`);
}
