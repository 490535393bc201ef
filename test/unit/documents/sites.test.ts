import assert from 'node:assert/strict';
import type { SiteGenerator } from '../../../src/documents/generators.js';
import { maxPathLength } from '../../../src/documents/imageLink.js';
import {
	addressInSite,
	publishesFolder,
	rulesOf,
	servedPath,
	siteImagesFolder,
	siteOfPage,
	siteOfSetting,
	sitesFor,
	sitesIn,
	type Site,
} from '../../../src/documents/sites.js';
import { file } from './troublesome.js';

/** A site as it is where nothing is configured. */
function plainSite(generator: SiteGenerator, root = '/repo'): Site {
	const { publicFolder, pages, images } = rulesOf({ generator });
	return { generator, root, publicFolder, pages, images };
}

suite('documents › sites', () => {
	suite('servedPath, by the setting', () => {
		const reference = (document: string, image: string, publicFolder: string) =>
			servedPath(file(document), file(image), sitesFor('/repo', publicFolder, []));

		for (const [sentence, publicFolder, document, image, expected] of [
			['a folder', 'website/static', 'website/blog/a.mdx', 'website/static/a.png', '/a.png'],
			['the first page', 'docs/public', 'docs/index.md', 'docs/public/fox.png', '/fox.png'],
			['a site beside', 'website/static', 'website-2/a.md', 'website/static/a.png', undefined],
			['a folder that begins alike', 'static', 'docs/a.md', 'static-2/a.png', undefined],
			['slashes around', '/docs/public/', 'docs/a.md', 'docs/public/x/a.png', '/x/a.png'],
			['what Windows writes', 'docs\\public', 'docs/a.md', 'docs/public/a.png', '/a.png'],
			['no folder', '', 'docs/a.md', 'a.png', undefined],
		] as const) {
			test(`of ${sentence} is ${String(expected)}`, () => {
				assert.equal(reference(`/repo/${document}`, `/repo/${image}`, publicFolder), expected);
			});
		}

		test('needs files of the same file system', () => {
			const sites = sitesFor('/repo', 'static', []);
			const document = file('/repo/docs/a.md');
			const image = file('/repo/static/a.png');
			assert.equal(servedPath(document, image, sites), '/a.png');
			for (const change of [{ scheme: 'vscode-vfs' }, { authority: 'nas' }]) {
				assert.equal(servedPath(document, { ...image, ...change }, sites), undefined);
			}
		});
	});

	test('the setting describes a folder within the workspace folder, on any system', () => {
		const folderOf = (workspaceFolder: string, publicFolder: string) => {
			const site = siteOfSetting(workspaceFolder, publicFolder);
			return site && `${site.root} ${site.publicFolder}`;
		};
		assert.equal(folderOf('/', 'static'), '/ static');
		assert.equal(folderOf('/', '.'), undefined);
		assert.equal(folderOf('/c:/repo', 'docs/static/'), '/c:/repo/docs static');
		assert.equal(folderOf('/repo', ' static '), '/repo static');
		assert.equal(folderOf('/repo', '../repo-2/static'), undefined);
		const longest = 'a'.repeat(maxPathLength);
		assert.equal(folderOf('/repo', longest), `/repo ${longest}`);
		assert.equal(folderOf('/repo', `${longest}a`), undefined);
		assert.equal(siteOfSetting(undefined, 'static'), undefined);
	});

	for (const [generator, document, folder, image, expected] of [
		['Docusaurus', 'docs/a.md', 'static/img', 'static/img/a.png', '/img/a.png'],
		['Docusaurus', 'README.md', undefined, 'static/img/a.png', undefined],
		['Hugo', 'content/posts/a.md', 'static/images', 'static/images/a.png', '/images/a.png'],
		['Hugo', 'content/a/index.md', 'content/a', 'content/a/b.png', undefined],
		['Hugo', 'docs/a.md', undefined, 'static/a.png', undefined],
		['VitePress', 'guide/a.md', 'public/images', 'public/a.png', '/a.png'],
		['VuePress', 'a.md', '.vuepress/public/images', '.vuepress/public/a.png', '/a.png'],
		['Astro', 'src/content/a.md', 'public/images', 'public/a.png', '/a.png'],
		['Jekyll', '_posts/a.md', 'assets/images', 'assets/images/a.png', '/assets/images/a.png'],
		['MkDocs', 'docs/a.md', 'docs/images', 'docs/images/a.png', undefined],
		['MkDocs', 'README.md', undefined, 'docs/images/a.png', undefined],
		['Sphinx', 'guide/a.md', 'images', 'images/a.png', undefined],
		['Quarto', 'a.qmd', 'images', 'images/a.png', undefined],
		['Antora', 'a.md', undefined, 'a.png', undefined],
		['Obsidian', 'a.md', undefined, 'a.png', undefined],
		['Foam', 'a.md', 'attachments', 'attachments/a.png', undefined],
		['GitHub wiki', 'guide/a.md', 'images', 'images/a.png', 'images/a.png'],
		['GitLab wiki', 'guide/a.md', 'images', 'images/a.png', undefined],
		['GitHub', 'a.md', undefined, 'a.png', undefined],
	] as const) {
		test(`${generator}: ${document} has its images in ${String(folder)}, ${image} is ${String(expected)}`, () => {
			const sites = [plainSite(generator)];
			const images = siteImagesFolder(`/repo/${document}`, sites);
			assert.equal(images, folder && `/repo/${folder}`);
			const written = servedPath(file(`/repo/${document}`), file(`/repo/${image}`), sites);
			assert.equal(written, expected);
		});
	}

	test('the nearest site counts, and the setting before all of them', () => {
		const sites = [plainSite('GitHub', '/repo/web'), plainSite('VitePress', '/repo/web')];
		const document = '/repo/web/a.md';
		assert.equal(siteOfPage(document, sites)?.generator, 'VitePress');
		assert.equal(siteOfPage(document, sitesFor('/repo', 'static', sites))?.generator, 'setting');
		assert.equal(siteOfPage('/repo/a.md', sites), undefined);
	});

	test('the path at which a site is served stands where its links have it', () => {
		const image = file('/repo/public/a.png');
		const document = file('/repo/src/a.md');
		const astro = { ...plainSite('Astro'), base: '/docs' };
		assert.equal(servedPath(document, image, [astro]), '/docs/a.png');
		const vitePress = { ...plainSite('VitePress'), base: '/docs' };
		assert.equal(servedPath(document, image, [vitePress]), '/a.png');
		const hugo = { ...plainSite('Hugo'), base: '/blog' };
		const post = file('/repo/content/a.md');
		assert.equal(servedPath(post, file('/repo/static/a.png'), [hugo]), '/blog/a.png');
	});
});

suite('addressInSite', () => {
	const addressOf = (document: string, settings = '') => {
		const [site] = sitesIn('/repo', ['mkdocs.yml'], () => settings);
		return addressInSite(document, site);
	};

	test('is a folder for each page of MkDocs, unless it is configured otherwise', () => {
		assert.equal(addressOf('/repo/docs/guide/a.md'), '/repo/docs/guide/a/index.html');
		assert.equal(addressOf('/repo/docs/guide/index.md'), '/repo/docs/guide/index.html');
		const flat = 'use_directory_urls: false';
		assert.equal(addressOf('/repo/docs/guide/a.md', flat), '/repo/docs/guide/a.md');
	});

	test('is the document itself elsewhere', () => {
		assert.equal(addressInSite('/repo/a.md', undefined), '/repo/a.md');
		assert.equal(addressInSite('/repo/docs/a.md', plainSite('Docusaurus')), '/repo/docs/a.md');
	});

	test('publishes what lies in the folders that it copies, and nothing else', () => {
		const publishes = (generator: SiteGenerator, folder: string) => {
			const { publicFolder, pages } = rulesOf({ generator });
			return publishesFolder({ generator, root: '/w', publicFolder, pages }, `/w/${folder}`);
		};
		assert.deepEqual(
			[
				...[publishes('Docusaurus', 'static/img/originals'), publishes('VitePress', 'public')],
				...[publishes('MkDocs', 'docs/originals'), publishes('Jekyll', 'images/originals')],
			],
			[true, true, true, true],
		);
		assert.deepEqual(
			[
				...[publishes('Docusaurus', 'images/originals'), publishes('Docusaurus', 'docs/originals')],
				...[publishes('MkDocs', 'images/originals'), publishes('MkDocs', 'docs/.originals')],
				...[publishes('Jekyll', '_originals'), publishes('Sphinx', 'images/originals')],
				...[publishes('GitHub wiki', 'images'), publishes('Obsidian', 'images')],
			],
			Array.from({ length: 8 }, () => false),
		);
	});
});
