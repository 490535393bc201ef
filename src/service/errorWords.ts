import { textStart, withExcerpts } from './jsonOutline.js';
import { serviceText } from './serviceText.js';

/** Fields of an error's text, in the order in which they are looked for, in gateways and servers. */
const textFields = ['message', 'msg', 'detail', 'error', 'errors', 'title', 'reason'];

/** Fields within one another in which a text is looked for. */
const maxLevels = 4;

/**
 * Returns an error's text and code from its body, without the secrets that were sent:
 * "`error.message` first, then `message`" (specification, "Errors"), then the first text of the
 * forms in which gateways and other servers answer.
 */
export function errorWords(
	value: unknown,
	secrets: readonly string[],
): { readonly message: string | undefined; readonly code: string | undefined } {
	const clean = (text: string) => serviceText(text, secrets) || undefined;
	const body = withExcerpts(value);
	const fields = fieldsOf(Array.isArray(body) ? body[0] : body);
	const error = fieldsOf(fields['error']);
	const message = firstText(error['message'], 0, clean) ?? firstText(body, maxLevels, clean);
	// A gateway's own text may stand before that of the service behind it, as OpenRouter's does.
	const cause = firstText(fieldsOf(error['metadata'])['raw'], maxLevels, clean);
	const codes = [error['code'], fields['error_code'], fields['code'], error['type']];
	const code = codes.find((each) => typeof each === 'string' || typeof each === 'number');
	return {
		message: [...new Set([message, cause])].filter(Boolean).join(': ') || undefined,
		code: clean(code?.toString() ?? ''),
	};
}

/** @param levels that may follow below `value`; a list counts as its items */
function firstText(
	value: unknown,
	levels: number,
	clean: (text: string) => string | undefined,
	isUnpacked = false,
): string | undefined {
	for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
		const fields = fieldsOf(item);
		const text = textStart(item);
		const found =
			text === undefined
				? first(levels > 0 ? textFields : [], (name) =>
						firstText(fields[name], levels - 1, clean, isUnpacked),
					)
				: ((isUnpacked ? undefined : firstText(unpacked(text), maxLevels, clean, true)) ??
					clean(text));
		if (found !== undefined) {
			return found;
		}
	}
	return undefined;
}

function first<From, To>(
	all: readonly From[],
	find: (one: From) => To | undefined,
): To | undefined {
	for (const one of all) {
		const found = find(one);
		if (found !== undefined) {
			return found;
		}
	}
	return undefined;
}

/** Returns the object or list that a text has as JSON, if it does. */
function unpacked(text: string): unknown {
	try {
		return /^\s*[{[]/.test(text) ? JSON.parse(text) : undefined;
	} catch {
		return undefined;
	}
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Record<string, unknown>)
		: {};
}
