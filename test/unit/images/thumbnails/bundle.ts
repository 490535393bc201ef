import path from 'node:path';
import esbuild from 'esbuild';

/** Bundles the worker as the build does; its codecs lie beside it. */
export async function bundleWorker(outfile: string): Promise<void> {
	await esbuild.build({
		entryPoints: [path.resolve(__dirname, '../../../../src/images/thumbnails/worker.ts')],
		bundle: true,
		minify: true,
		platform: 'node',
		loader: { '.wasm': 'file' },
		outfile,
		logLevel: 'warning',
	});
}
