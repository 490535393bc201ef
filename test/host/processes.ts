import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';

/** The variable that marks every process of one sandbox: it is inherited, also by detached children. */
export const sandboxVariable = 'EASEL_TEST_SANDBOX';

export interface ProcessInfo {
	pid: number;
	parent: number;
	command: string;
	/** The environment as text, where the system reveals it; else empty. */
	environment: string;
}

/** All processes of this machine that we may see. */
export function listProcesses(): ProcessInfo[] {
	if (process.platform === 'linux') return listFromProc();
	if (process.platform === 'win32') return listFromPowerShell();
	return listFromPs();
}

/**
 * The processes that belong to a sandbox. A parent chain would not do: a detached child whose
 * parent has died hangs on no known process.
 */
export function processesOf(sandbox: string): ProcessInfo[] {
	const mark = `${sandboxVariable}=${sandbox}`;
	const all = listProcesses().filter(({ pid }) => pid !== process.pid);
	// By the command too: a process that is given a clean environment has no mark.
	return all.filter(
		(one) => one.environment.includes(mark) || one.command.includes(`${sandbox}${sep}`),
	);
}

/** Kills the processes of a sandbox until none is left. Synchronous, so that an exit handler can. */
export function killProcessesOf(sandbox: string): void {
	// A process can be born while we look, so look again until nothing is found.
	for (let round = 0; round < 10; round++) {
		const found = processesOf(sandbox);
		if (found.length === 0) return;
		for (const { pid } of found) kill(pid);
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
	}
}

/** Sends SIGKILL; a process that has ended already is no error. */
export function kill(pid: number): void {
	try {
		process.kill(pid, 'SIGKILL');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

// Read from /proc, because small images have no `ps`.
function listFromProc(): ProcessInfo[] {
	const found: ProcessInfo[] = [];
	for (const name of readdirSync('/proc')) {
		if (!/^\d+$/.test(name)) continue;
		try {
			const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
			const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
			if (state === 'Z') continue;
			const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
			found.push({
				pid: +name,
				parent: Number(parent),
				command,
				environment: readEnvironment(name),
			});
		} catch {
			// It ended while we looked.
		}
	}
	return found;
}

function readEnvironment(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/environ`, 'utf8');
	} catch {
		return ''; // Another user's.
	}
}

function listFromPs(): ProcessInfo[] {
	const text = execFileSync('ps', ['-axwwE', '-o', 'pid=,ppid=,command='], {
		encoding: 'utf8',
		maxBuffer: 64 << 20,
	});
	return text.split('\n').flatMap((line) => {
		const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
		// `-E` appends the environment to the command.
		return command
			? [{ pid: Number(pid), parent: Number(parent), command, environment: command }]
			: [];
	});
}

function listFromPowerShell(): ProcessInfo[] {
	const script =
		'Get-CimInstance Win32_Process | Select-Object ProcessId,ParentProcessId,CommandLine | ConvertTo-Json -Compress';
	const text = execFileSync('powershell.exe', ['-NoProfile', '-Command', script], {
		encoding: 'utf8',
		maxBuffer: 64 << 20,
	});
	const rows = JSON.parse(text) as {
		ProcessId: number;
		ParentProcessId: number;
		CommandLine: string | null;
	}[];
	return rows.map((row) => ({
		pid: row.ProcessId,
		parent: row.ParentProcessId,
		command: row.CommandLine ?? '',
		environment: '',
	}));
}
