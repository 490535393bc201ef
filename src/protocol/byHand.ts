// Checks of long lists: a page must not compile those of a schema, and without that thousands of
// things hold its first pictures up.
import * as z from 'zod/mini';

/** Whether it is a list of so many, each of which passes the test. */
export function isListOf(
	value: unknown,
	least: number,
	most: number,
	test: (one: unknown) => boolean,
): boolean {
	if (!Array.isArray(value) || value.length < least || value.length > most) {
		return false;
	}
	// Not `every`, which knows nothing of holes.
	for (const one of value as readonly unknown[]) {
		if (!test(one)) {
			return false;
		}
	}
	return true;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function hasOnly(value: object, fields: ReadonlySet<string>): boolean {
	return Object.keys(value).every((field) => fields.has(field));
}

export function isUuid(value: unknown): boolean {
	return typeof value === 'string' && uuid.test(value);
}

/** As `z.uuid` has it. */
const uuid = z.regexes.uuid();
