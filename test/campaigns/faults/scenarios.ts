import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { JobState } from '../../../src/jobs/state.js';
import { until } from '../../host/until';
import type { Fault } from '../../service/faults.js';
import { padPng } from '../../service/png.js';
import { bundledWorker } from '../../process/support.js';
import type { Plan } from './inject';
import { Window, type World } from './world';

/** A user's action in which every call may fail. */
export interface Scenario {
	readonly name: string;
	/** True where the calls of the worker are among those that fail. */
	readonly worker?: true;
	/** Does it, in a window whose calls follow the plan, which is returned. */
	run(world: World, plan: Plan | undefined): Promise<Window>;
	/** Number of images are asked for; 1 by default. */
	readonly orders?: number;
	/** True where the user cancels it, so that an image may be made and not saved. */
	readonly isCancelled?: true;
}

type StateName = JobState['state'];

/** Faults that hold a job in a state. */
const holds: Readonly<Partial<Record<StateName, Fault>>> = {
	waiting: { hold: true },
	receiving: { hold: 'body' },
	pausing: { status: 429, retryAfter: 3, times: 1 },
};

async function reach(world: World, state: StateName): Promise<void> {
	await until(
		async () => (await world.entries()).some((entry) => entry.state.state === state),
		`a job to be ${state}`,
	);
}

/** Brings a job to a state in a window that works as it should. */
async function bringTo(world: World, state: StateName): Promise<Window> {
	const window = new Window(world);
	const fault = holds[state];
	if (fault !== undefined) {
		world.service.faults.add({ ...fault, prompt: world.prompt, times: 1 });
	}
	if (state === 'received') {
		// It arrives while no window can put it anywhere.
		await mkdir(world.workspace, { recursive: true });
		await writeFile(world.images, 'a file in the place of the folder');
	}
	void window.generate().catch(() => undefined);
	await reach(world, state);
	if (state === 'received') {
		await until(() => window.reported.length > 0, 'the image to be reported');
		await rm(world.images);
	}
	return window;
}

function reloadIn(state: StateName): Scenario {
	return {
		name: `reload while ${state}`,
		async run(world, plan) {
			const before = await bringTo(world, state);
			await before.close();
			const window = new Window(world, plan);
			const recovering = window.within(() => window.recover());
			world.release();
			await recovering;
			return window;
		},
	};
}

function cancelIn(state: StateName): Scenario {
	return {
		name: `cancel while ${state}`,
		isCancelled: true,
		async run(world, plan) {
			const fault = holds[state];
			if (fault !== undefined) {
				world.service.faults.add({ ...fault, prompt: world.prompt, times: 1 });
			}
			const window = new Window(world, plan);
			const cancelling = new AbortController();
			const generating = window.within(() => window.generate([], cancelling.signal));
			// Where a refusal keeps it from that state, it is cancelled where it is.
			await Promise.race([reach(world, state).catch(() => undefined), generating]);
			cancelling.abort();
			await generating;
			return window;
		},
	};
}

export const scenarios: readonly Scenario[] = [
	{
		name: 'generate',
		worker: true,
		async run(world, plan) {
			const window = new Window(world, plan);
			await window.within(() => window.generate());
			return window;
		},
	},
	{
		name: 'with the recipe beside it',
		async run(world, plan) {
			world.provenance = 'besideImage';
			const window = new Window(world, plan);
			await window.within(() => window.generate());
			return window;
		},
	},
	{
		name: 'edit with two references',
		worker: true,
		async run(world, plan) {
			const references = path.join(world.workspace, 'references');
			await mkdir(references, { recursive: true });
			const icon = await readFile('media/icon.png');
			const files = ['one.png', 'two.png'].map((name) => path.join(references, name));
			await writeFile(files[0]!, padPng(icon, 1024 * 1024));
			await copyFile('media/icon.png', files[1]!);
			const window = new Window(world, plan);
			await window.within(() => window.generate(files));
			return window;
		},
	},
	...(['queued', 'waiting', 'receiving', 'pausing', 'received'] as const).map((state) =>
		state === 'queued' ? reloadWhileQueued() : reloadIn(state),
	),
	{
		name: 'two windows recover at once',
		async run(world, plan) {
			const before = await bringTo(world, 'received');
			await before.close();
			const [window, other] = [new Window(world, plan), new Window(world)];
			await Promise.all([window.within(() => window.recover()), other.recover()]);
			await other.idle();
			return window;
		},
	},
	...(['waiting', 'receiving', 'pausing'] as const).map(cancelIn),
	{
		name: 'a busy service makes another image',
		worker: true,
		orders: 2,
		async run(world, plan) {
			world.service.faults.add({ ...holds.waiting, prompt: world.prompt, times: 1 });
			const other = new Window(world, undefined, await bundledWorker());
			const making = other.generate();
			await Promise.race([reach(world, 'waiting').catch(() => undefined), making]);
			world.service.faults.add({ ...holds.pausing, prompt: world.prompt });
			const window = new Window(world, plan);
			const generating = window.within(() => window.generate());
			await Promise.race([reach(world, 'pausing').catch(() => undefined), generating]);
			world.release();
			await Promise.all([generating, making]);
			return window;
		},
	},
	{
		name: 'the folder goes while it is made',
		async run(world, plan) {
			await mkdir(world.images);
			world.service.faults.add({ hold: true, prompt: world.prompt, times: 1 });
			const window = new Window(world, plan);
			const generating = window.within(() => window.generate());
			await Promise.race([reach(world, 'waiting').catch(() => undefined), generating]);
			await rm(world.images, { recursive: true });
			world.release();
			await generating;
			return window;
		},
	},
	{
		name: 'the job goes while its answer arrives',
		worker: true,
		async run(world, plan) {
			world.service.faults.add({ hold: 'body', prompt: world.prompt, times: 1 });
			const window = new Window(world, plan);
			const generating = window.within(() => window.generate());
			await Promise.race([world.arriving().catch(() => undefined), generating]);
			await world.removeJobs();
			world.release();
			await generating;
			return window;
		},
	},
	{
		name: 'clean-up beside a running job',
		orders: 2,
		async run(world, plan) {
			const first = new Window(world);
			await first.generate();
			await first.close();
			const before = await bringTo(world, 'waiting');
			const window = new Window(world, plan);
			await window
				.within(() => window.cleanUp())
				.catch((error: unknown) => {
					window.refusals.push(error);
				});
			world.release();
			await until(() => before.reported.length > 0, 'the image to be reported');
			return window;
		},
	},
];

/** Its window goes before its turn has come. */
function reloadWhileQueued(): Scenario {
	return {
		name: 'reload while queued',
		async run(world, plan) {
			const window = new Window(world);
			await window.order();
			await window.close();
			const next = new Window(world, plan);
			await next.within(() => next.recover());
			return next;
		},
	};
}
