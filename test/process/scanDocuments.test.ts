import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import { chmod, copyFile, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { saying } from '../unit/saying.js';
import { wordsOf } from '../../src/editor/errorTexts.js';
import {
	scanDocuments,
	type ScanResult,
	type ScanOptions,
} from '../../src/documents/missing/scanDocuments.js';
import { SearchStalledError } from '../../src/documents/reading/search.js';
import type { SearchRoot } from '../../src/documents/reading/searchOrder.js';
import { rare } from '../host/rare';
import { writeTree } from '../unit/documents/missing/tree.js';
import { bundle } from './support.js';

suite('scanDocuments', () => {
	let scratch: string;
	let script: string;
	let folder: string;

	suiteSetup(async () => {
		scratch = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-missing-')));
		script = await bundle(`import './src/documents/reading/worker.ts';`);
	});

	suiteTeardown(() => rm(scratch, { recursive: true, maxRetries: 10, force: true }));

	setup(async () => {
		folder = await mkdtemp(path.join(scratch, 'workspace-'));
	});

	const rootOf = (name: string, exclude: Readonly<Record<string, unknown>> = {}): SearchRoot => ({
		path: path.join(folder, name),
		workspaceFolder: folder,
		exclude: { 'files.exclude': exclude },
	});

	const collect = (options: ScanOptions = {}, roots = [rootOf('')]): Promise<ScanResult> =>
		scanDocuments(script, roots, options);

	const paths = ({ images }: ScanResult) =>
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
		const found = await collect({}, [rootOf('', { '**/excluded.md': true })]);
		assert.deepEqual(paths(found), ['images/a boat.png', 'c.png', 'images/d.png']);
		assert.deepEqual(
			{ ...found, images: found.images.map(({ obstacle }) => obstacle) },
			{
				...{ documents: 2, images: [undefined, undefined, undefined], problems: [] },
				...{ findings: [], complete: true },
			},
		);
		const [boat, , html] = found.images;
		assert.equal(boat?.document, path.join(folder, 'a.md'));
		assert.equal(boat.reference.alt, 'a boat');
		assert.equal(boat.reference.heading, 'Harbor');
		// A byte order mark is none of the text that the editor shows.
		assert.deepEqual(html?.reference.span, { start: 0, end: 27 });
	});

	test('takes folders and documents that overlap, each document once, with what belongs to it', async () => {
		await writeTree(folder, {
			'a.md': '![](/a.png)',
			'b/c.md': '![](/c.png)',
			'b/d/e.md': '![](/e.png)',
			'.gitignore': 'c.md\n',
		});
		const excluded = rootOf('b/c.md', { '**/c.md': true });
		const inner = { ...rootOf('b/d'), workspaceFolder: path.join(folder, 'b/d') };
		const roots = [rootOf(''), excluded, rootOf('b'), inner, rootOf('a.md'), rootOf('b/d/e.md')];
		const found = await collect({}, roots);
		assert.equal(found.documents, 3);
		assert.deepEqual(paths(found), ['a.png', 'c.png', 'e.png']);
		const other = await collect({}, [rootOf(''), inner]);
		assert.deepEqual(paths(other), ['a.png', 'b/d/e.png']);
	});

	test('takes a path with a slash on the pages of a site for the site’s own', async () => {
		await writeTree(folder, {
			'static/img/there.png': '',
			'docs/a.md': '![](/img/there.png)\n\n![](/img/new.png)',
			'web/static/there.png': '',
			'web/a.md': '![](/there.png)',
		});
		const [root, web] = [rootOf(''), rootOf('web')];
		const site = { ...root, publicFolder: 'static' };
		const inner = { ...web, publicFolder: 'web/static' };
		assert.deepEqual(paths(await collect({}, [site, inner])), ['static/img/new.png']);
		// Without the setting, what a folder of that name serves is there.
		assert.deepEqual(paths(await collect({}, [root, web])), ['img/new.png']);
	});

	test('takes the later setting where two say something about one pattern', async () => {
		await writeTree(folder, { 'a.md': '![](a.png)', 'b.md': '![](b.png)', 'c.md': '![](c.png)' });
		const exclude = {
			'files.exclude': { 'a.md': true, 'b.md': true },
			'search.exclude': { 'b.md': false, 'c.md': true },
		};
		assert.deepEqual(paths(await collect({}, [{ ...rootOf(''), exclude }])), ['b.png']);
	});

	suite('what never ends is given up,', () => {
		// Starting the worker counts too.
		const maxStallMs = 2500;

		test('a pattern of a setting, by its name, and the next look is as quick as ever', async () => {
			await writeTree(folder, { [`docs/${'a'.repeat(100)}.md`]: '' });
			const endless = `docs/${'*a'.repeat(20)}c.md`;
			const exclude = {
				'files.exclude': { '**/no.md': false, '**/*.log': true },
				'search.exclude': { '**/*.tmp': true, [endless]: true },
			};
			const root = { ...rootOf(''), exclude };
			await assert.rejects(collect({ maxStallMs }, [root]), (error: unknown) => {
				assert.ok(error instanceof SearchStalledError);
				assert.equal(
					wordsOf(error),
					`The setting search.exclude has a pattern that takes too long: “${endless}”. Change or remove it and try again.`,
				);
				assert.equal(error.setting, 'search.exclude');
				return true;
			});
			await writeTree(folder, { 'c.md': '![](c.png)' });
			assert.deepEqual(paths(await collect({})), ['c.png']);
		});

		rare('a pattern of .gitignore, by the folder', async () => {
			await writeTree(folder, {
				'.gitignore': `${'a/**/'.repeat(12)}c`,
				[`${'a/'.repeat(60)}b.md`]: '',
			});
			await assert.rejects(
				collect({ maxStallMs: maxStallMs }, [rootOf('', { '**/*.log': true })]),
				saying(
					/^A \.gitignore pattern in the folder “a(?:\/a)+” takes too long\. Change it, or exclude the folder with the setting files\.exclude\.$/,
					SearchStalledError,
				),
			);
		});

		rare('a document, by its name', async () => {
			await writeTree(folder, { 'docs/a.md': '![a](b.png) [c]('.repeat(200_000), 'b.md': '' });
			await assert.rejects(
				collect({ maxStallMs: maxStallMs }),
				saying(
					'“docs/a.md” takes too long to read. Exclude it with the setting files.exclude and try again.',
					SearchStalledError,
				),
			);
		});
	});

	test('reports what cannot be read and goes on', async () => {
		await writeTree(folder, { 'a.md': '![](a.png)', 'closed/b.md': '', 'c.md': '' });
		await chmod(path.join(folder, 'closed'), 0);
		await chmod(path.join(folder, 'c.md'), 0);
		const found = await collectAsNobody([rootOf(''), rootOf('gone')]);
		assert.deepEqual(paths(found), ['a.png']);
		const codes = found.problems.map((problem) => [path.basename(problem.path), problem.code]);
		const closed = process.platform === 'win32' ? [] : ['c.md', 'closed'];
		assert.deepEqual(codes.sort(), [...closed.map((name) => [name, 'EACCES']), ['gone', 'ENOENT']]);
	});

	/** In a process of its own, because root may read everything. */
	async function collectAsNobody(roots: readonly SearchRoot[]): Promise<ScanResult> {
		const [module, worker] = ['collect.js', 'worker.js'].map((name) => path.join(scratch, name));
		await copyFile(
			await bundle(`export * from './src/documents/missing/scanDocuments.ts';`),
			module!,
		);
		await copyFile(script, worker!);
		await chmod(scratch, 0o755);
		await chmod(folder, 0o755);
		const program = `
			const { scanDocuments } = require(${JSON.stringify(module)});
			scanDocuments(${JSON.stringify(worker)}, ${JSON.stringify(roots)})
			.then((collection) => process.stdout.write(JSON.stringify(collection)))`;
		const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], {
			cwd: folder,
			...(process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}),
		});
		return JSON.parse(stdout) as ScanResult;
	}

	test('can be cancelled before it begins', async () => {
		const reason = new Error('enough');
		await assert.rejects(collect({ signal: AbortSignal.abort(reason) }), reason);
	});

	/** A worker that answers with the given answers, one after the other. */
	async function answering(...answers: readonly string[]): Promise<string> {
		const file = path.join(scratch, `${crypto.randomUUID()}.js`);
		const empty =
			'{ documents: 1, images: [], problems: [], findings: [], complete: true, open: [] }';
		await writeFile(
			file,
			`const { parentPort } = require('node:worker_threads');
			const image = (document, start) => ({ document, reference: { span: { start } }, names: [] });
			const answers = [${answers.map((answer) => `async () => ({ ...${empty}, ${answer} })`).join()}];
			parentPort.on('message', async () => parentPort.postMessage(await answers.shift()()));`,
		);
		return file;
	}

	const collectFrom = async (answers: readonly string[], options: ScanOptions = {}) =>
		scanDocuments(await answering(...answers), [rootOf('')], options);

	test('reports its progress', async () => {
		const steps: object[] = [];
		await collectFrom([`images: [image('a', 1)], open: ['more']`, `images: [image('b', 1)]`], {
			onProgress: (progress) => steps.push(progress),
		});
		assert.deepEqual(steps, [
			{ documents: 1, images: 1 },
			{ documents: 2, images: 2 },
		]);
	});

	rare('gives up what takes all memory', async () => {
		const hungry =
			'x: (() => { for (const held = []; ; ) held.push(new Array(10_000).fill(0.5)); })()';
		await assert.rejects(
			collectFrom([hungry], { maxStallMs: 60_000 }),
			saying(/takes too long to read\./, SearchStalledError),
		);
	});

	test('orders by document, then by place', async () => {
		const { images } = await collectFrom([
			`images: [image('b', 2), image('b', 1)], open: ['more']`,
			`images: [image('a', 9), image('b', 0), image('a', 10)]`,
		]);
		assert.deepEqual(
			images.map(({ document, reference }) => [document, reference.span.start]),
			[
				['a', 9],
				['a', 10],
				['b', 0],
				['b', 1],
				['b', 2],
			],
		);
	});

	test('asks for no more once it is full, and says that there may be more', async () => {
		const full = `images: Array.from({ length: 10_000 }, (_, at) => image('a', at)), open: ['more']`;
		const found = await collectFrom([full, full, 'open: []']);
		assert.deepEqual([found.documents, found.images.length, found.complete], [1, 10_000, false]);
	});

	test('has its thread end with it, and at once where it is cancelled', async () => {
		const started: Worker[] = [];
		const threads = new EventEmitter();
		const onWorker = (message: unknown) => {
			started.push((message as { worker: Worker }).worker);
			threads.emit('started');
		};
		subscribe('worker_threads', onWorker);
		try {
			await collectFrom(['']);
			const controller = new AbortController();
			const reason = new Error('enough');
			const options = { signal: controller.signal, maxStallMs: 600_000 };
			// Nothing else ends this one.
			const never = collectFrom(['x: await new Promise(() => undefined)'], options);
			await once(threads, 'started');
			controller.abort(reason);
			await assert.rejects(never, reason);
		} finally {
			unsubscribe('worker_threads', onWorker);
		}
		assert.equal(started.length, 2);
		assert.deepEqual(
			started.map(({ threadId }) => threadId),
			started.map(() => -1),
		);
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

	test('fails where the worker does, or the callback of the progress', async () => {
		await assert.rejects(
			scanDocuments(path.join(scratch, 'gone.js'), [rootOf('')]),
			({ cause }: Error) => /gone\.js/.test(String(cause)),
		);
		await writeTree(folder, { 'a.md': '' });
		const reason = new Error('no more');
		const onProgress = () => {
			throw reason;
		};
		await assert.rejects(collect({ onProgress }), reason);
	});
});
