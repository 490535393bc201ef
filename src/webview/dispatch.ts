/** Sends one of the events that `HTMLElementEventMap` names. It bubbles and leaves all shadow roots. */
export function dispatch<Name extends keyof HTMLElementEventMap>(
	from: EventTarget,
	name: Name,
	detail: HTMLElementEventMap[Name] extends CustomEvent<infer Detail> ? Detail : never,
): void {
	from.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}
