import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sha256Of } from '../../src/images/hash.js';
import { readState, workerLease, type JobEntry } from '../../src/jobs/jobFolder.js';
import { readLease } from '../../src/jobs/leaseFiles.js';
import { connectLocally } from '../../src/jobs/localSocket.js';
import { recover } from '../../src/jobs/recovery.js';
import type { JobState } from '../../src/jobs/state.js';
import { jobEventSchema, receive, type WorkerInput } from '../../src/jobs/workerProtocol.js';
import { until } from '../host/until';
import { faultyWorker, follow, isAlive, openWindow, type Following } from './support.js';
import { useService } from './useService.js';
import type { Refusal } from './workerFaults.js';

suite('jobs › worker, and what the disk does to it', () => {
	const at = useService();
	/** The disk refuses as long as this file exists. */
	let flag: string;

	setup(() => {
		flag = path.join(at.root, 'refuses');
	});

	/** A job whose worker has a fault in it, as `workerFaults.ts` offers them. */
	async function startWith(
		fault: string,
		prompt = 'a pier',
		change: Partial<WorkerInput> = {},
	): Promise<{ entry: JobEntry; pid: number }> {
		const entry = await at.create(prompt);
		const script = await faultyWorker(fault);
		const pid = await at.start(entry, { retry: 'never', ...change }, { script });
		return { entry, pid };
	}

	function refusing(refusal: Omit<Refusal, 'flag'>): string {
		return `refuse(${JSON.stringify({ ...refusal, flag } satisfies Refusal)})`;
	}

	/** Recovers the one job in a window that opens now, and returns its end. */
	async function recovered(): Promise<JobState> {
		const window = openWindow(at.root, at.journal);
		const saved = Promise.withResolvers<JobState>();
		await recover(at.journal, window.leases, {
			belongsHere: () => true,
			resume: async (found) => {
				saved.resolve(await window.make(found));
			},
			askAbout: () => Promise.resolve(),
			listFailure: assert.fail,
			dismiss: () => assert.fail(),
			listUnsaved: assert.fail,
			reportDamaged: (damaged) => {
				assert.deepEqual(damaged, []);
			},
			reportNewer: () => assert.fail(),
			removeFinished: () => Promise.resolve(),
			signal: new AbortController().signal,
		});
		const end = await saved.promise;
		await window.close();
		assert.deepEqual(window.troubles, []);
		return end;
	}

	function stalls({ events }: Following): (string | undefined)[] {
		return events.flatMap((event) => (event.type === 'stalled' ? [event.code] : []));
	}

	suite('killed when all of the answer had arrived', () => {
		const moments = {
			'before it was flushed': `dieBefore('sync', 'image')`,
			'before it had its name': `dieBefore('rename', 'image')`,
			'before it was inspected': `dieBefore('read', '^image.part$')`,
			'before it was noted': `dieBefore('open', '^state.json', 'image')`,
			'before the note had its name': `dieBefore('rename', '^state.json', 'image')`,
		};

		for (const [moment, fault] of Object.entries(moments)) {
			test(`${moment}: the next window makes the image of it, and nothing is sent`, async () => {
				const { entry, pid } = await startWith(fault);
				await until(() => !isAlive(pid), 'the worker to die');
				const { state } = await readState(entry.folder);
				assert.ok(['sending', 'waiting', 'receiving'].includes(state), state);

				const end = await recovered();
				assert.equal(end.state, 'saved');
				assert.equal(at.service.requests.length, 1);
				// That it has answered is noted while the image arrives, which may be over before.
				assert.ok([undefined, at.service.requests[0]?.id].includes(end.result.requestId));
				const file = fileURLToPath(end.target);
				assert.equal(await sha256Of(file), end.result.sha256);
				assert.deepEqual(await readFile(file), await at.pictureOf('a pier'));
			});
		}
	});

	suite('refused for a moment', () => {
		// The faults campaign refuses every other step.
		const refusals: Readonly<Record<string, Omit<Refusal, 'flag'>>> = {
			'to write the answer': { steps: ['write'], file: '^answer', code: 'ENOSPC' },
			'to flush the image': { steps: ['sync'], file: '^image', code: 'ENOSPC' },
			'to give the image its name': { steps: ['rename'], file: '^image', code: 'EIO' },
			// First it is opened to be written.
			'to open the image again': {
				steps: ['open'],
				file: '^image.part$',
				code: 'EMFILE',
				after: 1,
			},
		};
		for (const [what, refusal] of Object.entries(refusals)) {
			test(`${what}: reports it, also to windows that come later, and the image comes whole`, async () => {
				await writeFile(flag, '');
				const { entry } = await startWith(refusing(refusal));
				const following = follow(entry);
				await until(() => stalls(following).length === 1, 'the stall to be reported');
				const later = follow(entry);
				await until(() => stalls(later).length === 1, 'the stall to be reported again');
				await rm(flag);

				const end = await following.end;
				assert.equal(end.state, 'received');
				assert.deepEqual(await later.end, end);
				assert.deepEqual(stalls(following), [refusal.code, undefined], 'the disk takes it again');
				assert.deepEqual(stalls(later), [refusal.code, undefined]);
				assert.deepEqual(await readFile(end.result.file), await at.pictureOf('a pier'));
				assert.equal(await sha256Of(end.result.file), end.result.sha256);
				assert.equal(at.service.requests.length, 1);
				assert.ok(!(await readdir(entry.folder)).includes('image.part'));
			});
		}
	});

	test('refused in the folder of its job: holds the answer until the user chooses another, and leaves nothing there', async () => {
		await writeFile(flag, '');
		const chosen = path.join(at.root, 'chosen');
		const { entry } = await startWith(
			refusing({ steps: ['open'], file: '^answer', code: 'EROFS', except: chosen }),
			'a pier',
			{ timeoutMs: 10_000 },
		);
		const window = openWindow(at.root, at.journal);
		const asked: string[] = [];
		const end = await window.make(
			{ ...entry, state: { ...entry.state, state: 'sending' } },
			{
				chooseFolder: (code) => {
					asked.push(code);
					return Promise.resolve(chosen);
				},
			},
		);
		await window.close();
		assert.equal(end.state, 'saved', JSON.stringify(end));
		assert.deepEqual(asked, ['EROFS']);
		assert.equal(path.dirname(end.result.file), path.join(chosen, `.easel-${entry.request.id}`));
		assert.deepEqual(await readFile(fileURLToPath(end.target)), await at.pictureOf('a pier'));
		assert.deepEqual(await readdir(chosen), []);
		assert.equal(at.service.requests.length, 1);
	});

	test('cancelled while the disk refuses to read the image: ends at once, as paid, with the answer', async () => {
		await writeFile(flag, '');
		const { entry, pid } = await startWith(
			refusing({ steps: ['open'], file: '^image.part$', code: 'EMFILE', after: 1 }),
		);
		const following = follow(entry);
		await until(() => stalls(following).length === 1, 'the stall to be reported');
		following.cancel();
		const end = await following.end;
		assert.ok(end.state === 'failed', end.state);
		assert.equal(end.failure.charge, 'charged');
		assert.equal(end.failure.answerFile, path.join(entry.folder, 'answer'));
		await until(() => !isAlive(pid), 'the worker to end');
	});

	suite('refused for every state that it writes', () => {
		/** Ends that the user has to see. */
		const ends = {
			'the words of the service': {
				prompt: 'a pier [fault hold] [fault status=400 message="The pier is too long."]',
				check: (end: JobState) => {
					assert.equal(end.state, 'failed');
					assert.equal(end.failure.message, 'The pier is too long.');
					assert.equal(end.failure.status, 400);
					assert.equal(end.failure.charge, 'rejected');
				},
			},
			'the image': {
				prompt: 'a pier [fault hold]',
				check: (end: JobState) => {
					assert.equal(end.state, 'received');
				},
			},
		};
		const fault = { steps: ['open'], file: '^state.json', code: 'EROFS' } as const;

		// Past its words one end is like another.
		test('holds the image for a window that comes only then', async () => {
			const { prompt, check } = ends['the image'];
			const { entry, pid } = await startWith(refusing(fault), prompt);
			await at.service.waitForRequest(1, 'held');
			await writeFile(flag, '');
			const reported = endReportedBy(entry);
			at.service.releaseHeld();
			await reported;
			check(await follow(entry).end);
			await until(() => !isAlive(pid), 'the worker to end');
			assert.equal(at.service.requests.length, 1);
		});

		test('notes the words of the service by itself as soon as the disk takes it, where no window took care', async () => {
			const { prompt, check } = ends['the words of the service'];
			const { entry, pid } = await startWith(refusing(fault), prompt);
			await at.service.waitForRequest(1, 'held');
			await writeFile(flag, '');
			const reported = endReportedBy(entry);
			at.service.releaseHeld();
			await reported;
			await rm(flag);
			await until(() => !isAlive(pid), 'the worker to end');
			check(await readState(entry.folder));
		});

		/** Hears of the end like a window that dies in that moment: it does not take care of it. */
		async function endReportedBy({ folder }: JobEntry): Promise<void> {
			const lease = await readLease(folder, workerLease);
			assert.ok(typeof lease?.owner === 'object');
			const socket = await connectLocally(lease.owner.address);
			assert.ok(typeof socket === 'object');
			await new Promise<void>((resolve) => {
				receive(socket, jobEventSchema, ({ type }) => {
					if (type === 'ended') {
						resolve();
					}
				});
			});
			socket.destroy();
		}
	});
});
