import { choose } from '../editor/messages.js';
import type { Preferences } from '../editor/preferences.js';
import { readSetting } from '../editor/settings.js';
import { timeTogether } from '../editor/expectation.js';
import type { Size } from '../service/contract.js';

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
	const count = sizes.length.toLocaleString('en-US');
	const time = timeOf(sizes, preferences);
	const [question, send, ...detail] =
		sizes.length === 1
			? ([
					'Send 1 request',
					'Send 1 Request',
					'It may be charged.',
					`It usually takes ${time}.`,
				] as const)
			: ([
					`Send ${count} requests`,
					`Send ${count} Requests`,
					'Each of them may be charged.',
					`Together they usually take ${time}.`,
				] as const);
	return (await choose(`${question} to the image service?`, detail, send)) === send;
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
	const requests = `${sizes.length.toLocaleString('en-US')} paid request${sizes.length === 1 ? '' : 's'}`;
	return `${requests} · usually ${timeOf(sizes, preferences)}`;
}

/** How long images of these sizes usually take together, in words. */
function timeOf(sizes: readonly Size[], preferences: Preferences): string {
	const known = new Map([...new Set(sizes)].map((size) => [size, preferences.durations(size)]));
	return timeTogether(
		sizes.map((size) => known.get(size) ?? []),
		readSetting('service.concurrency'),
	);
}
