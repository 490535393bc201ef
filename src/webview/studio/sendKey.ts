const isMac = /Mac/.test(navigator.userAgent);

/** What the key is called that sends what is written. */
export const sendKeyName = isMac ? '⌘Enter' : 'Ctrl+Enter';

/** Whether a key sends what is written; not while a composition goes on, whose window has the keys. */
export function isSendKey(event: KeyboardEvent): boolean {
	const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event;
	const hasModifier = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
	return key === 'Enter' && hasModifier && !altKey && !shiftKey && !isComposing;
}
