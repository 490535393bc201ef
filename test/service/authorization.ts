import type { IncomingHttpHeaders } from 'node:http';
import { errorBody, quotaBody, Refusal } from './refusal.js';

/** An API key that the service knows. */
export interface AcceptedKey {
	readonly key: string;
	/** A key whose account has nothing left is answered 402. */
	readonly quota?: 'insufficient';
}

/**
 * Checks the bearer token (specification, "Authentication").
 *
 * @throws {Refusal} 401 where it is missing or unknown, 402 where its quota is used up
 */
export function checkAuthorization(
	headers: IncomingHttpHeaders,
	keys: readonly AcceptedKey[],
): void {
	const found = findKey(headers.authorization, keys);
	if (found === undefined) {
		const what = headers.authorization === undefined ? 'missing' : 'invalid';
		throw new Refusal(
			401,
			errorBody(`The API key is ${what}.`, 'authentication_error', 'invalid_api_key'),
			{ 'www-authenticate': 'Bearer' },
		);
	}
	if (found.quota === 'insufficient') {
		throw new Refusal(402, quotaBody());
	}
}

/** The headers as they may be recorded: nothing of a key is left in them. */
export function recordedHeaders(
	headers: IncomingHttpHeaders,
	keys: readonly AcceptedKey[],
): Record<string, string> {
	const recorded: Record<string, string> = {};
	for (const [name, value] of Object.entries(headers)) {
		recorded[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
	}
	if (headers.authorization !== undefined) {
		recorded.authorization = findKey(headers.authorization, keys) ? 'bearer ok' : 'invalid';
	}
	return recorded;
}

function findKey(
	authorization: string | undefined,
	keys: readonly AcceptedKey[],
): AcceptedKey | undefined {
	const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
	return keys.find(({ key }) => key === token);
}
