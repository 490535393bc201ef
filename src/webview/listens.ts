/** `addEventListener` of an element that has events of its own, by their names. */
export type Listens<Events> = (<Name extends keyof Events>(
	type: Name,
	listener: (event: Events[Name]) => void,
	options?: boolean | AddEventListenerOptions,
) => void) &
	HTMLElement['addEventListener'];
