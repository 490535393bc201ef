import type { Job } from '../../protocol/studio.js';
import { beginningOf, shortened } from './prompts.js';
import type { Announcement } from './events.js';

/** As much of a prompt as it takes to know which one is meant. */
const longestName = 60;

/**
 * What a person who does not see the cards is told when they change: what is new of them, and not
 * the time that passes.
 */
export function announcementsOf(before: readonly Job[], now: readonly Job[]): Announcement[] {
	const known = new Map(before.map((job) => [job.id, job]));
	return now.flatMap((job) => {
		const last = known.get(job.id);
		return last?.state === job.state && last.announcement === job.announcement
			? []
			: [{ text: `${nameOf(job.prompt)}: ${job.announcement}`, urgent: job.state !== 'running' }];
	});
}

/** An image by the beginning of its prompt. */
export function nameOf(prompt: string): string {
	return shortened(beginningOf(prompt), longestName);
}
