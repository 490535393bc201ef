import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import picomatch from 'picomatch';
import { sitesAbove } from '../../../../src/documents/reading/sitesAbove.js';
import { siteFilesGlob } from '../../../../src/documents/generators.js';
import { writeTree } from '../missing/tree.js';

suite('documents › reading › sitesAbove', () => {
	let folder: string;

	setup(async () => {
		folder = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-sites-above-')));
	});

	teardown(() => rm(folder, { recursive: true, force: true }));

	/** Returns the sites above a folder: each generator with its root. */
	const found = (below: string, workspaceFolder = folder) =>
		sitesAbove(path.join(folder, below), workspaceFolder).map(
			({ generator, root }) => `${generator} ${path.relative(folder, root) || '.'}`,
		);

	test('names the nearest site first, up to the repository', async () => {
		await writeTree(folder, {
			'mkdocs.yml': '',
			'web/docusaurus.config.ts': '',
			'web/docs/.obsidian/app.json': '',
			'web/docs/deep/a.md': '',
			'other/conf.py': '',
		});
		await mkdir(path.join(folder, '.git'));
		assert.deepEqual(found('web/docs/deep'), [
			...[`Obsidian ${path.join('web', 'docs')}`, 'Docusaurus web', 'MkDocs .', 'GitHub .'],
		]);
		// Also where a folder below it is open.
		assert.deepEqual(found('other', path.join(folder, 'other')), [
			...['Sphinx other', 'MkDocs .', 'GitHub .'],
		]);
	});

	test('leaves out what lies above the workspace folder where there is no repository', async () => {
		await writeTree(folder, { 'mkdocs.yml': '', 'docs/_quarto.yml': '', 'docs/a/b.md': '' });
		assert.deepEqual(found('docs/a', path.join(folder, 'docs')), ['Quarto docs']);
		assert.deepEqual(found('docs/a'), ['Quarto docs', 'MkDocs .']);
		assert.deepEqual(sitesAbove(path.join(folder, 'docs'), undefined), []);
		assert.deepEqual(sitesAbove(path.join(folder, 'gone', 'a'), folder).length, 1);
	});

	test('looks above a submodule, whose `.git` is a file', async () => {
		await writeTree(folder, { 'hugo.yaml': '', 'content/sub/.git': 'gitdir: x', '.git/HEAD': '' });
		assert.deepEqual(found('content/sub'), [
			...[`GitHub ${path.join('content', 'sub')}`, 'Hugo .', 'GitHub .'],
		]);
	});

	test('takes no Hugo for what has other folders, and a book of Jupyter for no Jekyll first', async () => {
		await writeTree(folder, { 'config.toml': '', 'content/a.md': '' });
		assert.deepEqual(found('content'), []);
		await mkdir(path.join(folder, 'archetypes'));
		assert.deepEqual(found('content'), ['Hugo .']);
		await writeTree(folder, { '_config.yml': '', '_toc.yml': '' });
		assert.deepEqual(found('content'), ['Hugo .', 'Sphinx .', 'Jekyll .']);
	});

	for (const [file, text, expected] of [
		['docusaurus.config.js', "module.exports = {\n  baseUrl: '/a/',\n};", { base: '/a' }],
		['docusaurus.config.js', "staticDirectories: ['public', 'static']", { publicFolder: 'public' }],
		['docusaurus.config.js', "// baseUrl: '/a/',", { base: undefined, publicFolder: 'static' }],
		['docusaurus.config.js', "baseUrl: '/'", { base: undefined }],
		['hugo.toml', 'baseURL = "https://example.org/blog/"', { base: '/blog' }],
		['hugo.yaml', 'baseURL: https://example.org/\nstaticDir: files', { publicFolder: 'files' }],
		['mkdocs.yml', 'site_name: A\ndocs_dir: "pages"\n', { pages: 'pages' }],
		['mkdocs.yml', '#docs_dir: pages\n', { pages: 'docs' }],
		[
			'astro.config.mjs',
			"base: '/x', publicDir: './files'",
			{ base: '/x', publicFolder: './files' },
		],
		['_config.yml', 'baseurl: "/repo" # c', { base: '/repo', publicFolder: '' }],
		['.obsidian/app.json', '{"attachmentFolderPath":"./pics"}', { images: './pics' }],
		['.obsidian/app.json', '{"useMarkdownLinks": true}', { markdownLinks: 'true' }],
	] as const) {
		test(`${file} with ${JSON.stringify(text)} says ${JSON.stringify(expected)}`, async () => {
			await writeTree(folder, { [file]: text });
			const [site] = sitesAbove(folder, folder);
			assert.ok(site);
			for (const [key, value] of Object.entries(expected)) {
				assert.equal(site[key as keyof typeof site], value, key);
			}
		});
	}

	test('watches every file that identifies a site', () => {
		const isFollowed = picomatch(siteFilesGlob, { dot: true });
		for (const file of [
			...['a/docusaurus.config.mts', 'hugo.toml', 'config.yaml', 'a/config', 'astro.config.mjs'],
			...['mkdocs.yml', 'docs/conf.py', 'myst.yml', '_toc.yml', 'antora.yml', '_quarto.yml'],
			...['_config.yml', 'docs/.vitepress', 'docs/.vitepress/config.mts', '.vuepress/config.js'],
			...['.obsidian', '.obsidian/app.json', '.foam', '.git'],
		]) {
			assert.ok(isFollowed(file), file);
		}
		assert.ok(!isFollowed('docs/a.md'));
	});
});
