import assert from 'node:assert/strict';
import { inspectImage } from '../../src/images/inspect.js';
import { readState, type JobEntry } from '../../src/jobs/jobFolder.js';
import type { JobState } from '../../src/jobs/state.js';
import type { Charge } from '../../src/service/errors.js';
import { follow, hasWorker } from '../process/support.js';
import { useService } from '../process/useService.js';
import { seeded } from '../unit/images/random.js';
import { report, scaled, seed } from './campaign';

/** A worker waits about as long as it works. */
const sideBySide = 4;

suite('jobs › workers at random', () => {
	const at = useService({ pictures: 'real' });

	/** The jobs whose workers live. */
	async function living(entries: readonly JobEntry[]): Promise<JobEntry[]> {
		const alive = await Promise.all(entries.map(hasWorker));
		return entries.filter((_, index) => alive[index]);
	}

	/** Faults of the service. */
	const effects = [
		'',
		'[fault delay=30]',
		'[fault chunk-size=20000 chunk-pause=5]',
		'[fault status=500]',
		'[fault cut=body]',
		'[fault cut=headers]',
		'[fault answer=broken-base64]',
	] as const;

	interface Schedule {
		readonly prompt: string;
		readonly action: 'none' | 'kill' | 'cancel' | 'leave';
		/** Steps instead of time, so that a slow machine sees the same schedule. */
		readonly steps: number;
	}

	/** Asks for an image, and does something to it meanwhile. Returns its end. */
	async function play(entry: JobEntry, { action, steps }: Schedule): Promise<JobState> {
		const pid = await at.start(entry, { retry: 'never' });
		const following = follow(entry);
		for (let left = steps; left > 0; left -= 1) {
			await new Promise(setImmediate);
		}
		switch (action) {
			case 'kill':
				try {
					process.kill(pid, 'SIGKILL');
				} catch {
					// It was quicker.
				}
				break;
			case 'cancel':
				following.cancel();
				break;
			case 'leave':
				return follow(entry).end;
			case 'none':
		}
		return following.end;
	}

	test('random schedules lose nothing, deliver nothing twice and leave no process', async function () {
		const schedules = scaled(120);
		this.timeout(60_000 + schedules * 2000);
		const random = seeded(seed);
		const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
		const plan = Array.from({ length: schedules }, (): Schedule => {
			return {
				prompt: `a harbor ${pick(effects)}`,
				action: pick(['none', 'none', 'kill', 'cancel', 'leave']),
				// Most of them early, where nearly everything happens; some as late as it ends.
				steps: Math.floor(random() * (random() < 0.5 ? 400 : 4000)),
			};
		});
		const ends = { received: 0, interrupted: 0, cancelled: 0, failed: 0 };
		let damaged = 0;
		const entries: JobEntry[] = [];
		const next = plan.values();
		const playOn = async () => {
			for (const schedule of next) {
				const entry = await at.create(schedule.prompt);
				entries.push(entry);
				const end = await play(entry, schedule);
				assert.ok(['received', 'interrupted', 'cancelled', 'failed'].includes(end.state));
				ends[end.state as 'received'] += 1;
				if (end.state === 'received') {
					const { bytes } = await inspectImage(end.result.file);
					damaged += bytes === end.result.bytes ? 0 : 1;
				}
			}
		};
		await Promise.all(Array.from({ length: sideBySide }, playOn));
		const states = await Promise.all(entries.map(({ folder }) => readState(folder)));
		const received = states.flatMap((state) => (state.state === 'received' ? [state] : []));
		const answers = new Set(received.map(({ result }) => result.requestId));
		const accounts = states.filter(
			(state) =>
				state.state === 'received' ||
				('charge' in state && mayBeCharged(state.charge)) ||
				('failure' in state && mayBeCharged(state.failure.charge)),
		);
		const made = at.service.imagesMade;
		const lost = damaged + Math.max(0, made - accounts.length);
		const twice = received.length - answers.size;
		const orphans = (await living(entries)).length;
		await report('random workers', {
			...{ runs: schedules, lost, twice, orphans },
			note: `${made} made, ${received.length} whole in storage, ${JSON.stringify(ends)}`,
		});
		assert.deepEqual({ lost, twice, orphans }, { lost: 0, twice: 0, orphans: 0 });
		assert.ok(made >= received.length);
		assert.equal(at.service.requests.length <= schedules, true, 'no image is asked for twice');
	});
});

function mayBeCharged(charge: Charge): boolean {
	return charge === 'unknown' || charge === 'charged';
}
