import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { repository } from '../host/cache.js';
import { Workbench } from './workbench.js';

suite('the package', () => {
	test('holds what a user needs and nothing else: no sources, tests or maps', async () => {
		const workbench = await Workbench.open();
		try {
			const extensions = path.join(workbench.editor.dataDir, '../extensions');
			const own = (await readdir(extensions)).filter((name) => name.startsWith('easel.easel-'));
			assert.equal(own.length, 1);
			const root = path.join(extensions, own[0] ?? '');
			const files = (await readdir(root, { recursive: true, withFileTypes: true }))
				.filter((entry) => entry.isFile())
				.map((entry) => path.posix.join(path.relative(root, entry.parentPath), entry.name));
			assert.deepEqual(
				files.filter((file) => !file.startsWith('dist/')).sort(),
				[
					'.vsixmanifest',
					'LICENSE.txt',
					'changelog.md',
					...(await filesIn('docs')),
					...(await filesIn('docs/pictures')),
					'media/compare-dark.svg',
					'media/compare-light.svg',
					'media/icon.png',
					'media/prompt/grammar.json',
					'media/prompt/language.json',
					'media/skills/easel-images/SKILL.md',
					'media/studio-dark.svg',
					'media/studio-light.svg',
					'media/studio.svg',
					...['compare', 'edit', 'generate', 'insert', 'setUp'].flatMap((step) =>
						['dark', 'light'].map((theme) => `media/walkthrough/${step}-${theme}.webp`),
					),
					'package.json',
					'readme.md',
				].sort(),
			);
			for (const bundle of [
				'extension',
				'main',
				'agentSocket',
				'mcp',
				'worker',
				'documents',
				'thumbnails',
			]) {
				assert.ok(files.includes(`dist/${bundle}.js`), bundle);
			}
			for (const file of files.filter((name) => name.startsWith('dist/'))) {
				assert.match(file, /^dist\/\w+(\.js(\.LEGAL\.txt)?|\.LEGAL\.txt|\.wasm)$/);
			}
			// What is compiled from C comes with its licenses, and nothing else is.
			assert.deepEqual(files.filter((file) => file.endsWith('.wasm')).sort(), [
				'dist/mozjpeg_dec.wasm',
				'dist/mozjpeg_enc.wasm',
				'dist/webp_dec.wasm',
				'dist/webp_enc.wasm',
			]);
			const licenses = await readFile(path.join(root, 'dist/libraries.LEGAL.txt'), 'utf8');
			assert.match(licenses, /Apache License[^]+libjpeg-turbo[^]+Google Inc/);
			// Those of libraries of libraries too.
			assert.match(licenses, /^--- \S+\/entities\/LICENSE$[^]+^--- zod\/LICENSE$/m);
			for (const [name, longest] of [
				['extension', 12_000],
				['mcp', 320_000],
				['main', 1_000_000],
			] as const) {
				const bundle = await readFile(path.join(root, `dist/${name}.js`), 'utf8');
				assert.ok(!bundle.includes('sourceMappingURL'), name);
				assert.ok(bundle.length < longest, `${name}: ${String(bundle.length)} characters`);
			}
			// VS Code shows no picture of a package on the extension's page.
			const readme = await readFile(path.join(root, 'readme.md'), 'utf8');
			assert.match(readme, /^# Easel\n[^]+\n## Quick start\n/);
			assert.ok(!readme.replace(/`[^`\n]*`/g, '').includes('!['));
			const { size } = await stat(process.env['EASEL_TEST_VSIX'] ?? '');
			// The MCP server's bundle is 80 kB of it, the encoder of the pictures for models 60 kB.
			assert.ok(size < 1_450_000, `${String(size)} bytes`);
		} finally {
			await workbench.close();
		}
	});
});

/** The files of a folder of the repository, without its subfolders. */
async function filesIn(folder: string): Promise<string[]> {
	const entries = await readdir(path.join(repository, folder), { withFileTypes: true });
	return entries.filter((entry) => entry.isFile()).map(({ name }) => `${folder}/${name}`);
}
