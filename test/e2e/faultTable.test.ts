import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { JobEntry } from '../../src/jobs/jobFolder.js';
import type { JobState } from '../../src/jobs/state.js';
import type { Charge } from '../../src/service/errors.js';
import { repository } from '../host/cache';
import { kill } from '../host/processes';
import { until } from '../host/until';
import type { Fault } from '../service/faults.js';
import { padPng } from '../service/png.js';
import { startImageService, type ImageService } from '../service/server.js';
import { Jobs, savedImages } from './jobs';
import { Keys } from './keys';
import { Workbench } from './workbench';

const key = 'e2e-fault-table-key-83c1';
/** More than the buffers of a connection take, so that a request can stop while it is sent. */
const referenceBytes = 16 * 1024 * 1024;
/** VS Code drops notifications where many come within 800 ms. */
const delay = 900;

const keys = new Keys({
	first: ['easel.generateImage', { prompt: 'first' }],
	second: ['easel.generateImage', { prompt: 'second' }],
	edit: ['easel.generateImage', { prompt: 'edit', references: ['large.png'] }],
	clear: ['notifications.clearAll'],
});

/** The end of a row without an image: the message for the user, and the entry of the journal. */
interface Account {
	/** In a notification, or in the status bar where nothing can have been charged. */
	readonly reported: RegExp;
	readonly charge: Charge;
	/** Images that the service has made all the same. */
	readonly made: number;
}

/** A state in which something can happen to a job. */
interface Place {
	/** Number of images are asked for; the last one is the one that it happens to. */
	readonly press: readonly string[];
	readonly fault?: Fault;
	readonly state: JobState['state'];
	/** The words that a later window shows. */
	readonly shown: RegExp;
	/** True where that is a notification; else it is the hover of the status bar. */
	readonly asks?: true;
	/** Lets the job go on to its image. */
	readonly goOn: () => Promise<unknown> | number;
	/** True where something is under way or there that has to be paid for. */
	readonly holdsMoney?: true;
	/** Number of requests it takes to the images. */
	readonly requests: number;
	readonly killed?: Account;
	readonly cancelled?: Account;
}

/**
 * Every state of a job, and everything that can happen in it. Each row ends with the image
 * delivered exactly once, or with a clear account of why there is none.
 */
suite('Fault table', () => {
	let service: ImageService;
	let workbench: Workbench;
	let jobs: Jobs;

	suiteSetup(async () => {
		service = await startImageService({ key, latencyMs: delay });
		workbench = await Workbench.open({
			// One at a time, so that a second image is queued; `ask`, so that a 503 is a question.
			settings: {
				'easel.service.address': service.address,
				'easel.service.concurrency': 1,
				'easel.service.retry': 'ask',
			},
			keyBindings: keys.bindings,
			env: { EASEL_API_KEY: key },
		});
		jobs = new Jobs(workbench);
		const icon = await readFile(path.join(repository, 'media/icon.png'));
		await writeFile(path.join(workbench.folder, 'large.png'), padPng(icon, referenceBytes));
		// As soon as the palette has it, the extension is there and keys are heard.
		await workbench.findCommand('Easel: Generate Image');
		await workbench.page.keyboard.press('Escape');
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
	});

	const images = () => path.join(workbench.folder, 'images');
	const release = () => service.releaseHeld();
	const ambiguous =
		/was interrupted: .+\. The request was sent (?:just now|\d:\d\d ago)\. You may already be charged/;
	const charged = /was interrupted: .+ (?:just now|ago)\. You have probably been charged\./;
	const rejected =
		/was interrupted: .+\. The request was sent (?:just now|\d:\d\d ago)\. You were not charged\./;
	const mayCharge = /Cancelled. You may still be charged\./;
	const nothingMade = /Cancelled\. You were not charged\./;

	const places: Readonly<Record<string, Place>> = {
		queued: {
			press: ['first', 'second'],
			fault: { hold: true, prompt: 'first' },
			state: 'queued',
			shown: /“second”.*Queued/,
			goOn: release,
			requests: 2,
			cancelled: { reported: nothingMade, charge: 'notSent', made: 1 },
		},
		sending: {
			press: ['edit'],
			fault: { hold: 'request', times: 1 },
			state: 'sending',
			shown: /“edit”.*\d:\d\d · (usually|about|\d+ to|longer than usual)/,
			goOn: release,
			requests: 1,
			killed: { reported: ambiguous, charge: 'unknown', made: 0 },
			cancelled: { reported: nothingMade, charge: 'notSent', made: 0 },
		},
		waiting: {
			press: ['first'],
			fault: { hold: true },
			state: 'waiting',
			holdsMoney: true,
			shown: /“first”.*\d:\d\d · (usually|about|\d+ to|longer than usual)/,
			goOn: release,
			requests: 1,
			killed: { reported: ambiguous, charge: 'unknown', made: 1 },
			cancelled: { reported: mayCharge, charge: 'unknown', made: 1 },
		},
		receiving: {
			press: ['first'],
			fault: { hold: 'body' },
			state: 'receiving',
			holdsMoney: true,
			shown: /“first”.*\d:\d\d · receiving the image/,
			goOn: release,
			requests: 1,
			killed: { reported: charged, charge: 'charged', made: 1 },
			cancelled: { reported: /a part of the answer had arrived/, charge: 'charged', made: 1 },
		},
		pausing: {
			press: ['first'],
			// A reload, on a slow machine, is over by then.
			fault: { status: 429, retryAfter: 45, delay, times: 1 },
			state: 'pausing',
			shown: /“first”.*The service is busy \(429\)\. Retrying in \d+ s/,
			// It goes on by itself.
			goOn: () => Promise.resolve(),
			requests: 2,
			killed: { reported: rejected, charge: 'rejected', made: 0 },
			cancelled: { reported: nothingMade, charge: 'rejected', made: 0 },
		},
		asking: {
			press: ['first'],
			fault: { status: 503, delay, times: 1 },
			state: 'pausing',
			asks: true,
			shown: /“first”: The image service answered with 503:.*You may already be charged\./,
			goOn: () => workbench.clickNotificationButton('Retry (May Be Charged Twice)'),
			requests: 2,
			killed: { reported: ambiguous, charge: 'unknown', made: 0 },
			cancelled: { reported: mayCharge, charge: 'unknown', made: 0 },
		},
		received: {
			press: ['first'],
			fault: { hold: true },
			state: 'received',
			holdsMoney: true,
			asks: true,
			shown: /A file named images already exists where a folder is needed\. The image is safe/,
			goOn: async () => {
				await rm(images());
				await workbench.clickNotificationButton('Retry');
			},
			requests: 1,
		},
	};

	let before: { requests: number; made: number; known: ReadonlySet<string> };

	setup(async () => {
		await rm(images(), { recursive: true, force: true });
		const known = new Set([
			...(await jobs.entries()).map(({ request }) => request.id),
			...(await jobs.ended()).map(({ request }) => request),
		]);
		before = { requests: service.requests.length, made: service.imagesMade, known };
	});

	teardown(async () => {
		service.faults.clear();
		service.releaseHeld();
		// What a row that failed has left must not be the next one's failure.
		workbench.workers().forEach(kill);
		await keys.press(workbench, 'clear');
		await workbench.page.locator('.notification-toast').first().waitFor({ state: 'hidden' });
	});

	const ours = (entries: readonly JobEntry[]) =>
		entries.filter(({ request }) => !before.known.has(request.id));

	async function enter(place: Place): Promise<void> {
		if (place.fault) {
			service.faults.add(place.fault);
		}
		for (const [index, name] of place.press.entries()) {
			await keys.press(workbench, name);
			await jobs.waitFor((all) => ours(all).length === index + 1, `${name} in the journal`);
			if (place.fault?.hold) {
				await service.waitForRequest(before.requests + 1, 'held');
			}
		}
		if (place.state === 'received') {
			// Only now: where it cannot be saved, nothing is sent.
			await writeFile(images(), 'a file in the place of the folder');
			release();
		}
		await jobs.waitFor((all) => ours(all).at(-1)?.state.state === place.state, place.state);
		await seen(place);
	}

	function seen({ asks, shown }: Place): Promise<string> {
		return asks ? workbench.waitForNotification(shown) : workbench.waitForProgress(shown);
	}

	/**
	 * Waits until nothing of the row is left but what has failed: not in the journal, at the service, as
	 * a process.
	 */
	async function settled() {
		const entries = await jobs.waitFor(
			(all) => ours(all).every(({ state }) => ['interrupted', 'failed'].includes(state.state)),
			'every job to be over',
		);
		await service.waitUntil(() => service.requests.every(({ ended }) => ended));
		await until(() => workbench.workers().length === 0, 'every worker to end');
		const ended = (await jobs.ended()).filter(({ request }) => !before.known.has(request));
		return { ended: ended.map(({ outcome }) => outcome), failed: ours(entries) };
	}

	async function assertDelivered({ press, requests }: Place): Promise<void> {
		const { ended, failed } = await settled();
		assert.deepEqual([ended, failed], [press.map(() => 'made'), []]);
		assert.deepEqual(
			await savedImages(workbench),
			press.map((name) => `${name}.png`),
		);
		assert.equal(service.imagesMade - before.made, press.length, 'each image is made once');
		assert.equal(service.requests.length - before.requests, requests);
		await workbench.waitForImage(`images/${press.at(-1)!}.png`);
	}

	async function assertAccount({ press }: Place, account: Account): Promise<void> {
		const reported = workbench.page
			.locator('.notification-toast, .statusbar-item')
			.filter({ hasText: account.reported });
		await reported.first().waitFor();
		release();
		const { ended, failed } = await settled();
		const [state] = failed.map((entry) => entry.state);
		if (state?.state === 'interrupted') {
			assert.equal(state.charge, account.charge);
		} else if (state?.state === 'failed') {
			assert.equal(state.failure.charge, account.charge);
			assert.ok(state.failure.answerFile !== undefined);
		} else {
			const outcome = account.charge === 'notSent' ? 'rejected' : account.charge;
			assert.ok(ended.includes(outcome), ended.join());
		}
		// Those before it are not concerned.
		assert.deepEqual(
			await savedImages(workbench),
			press.slice(0, -1).map((name) => `${name}.png`),
		);
		assert.equal(service.imagesMade - before.made, account.made);
		assert.equal(service.requests.length - before.requests, 1, 'nothing is sent again');
	}

	for (const [name, place] of Object.entries(places)) {
		test(`${name}: the window is reloaded`, async () => {
			await enter(place);
			await workbench.editor.reload();
			await seen(place);
			if (name === 'asking') {
				await workbench.screenshot('fault-table-asking-after-reload');
			}
			await place.goOn();
			await assertDelivered(place);
		});

		if (place.holdsMoney) {
			test(`${name}: the extension host is killed`, async () => {
				await enter(place);
				await workbench.editor.killExtensionHost();
				await workbench.editor.reload();
				await seen(place);
				await place.goOn();
				await assertDelivered(place);
			});
		}

		const { killed, cancelled } = place;
		if (killed) {
			test(`${name}: the worker is killed`, async () => {
				await enter(place);
				const [worker, ...others] = workbench.workers();
				assert.ok(worker !== undefined && others.length === 0, 'one worker runs');
				kill(worker);
				await assertAccount(place, killed);
				if (name === 'waiting') {
					await workbench.screenshot('fault-table-interrupted');
				}
			});
		}
		if (cancelled) {
			test(`${name}: the user cancels`, async () => {
				await enter(place);
				await workbench.cancelImage(`“${place.press.at(-1)!}”`);
				await assertAccount(place, cancelled);
			});
		}
	}
});
