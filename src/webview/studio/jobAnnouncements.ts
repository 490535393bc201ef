import type { Job } from '../../protocol/studioModel.js';
import { firstWords, ellipsized } from './prompts.js';

/** A text for screen readers. */
export interface Announcement {
	readonly text: string;
	/** True where it interrupts what is being read: errors do. */
	readonly urgent: boolean;
}

/** As much of a prompt as it takes to know which one is meant. */
const maxNameLength = 60;

/**
 * Returns what a screen reader announces when tiles change: what is new of them, and not the time
 * that passes. What is the same for several of a prompt is said once.
 */
export function announcementsOf(before: readonly Job[], now: readonly Job[]): Announcement[] {
	const known = new Map(before.map((job) => [job.id, job]));
	const news = now.filter(({ id, state, announcement }) => {
		const last = known.get(id);
		return last?.state !== state || last.announcement !== announcement;
	});
	const same = Map.groupBy(news, ({ prompt, state, announcement }) =>
		JSON.stringify([prompt, state, announcement]),
	);
	return [...same.values()].map((jobs) => {
		const { prompt, state, announcement } = jobs[0]!;
		const labels = jobs.map(({ label }) => label).join(', ');
		return {
			text: `${labels}, ${promptName(prompt)}: ${announcement}`,
			urgent: state !== 'running',
		};
	});
}

/** An image by the beginning of its prompt. */
export function promptName(prompt: string): string {
	return ellipsized(firstWords(prompt), maxNameLength);
}
