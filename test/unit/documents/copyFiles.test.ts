import assert from 'node:assert/strict';
import { copyFilesDestination, type CopyTarget } from '../../../src/documents/copyFiles';

const readme: CopyTarget = {
	document: '/Users/me/myProject/docs/README.md',
	fileName: 'image.png',
	workspaceFolder: '/Users/me/myProject',
	now: new Date('2025-06-06T08:40:32.123Z'),
};

suite('copyFilesDestination', () => {
	const resolves = (
		sentence: string,
		destination: string,
		path: string,
		target: Partial<CopyTarget> = {},
	) =>
		test(`${sentence}: ${destination}`, () => {
			assert.equal(copyFilesDestination({ '**': destination }, { ...readme, ...target }), path);
		});

	suite('documentation of VS Code', () => {
		const docs = '/Users/me/myProject/docs';
		for (const [variable, value] of [
			['documentRelativeDirName', 'docs'],
			['documentFileName', 'README.md'],
			['documentExtName', 'md'],
			['documentFilePath', `${docs}/README.md`],
			['documentRelativeFilePath', 'docs/README.md'],
			['documentWorkspaceFolder', '/Users/me/myProject'],
			['unixTime', '1749199232123'],
			['isoTime', '2025-06-06T08:40:32.123Z'],
		] as const) {
			resolves(
				'description of the setting',
				`/x/\${${variable}}/y`,
				`/Users/me/myProject/x/${value}/y`.replaceAll('//', '/'),
			);
		}

		test('page “Markdown and Visual Studio Code”', () => {
			const api = { ...readme, document: '/Users/me/myProject/docs/api/readme.md' };
			const setting = { '/docs/**/*': 'images/${documentBaseName/(.).*/$1/}/' };
			const path = '/Users/me/myProject/docs/api/images/r/image.png';
			assert.equal(copyFilesDestination(setting, api), path);
		});
	});

	suite('tests of VS Code', () => {
		const base = {
			document: '/project/sub/readme.md',
			fileName: 'img.png',
			workspaceFolder: '/project/',
		};
		const outside = { ...base, workspaceFolder: undefined };
		resolves('beside the document', '${fileName}', '/project/sub/img.png', base);
		resolves('from the workspace', '/${fileName}', '/project/img.png', base);
		resolves(
			'from the document without a workspace',
			'/${fileName}',
			'/project/sub/img.png',
			outside,
		);
		resolves('in a folder', 'images/', '/project/sub/images/img.png', base);
		resolves('swaps', '${fileName/(.+)\\.(.+)/$2.$1/}', '/project/sub/png.img', base);
		resolves('escapes', '\\${fileName}', '/project/sub/${fileName}', base);
		resolves('leaves', '${fileName\\}', '/project/sub/${fileName\\}', base);
		resolves('slashes', '${fileName/(.+)/x\\/y/}.${fileExtName}', '/project/sub/x/y.png', base);
	});

	suite('destination', () => {
		const docs = '/Users/me/myProject/docs';
		resolves('trims', '  images/  ', `${docs}/images/image.png`);
		resolves('takes nothing as the name', '   ', `${docs}/image.png`);
		resolves('leaves what it does not know', '${nonsense/a/b/}x', `${docs}/\${nonsense/a/b/}x`);
		resolves(
			'takes slashes in a pattern',
			'${documentDirName/Project\\/docs/other/}/x',
			'/Users/me/myother/x',
		);
		resolves('ignores a pattern that is none', '${fileName/(/x/}', `${docs}/image.png`);
		resolves('ignores an empty replacement', '${fileName/image//}', `${docs}/image.png`);
		resolves('replaces the first match only', '${documentBaseName/[AE]/_/}', `${docs}/R_ADME`);
		resolves('is not confined', '../../../x.png', '/Users/x.png');
		resolves('takes a name without extension', '${fileName}.${fileExtName}', `${docs}/image.`, {
			fileName: 'image',
		});
		resolves(
			'takes a document without extension',
			'${documentBaseName}/${documentExtName}x',
			`${docs}/LICENSE/x`,
			{
				document: `${docs}/LICENSE`,
			},
		);
		resolves('reads no dollars out of values', '${fileName/x/y/}', `${docs}/$&.png`, {
			fileName: '$&.png',
		});
		resolves('knows drives', '/img/', '/c:/repo/img/image.png', {
			document: '/c:/repo/docs/a.md',
			workspaceFolder: '/c:/repo',
		});
		for (const name of ['documentRelativeDirName', 'documentRelativeFilePath']) {
			const path = name.endsWith('FilePath') ? `${docs}/README.md` : docs;
			resolves('is absolute without a workspace', `\${${name}}/x.png`, `${path}/x.png`, {
				workspaceFolder: undefined,
			});
		}
	});

	suite('glob', () => {
		for (const [glob, document, matches] of [
			['*.md', '/repo/docs/deep/page.md', true],
			['*.md', '/repo/docs/.hidden.md', true],
			['*.md', '/repo/page.mdx', false],
			['docs/*', '/repo/a/docs/page.md', true],
			['docs/*', '/repo/docs/a/page.md', false],
			['docs/**', '/repo/docs/a/page.md', true],
			['/docs/**/*', '/repo/a/docs/page.md', false],
			['/docs/**/*', '/second/docs/page.md', true],
			['/**/*', '/repo/page.md', true],
			['/**/*', '/elsewhere/page.md', false],
			['**/*.MD', '/repo/page.md', false],
			['[^ab].md', '/repo/a.md', false],
		] as const) {
			test(`${glob} ${matches ? 'matches' : 'does not match'} ${document}`, () => {
				const target: CopyTarget = {
					document,
					fileName: 'image.png',
					workspaceFolder: '/repo',
					workspaceFolders: ['/repo', '/second'],
				};
				assert.equal(copyFilesDestination({ [glob]: '/x.png' }, target) !== undefined, matches);
			});
		}

		test('of a workspace matches nothing where there is none', () => {
			const target = { ...readme, workspaceFolder: undefined };
			assert.equal(copyFilesDestination({ '/**': 'x/' }, target), undefined);
		});

		test('is the first one that matches', () => {
			const setting = { '*.txt': '1/', '*.md': '2/', '**/*': '3/' };
			assert.equal(copyFilesDestination(setting, readme), '/Users/me/myProject/docs/2/image.png');
		});

		test('with a destination that is no text does not count', () => {
			const setting = { '*': null, '**': 7, '*.md': 'x/' };
			assert.equal(copyFilesDestination(setting, readme), '/Users/me/myProject/docs/x/image.png');
		});
	});
});
