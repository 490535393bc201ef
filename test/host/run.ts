import { spawn, type SpawnOptions } from 'node:child_process';

/**
 * Runs a program to its end and returns what it wrote to both outputs.
 *
 * @throws an Error with the command, the exit code and the whole output if it fails.
 */
export function run(
	program: string,
	args: readonly string[],
	options: SpawnOptions & { input?: NodeJS.ReadableStream } = {},
): Promise<string> {
	const { input, ...spawnOptions } = options;
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, {
			...spawnOptions,
			stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
		});
		let output = '';
		child.stdout?.on('data', (data) => (output += data));
		child.stderr?.on('data', (data) => (output += data));
		child.on('error', (error) => reject(new Error(`${program} cannot be run: ${error.message}`)));
		child.on('close', (code, signal) => {
			if (code === 0) return resolve(output);
			const command = [program, ...args].join(' ');
			reject(new Error(`${command} ended with ${signal ?? `code ${code}`}:\n${output}`));
		});
		if (input && child.stdin) {
			child.stdin.on('error', () => {}); // The exit code says more.
			input.pipe(child.stdin);
		}
	});
}

/** Runs npm: the one that runs us, if one does, else the one on PATH. */
export function runNpm(args: readonly string[], cwd: string): Promise<string> {
	const cli = process.env['npm_execpath'];
	if (cli?.endsWith('npm-cli.js')) return run(process.execPath, [cli, ...args], { cwd });
	// On Windows npm is a batch file, which only a shell can start.
	return run('npm', args, { cwd, shell: process.platform === 'win32' });
}
