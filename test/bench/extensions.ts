import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../host/run.js';

/** Name in the list of running extensions. */
export const emptyName = 'Nothing At All';

/** Title in the command palette. */
export const marksCommand = 'Bench: Write Marks';

/**
 * Packages an extension that starts when Easel does, and does nothing: what VS Code itself needs for
 * one.
 *
 * @param folder where to put it, absolute
 * @returns the absolute path of the package
 */
export function emptyExtension(folder: string): Promise<string> {
	return packedExtension(folder, 'nothing', 'exports.activate = () => {};\n', {
		displayName: emptyName,
		activationEvents: ['onStartupFinished'],
	});
}

/**
 * Packages an extension that writes what VS Code has noted of the start of this extension host, on
 * command: names with their times in ms, as JSON.
 *
 * @param folder where to put it, absolute
 * @param target where it writes that, absolute
 * @returns the absolute path of the package
 */
export function marksExtension(folder: string, target: string): Promise<string> {
	const [category = '', title = ''] = marksCommand.split(': ');
	const source = `
		const { renameSync, writeFileSync } = require('node:fs');
		const { commands } = require('vscode');
		const target = ${JSON.stringify(target)};
		exports.activate = () => commands.registerCommand('marks.write', () => {
			writeFileSync(target + '.new', JSON.stringify(globalThis.MonacoPerformanceMarks.getMarks()));
			renameSync(target + '.new', target);
		});
	`;
	return packedExtension(folder, 'marks', source, {
		contributes: { commands: [{ command: 'marks.write', title, category }] },
	});
}

/** Packages an extension of one file. Returns the absolute path of the package. */
export async function packedExtension(
	folder: string,
	name: string,
	source: string,
	manifest: Readonly<Record<string, unknown>>,
): Promise<string> {
	const root = path.join(folder, name);
	await mkdir(root);
	const engines = { vscode: '^1.106.0' };
	const shared = {
		name,
		publisher: 'easel-bench',
		version: '1.0.0',
		engines,
		main: './extension.js',
	};
	await writeFile(path.join(root, 'package.json'), JSON.stringify({ ...shared, ...manifest }));
	await writeFile(path.join(root, 'extension.js'), source);
	const target = path.join(folder, `${name}.vsix`);
	const vsce = path.join(path.dirname(require.resolve('@vscode/vsce/package.json')), 'vsce');
	const options = ['--out', target, '--allow-missing-repository', '--skip-license'];
	await run(process.execPath, [vsce, 'package', ...options], { cwd: root });
	return target;
}
