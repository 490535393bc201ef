import path from 'node:path';
import esbuild from 'esbuild';

const root = path.resolve(import.meta.dirname, '../../..');

const outside = /^(vscode|node:(fs|net|http|https|tls|child_process|worker_threads)(\/.*)?)$/;

/** A module of ours that runs on the extension host's thread. */
export interface HostModule {
	/** From `src` on, with `/`. */
	readonly name: string;
	/** Absolute. */
	readonly file: string;
}

/**
 * Returns the modules of some rooms that are part of the extension's own bundle and compute only: they
 * load in plain Node and reach no file, network or thread. What only workers load is not among them.
 */
export function hostModules(rooms: readonly string[]): HostModule[] {
	const { metafile } = esbuild.buildSync({
		entryPoints: [path.join(root, 'src/extension.ts')],
		absWorkingDir: root,
		bundle: true,
		write: false,
		metafile: true,
		platform: 'node',
		external: ['vscode'],
		logLevel: 'warning',
	});
	const importsOf = (name: string) => metafile.inputs[name]?.imports ?? [];
	const reachedFrom = (name: string) => {
		const reached = new Set([name]);
		for (const one of reached) {
			for (const imported of importsOf(one)) {
				reached.add(imported.path);
			}
		}
		return reached;
	};
	return Object.keys(metafile.inputs)
		.filter((name) => rooms.some((room) => name.startsWith(`src/${room}`)))
		.map((name) => ({ name, reached: reachedFrom(name) }))
		.filter(({ reached }) => ![...reached].some((one) => outside.test(one)))
		.map(({ name }) => ({ name: name.slice('src/'.length), file: path.join(root, name) }));
}
