/**
 * Returns the item of a list that a key leads to: its neighbors by arrows, around the ends, both ends,
 * and the next one that begins with a letter. `undefined` for any other key.
 *
 * @param from the item that has the focus now; -1 where none has
 */
export function itemForKey(
	key: string,
	texts: readonly string[],
	from: number,
): number | undefined {
	const { length } = texts;
	if (length === 0) {
		return undefined;
	}
	switch (key) {
		case 'ArrowDown':
			return (from + 1) % length;
		case 'ArrowUp':
			return (Math.max(from, 0) - 1 + length) % length;
		case 'Home':
			return 0;
		case 'End':
			return length - 1;
		default:
			return key.length > 1 || key === ' ' ? undefined : itemForLetter(key, texts, from);
	}
}

function itemForLetter(letter: string, texts: readonly string[], from: number): number | undefined {
	const begins = (index: number) =>
		texts[index]!.trim().toLowerCase().startsWith(letter.toLowerCase());
	const after = Array.from(texts, (_, step) => (from + 1 + step) % texts.length);
	return after.find(begins);
}
