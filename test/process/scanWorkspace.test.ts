import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { scan } from '../../src/documents/missing/scan.js';
import { seeded } from '../unit/images/random.js';
import { writeTree } from '../unit/documents/missing/tree.js';
import { rare } from '../host/rare.js';

suite('documents › missing › scan', () => {
	let folder: string;

	setup(async () => {
		folder = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-walk-')));
	});

	teardown(() => rm(folder, { recursive: true, maxRetries: 10 }));

	/** The documents that are found below a folder. */
	async function walk({
		root = '',
		workspaceFolder = folder,
		exclude = {},
		respectGitignore = true,
		problems = [],
	}: {
		root?: string;
		workspaceFolder?: string;
		exclude?: Readonly<Record<string, unknown>>;
		respectGitignore?: boolean;
		problems?: string[];
	} = {}): Promise<string[]> {
		const start = path.join(folder, root);
		const order = {
			root: { path: start, workspaceFolder, exclude: { 'files.exclude': exclude } },
			respectGitignore,
		};
		const found: string[] = [];
		for (let open: readonly string[] = [start]; open.length > 0;) {
			const answer = await scan({ ...order, places: open });
			assert.equal(answer.documents, 0);
			open = answer.open.filter((place) => place.endsWith('/'));
			found.push(...answer.open.filter((place) => !place.endsWith('/')));
			problems.push(
				...answer.problems.map(
					(problem) =>
						`${path.relative(folder, problem.path).replaceAll(path.sep, '/')} ${problem.code}`,
				),
			);
		}
		return found.map((file) => path.relative(folder, file).replaceAll(path.sep, '/')).sort();
	}

	/** A step over documents, given by their names. Time stands still meanwhile. */
	async function look(names: readonly string[], root = folder, clock = () => 0) {
		const now = mock.method(performance, 'now', clock);
		try {
			return await scan({
				root: { path: root, workspaceFolder: folder, exclude: {} },
				places: names.map((name) => path.join(folder, name)),
				respectGitignore: true,
			});
		} finally {
			now.mock.restore();
		}
	}

	const links = (count: number, name = 'x') =>
		Array.from({ length: count }, (_, index) => `![](${name}${String(index)}.png)\n`).join('');

	test('looks for images that are not there, the last document first', async () => {
		await writeTree(folder, {
			'a.md': '![a](a.png) ![there](there.png)',
			'b.md': '![b](b.png)\n\n![c](docs/c.png)',
			'none.md': 'no image',
			'there.md': '![there](there.png)',
			'there.png': '',
		});
		const { images, ...answer } = await look(['a.md', 'b.md', 'none.md', 'there.md']);
		assert.deepEqual(answer, {
			...{ open: [], documents: 4, complete: true },
			...{ findings: [], problems: [] },
		});
		assert.deepEqual(
			images.map(({ document, path: file }) => [document, file]),
			[
				['b.md', 'b.png'],
				['b.md', 'docs/c.png'],
				['a.md', 'a.png'],
			].map((names) => names.map((name) => path.join(folder, name))),
		);
	});

	test('reads UTF-8 and UTF-16, and counts no mark of the byte order', async () => {
		const text = 'ü ![ü](ü.png)\ufeff ![b](b.png)';
		for (const bytes of [
			Buffer.from(text),
			Buffer.from(`\ufeff${text}`),
			Buffer.from(`\ufeff${text}`, 'utf16le'),
		]) {
			await writeFile(path.join(folder, 'a.md'), bytes);
			const { images } = await look(['a.md']);
			assert.deepEqual(
				images.map(({ path: file }) => path.basename(file)),
				['ü.png', 'b.png'],
			);
			const spans = images.map(({ reference: { span } }) => text.slice(span.start, span.end));
			assert.deepEqual(spans, ['![ü](ü.png)', '![b](b.png)']);
		}
		// Half a mark is none, and neither is a letter of another encoding.
		for (const half of [
			[0xff, 0x20],
			[0x20, 0xfe],
			[0xe4, 0x20],
		]) {
			const bytes = Buffer.concat([Buffer.from(half), Buffer.from('\n\n![a](a.png)')]);
			await writeFile(path.join(folder, 'a.md'), bytes);
			assert.equal((await look(['a.md'])).images.length, 1);
		}
	});

	test('looks into the Markdown cells of notebooks, and counts in the file', async () => {
		const cells = [
			{ cell_type: 'code', source: ['"![no](no.png)"'] },
			{ cell_type: 'markdown', source: ['# "Harbor"\n', '\n', '![A "pier"](a.png)\n'] },
			{ cell_type: 'markdown', source: '![there](there.png) ![b](attachment:b.png)' },
		];
		const text = JSON.stringify({ cells, nbformat: 4 }, undefined, 1);
		await writeTree(folder, { 'a.ipynb': text, 'there.png': '', 'none.ipynb': 'no notebook' });
		assert.deepEqual(await walk(), ['a.ipynb', 'none.ipynb']);
		const { images, documents } = await look(['a.ipynb', 'none.ipynb']);
		assert.equal(documents, 2);
		assert.deepEqual(
			images.map(({ path: file, reference: { alt, heading, span, destinationSpan } }) => [
				path.basename(file),
				alt,
				heading,
				...[span, destinationSpan].map(({ start, end }) => text.slice(start, end)),
			]),
			[['a.png', 'A "pier"', '"Harbor"', '![A \\"pier\\"](a.png)', 'a.png']],
		);
	});

	test('takes 500 images of a document, and says whether there are more', async () => {
		for (const [count, taken, complete] of [
			[499, 499, true],
			[500, 500, true],
			[501, 500, false],
		] as const) {
			await writeTree(folder, { 'a.md': links(count), 'b.md': '![b](b.png)' });
			const answer = await look(['a.md']);
			assert.deepEqual([answer.images.length, answer.complete], [taken, complete]);
			// With so many the step is over.
			const both = await look(['b.md', 'a.md']);
			const isOver = taken === 500;
			assert.deepEqual(both.open, isOver ? [path.join(folder, 'b.md')] : []);
			assert.deepEqual([both.images.length, both.complete], [500, complete]);
		}
		await writeTree(folder, { 'a.md': links(1), 'b.md': links(501) });
		assert.equal((await look(['a.md', 'b.md'])).complete, false, 'as soon as it is one of them');
		assert.equal((await look(['b.md', 'a.md'])).complete, false, 'also where more follow');
	});

	test('says what could not be read, and goes on', async () => {
		await writeTree(folder, {
			'a.md': links(1),
			'large.md': '',
			'fits.md': '',
			'folder.md/a.txt': '',
		});
		await truncate(path.join(folder, 'large.md'), 8 * 1024 * 1024 + 1);
		await truncate(path.join(folder, 'fits.md'), 8 * 1024 * 1024);
		const { problems, documents, images, complete } = await look([
			...['a.md', 'gone.md', 'folder.md', 'large.md', 'fits.md'],
		]);
		assert.deepEqual(problems, [
			{ path: path.join(folder, 'large.md'), code: 'TooLarge' },
			{ path: path.join(folder, 'folder.md'), code: 'NotRegular' },
			{ path: path.join(folder, 'gone.md'), code: 'ENOENT' },
		]);
		assert.deepEqual([documents, images.length, complete], [5, 1, true]);
	});

	test('finds Markdown documents on every level, hidden ones too', async () => {
		await writeTree(folder, {
			'a.md': '',
			'b/c.markdown': '',
			'b/d/e.MDX': '',
			'.github/f.mdown': '',
			'g.txt': '',
			md: '',
			'node_modules/h.md': '',
			'b/node_modules/i/j.md': '',
			'.git/k.md': '',
			'l.md/m.md': '',
		});
		assert.deepEqual(await walk(), [
			'.github/f.mdown',
			'a.md',
			'b/c.markdown',
			'b/d/e.MDX',
			'l.md/m.md',
		]);
	});

	test('leaves out what the globs exclude', async () => {
		await writeTree(folder, {
			'a.md': '',
			'out/b.md': '',
			'docs/out/c.md': '',
			'docs/d.draft.md': '',
			'docs/e.md': '',
			'docs/e.adoc': '',
			'docs/f.md': '',
			'.hidden/g.md': '',
		});
		const exclude = {
			out: true,
			'**/*.draft.md': true,
			'docs/{x,y}/**': true,
			'a.md': false,
			'**/*.md': { when: '$(basename).adoc' },
			'**/.hidden/': true,
		};
		assert.deepEqual(await walk({ exclude }), ['a.md', 'docs/f.md', 'docs/out/c.md']);
		// They are relative to the workspace folder, also where only a part of it is looked through.
		assert.deepEqual(await walk({ exclude: { 'docs/out': true }, root: 'docs' }), [
			'docs/d.draft.md',
			'docs/e.md',
			'docs/f.md',
		]);
	});

	test('leaves out what git ignores', async () => {
		await writeTree(folder, {
			'.gitignore':
				'\ufeffbuild/\n/top.md\n*.tmp.md\n# comment.md\n\\#a.md\ndeep/**/x.md\n!keep.tmp.md\n',
			'build/a.md': '',
			'b/build/a.md': '',
			'build.md': '',
			'top.md': '',
			'b/top.md': '',
			'a.tmp.md': '',
			'keep.tmp.md': '',
			'comment.md': '',
			'#a.md': '',
			'deep/x.md': '',
			'deep/a/b/x.md': '',
			'c/.gitignore': '*\n!*/\n!*.md\nno.md\n',
			'c/yes.md': '',
			'c/no.md': '',
			'c/a.tmp.md': '',
			'c/d/.gitignore': '!no.md\n',
			'c/d/no.md': '',
		});
		const listed = ['b/top.md', 'build.md', 'c/a.tmp.md', 'c/d/no.md', 'c/yes.md', 'comment.md'];
		assert.deepEqual(await walk(), [...listed, 'keep.tmp.md']);
		assert.equal((await walk({ respectGitignore: false })).length, 15);
	});

	test('takes no rules from a file that is only called alike, and a link for git’s own', async () => {
		await writeTree(folder, {
			'docs.gitignore': '*.md\n',
			'docs/a.md': '',
			'rules.txt': 'private.md\n',
			'repository/.git/info/x.txt': '',
			'repository/private.md': '',
			'repository/public.md': '',
		});
		await symlink(
			path.join(folder, 'rules.txt'),
			path.join(folder, 'repository/.git/info/exclude'),
		);
		assert.deepEqual(await walk(), ['docs/a.md', 'repository/public.md']);
	});

	test('knows the rules above a folder, up to its repository', async () => {
		await writeTree(folder, {
			'.gitignore': 'a.md\n',
			'repository/.git/info/exclude': 'private.md\n',
			'repository/.gitignore': 'docs/b.md\n',
			'repository/docs/a.md': '',
			'repository/docs/b.md': '',
			'repository/docs/private.md': '',
			'repository/docs/c/b.md': '',
			'repository/docs/module/.git': 'gitdir: elsewhere\n',
			'repository/docs/module/docs/b.md': '',
			'repository/docs/module/private.md': '',
		});
		const docs = path.join(folder, 'repository/docs');
		const expected = ['a.md', 'c/b.md', 'module/docs/b.md', 'module/private.md'];
		for (const workspaceFolder of [docs, folder]) {
			assert.deepEqual(
				await walk({ root: 'repository/docs', workspaceFolder }),
				expected.map((name) => `repository/docs/${name}`),
			);
		}
		assert.deepEqual(await walk({ root: 'repository/docs' }), await walk());
	});

	rare('ignores what git ignores, for random rules', async function () {
		this.timeout(60_000);
		const random = seeded(11);
		const one = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
		const names = ['a', 'b', '[c] d*'];
		const files: string[] = [];
		for (const first of names) {
			files.push(`${first}.md`, ...names.map((second) => `${first}/${second}.md`));
			files.push(...names.flatMap((x) => names.map((y) => `${first}/${x}/${y}.md`)));
		}
		await writeTree(folder, Object.fromEntries(files.map((file) => [file, ''])));
		execFileSync('git', ['init', '--quiet', folder]);
		const rules = [
			'a',
			'b/',
			'*.md',
			'a.md',
			'/b',
			'a/b',
			'**/\\[c] d*',
			'b/**',
			'a/*/b.md',
			'[ab].md',
			'\\a.md ',
			'*',
		];
		let ignored = 0;
		for (let round = 0; round < 60; round++) {
			const rule = () => (random() < 0.4 ? '!' : '') + one(rules);
			const text = () => Array.from({ length: 1 + Math.floor(random() * 3) }, rule).join('\n');
			await writeTree(folder, {
				'.gitignore': text(),
				'a/.gitignore': random() < 0.5 ? text() : '',
				'[c] d*/b/.gitignore': random() < 0.5 ? text() : '',
			});
			const listed = execFileSync(
				'git',
				['-C', folder, 'ls-files', '--others', '--exclude-standard', '-z', '*.md'],
				{ encoding: 'utf8' },
			);
			const expected = listed.split('\0').filter((file) => file !== '');
			ignored += files.length - expected.length;
			assert.deepEqual(await walk(), expected.sort(), JSON.stringify(round));
		}
		assert.ok(ignored > 250, String(ignored));
	});

	test('leaves out nothing for what is no glob', async () => {
		await writeTree(folder, { 'a.md': '' });
		for (const glob of ['', '/', './', './/', '{', '[', '(', '\\\\', '*'.repeat(70_000)]) {
			assert.deepEqual(await walk({ exclude: { [glob]: true } }), ['a.md'], glob.slice(0, 10));
		}
	});

	test('does not follow links, so none leads around in a circle', async () => {
		await writeTree(folder, { 'a/b.md': '' });
		await symlink('..', path.join(folder, 'a/up'));
		await symlink('.', path.join(folder, 'a/self'));
		await symlink('b.md', path.join(folder, 'a/link.md'));
		await symlink('nowhere', path.join(folder, 'a/broken.md'));
		assert.deepEqual(await walk(), ['a/b.md']);
		// A workspace folder may be one itself.
		await symlink('a', path.join(folder, 'root'));
		assert.deepEqual(await walk({ root: 'root' }), ['root/b.md']);
	});

	test('takes no rules from what is no file of a sensible size, as git takes none from a link', async () => {
		await writeTree(folder, {
			'a.md': '',
			rules: 'a.md',
			'link/a.md': '',
			'huge/a.md': '',
			'huge/.gitignore': `a.md\n${'#'.repeat(1024 * 1024)}`,
			'folder/a.md': '',
			'folder/.gitignore/x.txt': '',
			'repository/a.md': '',
			'repository/.git/info/x.txt': '',
			'large/a.md': '',
			'large/.gitignore': `a.md\n${'#'.repeat(1024 * 1024 - 5)}`,
		});
		await symlink(path.join(folder, 'rules'), path.join(folder, 'link/.gitignore'));
		const unreadable = [
			'folder/.gitignore NotRegular',
			'huge/.gitignore TooLarge',
			'link/.gitignore NotRegular',
		];
		const found = ['a.md', 'folder/a.md', 'huge/a.md', 'link/a.md', 'repository/a.md'];
		if (process.platform !== 'win32') {
			// The one never ends, the other never begins.
			await writeTree(folder, { 'device/a.md': '', 'pipe/a.md': '' });
			await symlink('/dev/zero', path.join(folder, 'device/.gitignore'));
			await symlink('/dev/zero', path.join(folder, 'repository/.git/info/exclude'));
			execFileSync('mkfifo', [path.join(folder, 'pipe/.gitignore')]);
			unreadable.push(
				...['device/.gitignore NotRegular', 'pipe/.gitignore NotRegular'],
				'repository/.git/info/exclude NotRegular',
			);
			found.push('device/a.md', 'pipe/a.md');
		}
		const problems: string[] = [];
		assert.deepEqual(await walk({ problems }), found.sort());
		assert.deepEqual(problems.sort(), unreadable.sort());
	});

	test('goes on where it is unknown whether a folder is a repository', async () => {
		await writeTree(folder, { 'a.md': '', 'b/c.md': '' });
		await symlink('.git', path.join(folder, '.git'));
		assert.deepEqual(await walk(), ['a.md', 'b/c.md']);
		assert.deepEqual(await walk({ root: 'b' }), ['b/c.md']);
	});

	test('looks through a folder that is ignored or excluded, where that was asked for', async () => {
		await writeTree(folder, {
			'.gitignore': 'build/\n',
			'build/a.md': '',
			'build/b/c.md': '',
			'build/.gitignore': 'd.md\n',
			'build/b/d.md': '',
		});
		assert.deepEqual(await walk(), []);
		assert.deepEqual(await walk({ root: 'build' }), ['build/a.md', 'build/b/c.md']);
		assert.deepEqual(await walk({ root: 'build', exclude: { build: true } }), [
			'build/a.md',
			'build/b/c.md',
		]);
	});
});
