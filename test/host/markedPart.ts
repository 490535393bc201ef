/*
 * Services of the guide that a script writes, between `<!-- name -->` and `<!-- /name -->`.
 */

/** Returns the text between the marks of a part; `undefined` where the page has none. */
export function markedPart(page: string, name: string): string | undefined {
	const [begin, end] = marks(name);
	const from = page.indexOf(begin);
	const to = page.indexOf(end);
	return from < 0 || to < from ? undefined : page.slice(from + begin.length, to).trim();
}

/**
 * Returns the page with another text between the marks of a part.
 *
 * @throws {Error} where the page has no such marks
 */
export function withMarkedPart(page: string, name: string, text: string): string {
	const [begin, end] = marks(name);
	if (markedPart(page, name) === undefined) {
		throw new Error(`The page has no lines ${begin} and ${end}.`);
	}
	const before = page.slice(0, page.indexOf(begin) + begin.length);
	return `${before}\n\n${text}\n\n${page.slice(page.indexOf(end))}`;
}

function marks(name: string): [begin: string, end: string] {
	return [`<!-- ${name} -->`, `<!-- /${name} -->`];
}
