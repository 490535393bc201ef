import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Gallery } from '../../src/jobs/gallery.js';
import { imageFile, type JobEntry } from '../../src/jobs/jobFolder.js';
import { chargeOf, isOver, type JobState } from '../../src/jobs/state.js';
import { kill } from '../host/processes';
import { until } from '../host/until';
import { startImageService, type ImageService } from '../service/server.js';
import { seeded } from '../unit/images/random.js';
import { mayBeCharged, report, scaled, seed } from './campaign';
import { Jobs, savedImages } from '../e2e/jobs';
import { Keys } from '../e2e/keys';
import { Workbench } from '../e2e/workbench';

const key = 'e2e-random-key-7a05';
const atOnce = 8;
/** Images that one key asks for. */
const count = 4;
/** The largest number under way when the next ones are asked for. */
const maxUnderWay = 16;

const prompts = [
	'plain',
	'later [fault delay=1500]',
	// About three seconds for a picture of a real size: time enough for whatever happens to it.
	'slowly [fault chunk-size=32000 chunk-pause=40]',
	'refused [fault status=500 delay=300]',
	'cut [fault cut=body]',
	'lost on the way [fault cut=headers charge]',
	'broken [fault answer=broken-base64]',
] as const;

const keys = new Keys({
	...Object.fromEntries(
		prompts.map((prompt) => [prompt, ['easel.generateImage', { prompt, count }] as const]),
	),
	list: ['notifications.showList'],
	hideList: ['notifications.hideList'],
});

/** In the order in which a job reaches them; `isOver` comes after all of them. */
const stations: readonly JobState['state'][] = [
	'queued',
	'sending',
	'waiting',
	'receiving',
	'received',
];

suite('Random schedules in real windows', () => {
	let service: ImageService;
	let workbench: Workbench;
	let jobs: Jobs;

	suiteSetup(async () => {
		service = await startImageService({ key, latencyMs: 300 });
		workbench = await Workbench.open({
			settings: {
				'easel.service.address': service.address,
				'easel.service.concurrency': atOnce,
				'easel.service.retry': 'never',
			},
			keyBindings: keys.bindings,
			env: { EASEL_API_KEY: key },
		});
		jobs = new Jobs(workbench);
		await workbench.findCommand('Easel: Generate Image');
		await workbench.page.keyboard.press('Escape');
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
	});

	/** Events of a window, and their frequency beside the others. */
	const events: Readonly<Record<string, (random: () => number) => Promise<void>>> = {
		nothing: () => Promise.resolve(),
		reload: () => workbench.editor.reload(),
		crash: async () => {
			await workbench.editor.killExtensionHost();
			await workbench.editor.reload();
		},
		killWorker: (random) => {
			const workers = workbench.workers();
			const one = workers[Math.floor(random() * workers.length)];
			// They may all have been quicker.
			if (one !== undefined) kill(one);
			return Promise.resolve();
		},
		cancel,
		close: async () => {
			await workbench.editor.closeWindow();
			await workbench.editor.openWindow();
		},
	};

	/** Cancels one of the images in the list of notifications. */
	async function cancel(random: () => number): Promise<void> {
		await keys.press(workbench, 'list');
		const list = workbench.page.locator('.notifications-center.visible');
		await list.waitFor();
		const buttons = list.getByRole('button', { name: 'Cancel', exact: true });
		const found = await buttons.count();
		// The image may be through before the mouse is there.
		await buttons
			.nth(Math.floor(random() * found))
			.click({ timeout: 1000 })
			.catch(() => undefined);
		await keys.press(workbench, 'hideList');
		await list.waitFor({ state: 'hidden' });
	}

	/** Entries of all jobs that there ever were. */
	const promptOf = new Map<string, string>();

	function hasReached({ state }: JobEntry, station: JobState['state']): boolean {
		return isOver(state) || stations.indexOf(state.state) >= stations.indexOf(station);
	}

	async function round(random: () => number): Promise<number> {
		const below = (limit: number) => Math.floor(random() * limit);
		const known = new Set(promptOf.keys());
		/** Those that were asked for in this round and have come that far, or have gone at their end. */
		const reached = (all: readonly JobEntry[], station: JobState['state']) =>
			[...promptOf.keys()].filter((id) => {
				const entry = all.find(({ request }) => request.id === id);
				return !known.has(id) && (entry === undefined || hasReached(entry, station));
			});
		const series = 1 + below(3);
		for (let index = 1; index <= series; index += 1) {
			// Half of them succeed, unless something happens to them.
			const usable = below(2) === 0 ? 3 : prompts.length;
			await keys.press(workbench, prompts[below(usable)]!);
			await jobs.waitFor((all) => {
				all.forEach(({ request: { id, prompt } }) => promptOf.set(id, prompt));
				return promptOf.size === known.size + index * count;
			}, 'the journal');
		}
		const station = stations[below(stations.length)]!;
		const number = 1 + below(series * count);
		const event = Object.keys(events)[below(Object.keys(events).length)]!;
		await jobs.waitFor(
			(all) => reached(all, station).length >= number,
			`${String(number)} images to be ${station}`,
		);
		await events[event]!(random);
		await jobs.waitFor(
			(all) => all.filter(({ state }) => !isOver(state)).length <= maxUnderWay,
			'the images to go on',
		);
		return series * count;
	}

	test('lose nothing, deliver nothing twice and leave no process', async function () {
		const schedules = scaled(60);
		this.timeout(120_000 + schedules * 5000);
		const random = seeded(seed);
		let asked = 0;
		while (asked < schedules) {
			asked += await round(random);
		}
		const entries = await jobs.waitFor(
			(all) => all.every(({ state }) => state.state === 'failed' || state.state === 'interrupted'),
			'every image to be over, and all but failures to have gone',
		);
		await service.waitUntil(() => service.requests.every(({ ended }) => ended));
		// The last ones are just ending. One that stays longer than that stays for long.
		await until(() => workbench.workers().length === 0, 'the workers to end').catch(() => {});
		const { lost, twice, orphans, delivered } = await countEnds(entries);
		await report('random windows', {
			...{ runs: asked, lost, twice, orphans },
			note: `${service.imagesMade} made, ${delivered} in the workspace`,
		});
		const accounts = [...entries.map(({ request }) => request.id), ...(await endedIds())];
		assert.equal(new Set(accounts).size, asked, 'each is in the journal, or in the ledger');
		assert.deepEqual({ lost, twice, orphans }, { lost: 0, twice: 0, orphans: 0 });
		assert.ok(service.requests.length <= asked, 'no image is asked for twice');
	});

	const endedIds = async () => (await jobs.ended()).map(({ request }) => request);

	async function countEnds(entries: readonly JobEntry[]) {
		const images = path.join(workbench.folder, 'images');
		// Each of them is a whole PNG.
		const onDisk = new Set((await savedImages(workbench)).map((name) => path.join(images, name)));
		const saved = await new Gallery(path.dirname(jobs.root)).list();
		const targets = new Set(saved.map(({ target }) => fileURLToPath(target)));
		const ended = await jobs.ended();
		const missing = [...targets].filter((target) => !onDisk.has(target)).length;
		const unsaved = await haveImages(entries);
		// Of those made for one prompt, each was saved, or its job has ended with the words that it
		// may have been charged.
		const withoutAccount = prompts.map((prompt) => {
			const made = service.requests.filter(
				({ imageMade, fields }) =>
					imageMade && fields.some(({ name, value }) => name === 'prompt' && value === prompt),
			);
			const failures = entries.filter(
				({ request, state }) => request.prompt === prompt && mayBeCharged(chargeOf(state)),
			);
			const others = ended.filter(
				({ request, outcome }) => promptOf.get(request) === prompt && outcome !== 'rejected',
			);
			return Math.max(0, made.length - failures.length - others.length);
		});
		const delivered = targets.size - missing;
		// To find out why.
		const unknown = [...onDisk].filter((file) => !targets.has(file));
		if (unknown.length > 0) console.log(`      in no entry: ${unknown.join(', ')}`);
		const lost =
			missing + unsaved.filter(Boolean).length + withoutAccount.reduce((a, b) => a + b, 0);
		return {
			delivered,
			lost,
			twice:
				Math.max(saved.length, ended.filter(({ outcome }) => outcome === 'made').length) -
				targets.size +
				(onDisk.size - delivered),
			orphans: workbench.workers().length,
		};
	}
});

/** Returns whether the image of each is still in its job's folder. */
function haveImages(entries: readonly JobEntry[]): Promise<boolean[]> {
	return Promise.all(
		entries.map(async ({ folder }) => (await readdir(folder)).includes(imageFile)),
	);
}
