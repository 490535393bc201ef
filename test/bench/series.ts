// Twenty images from a service that makes two at a time and answers 429 beyond: how long all of them
// take beside the schedule that could not be better, and how often an image is turned away.
import path from 'node:path';
import { Journal } from '../../src/jobs/journal.js';
import { defaultNetworkOptions } from '../../src/service/transport.js';
import { startImageService } from '../service/server.js';
import { bundledWorker, openWindow } from '../process/support.js';
import { requestOf } from '../unit/jobs/support.js';
import type { Run } from './bench.js';

const images = 20;
const servedAtOnce = 2;
/** A tenth of what an image takes, so that the bench does not take half an hour. */
const latencyMs = 10_000;
const key = 'bench-key';

export async function measure({ rounds, scratch, record }: Run): Promise<void> {
	for (let round = 0; round < rounds; round++) {
		const root = path.join(scratch, String(round));
		const { ms, maxTurnedAway } = await makeAll(root);
		record('asServed', ms, (images / servedAtOnce) * latencyMs);
		record('asServedTurnedAway', maxTurnedAway);
	}
}

async function makeAll(root: string): Promise<{ ms: number; maxTurnedAway: number }> {
	const service = await startImageService({
		key,
		latencyMs,
		concurrencyLimit: servedAtOnce,
		pictures: 'small',
	});
	const journal = new Journal(path.join(root, 'jobs'));
	const window = openWindow(root, journal);
	try {
		const script = await bundledWorker();
		const prompts = Array.from({ length: images }, (_, index) => `number ${String(index)}`);
		const startedAt = performance.now();
		const ends = await Promise.all(
			prompts.map(async (prompt) =>
				window.make(await journal.create(requestOf({ prompt })), {
					worker: script,
					limit: () => servedAtOnce,
					settings: () =>
						Promise.resolve({
							address: service.address,
							key,
							network: defaultNetworkOptions,
							timeoutMs: 600_000,
							retry: 'all',
						}),
				}),
			),
		);
		const ms = performance.now() - startedAt;
		const failed = ends.filter(({ state }) => state !== 'saved');
		if (failed.length > 0) {
			throw new Error(
				`${String(failed.length)} images were not made: ${JSON.stringify(failed[0])}`,
			);
		}
		const turnedAway = ends.map(
			({ attempts }) => attempts.filter(({ failure }) => failure?.status === 429).length,
		);
		return { ms, maxTurnedAway: Math.max(...turnedAway) };
	} finally {
		await window.close();
		await service.close();
	}
}
