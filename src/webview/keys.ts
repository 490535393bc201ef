/** Keys in a field are for what stands in it. */
export function isWriting(event: Event): boolean {
	const [target] = event.composedPath();
	return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

/** The workbench has its own meaning for keys with these, in the page too. */
export function hasModifier({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
	return ctrlKey || metaKey || altKey;
}
