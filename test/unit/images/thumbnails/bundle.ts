import path from 'node:path';
import esbuild from 'esbuild';

/** Bundles the worker, or what it runs, as the build does; its codecs lie beside it. */
export async function bundleWorker(outfile: string, name = 'worker'): Promise<void> {
	await esbuild.build({
		entryPoints: [path.resolve(__dirname, `../../../../src/images/thumbnails/${name}.ts`)],
		bundle: true,
		minify: true,
		platform: 'node',
		loader: { '.wasm': 'file' },
		outfile,
		logLevel: 'warning',
		logOverride: { 'empty-import-meta': 'silent' },
	});
}
