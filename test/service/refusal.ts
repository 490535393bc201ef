/** A request that the service answers with an error instead of an image. */
export class Refusal extends Error {
	override readonly name = 'Refusal' as const;

	constructor(
		readonly status: number,
		/** The JSON of the answer. */
		readonly body: Readonly<Record<string, unknown>>,
		readonly headers: Readonly<Record<string, string>> = {},
	) {
		super(`The request is answered with status ${status}.`);
	}
}

/** The answer to a malformed request (specification, "Errors", 400); the message names the field. */
export function badRequest(message: string): Refusal {
	return new Refusal(400, errorBody(message, 'invalid_request_error', 'invalid_request'));
}

/** The declared error response (specification, "Error response"). */
export function errorBody(message: string, type: string, code: string): Record<string, unknown> {
	return { error: { message, type, code } };
}

/** The form of the specification's insufficient-quota sample: a message at the top level. */
export function quotaBody(message = 'Insufficient quota: top up the account.') {
	return { message };
}
