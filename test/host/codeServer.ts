import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inCache, say } from './cache';
import { processesOf } from './processes';
import { run, runNpm } from './run';
import type { Sandbox } from './sandbox';
import { writeUserFiles, type UserFiles } from './userFiles';

// Another one, such as the oldest that the manifest allows, is named by the environment.
const codeServerVersion = process.env['EASEL_TEST_CODE_SERVER'] || '4.139.1';
/** The version of VS Code inside: code-server counts as VS Code does, from 4 instead of 1. */
export const codeServerEditorVersion = codeServerVersion.replace(/^4/, '1');
// Counts changes of the set-up below, so that an older copy in the cache is not taken for ours.
const setUpRevision = 3;

/**
 * A real VS Code server, from the npm package `code-server`, in the cache.
 *
 * @returns the folder that has `out/server-main.js`.
 */
export async function prepareCodeServer(): Promise<string> {
	const name = `code-server-${codeServerVersion}-${setUpRevision}`;
	const folder = await inCache(name, setUp);
	return join(folder, inPackage);
}

/** A running server and where it keeps its things. */
export interface Server {
	/** The workbench's address, `http://127.0.0.1:port`. */
	readonly address: string;
	readonly port: number;
	/** The extension host that started last; `undefined` while there is none. */
	extensionHostPid(): number | undefined;
	stop(): Promise<void>;
}

export interface ServerOptions {
	/** From `prepareCodeServer`. */
	program: string;
	sandbox: Sandbox;
	env?: NodeJS.ProcessEnv;
	/** Written before the start. */
	userFiles?: UserFiles;
	/** 0 or nothing: any free port. */
	port?: number;
	/**
	 * True where the page may name an extension under development. It takes the smoke tests' mode,
	 * in which VS Code shows no notification, so an interactive host must not have it.
	 */
	underDevelopment?: boolean;
	/** True where folders open in Restricted Mode. */
	restricted?: boolean;
}

/** The sandbox's folders, the same for every start in it. */
export function serverFolders(sandbox: Sandbox) {
	const userData = sandbox.folder('user-data');
	return {
		serverData: sandbox.folder('server-data'),
		userData,
		extensions: sandbox.folder('extensions'),
		globalStorage: join(userData, 'User', 'globalStorage'),
		user: sandbox.folder('user-data/User'),
		logs: join(userData, 'logs'),
	};
}

/** Installs a packaged extension, as `code --install-extension` does. */
export async function installExtension(
	program: string,
	sandbox: Sandbox,
	vsix: string,
): Promise<void> {
	const folders = serverFolders(sandbox);
	const output = await run(
		process.execPath,
		[
			join(program, 'out/server-main.js'),
			'--accept-server-license-terms',
			...['--server-data-dir', folders.serverData],
			...['--extensions-dir', folders.extensions],
			...['--install-extension', vsix],
		],
		{ env: sandbox.environment() },
	);
	// A refused extension is reported in words only.
	if (!/successfully installed/.test(output)) {
		throw new Error(`${vsix} could not be installed:\n${output}`);
	}
}

/**
 * Starts the server and waits until it answers.
 *
 * @throws an Error with the server's output if it ends or is not ready after 60 s.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
	const { program, sandbox } = options;
	const folders = serverFolders(sandbox);
	await writeUserFiles(folders.user, options.userFiles ?? {});
	const port = options.port || (await freePort());
	const child = spawn(
		process.execPath,
		[
			join(program, 'out/server-main.js'),
			...['--host', '127.0.0.1', '--port', `${port}`],
			'--without-connection-token',
			'--accept-server-license-terms',
			...(options.underDevelopment ? ['--enable-smoke-test-driver'] : []),
			...['--telemetry-level', 'off'],
			...(options.restricted ? [] : ['--disable-workspace-trust']),
			// The extension host gets our environment, not what a login shell makes of it.
			'--force-disable-user-env',
			...['--server-data-dir', folders.serverData],
			...['--user-data-dir', folders.userData],
			...['--extensions-dir', folders.extensions],
		],
		{
			// On Linux, sockets go there; a killed server does not remove them by itself.
			env: sandbox.environment({ XDG_RUNTIME_DIR: sandbox.folder('run'), ...options.env }),
			stdio: ['ignore', 'pipe', 'pipe'],
			// Ctrl+C is for the runner, which then ends everything in order.
			detached: true,
		},
	);
	let output = '';
	child.stdout.on('data', (data) => (output = `${output}${data}`.slice(-20_000)));
	child.stderr.on('data', (data) => (output = `${output}${data}`.slice(-20_000)));
	const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));

	const address = `http://127.0.0.1:${port}`;
	for (const deadline = Date.now() + 60_000; !(await answers(`${address}/version`));) {
		if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
			child.kill('SIGKILL');
			throw new Error(`VS Code's server did not start on port ${port}:\n${output}`);
		}
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	/** Those that live, in the order in which they were seen first. */
	let hosts: number[] = [];
	return {
		address,
		port,
		extensionHostPid() {
			const alive = processesOf(sandbox.root)
				.filter((one) => one.parent === child.pid && one.command.includes('--type=extensionHost'))
				.map((one) => one.pid);
			// Not the highest: the system's numbers start again at some point.
			hosts = [...new Set([...hosts.filter((pid) => alive.includes(pid)), ...alive])];
			return hosts.at(-1);
		},
		async stop() {
			child.kill('SIGKILL');
			await ended;
		},
	};
}

const inPackage = 'node_modules/code-server/lib/vscode';

/**
 * Built-in extensions that Easel never meets: debuggers, programming languages, sign-ins, Copilot. Every
 * window reads them anew, a quarter of what it computes until it is at rest. The desktop build has all.
 */
const unneeded =
	/^(?:ms-vscode\.|debug-|github|(?:typescript|css|php)-language-features|(?:copilot|npm|grunt|gulp|jake|microsoft-authentication|terminal-suggest|tunnel-forwarding|references-view|simple-browser|extension-editing)$)/;

async function setUp(folder: string): Promise<void> {
	say(`Preparing VS Code ${codeServerEditorVersion} (once, about 30 seconds)`);
	const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
	const vscode = join(folder, inPackage);
	say('  the server and the workbench…');
	// Without a manifest here, npm would look for one further up and find the repository's.
	await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
	await runNpm(['install', `code-server@${codeServerVersion}`, ...quiet], folder);
	say('  their modules…');
	await runNpm(['install', '--omit=dev', ...quiet], vscode);
	say('  the modules of the built-in extensions…');
	const extensions = join(vscode, 'extensions');
	await runNpm(['install', '--omit=dev', ...quiet], extensions);
	for (const name of await readdir(extensions)) {
		if (unneeded.test(name)) await rm(join(extensions, name), { recursive: true });
	}
	// The one native module that the extension host cannot do without. Compiling it would ask for
	// Python, a C++ compiler and Node's headers; writing log lines does not need any of them.
	const spdlog = join(vscode, 'node_modules/@vscode/spdlog');
	await copyFile(join(__dirname, 'spdlog.cjs'), join(spdlog, 'index.js'));
	await rm(join(spdlog, 'deps'), { recursive: true, force: true });
	if (!existsSync(join(vscode, 'out/server-main.js'))) {
		throw new Error(`The npm package code-server ${codeServerVersion} holds no VS Code server.`);
	}
}

async function answers(url: string): Promise<boolean> {
	try {
		return (await fetch(url)).ok;
	} catch {
		return false;
	}
}

async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}
