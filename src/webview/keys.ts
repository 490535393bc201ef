/** The workbench has its own meaning for keys with these, in the page too. */
export function hasModifier({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
	return ctrlKey || metaKey || altKey;
}
