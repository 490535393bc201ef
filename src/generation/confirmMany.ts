import { choose } from '../editor/messages.js';
import type { Preferences } from '../editor/preferences.js';
import { readSetting } from '../editor/settings.js';
import { readableDuration, typicalDuration } from '../jobs/expectation.js';
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
	if (sizes.length <= readSetting('service.confirmAbove')) {
		return true;
	}
	const count = sizes.length.toLocaleString('en-US');
	const [question, send] =
		sizes.length === 1
			? ['Send 1 request', 'Send 1 Request']
			: [`Send ${count} requests`, `Send ${count} Requests`];
	const detail = [
		'Each of them may be charged.',
		`Together they usually take about ${readableDuration(timeOf(sizes, preferences))}.`,
	];
	return (await choose(`${question} to the image service?`, detail, send)) === send;
}

/** How long images of these sizes usually take together, in milliseconds. */
function timeOf(sizes: readonly Size[], preferences: Preferences): number {
	const each = sizes.map((size) => typicalDuration(preferences.durations(size)));
	const sum = each.reduce((all, one) => all + one, 0);
	// Where they are fewer than may be made at a time, the slowest counts.
	return Math.max(sum / readSetting('service.concurrency'), ...each);
}
