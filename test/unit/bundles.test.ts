import assert from 'node:assert/strict';
import path from 'node:path';
import esbuild from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');

/** Modules that a window loads before Easel is used. */
const entryModules = [
	'src/documents/asciidoc.ts',
	'src/documents/asciidocAttributes.ts',
	'src/documents/html.ts',
	'src/documents/imageLink.ts',
	'src/documents/imagePathBefore.ts',
	'src/documents/languages.ts',
	'src/documents/latex.ts',
	'src/documents/markdown.ts',
	'src/documents/restructuredText.ts',
	'src/documents/typst.ts',
	'src/editor/checkOpen.ts',
	'src/editor/commandTable.ts',
	'src/editor/events.ts',
	'src/editor/lazyHandlers.ts',
	'src/editor/mcpServer.ts',
	'src/editor/nearImage.ts',
	'src/editor/providers.ts',
	'src/editor/rawSetting.ts',
	'src/extension.ts',
	'src/files/fsErrors.ts',
	'src/files/restrictPermissions.ts',
	'src/files/retryTransient.ts',
	'src/files/writeWhole.ts',
	'src/images/altText.ts',
	'src/images/segments.ts',
	'src/images/shorten.ts',
	'src/protocol/agentToolNames.ts',
	'src/protocol/panels.ts',
];

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
			external: ['vscode', './main.js', './agentSocket.js', './checkDiagnostics.js'],
			logLevel: 'silent',
		});
		assert.deepEqual(Object.keys(metafile.inputs).sort(), entryModules);
		const { bytes } = metafile.outputs['out/extension.js']!;
		// With what VS Code asks for before Easel is used, such as the MCP server's definition.
		assert.ok(bytes < 12.5 * 1024, `${String(bytes)} bytes`);
		// The first of a process takes 10 ms.
		assert.doesNotMatch(outputFiles[0]!.text, /\bIntl\b/);
	});
});
