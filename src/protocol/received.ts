import type * as z from 'zod/mini';

/** A message that was understood, or what is wrong with it; never the message itself. */
export type Received<T> =
	| { readonly success: true; readonly message: T }
	| { readonly success: false; readonly problem: string };

/** Makes of what a schema has found what the receiver of a message wants to know. */
export function received<T>(result: z.core.util.SafeParseResult<T>): Received<T> {
	if (result.success) {
		return { success: true, message: result.data };
	}
	// Codes and the paths of our own fields: what a stranger wrote stays out.
	const issues = result.error.issues.slice(0, 5);
	return {
		success: false,
		problem: issues.map(({ code, path }) => [path.join('.'), code].join(' ').trim()).join(', '),
	};
}
