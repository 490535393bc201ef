import type { IncomingHttpHeaders } from 'node:http';
import type { Manner } from './manners.js';

/** An API key that the service knows. */
export interface AcceptedKey {
	readonly key: string;
	/** A key whose account has nothing left is refused. */
	readonly quota?: 'insufficient';
}

/**
 * Checks the key in its header (specification, "Authentication").
 *
 * @throws {Refusal} where it is missing or unknown, or its quota is used up
 */
export function checkAuthorization(
	headers: IncomingHttpHeaders,
	keys: readonly AcceptedKey[],
	{ keyHeader, isOpen, wrongKey, noMoney }: Manner,
): void {
	if (isOpen === true) {
		return;
	}
	const sent = headers[keyHeader] as string | undefined;
	const token = keyHeader === 'authorization' ? bearerOf(sent) : sent;
	const found = keys.find(({ key }) => key === token);
	if (found === undefined) {
		throw wrongKey(sent === undefined ? 'missing' : 'invalid');
	}
	if (found.quota === 'insufficient') {
		throw noMoney();
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
	const isKnown = (token: string | undefined) => keys.some(({ key }) => key === token);
	const { authorization, 'api-key': key } = headers;
	if (authorization !== undefined) {
		recorded.authorization = isKnown(bearerOf(authorization)) ? 'bearer ok' : 'invalid';
	}
	if (key !== undefined) {
		recorded['api-key'] = isKnown(String(key)) ? 'ok' : 'invalid';
	}
	return recorded;
}

function bearerOf(authorization = ''): string | undefined {
	return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}
