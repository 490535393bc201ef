/** Keys in a field are for what stands in it. */
export function isWriting(event: Event): boolean {
	const [target] = event.composedPath();
	return (
		target instanceof HTMLInputElement ||
		target instanceof HTMLTextAreaElement ||
		target instanceof HTMLSelectElement
	);
}

/** The workbench has its own meaning for keys with these, in the page too. */
export function hasModifier({
	ctrlKey,
	metaKey,
	altKey,
}: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>): boolean {
	return ctrlKey || metaKey || altKey;
}

/** True where the keys are those of a Mac. */
export const isMac = /Mac/.test(navigator.userAgent);

/** Returns whether a key sends the prompt; not while a composition goes on, whose window has the keys. */
export function isSendKey(event: KeyboardEvent): boolean {
	const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event;
	const isModified = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
	return key === 'Enter' && isModified && !altKey && !shiftKey && !isComposing;
}

/** A button that is held down does not do again what it does: it may be paid for. */
export function onHeldKey(event: KeyboardEvent): void {
	const [target] = event.composedPath();
	if (event.repeat && event.key === 'Enter' && target instanceof HTMLButtonElement) {
		event.preventDefault();
	}
}
