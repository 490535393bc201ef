/**
 * Says that a text is too long; `undefined` where it fits. What a person has written is not cut.
 *
 * @param most in UTF-16 code units
 */
export function tooLong(text: string, most: number): string | undefined {
	const more = text.length - most;
	if (more <= 0) {
		return undefined;
	}
	const characters = more === 1 ? '1 character' : `${more.toLocaleString('en-US')} characters`;
	return `Too long by ${characters}; not saved.`;
}
