import { choose } from '../editor/messages.js';
import type { Preferences } from '../editor/preferences.js';
import { readSetting } from '../editor/settings.js';
import { timeTogether } from '../editor/expectation.js';
import type { Size } from '../service/contract.js';
import { labels, messages, phrases } from './messages.js';

/**
 * Whether so many images may be asked for at once: a person is asked where they are more than
 * `easel.service.confirmAbove` says.
 *
 * @param sizes those of the images
 * @throws {SettingError}
 */
export async function confirmMany(
	sizes: readonly Size[],
	preferences: Preferences,
): Promise<boolean> {
	if (sizes.length <= mostUnasked()) {
		return true;
	}
	const { length } = sizes;
	const send = labels.sendRequests(length);
	const detail = [
		messages.sendDetail(length),
		messages.sendTime(length, timeOf(sizes, preferences)),
	];
	return (await choose(messages.sendQuestion(length), detail, send)) === send;
}

/** How many images may be asked for at once without a question. */
export function mostUnasked(): number {
	return readSetting('service.confirmAbove');
}

/**
 * What asking for images costs in money and time: `7 paid requests · usually 8 to 12 minutes`.
 *
 * @param sizes those of the images, one at least
 */
export function costOf(sizes: readonly Size[], preferences: Preferences): string {
	return phrases.requestsTime(sizes.length, timeOf(sizes, preferences));
}

/** How long images of these sizes usually take together, in words. */
function timeOf(sizes: readonly Size[], preferences: Preferences): string {
	const known = new Map([...new Set(sizes)].map((size) => [size, preferences.durations(size)]));
	return timeTogether(
		sizes.map((size) => known.get(size) ?? []),
		readSetting('service.concurrency'),
	);
}
