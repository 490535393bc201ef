import assert from 'node:assert/strict';
import path from 'node:path';
import esbuild from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');

suite('The bundles', () => {
	test('a window loads few modules and few bytes before Easel is used', async () => {
		const { metafile, outputFiles } = await esbuild.build({
			absWorkingDir: root,
			entryPoints: ['src/extension.ts'],
			bundle: true,
			minify: true,
			write: false,
			metafile: true,
			platform: 'node',
			format: 'cjs',
			outdir: 'out',
			external: ['vscode', './main.js', './agentSocket.js'],
			logLevel: 'silent',
		});
		const modules = Object.keys(metafile.inputs);
		assert.ok(modules.length <= 26, modules.join());
		const { bytes } = metafile.outputs['out/extension.js']!;
		// With what VS Code asks for before Easel is used, such as the MCP server's definition.
		assert.ok(bytes < 12_000, `${String(bytes)} bytes`);
		// The first of a process takes 10 ms.
		assert.doesNotMatch(outputFiles[0]!.text, /\bIntl\b/);
	});
});
