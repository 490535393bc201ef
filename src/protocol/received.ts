import * as z from 'zod/mini';

/** A message that was understood, or what is wrong with it; never the message itself. */
export type Received<T> =
	| { readonly success: true; readonly message: T }
	| { readonly success: false; readonly problem: string };

/** Checks what has been received from the other side. */
export function received<T>(schema: z.ZodMiniType<T>, data: unknown): Received<T> {
	const result = z.safeParse(schema, data);
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
