import { STATUS_CODES, type IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { BoundedJson, jsonTokens, mostBytes, partsOf } from './boundedJson.js';
import { errorResponseSchema } from './contract.js';
import { isRepeatableStatus, StatusError, type Charge } from './errors.js';
import { decodedBody, type Answered } from './httpAnswer.js';
import { lateAfterMs } from './retry.js';
import { serviceText } from './serviceText.js';

/**
 * Makes the error of an answer with a status other than 200, in the service's own words where it
 * has some (specification, "Errors").
 *
 * @param url what was asked
 * @param secrets what was sent and may be repeated
 * @param elapsedMs from the start of the attempt to this answer, in milliseconds
 */
export async function statusError(
	response: IncomingMessage,
	{ status, requestId }: Answered,
	{ url, secrets, elapsedMs }: { url: URL; secrets: readonly string[]; elapsedMs: number },
): Promise<StatusError> {
	const value = await errorValue(decodedBody(response));
	const { data } = errorResponseSchema.safeParse(value);
	const { error } = data ?? {};
	const words = (text: string | null | undefined) => serviceText(text ?? '', secrets);
	// "A client reads `error.message` first, then `message`, then the HTTP status text." What is no
	// JSON is a gateway's page, or nothing.
	const message =
		words(error?.message) ||
		words(data?.message) ||
		words(response.statusMessage) ||
		STATUS_CODES[status] ||
		`HTTP status ${String(status)}`;
	const leadsTo = status < 400 ? placeOf(response.headers.location, url) : undefined;
	const redirect =
		leadsTo === undefined
			? ''
			: ` (a redirect to ${serviceText(leadsTo, secrets, 200)}, which Easel does not follow; check the service address)`;
	return new StatusError(message + redirect, {
		status,
		requestId,
		type: words(error?.type) || undefined,
		code: words(error?.code?.toString()) || undefined,
		charge: chargeOfStatus(status, elapsedMs),
		retryAfterMs: retryAfterMs(response.headers['retry-after']),
	});
}

/**
 * A 5xx may come from a gateway that gave up while the work went on. 429 is always a refusal. The
 * other repeatable statuses are refusals when they come early; when they come late, they are as
 * unclear as a 5xx.
 */
function chargeOfStatus(status: number, elapsedMs: number): Charge {
	if (status >= 500) {
		return 'unknown';
	}
	const late = elapsedMs >= lateAfterMs && status !== 429;
	return late && isRepeatableStatus(status) ? 'unknown' : 'rejected';
}

/** Where a redirect leads, without what may stand in an address besides. */
function placeOf(location: string | undefined, from: URL): string | undefined {
	if (location === undefined || !URL.canParse(location, from.href)) {
		return location;
	}
	const { protocol, origin, pathname } = new URL(location, from);
	return /^https?:/.test(protocol) ? origin + pathname : location;
}

/** What the body of an error says, as far as it is JSON and no more than an answer may have. */
async function errorValue(body: AsyncIterable<Uint8Array>): Promise<unknown> {
	const decoder = new StringDecoder();
	const tokens = jsonTokens();
	const json = new BoundedJson();
	const take = (text: string) => {
		for (const part of partsOf(text, () => json.isInText)) {
			for (const token of tokens(part)) {
				json.take(token);
			}
		}
	};
	try {
		let bytes = 0;
		for await (const piece of body) {
			bytes += piece.byteLength;
			if (bytes > mostBytes) {
				break;
			}
			take(decoder.write(Buffer.from(piece)));
		}
	} catch {
		// The status is known already; what breaks off, or is no JSON, only costs words.
	}
	json.close();
	return json.value;
}

/**
 * Reads a `Retry-After` (RFC 9110, part 10.2.3): a number of seconds, or a date.
 *
 * @param now wall-clock time, in milliseconds since 1970
 * @returns milliseconds from now, at least 0; `undefined` where it is neither
 */
export function retryAfterMs(value: string | undefined, now = Date.now()): number | undefined {
	const text = value?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(text)) {
		return Number(text) * 1000;
	}
	const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
