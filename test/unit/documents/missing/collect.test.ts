import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import esbuild from 'esbuild';
import {
	Collector,
	type Collection,
	type CollectOptions,
} from '../../../../src/documents/missing/collect.js';
import { SearchStalledError } from '../../../../src/documents/missing/stalled.js';
import { largestDocument } from '../../../../src/documents/missing/readText.js';
import { writeTree } from './tree.js';

suite('Collector', () => {
	let scratch: string;
	let script: string;
	let folder: string;
	let collector: Collector;

	suiteSetup(async () => {
		scratch = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-missing-')));
		script = path.join(scratch, 'worker.js');
		await esbuild.build({
			entryPoints: ['src/documents/missing/worker.ts'],
			bundle: true,
			platform: 'node',
			outfile: script,
			logLevel: 'warning',
		});
	});

	suiteTeardown(() => rm(scratch, { recursive: true, force: true }));

	setup(async () => {
		collector = new Collector(script);
		folder = await mkdtemp(path.join(scratch, 'workspace-'));
	});

	const collect = (options: Partial<CollectOptions> = {}, by = collector): Promise<Collection> =>
		by.collect({
			roots: [{ path: folder, workspaceFolder: folder }],
			exclude: {},
			respectGitignore: true,
			...options,
		});

	teardown(() => collector.dispose());

	const paths = ({ images }: Collection) =>
		images.map((image) => path.relative(folder, image.path).replaceAll(path.sep, '/'));

	test('returns what is missing, in order, with what belongs to it', async () => {
		await writeTree(folder, {
			'images/there.png': '',
			'a.md':
				'# Harbor\n\n![there](images/there.png)\n\n![a boat](images/a%20boat.png "t")\n\n![b][c]\n\n[c]: /c.png',
			'docs/b.md': '\ufeff<img src="../images/d.png"> `![](no.png)` ![](../images/there.png)',
			'docs/ignored.md': '![](no.png)',
			'docs/excluded.md': '![](no.png)',
			'.gitignore': 'ignored.md',
		});
		const found = await collect({ exclude: { '**/excluded.md': true } });
		assert.deepEqual(paths(found), ['images/a boat.png', 'c.png', 'images/d.png']);
		assert.deepEqual(
			{ ...found, images: found.images.map(({ obstacle }) => obstacle) },
			{ documents: 2, images: [undefined, undefined, undefined], problems: [], complete: true },
		);
		const [boat, , html] = found.images;
		assert.equal(boat?.document, path.join(folder, 'a.md'));
		assert.equal(boat.reference.alt, 'a boat');
		assert.equal(boat.reference.heading, 'Harbor');
		// A byte order mark is none of the text that the editor shows.
		assert.deepEqual(html?.reference.span, { start: 0, end: 27 });
	});

	suite('what never ends is given up,', () => {
		const name = 'a'.repeat(100);
		for (const [what, file, endless] of [
			['documents', `${name}.md`, `${'*a'.repeat(20)}c.md`],
			['folders', `${name}.d/a.md`, `${'*a'.repeat(20)}c.d`],
		] as const) {
			test(`a pattern of the setting about ${what}, by its name, and the next look is as quick as ever`, async () => {
				await writeTree(folder, { [file]: '' });
				const exclude = { '**/no.md': false, '**/*.log': true, [endless]: true };
				const hasty = new Collector(script, { longestStallMs: 500 });
				try {
					await assert.rejects(collect({ exclude }, hasty), (error: unknown) => {
						assert.ok(error instanceof SearchStalledError);
						assert.equal(
							error.message,
							`The setting files.exclude has a pattern that takes too long: “${endless}”. Change or remove it, and look again.`,
						);
						assert.equal(error.setting, 'files.exclude');
						return true;
					});
					await writeTree(folder, { 'c.md': '![](c.png)' });
					assert.deepEqual(paths(await collect({}, hasty)), ['c.png']);
				} finally {
					hasty.dispose();
				}
			});
		}

		test('a document, by its name', async () => {
			await writeTree(folder, { 'docs/a.md': '![](a.png)\n'.repeat(50_000) });
			const hasty = new Collector(script, { longestStallMs: 10 });
			try {
				await assert.rejects(collect({}, hasty), {
					name: 'SearchStalledError',
					message:
						'“docs/a.md” takes too long to read. Leave it out with the setting files.exclude, and look again.',
				});
			} finally {
				hasty.dispose();
			}
		});
	});

	test('says why no image can be made', async () => {
		await writeTree(folder, {
			'docs/a.md': '![](b.svg) ![](c) ![](../../d.png) ![](../e.PNG) ![](..f.png)',
		});
		const found = await collect();
		assert.deepEqual(
			found.images.map(({ obstacle }) => obstacle),
			['format', 'format', 'outside', undefined, undefined],
		);
	});

	test('passes over what names no file and what is there in another way', async () => {
		await writeTree(folder, {
			'a.md': '![](https://example.com/a.png) ![](#b) ![](images) ![](broken.png) ![](c.png)',
			'images/x.png': '',
		});
		await symlink('nowhere', path.join(folder, 'broken.png'));
		assert.deepEqual(paths(await collect()), ['c.png']);
	});

	test('reads documents of any size and encoding, except monsters', async () => {
		const filler = 'word '.repeat(200_000);
		await writeTree(folder, { 'large.md': `${filler}\n\n![](a.png)`, 'monster.md': '![](b.png)' });
		await writeFile(path.join(folder, 'utf16.md'), Buffer.from('\ufeff![ä](c.png)', 'utf16le'));
		await writeFile(path.join(folder, 'latin1.md'), Buffer.from('\xe4 ![](d.png)', 'latin1'));
		await writeFile(
			path.join(folder, 'monster.md'),
			Buffer.alloc(largestDocument + 1, '![](b.png) '),
		);
		const found = await collect();
		assert.deepEqual(paths(found), ['a.png', 'd.png', 'c.png']);
		assert.deepEqual(found.problems, [{ path: path.join(folder, 'monster.md'), code: 'TooLarge' }]);
		assert.equal(found.images[2]?.reference.alt, 'ä');
	});

	if (process.platform !== 'win32') {
		test('waits for no pipe that is called a document', async () => {
			const pipe = path.join(folder, 'pipe.md');
			execFileSync('mkfifo', [pipe]);
			const found = await collect({ roots: [{ path: pipe, workspaceFolder: folder }] });
			assert.deepEqual(found.problems, [{ path: pipe, code: 'NotRegular' }]);
		});
	}

	test('reports what cannot be read and goes on', async () => {
		await writeTree(folder, { 'a.md': '![](a.png)', 'closed/b.md': '', 'c.md': '' });
		const gone = path.join(folder, 'gone');
		const roots = [folder, gone].map((each) => ({ path: each, workspaceFolder: folder }));
		await chmod(path.join(folder, 'closed'), 0);
		await chmod(path.join(folder, 'c.md'), 0);
		const found = await collectAsNobody({ roots, exclude: {}, respectGitignore: true });
		assert.deepEqual(paths(found), ['a.png']);
		const codes = found.problems.map((problem) => [path.basename(problem.path), problem.code]);
		const closed = process.platform === 'win32' ? [] : ['c.md', 'closed'];
		assert.deepEqual(codes.sort(), [...closed.map((name) => [name, 'EACCES']), ['gone', 'ENOENT']]);
	});

	/** In a process of its own, because root may read everything. */
	async function collectAsNobody(options: CollectOptions): Promise<Collection> {
		const module = path.join(scratch, 'collect.js');
		await esbuild.build({
			entryPoints: ['src/documents/missing/collect.ts'],
			bundle: true,
			platform: 'node',
			outfile: module,
			logLevel: 'warning',
		});
		await chmod(scratch, 0o755);
		await chmod(folder, 0o755);
		const program = `
			const { Collector } = require(${JSON.stringify(module)});
			new Collector(${JSON.stringify(script)}).collect(${JSON.stringify(options)})
			.then((collection) => process.stdout.write(JSON.stringify(collection)))`;
		const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], {
			cwd: folder,
			...(process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}),
		});
		return JSON.parse(stdout) as Collection;
	}

	test('tells how far it is', async () => {
		const files = Array.from({ length: 300 }, (_, index) => [`${String(index)}.md`, '![](a.png)']);
		await writeTree(folder, Object.fromEntries(files) as Record<string, string>);
		const steps: { documents: number; images: number }[] = [];
		await collect({ onProgress: (progress) => steps.push(progress) });
		assert.deepEqual(steps.at(-1), { documents: 300, images: 300 });
		assert.ok(steps.length > 2);
		assert.deepEqual(
			steps,
			steps.toSorted((a, b) => a.documents - b.documents),
		);
	});

	test('stops at ten thousand', async () => {
		await writeTree(folder, { 'a.md': '![](a.png)\n'.repeat(12_000) });
		const found = await collect();
		assert.equal(found.images.length, 10_000);
		assert.equal(found.complete, false);
	});

	test('can be cancelled before and in the middle', async () => {
		await writeTree(folder, { 'a.md': '![](a.png)\n'.repeat(5000) });
		const reason = new Error('enough');
		await assert.rejects(collect({ signal: AbortSignal.abort(reason) }), reason);
		const controller = new AbortController();
		let taken = 0;
		const cancelled = collect({
			signal: controller.signal,
			onProgress: ({ images }) => {
				if (images > 0) {
					taken = images;
					controller.abort(reason);
				}
			},
		});
		await assert.rejects(cancelled, reason);
		assert.ok(taken > 0 && taken < 5000, String(taken));
	});

	test('can be cancelled while a document is being read that takes for ever', async () => {
		await writeTree(folder, { 'a.md': `${'![a](b.png) [c]('.repeat(200_000)}` });
		const reason = new Error('enough');
		const controller = new AbortController();
		const cancelled = collect({ signal: controller.signal });
		setImmediate(() => {
			controller.abort(reason);
		});
		await assert.rejects(cancelled, reason);
	});

	test('looks again and again, also twice at a time, and finds what has come meanwhile', async () => {
		await writeTree(folder, { 'a.md': '![](a.png)', 'b.md': '![](b.png)' });
		assert.deepEqual(paths(await collect()), ['a.png', 'b.png']);
		await writeFile(path.join(folder, 'a.png'), '');
		const both = await Promise.all([collect(), collect()]);
		assert.deepEqual(both.map(paths), [['b.png'], ['b.png']]);
		await rm(path.join(folder, 'a.png'));
		assert.deepEqual(paths(await collect()), ['a.png', 'b.png']);
	});

	test('looks again after it was cancelled, and after it was full', async () => {
		await writeTree(folder, { 'a.md': '![](a.png)\n'.repeat(12_000), 'b/c.md': '![](c.png)' });
		assert.equal((await collect()).complete, false);
		const reason = new Error('enough');
		const controller = new AbortController();
		const cancelled = collect({
			signal: controller.signal,
			onProgress: () => {
				controller.abort(reason);
			},
		});
		await assert.rejects(cancelled, reason);
		const root = { path: path.join(folder, 'b'), workspaceFolder: folder };
		assert.deepEqual(paths(await collect({ roots: [root] })), ['b/c.png']);
	});

	test('reads many more suspects than can wait for the parser', async () => {
		const files = Array.from({ length: 2000 }, (_, index) => {
			const name = String(index).padStart(4, '0');
			return [`${name}.md`, `${'word '.repeat(100)}\n\n![](${name}.png)`];
		});
		await writeTree(folder, Object.fromEntries(files) as Record<string, string>);
		const { documents, images } = await collect();
		assert.equal(documents, 2000);
		assert.deepEqual(
			images.map((image) => path.basename(image.path)),
			files.map(([name]) => name?.replace('.md', '.png')),
		);
	});

	test('holds no process back by its idle workers, and ends them when it is disposed', async () => {
		await writeTree(folder, { 'a.md': '![](a.png)' });
		const { images } = await collectAsNobody({
			roots: [{ path: folder, workspaceFolder: folder }],
			exclude: {},
			respectGitignore: true,
		});
		assert.equal(images.length, 1);
		await collect();
		collector.dispose();
		assert.deepEqual(paths(await collect()), ['a.png']);
	});

	test('fails where the worker does, or whoever takes the progress', async () => {
		await assert.rejects(collect({}, new Collector(path.join(scratch, 'gone.js'))), /gone\.js/);
		const reason = new Error('no more');
		const onProgress = () => {
			throw reason;
		};
		await assert.rejects(collect({ onProgress }), reason);
	});
});
