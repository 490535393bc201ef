import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import fs, { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { LeaseLostError } from '../../src/jobs/leaseChecks.js';
import type { GenerationRequest } from '../../src/jobs/request.js';
import { runRequest, type RunOptions } from '../../src/jobs/runRequest.js';
import type { NewJobEvent } from '../../src/jobs/workerProtocol.js';
import {
	AnswerError,
	CancelledError,
	InterruptedError,
	RequestError,
	StorageError,
} from '../../src/service/errors.js';
import { defaultNetworkOptions } from '../../src/service/transport.js';
import { until } from '../host/until';
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
			folders: [folder],
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
		assert.deepEqual(
			[result.image.format, result.image.width, result.image.height],
			['png', 640, 480],
		);
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
		const told = events.filter((event) => event.type !== 'phase');
		assert.deepEqual(
			told.map((event) =>
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
		const { file, image, sha256, elapsedMs } = await run(
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
			assert.equal(error.problem, 'notAnImage');
			assert.equal(error.requestId, service.requests[0]?.id);
			assert.equal(error.message, 'The service answered with data that is not an image.');
			assert.equal(error.answerFile, path.join(folder, 'answer'));
			return true;
		});
		const { data } = JSON.parse(await readFile(path.join(folder, 'answer'), 'utf8')) as {
			data: { b64_json: string }[];
		};
		assert.match(Buffer.from(data[0]!.b64_json, 'base64').toString(), /^This is text and not an/);
		assert.equal(service.requests.length, 1, 'an answer that makes no sense is not repeated');
	});

	test('leaves what cannot be read just now to whoever looks later', async () => {
		const clock = onceReceived((file) => {
			symlinkSync('/dev/null', file);
		});
		await assert.rejects(run({}, { clock }), {
			name: 'LeaseLostError',
			message: 'The image is here, but reading it has ended with an error (NotRegular).',
		});
		assert.deepEqual(await readdir(folder), ['image']);
	});

	suite('an image that is here and that the disk does not let be read', () => {
		/** What a look at it ends with, put in by hand: to an administrator the system refuses nothing. */
		let refusal: Error | undefined;
		/** How often it was looked for. */
		let looks: number;

		setup(() => {
			refusal = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
			looks = 0;
			const { stat } = fs;
			mock.method(fs, 'stat', (...given: Parameters<typeof stat>) => {
				if (given[0] !== path.join(folder, 'image')) {
					return stat(...given);
				}
				looks += 1;
				return refusal ? Promise.reject(refusal) : stat(...given);
			});
		});

		teardown(() => {
			mock.restoreAll();
		});

		/** Does something as soon as it is told that the disk refuses. */
		const onceStalled = (what: () => unknown) => (event: NewJobEvent) => {
			events.push(event);
			if (event.type === 'stalled' && event.code !== undefined) {
				what();
			}
		};

		test('is waited for, and that is told once', async () => {
			const accept = async () => {
				const before = looks;
				// A look gives up after half a second, and the next one begins.
				await until(() => looks > before + 20, 'further looks');
				refusal = undefined;
			};
			const accepting: Promise<void>[] = [];
			const onEvent = onceStalled(() => accepting.push(accept()));
			const { file, sha256 } = await run({}, { onEvent });
			await Promise.all(accepting);
			assert.equal(
				sha256,
				createHash('sha256')
					.update(await readFile(file))
					.digest('hex'),
			);
			assert.deepEqual(
				events.filter(({ type }) => type === 'stalled'),
				[{ type: 'stalled', code: 'EMFILE' }, { type: 'stalled' }],
			);
		});

		test('is waited for no longer than twice the time of an attempt', async () => {
			const clock = onceReceived((file) => {
				renameSync(path.join(root, 'aside'), file);
			}, 119_999);
			await assert.rejects(run({}, { clock }), (error: unknown) => {
				assert.ok(error instanceof LeaseLostError);
				assert.match(error.message, /ended with an error \(EMFILE\)\.$/);
				assert.equal(error.cause, refusal);
				return true;
			});
			assert.deepEqual(await readdir(folder), ['image']);
		});

		test('can be given up, and is paid for', async () => {
			const ending = new AbortController();
			const onEvent = onceStalled(() => {
				ending.abort();
			});
			await assert.rejects(
				run({}, { signal: ending.signal, onEvent }),
				new CancelledError('charged'),
			);
		});

		test('is left to whoever looks later where the worker is interrupted', async () => {
			const ending = new AbortController();
			const onEvent = onceStalled(() => {
				ending.abort(new InterruptedError('SIGTERM'));
			});
			await assert.rejects(run({}, { signal: ending.signal, onEvent }), {
				name: 'LeaseLostError',
				message: 'The image is here, but reading it has ended with an error (SIGTERM).',
			});
		});

		test('does not hide what the disk has not said', async () => {
			refusal = new Error('broken');
			await assert.rejects(run(), refusal);
		});
	});

	for (const [what, then] of Object.entries({
		removed: () => undefined,
		emptied: (file: string) => {
			writeFileSync(file, '');
		},
		'cut off': (file: string) => {
			writeFileSync(file, '\x89PNG\r\n\x1a\n', 'latin1');
		},
		'exchanged for a folder': mkdirSync,
	})) {
		test(`does not say of an image whose file was ${what} that it was none`, async () => {
			await assert.rejects(run({}, { clock: onceReceived(then) }), (error: unknown) => {
				assert.ok(error instanceof StorageError);
				assert.equal(
					error.message,
					"The image has arrived, but another program has removed or changed its file in Easel's storage.",
				);
				assert.equal(error.charge, 'charged');
				assert.equal(error.code, 'ENOENT');
				assert.deepEqual([error.status, error.requestId], [200, service.requests[0]?.id]);
				return true;
			});
		});
	}

	/**
	 * Takes the image away between the end of the answer and the first look at it.
	 *
	 * @param ms how long the answer took
	 */
	function onceReceived(then: (file: string) => unknown, ms = 0): FakeClock {
		const file = path.join(folder, 'image');
		const clock = new FakeClockWithoutTimeOut();
		// The time is taken just there.
		clock.now = () => {
			if (existsSync(file)) {
				renameSync(file, path.join(root, 'aside'));
				then(file);
				return ms;
			}
			return 0;
		};
		return clock;
	}

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
