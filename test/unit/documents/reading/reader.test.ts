import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { setImmediate as settled } from 'node:timers/promises';
import esbuild from 'esbuild';
import { saying } from '../../saying.js';
import { findImages } from '../../../../src/documents/findImages.js';
import { maxImagesRead, maxMissing } from '../../../../src/documents/reading/orders.js';
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
		// Time passes where a test says so: how busy the machine is does not matter.
		mock.timers.enable({ apis: ['setTimeout'] });
		reader = new DocumentReader(script, { timeLimitMs });
	});

	teardown(async () => {
		mock.timers.reset();
		await reader.dispose();
	});

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

	const destinationOf = (setting: Readonly<Record<string, unknown>>) =>
		reader.read('destination', {
			setting,
			target: { document: `/work/${'a'.repeat(100)}b.md`, fileName: 'a.png' },
		});

	for (const [what, setting] of [
		['an expression', { '**': '${documentBaseName/^(a+)+$/x/}' }],
		['a glob', { [`${'*a'.repeat(20)}c`]: 'x/' }],
	] as const) {
		test(`gives up ${what} without an end after its time, and reads on`, async () => {
			// If this thread took part, the test would have no end.
			const reading = destinationOf(setting);
			const next = destinationOf({ '*.md': 'images/' });
			let isOver = false;
			const over = reading.catch(() => (isOver = true));
			await settled();
			mock.timers.tick(timeLimitMs - 1);
			await settled();
			assert.equal(isOver, false);
			mock.timers.tick(1);
			await over;
			await assert.rejects(reading, { name: 'ReadingTooSlowError' });
			await assert.rejects(
				reading,
				saying('It was not read within 2 seconds.', ReadingTooSlowError),
			);
			assert.equal(await next, '/work/images/a.png');
		});
	}

	test('gives up a document that takes too long', async () => {
		const reading = reader.read('images', { text: '![](a.png)\n'.repeat(50_000) });
		await settled();
		mock.timers.tick(timeLimitMs);
		await assert.rejects(reading, ReadingTooSlowError);
	});

	test('brings over so many images and no more', async () => {
		const text = '![](gone.png)\n';
		const images = await reader.read('images', { text: text.repeat(maxImagesRead + 1) });
		assert.equal(images.length, maxImagesRead);
		const document = path.join(scratch, 'a.md');
		const order = { text: text.repeat(maxMissing + 1), document, workspaceFolder: scratch };
		assert.equal((await reader.read('missing', order)).length, maxMissing);
	});

	test('says so where it has no worker', async () => {
		const without = new DocumentReader(path.join(scratch, 'no.js'), { timeLimitMs });
		await assert.rejects(without.read('images', { text: '![](a.png)' }), /crashed/);
	});
});
