import path from 'node:path';
import esbuild from 'esbuild';

const root = path.resolve(import.meta.dirname, '../../..');

/** A module of ours that runs on the extension host's thread. */
export interface HostModule {
	/** From `src` on, with `/`. */
	readonly name: string;
	/** Absolute. */
	readonly file: string;
	/** The files whose code it runs, itself included, as far as they are ours; absolute. */
	readonly uses: readonly string[];
}

/**
 * The modules of some rooms that are part of the extension's own bundle and load in plain Node. What
 * only workers load is not among them: it runs in other threads and processes.
 */
export async function hostModules(rooms: readonly string[]): Promise<HostModule[]> {
	const { metafile } = await esbuild.build({
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
		.filter(({ reached }) => !reached.has('vscode'))
		.map(({ name, reached }) => ({
			name: name.slice('src/'.length),
			file: path.join(root, name),
			uses: [...reached].filter((one) => one.startsWith('src/')).map((one) => path.join(root, one)),
		}));
}
