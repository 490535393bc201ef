import assert from 'node:assert/strict';
import { longestPath } from '../../../src/documents/imageLink';
import { publicFolderPath, siteFolder, siteReference } from '../../../src/documents/site';
import { file } from './troublesome';

suite('siteReference', () => {
	for (const [sentence, publicFolder, document, image, reference] of [
		['Docusaurus', 'static', 'docs/intro.md', 'static/img/fox.png', '/img/fox.png'],
		[
			'Docusaurus in a folder',
			'website/static',
			'website/blog/a.mdx',
			'website/static/a.png',
			'/a.png',
		],
		['Hugo', 'static', 'content/posts/a.md', 'static/images/fox.png', '/images/fox.png'],
		[
			'Hugo, beside the page',
			'static',
			'content/posts/a/index.md',
			'content/posts/a/fox.png',
			undefined,
		],
		['VitePress', 'docs/public', 'docs/guide/a.md', 'docs/public/fox.png', '/fox.png'],
		[
			'VitePress, the first page',
			'docs/public',
			'docs/index.md',
			'docs/public/fox.png',
			'/fox.png',
		],
		['a README above the site', 'docs/public', 'README.md', 'docs/public/fox.png', undefined],
		['a site beside', 'website/static', 'website-2/a.md', 'website/static/a.png', undefined],
		['MkDocs', '', 'docs/guide/a.md', 'docs/img/fox.png', undefined],
		['a folder that begins alike', 'static', 'docs/a.md', 'static-2/a.png', undefined],
		[
			'a folder with slashes around',
			'/docs/public/',
			'docs/a.md',
			'docs/public/x/a.png',
			'/x/a.png',
		],
		['a folder as Windows writes it', 'docs\\public', 'docs/a.md', 'docs/public/a.png', '/a.png'],
		['a folder with a dot', './static', 'docs/a.md', 'static/a b.png', '/a b.png'],
		['no folder', '', 'docs/a.md', 'a.png', undefined],
		['the workspace folder itself', '.', 'docs/a.md', 'a.png', undefined],
		['a folder outside', '../static', 'docs/a.md', '../static/a.png', undefined],
	] as const) {
		test(`of ${sentence} is ${reference}`, () => {
			assert.equal(
				siteReference({
					document: file(`/repo/${document}`),
					image: file(image.startsWith('../') ? image.slice(2) : `/repo/${image}`),
					workspaceFolder: file('/repo'),
					publicFolder,
				}),
				reference,
			);
		});
	}

	test('needs a workspace folder, and files of the same file system', () => {
		const document = file('/repo/docs/a.md');
		const image = file('/repo/static/a.png');
		const folder = file('/repo');
		const publicFolder = 'static';
		assert.equal(
			siteReference({ document, image, workspaceFolder: undefined, publicFolder }),
			undefined,
		);
		const elsewhere = { ...folder, scheme: 'vscode-vfs', authority: 'github' };
		assert.equal(
			siteReference({ document, image, workspaceFolder: elsewhere, publicFolder }),
			undefined,
		);
	});

	test('is none where the document or the image lies in another file system', () => {
		const place = {
			document: file('/repo/docs/a.md'),
			image: file('/repo/static/a.png'),
			workspaceFolder: file('/repo'),
			publicFolder: 'static',
		};
		assert.equal(siteReference(place), '/a.png');
		for (const which of ['document', 'image'] as const) {
			for (const change of [{ scheme: 'vscode-vfs' }, { authority: 'nas' }]) {
				const other = { ...place, [which]: { ...place[which], ...change } };
				assert.equal(siteReference(other), undefined, which);
			}
		}
	});

	test('works where the workspace folder is the root, or a drive', () => {
		assert.equal(publicFolderPath(file('/'), 'static'), '/static');
		assert.equal(publicFolderPath(file('/'), '.'), undefined);
		assert.equal(publicFolderPath(file('/c:/repo'), 'static/'), '/c:/repo/static');
		assert.equal(publicFolderPath(file('/repo'), ' static '), '/repo/static');
		assert.equal(publicFolderPath(file('/repo'), '../repo-2/static'), undefined);
		const longest = 'a'.repeat(longestPath);
		assert.equal(publicFolderPath(file('/repo'), longest), `/repo/${longest}`);
		assert.equal(publicFolderPath(file('/repo'), `${longest}a`), undefined);
	});
});

suite('siteFolder', () => {
	const place = {
		document: file('/repo/docs/a.md'),
		workspaceFolder: file('/repo'),
		publicFolder: 'static',
	};

	test('is that of the workspace folder that a page lies in', () => {
		assert.equal(siteFolder(place), '/repo/static');
	});

	test('is none without a workspace folder, or of a document beside it or in another file system', () => {
		assert.equal(siteFolder({ ...place, workspaceFolder: undefined }), undefined);
		assert.equal(siteFolder({ ...place, document: file('/repo-2/docs/a.md') }), undefined);
		for (const change of [{ scheme: 'vscode-vfs' }, { authority: 'nas' }]) {
			const document = { ...place.document, ...change };
			assert.equal(siteFolder({ ...place, document }), undefined, JSON.stringify(change));
		}
	});
});
