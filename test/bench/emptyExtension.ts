import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../host/run.js';

/** As the list of running extensions has it. */
export const emptyName = 'Nothing At All';

const manifest = {
	name: 'nothing',
	displayName: emptyName,
	publisher: 'easel-bench',
	version: '1.0.0',
	engines: { vscode: '^1.105.0' },
	main: './extension.js',
	activationEvents: ['onStartupFinished'],
};

/**
 * Packages an extension that starts when Easel does, and does nothing: what VS Code itself needs for
 * one.
 *
 * @param folder where to put it, absolute
 * @returns the absolute path of the package
 */
export async function emptyExtension(folder: string): Promise<string> {
	const source = path.join(folder, 'empty');
	await mkdir(source);
	await writeFile(path.join(source, 'package.json'), JSON.stringify(manifest));
	await writeFile(path.join(source, 'extension.js'), 'exports.activate = () => {};\n');
	const target = path.join(folder, 'empty.vsix');
	const vsce = path.join(path.dirname(require.resolve('@vscode/vsce/package.json')), 'vsce');
	const options = ['--out', target, '--allow-missing-repository', '--skip-license'];
	await run(process.execPath, [vsce, 'package', ...options], { cwd: source });
	return target;
}
