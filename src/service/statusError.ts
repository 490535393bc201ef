import { STATUS_CODES } from 'node:http';
import { inWords } from '../easelError.js';
import { readErrorBody } from './answerReader.js';
import type { Elapsed } from './clock.js';
import { isRepeatableStatus, StatusError, type Charge } from './errors.js';
import { errorWords } from './errorWords.js';
import type { Answered, HttpAnswer } from './httpAnswer.js';
import { lateAfterMs } from './retry.js';
import { meaningOf, type Service } from './services.js';
import { serviceText } from './serviceText.js';

interface StatusContext {
	/** The address that was asked. */
	readonly url: URL;
	/** The service whose codes count; without it the status speaks alone. */
	readonly service?: Service | undefined;
	readonly secrets: readonly string[];
	readonly charge: Charge;
}

/**
 * Makes the error of an answer with a status other than 2xx, in the service's own words where it has
 * some (specification, "Errors"), but for the secrets that were sent.
 */
export async function statusError(
	response: HttpAnswer,
	{ status, requestId }: Answered,
	{ url, service, secrets, charge }: StatusContext,
): Promise<StatusError> {
	const timer = setTimeout(response.close, maxBodyMs);
	const value = await readErrorBody(response.body, response.headers['content-encoding']);
	clearTimeout(timer);
	const said = errorWords(value, secrets);
	// "Then the HTTP status text." What is no JSON is a gateway's page, or nothing.
	const words =
		said.message ??
		(serviceText(response.statusMessage, secrets) ||
			(STATUS_CODES[status] ?? `HTTP status ${String(status)}`));
	const { location } = response.headers;
	const isRedirect = status < 400 && location !== undefined;
	const target = isRedirect ? serviceText(placeOf(location, url), secrets, 200) : undefined;
	return new StatusError(
		target === undefined ? inWords(words) : { code: 'status.redirect', words, target },
		{
			...{ status, requestId, charge },
			retryAfterMs: retryAfterMs(response.headers['retry-after']),
			meaning: service && meaningOf(service, said),
		},
	);
}

/**
 * Returns what a status other than 2xx, so long after the start, says of the charge. A 5xx may come
 * from a gateway that gave up while the work went on, and a redirect says nothing. 429 is always a
 * refusal. The other repeatable statuses are refusals early on; late, they are as unclear as a 5xx.
 */
export function chargeOfStatus(status: number, { elapsedMs, jumpMs }: Elapsed): Charge {
	if (status >= 500 || status < 400) {
		return 'unknown';
	}
	const late = (elapsedMs >= lateAfterMs || jumpMs !== undefined) && status !== 429;
	return late && isRepeatableStatus(status) ? 'unknown' : 'rejected';
}

/** Time to wait for the body of an error, in milliseconds; then its status speaks. */
const maxBodyMs = 5_000;

/** Returns the target of a redirect, without what may stand in an address besides. */
function placeOf(location: string, from: URL): string {
	if (!URL.canParse(location, from.href)) {
		return location;
	}
	const { protocol, origin, pathname } = new URL(location, from);
	return /^https?:/.test(protocol) ? origin + pathname : location;
}

/**
 * Reads a `Retry-After` (RFC 9110, part 10.2.3), a number of seconds or a date, as milliseconds from
 * now, at least 0.
 */
export function retryAfterMs(value: string | undefined, now = Date.now()): number | undefined {
	const text = value?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(text)) {
		return Number(text) * 1000;
	}
	const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
