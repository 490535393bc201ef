import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import esbuild from 'esbuild';
import { findImages } from '../../../../src/documents/findImages.js';
import { DocumentReader, ReadingTooSlowError } from '../../../../src/documents/reading/reader.js';

suite('DocumentReader', () => {
	const timeLimitMs = 2000;
	let scratch: string;
	let script: string;
	let reader: DocumentReader;

	suiteSetup(async () => {
		scratch = await mkdtemp(path.join(tmpdir(), 'easel-reading-'));
		script = path.join(scratch, 'documents.js');
		await esbuild.build({
			entryPoints: ['src/documents/reading/worker.ts'],
			bundle: true,
			platform: 'node',
			outfile: script,
			logLevel: 'warning',
		});
	});

	suiteTeardown(() => rm(scratch, { recursive: true, force: true }));

	setup(() => {
		reader = new DocumentReader(script, { timeLimitMs });
	});

	teardown(() => reader.dispose());

	test('finds the images of a Markdown text', async () => {
		const text = '# A\n\n![a](b.png) ![c][d]\n\n```\n![](no.png)\n```\n\n[d]: e.png\n';
		const expected = findImages(text).map(({ alt, href, span, destinationSpan }) => ({
			alt,
			href,
			span,
			destinationSpan,
		}));
		assert.equal(expected.length, 2);
		assert.deepEqual(await reader.read('images', { text }), expected);
	});

	test('finds those that are missing', async () => {
		const missing = await reader.read('missing', {
			text: '![a boat](boat.png) ![](documents.js)',
			document: path.join(scratch, 'a.md'),
			workspaceFolder: scratch,
		});
		assert.deepEqual(
			missing.map((image) => image.path),
			[path.join(scratch, 'boat.png')],
		);
	});

	const destinationOf = (setting: Readonly<Record<string, unknown>>) =>
		reader.read('destination', {
			setting,
			target: { document: `/work/${'a'.repeat(100)}b.md`, fileName: 'a.png' },
		});

	test('finds the destination that a setting names', async () => {
		assert.equal(await destinationOf({ '*.md': 'images/' }), '/work/images/a.png');
		assert.equal(await destinationOf({ '*.txt': 'images/' }), undefined);
	});

	for (const [what, setting] of [
		['an expression', { '**': '${documentBaseName/^(a+)+$/x/}' }],
		['a glob', { [`${'*a'.repeat(20)}c`]: 'x/' }],
	] as const) {
		test(`gives up ${what} without an end, while this thread is free, and reads on`, async () => {
			const before = process.threadCpuUsage();
			const reading = destinationOf(setting);
			const next = destinationOf({ '*.md': 'images/' });
			await assert.rejects(reading, ReadingTooSlowError);
			const { user, system } = process.threadCpuUsage(before);
			// Had this thread taken part, it would have been busy all the time.
			assert.ok((user + system) / 1000 < timeLimitMs / 4, `${String(user + system)} µs`);
			assert.equal(await next, '/work/images/a.png');
		});
	}

	test('gives up a document that takes too long', async () => {
		const text = '![](a.png)\n'.repeat(50_000);
		const hasty = new DocumentReader(script, { timeLimitMs: 1 });
		try {
			await assert.rejects(hasty.read('images', { text }), ReadingTooSlowError);
		} finally {
			await hasty.dispose();
		}
	});

	test('reads in the order in which it was asked', async () => {
		const done: number[] = [];
		await Promise.all(
			[1, 2, 3].map(async (index) => {
				await reader.read('images', { text: '![](a.png)\n'.repeat(4 - index) });
				done.push(index);
			}),
		);
		assert.deepEqual(done, [1, 2, 3]);
	});

	test('starts again after it was disposed of', async () => {
		await reader.read('images', { text: '![](a.png)' });
		await reader.dispose();
		assert.equal((await reader.read('images', { text: '![](a.png)' })).length, 1);
	});

	test('says so where it has no worker', async () => {
		const without = new DocumentReader(path.join(scratch, 'no.js'), { timeLimitMs });
		await assert.rejects(without.read('images', { text: '![](a.png)' }), /crashed/);
	});
});
