import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { killProcessesOf, sandboxVariable } from './processes';

/**
 * A temporary folder together with the processes that work in it. Whatever ends the runner, both
 * go: `close`, an exit or a signal remove them here, and after a crash the guard does.
 */
export class Sandbox {
	/** Absolute path without symbolic links, so that it equals what VS Code shows. */
	readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'easel-test-')));

	constructor() {
		open.add(this);
		watchOverSandboxes();
		guard?.stdin?.write(`+${this.root}\n`);
	}

	/** A subfolder, made if it is not there. */
	folder(name: string): string {
		const path = join(this.root, name);
		mkdirSync(path, { recursive: true });
		return path;
	}

	/** The environment for everything that is started in this sandbox. */
	environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
		return { ...process.env, ...more, [sandboxVariable]: this.root };
	}

	/** Ends the processes and removes the folder. Safe to call twice. */
	close(): void {
		if (!open.delete(this)) return;
		clear(this.root);
		guard?.stdin?.write(`-${this.root}\n`);
	}
}

/** Kills the sandbox's processes and removes its folder; used by the guard, too. */
export function clear(root: string): void {
	killProcessesOf(root);
	removeMounts(root);
	rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** Removes what a test has mounted below the folder: a small disk, a read-only one. */
function removeMounts(root: string): void {
	if (process.platform !== 'linux') return;
	const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
	for (const point of mounts.map((line) => line.split(' ')[4]).reverse()) {
		if (point?.startsWith(root + sep)) spawnSync('umount', ['--lazy', point]);
	}
}

const open = new Set<Sandbox>();
let guard: ChildProcess | undefined;

function watchOverSandboxes(): void {
	if (guard) return;
	process.on('exit', () => [...open].forEach((sandbox) => sandbox.close()));
	for (const [signal, code] of [
		['SIGINT', 130],
		['SIGTERM', 143],
		['SIGHUP', 129],
	] as const) {
		process.on(signal, () => process.exit(code));
	}
	guard = startGuard();
}

// A process of its own, in a group of its own: a runner that is killed cannot clean up, and a
// terminal's Ctrl+C must not take the guard along.
function startGuard(): ChildProcess {
	const child = spawn(
		process.execPath,
		['--import', require.resolve('tsx'), join(__dirname, 'guard.ts')],
		{ stdio: ['pipe', 'ignore', 'inherit'], detached: true },
	);
	child.stdin.on('error', () => {}); // It died first: nothing to send it.
	child.unref();
	(child.stdin as unknown as { unref(): void }).unref();
	return child;
}
