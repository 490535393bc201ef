import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs, { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { wordsOf } from '../../src/editor/errorTexts.js';
import type { GenerationRequest } from '../../src/jobs/request.js';
import { runRequest, type RunOptions } from '../../src/jobs/runRequest.js';
import type { NewJobEvent } from '../../src/jobs/workerProtocol.js';
import { AnswerError, RequestError } from '../../src/service/errors.js';
import { defaultNetworkOptions } from '../../src/service/transport.js';
import { startImageService, type ImageService } from '../service/server.js';
import { FakeClock } from '../unit/service/fakeClock.js';
import { referencePng } from '../unit/service/support.js';
import { requestOf } from '../unit/jobs/support.js';

const key = 'test-key-of-jobs';

suite('jobs › runRequest', () => {
	let service: ImageService;
	let root: string;
	let folder: string;
	let events: NewJobEvent[];

	setup(async () => {
		service = await startImageService({ key });
		root = await mkdtemp(path.join(tmpdir(), 'easel-job-'));
		folder = path.join(root, 'job');
		events = [];
	});

	teardown(async () => {
		await service.close();
		await rm(root, { recursive: true });
	});

	function run(request: Partial<GenerationRequest> = {}, options: Partial<RunOptions> = {}) {
		return runRequest(requestOf({ size: '1536x1024', ...request }), {
			address: service.address,
			key,
			network: defaultNetworkOptions,
			timeoutMs: 60_000,
			retry: 'all',
			...{ folder, otherFolders: [] },
			signal: new AbortController().signal,
			onEvent: (event) => void events.push(event),
			ask: () => Promise.resolve(false),
			...options,
		});
	}

	test('ends with the image in the folder of the job, and with its real dimensions', async () => {
		service.faults.add({ dimensions: '640x480', revisedPrompt: `a calm harbor by ${key}` });
		const result = await run();
		assert.equal(result.file, path.join(folder, 'image'));
		assert.deepEqual([result.format, result.width, result.height], ['png', 640, 480]);
		assert.equal(result.revisedPrompt, 'a calm harbor by ***');
		assert.equal(result.requestId, service.requests[0]?.id);
		assert.deepEqual(await readdir(folder), ['image']);
		assert.deepEqual(
			events.map((event) => (event.type === 'phase' ? event.phase : event.type)),
			['attempt', 'sending', 'waiting', 'receiving'],
		);
	});

	test('tells each attempt and what follows from its failure', async () => {
		service.faults.add({ status: 503, times: 1 });
		await run({}, { clock: new FakeClockWithoutTimeOut() });
		const reported = events.filter((event) => event.type !== 'phase');
		assert.deepEqual(
			reported.map((event) =>
				event.type === 'failed'
					? event.next.action
					: event.type === 'attempt'
						? event.attempt
						: event.type,
			),
			[1, 'wait', 2],
		);
	});

	test('makes the folder, for nobody else to look into, and knows what it has got', async () => {
		folder = path.join(folder, 'deeper', 'still');
		const clock = new FakeClockWithoutTimeOut();
		const { file, sha256, elapsedMs, ...image } = await run(
			{},
			{
				clock,
				onAnswer: () => {
					clock.pass(1234);
				},
			},
		);
		const bytes = await readFile(file);
		assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'));
		assert.equal(image.bytes, bytes.length);
		assert.equal(elapsedMs, 1234);
		assert.equal(process.platform === 'win32' ? 0 : (await stat(folder)).mode & 0o077, 0);
	});

	test('asks for an edit where there are references, and says so', async () => {
		const copy = path.join(path.dirname(folder), 'a.png');
		await writeFile(copy, await referencePng());
		const reference = {
			path: copy,
			source: 'file:///w/a.png',
			fileName: 'a.png',
			contentType: 'image/png',
			width: 1,
			height: 1,
			bytes: 1,
			sha256: 'ab',
		} as const;
		for (const [references, endpoint] of [
			[[reference], 'edits'],
			[[], 'generations'],
		] as const) {
			events = [];
			await run({ references: [...references] });
			assert.deepEqual(events[0], { type: 'attempt', attempt: 1, endpoint });
			assert.equal(service.requests.at(-1)?.endpoint, endpoint);
		}
	});

	test('tells that the disk refuses and takes again, and loses nothing where that cannot be noted', async () => {
		const { open } = fs;
		let isFull = true;
		mock.method(fs, 'open', (...given: Parameters<typeof open>) =>
			isFull && String(given[0]).endsWith('answer')
				? Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))
				: open(...given),
		);
		await run(
			{},
			{
				onEvent: (event) => {
					events.push(event);
					if (event.type === 'stalled') {
						isFull = false;
						return Promise.reject(new Error('full'));
					}
					return Promise.resolve();
				},
			},
		);
		assert.deepEqual(
			events.filter(({ type }) => type === 'stalled'),
			[{ type: 'stalled', code: 'ENOSPC' }, { type: 'stalled' }],
		);
		mock.restoreAll();
	});

	test('refuses data that is no image, keeps it, and says where', async () => {
		service.faults.add({ answer: 'text-image' });
		await assert.rejects(run(), (error: unknown) => {
			assert.ok(error instanceof AnswerError);
			assert.equal(error.facts.code, 'answer.notAnImage');
			assert.equal(error.requestId, service.requests[0]?.id);
			assert.equal(wordsOf(error), 'The service answered with data that is not an image.');
			assert.equal(error.answerFile, path.join(folder, 'answer'));
			return true;
		});
		const { data } = JSON.parse(await readFile(path.join(folder, 'answer'), 'utf8')) as {
			data: { b64_json: string }[];
		};
		assert.match(Buffer.from(data[0]!.b64_json, 'base64').toString(), /^This is text and not an/);
		assert.equal(service.requests.length, 1, 'an answer that makes no sense is not repeated');
	});

	test('names an unusable proxy before anything is sent', async () => {
		const network = { ...defaultNetworkOptions, proxy: 'nonsense://proxy' };
		await assert.rejects(run({}, { network, address: 'https://images.example.com' }), (error) => {
			assert.ok(error instanceof RequestError);
			assert.equal(error.field, 'http.proxy');
			return true;
		});
	});
});

/** Passes over the waits between attempts, and never lets the time-out of an attempt strike. */
class FakeClockWithoutTimeOut extends FakeClock {
	override sleep(ms: number, signal?: AbortSignal): Promise<void> {
		return ms >= 60_000 ? new Promise(() => undefined) : super.sleep(ms, signal);
	}
}
