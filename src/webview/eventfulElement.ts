import { LitElement } from 'lit';

/** An element with events of its own, which are named in `Events`. */
export abstract class EventfulElement<
	Events extends Record<keyof Events, CustomEvent>,
> extends LitElement {
	declare addEventListener: Listens<Events>;

	/** Tells who listens to this element, and with `bubbles` and `composed` whoever is around it. */
	protected send<Name extends keyof Events & string>(
		name: Name,
		detail: Events[Name]['detail'],
		init: EventInit = {},
	): void {
		this.dispatchEvent(new CustomEvent(name, { detail, ...init }));
	}
}

type Listens<Events> = (<Name extends keyof Events>(
	type: Name,
	listener: (event: Events[Name]) => void,
	options?: boolean | AddEventListenerOptions,
) => void) &
	HTMLElement['addEventListener'];
