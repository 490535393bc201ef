/** More than a tile shows, and as much as a screen reader should read of each one. */
const maxBeginningLength = 160;

/** Returns the first line of a prompt that has words, not more of it than is of use as a name. */
export function firstWords(prompt: string): string {
	// Not by dividing all of it: it may have a million characters, and there are many.
	const line = /\S[^\r\n]*/.exec(prompt.slice(0, 20_000))?.[0].trimEnd() ?? '';
	const characters = Array.from(line.slice(0, 2 * maxBeginningLength));
	const beginning = characters.slice(0, maxBeginningLength).join('');
	return beginning.length < line.length ? `${beginning}…` : line;
}

/** Returns a text of at most so many characters; one that is cut ends with `…`. */
export function ellipsized(text: string, longest: number): string {
	// A character has at most two code units.
	const characters = Array.from(text.slice(0, 2 * longest + 2));
	return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text;
}
