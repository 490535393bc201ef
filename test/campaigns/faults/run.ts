import './inject';
import { isSettled } from '../../../src/jobs/state.js';
import { until } from '../../host/until';
import { startImageService } from '../../service/server.js';
import { seeded } from '../../unit/images/random.js';
import { mayBeCharged } from '../campaign';
import { codes, type Plan } from './inject';
import { scenarios, type Scenario } from './scenarios';
import { key, Window, World } from './world';

/** Results of a scenario's runs. */
export interface Row {
	readonly scenario: string;
	/** Calls of one run in which nothing fails: those of the window, and of the worker. */
	readonly calls: number;
	runs: number;
	/** Images made that are nowhere, and that no message admits. */
	lost: number;
	/** Images saved twice, or requests beyond those asked for. */
	twice: number;
	/** Ends that say something else than what is the case. */
	reportedWrongly: number;
	/** Entries that cannot be read, or have not come to an end, when everything works again. */
	unreadable: number;
	orphans: number;
	/** Images made, not delivered, and reported as such. */
	reportedInstead: number;
}

/** A run that has shown something that must not be. */
export interface Finding {
	readonly scenario: string;
	/** Whose call has failed, and which one; without them none has. */
	readonly of?: 'window' | 'worker';
	readonly plan?: Plan;
	readonly what: string;
}

export interface Options {
	/** Which share of all faults is tried, from 0 to 1; chosen by the seed. */
	readonly share: number;
	readonly seed: number;
	readonly only?: string | undefined;
}

/** A run takes seconds; on a machine that is busy, many of them. */
const maxRunMs = 120_000;

/** Number of runs at the same time: they mostly wait. */
const atOnce = 12;

let runNumber = 0;

/**
 * Counts the calls that each scenario makes, and runs it once for each of them with that call
 * failing, once and from then on, with every refusal a file system has. When that is over, a window
 * opens in which everything works, and then every image must be where it belongs.
 */
export async function runFaults(options: Options): Promise<{ rows: Row[]; findings: Finding[] }> {
	// Thousands of runs, and a refused call is refused whatever the size of the image.
	const service = await startImageService({ key, pictures: 'small' });
	const random = seeded(options.seed);
	const rows: Row[] = [];
	const findings: Finding[] = [];
	try {
		const jobs: { scenario: Scenario; row: Row; of: 'window' | 'worker'; plan: Plan }[] = [];
		for (const scenario of scenarios.filter(({ name }) => name.includes(options.only ?? ''))) {
			const calls = await countCalls(scenario, service);
			const row: Row = {
				scenario: scenario.name,
				calls: calls.window.length + calls.worker.length,
				...{
					runs: 0,
					lost: calls.lost,
					twice: 0,
					reportedWrongly: 0,
					unreadable: 0,
					orphans: 0,
					reportedInstead: 0,
				},
			};
			rows.push(row);
			if (row.lost > 0) {
				findings.push({ scenario: scenario.name, what: 'an image is lost where no call fails' });
			}
			for (const of of ['window', ...(scenario.worker ? (['worker'] as const) : [])] as const) {
				for (let at = 1; at <= calls[of].length; at += 1) {
					for (const code of codes) {
						for (const mode of ['once', 'from then on'] as const) {
							const plan: Plan = { at, code, mode };
							if (random() < options.share || hasLost(scenario.name, of, plan)) {
								jobs.push({ scenario, row, of, plan });
							}
						}
					}
				}
			}
		}
		let next = 0;
		const work = async () => {
			for (let job = jobs[next++]; job !== undefined; job = jobs[next++]) {
				const { scenario, row, of, plan } = job;
				for (const what of await endOf(runOne(scenario, service, of, plan, row), row)) {
					findings.push({ scenario: scenario.name, of, plan, what });
				}
			}
		};
		await Promise.all(Array.from({ length: atOnce }, work));
	} finally {
		await service.close();
	}
	return { rows, findings };
}

/** Faults that once lost something; they are tried in every run, about where they were. */
function hasLost(scenario: string, of: 'window' | 'worker', { at, code, mode }: Plan): boolean {
	// A lease that was made although that was refused named a window that knew nothing of it.
	const isLease = scenario === 'reload while pausing' && of === 'window' && at >= 10 && at <= 15;
	return isLease && code === 'ENOENT' && mode === 'from then on';
}

type Service = Awaited<ReturnType<typeof startImageService>>;

/** Returns the findings of a run, or that it comes to no end. */
async function endOf(run: Promise<string[]>, row: Row): Promise<string[]> {
	const over = Promise.withResolvers<string[]>();
	const timer = setTimeout(() => {
		row.unreadable += 1;
		over.resolve(['the run comes to no end']);
	}, maxRunMs);
	try {
		return await Promise.race([run, over.promise]);
	} finally {
		clearTimeout(timer);
	}
}

async function countCalls(scenario: Scenario, service: Service) {
	const world = await World.open(service, (runNumber += 1));
	try {
		const window = await scenario.run(world, undefined);
		await window.idle();
		await window.close();
		await until(() => world.orphans() === 0, 'the worker to end');
		const worker = scenario.worker ? await world.workerCalls() : [];
		const saved = (await world.saved()).filter((hash) => hash !== undefined).length;
		const lost = scenario.isCancelled ? 0 : Math.max(0, world.made - saved);
		return { window: window.injection.calls, worker, lost };
	} finally {
		await world.remove();
	}
}

/** Runs a scenario with one fault. Returns what must not be. */
async function runOne(
	scenario: Scenario,
	service: Service,
	of: 'window' | 'worker',
	plan: Plan,
	row: Row,
): Promise<string[]> {
	const world = await World.open(service, (runNumber += 1));
	const wrong: string[] = [];
	try {
		if (of === 'worker') {
			await world.planWorker(plan);
		}
		const windowPlan = of === 'window' ? plan : undefined;
		try {
			const window = await scenario.run(world, windowPlan);
			await window.idle();
		} catch (error) {
			wrong.push(`the scenario has failed: ${String(error)}`);
		}
		await world.heal();
		await Promise.all(world.windows.map((window) => window.close()));
		await settle(world);
		const reported = world.windows.flatMap((window) => window.reported);
		await until(() => world.orphans() === 0, 'the worker to end').catch(() => undefined);

		const entries = await world.entries();
		const unreadable = entries.filter(({ state }) => !isSettled(state)).length;
		const saved = await world.saved();
		const { made } = world;
		const admits =
			reported.some((state) => 'charge' in state && mayBeCharged(state.charge)) ||
			reported.some((state) => state.state === 'failed' && mayBeCharged(state.failure.charge));
		const images = saved.filter((hash) => hash !== undefined).length;
		const count = (
			field: 'lost' | 'twice' | 'reportedWrongly' | 'unreadable' | 'orphans',
			by: number,
			what: string,
		) => {
			if (by > 0) {
				row[field] += by;
				wrong.push(what);
			}
		};
		count('lost', made > images && !admits ? made - images : 0, 'an image is lost');
		count(
			'twice',
			Math.max(0, images - Math.max(made, 0)),
			`${String(images)} files of ${String(made)} images`,
		);
		count('twice', Math.max(0, made - (scenario.orders ?? 1)), `made ${String(made)} times`);
		const litter = saved.length - images;
		count('twice', litter, `${String(litter)} files in the workspace that are no image`);
		const freed = reported.some(
			(state) =>
				(('charge' in state && !mayBeCharged(state.charge)) ||
					(state.state === 'failed' && !mayBeCharged(state.failure.charge))) &&
				made > 0 &&
				images === 0,
		);
		const saysSaved = reported.filter(({ state }) => state === 'saved').length;
		count('reportedWrongly', freed ? 1 : 0, 'reported as not made, and it was');
		count(
			'reportedWrongly',
			saysSaved > 0 && images === 0 ? 1 : 0,
			'reported as saved, and is not there',
		);
		count('reportedWrongly', Math.max(0, images - saysSaved), 'saved, and not reported');
		count(
			'unreadable',
			unreadable,
			`not over: ${entries.map(({ state }) => `${state.state}${'notified' in state && state.notified ? ' notified' : ''}`).join()}`,
		);
		const gone = await world.gone();
		count('lost', gone.length, `a job has gone: ${gone.join()}`);
		count('orphans', world.orphans(), 'a worker still runs');
		if (made > images && admits) {
			row.reportedInstead += made - images;
		}
		row.runs += 1;
		return wrong;
	} catch (error) {
		row.runs += 1;
		row.unreadable += 1;
		return [
			...wrong,
			`the run has failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
		];
	} finally {
		await world.remove();
	}
}

/** Opens windows in which everything works, until nothing is left to be done. */
async function settle(world: World): Promise<void> {
	for (let round = 0; round < 3; round += 1) {
		await until(() => {
			world.release();
			return world.orphans() === 0;
		}, 'the workers to end').catch(() => undefined);
		const entries = await world.entries();
		if (entries.every(({ state }) => isSettled(state))) {
			break;
		}
		const window = new Window(world);
		await window.recover();
		await window.idle();
		await window.close();
	}
}

/** Formats the rows as a table. */
export function faultsTable(rows: readonly Row[]): string {
	const titles = [
		'calls',
		'runs',
		'lost',
		'twice',
		'reported wrongly',
		'not over',
		'orphans',
		'reported instead',
	];
	const width = Math.max(...rows.map(({ scenario }) => scenario.length), 'all'.length);
	const cells = (row: Row) => [
		...[row.calls, row.runs, row.lost, row.twice, row.reportedWrongly, row.unreadable, row.orphans],
		row.reportedInstead,
	];
	const sum = rows.map(cells).reduce(
		(all, one) => all.map((value, at) => value + one[at]!),
		titles.map(() => 0),
	);
	const line = (name: string, values: readonly (number | string)[]) =>
		[
			name.padEnd(width),
			...values.map((value, at) => String(value).padStart(titles[at]!.length)),
		].join('  ');
	return [
		line('scenario', titles),
		...rows.map((row) => line(row.scenario, cells(row))),
		line('all', sum),
	].join('\n');
}

/** Returns whether nothing was lost, bought twice, reported wrongly, left behind. */
export function areSound(rows: readonly Row[]): boolean {
	return rows.every(
		({ lost, twice, reportedWrongly, unreadable, orphans }) =>
			lost + twice + reportedWrongly + unreadable + orphans === 0,
	);
}
