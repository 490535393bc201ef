import type { ReactiveControllerHost } from 'lit';

/**
 * Observes the size of an element while its host is in the document.
 *
 * @param element asked after every update of the host: it may be another one then, or none
 * @param onResize called for every element that is observed anew, too, like any `ResizeObserver`
 */
export function observeSize(
	host: ReactiveControllerHost,
	element: () => Element | null,
	onResize: ResizeObserverCallback,
): void {
	const observer = new ResizeObserver(onResize);
	let observed: Element | null = null;
	const observe = (now: Element | null) => {
		if (now !== observed) {
			observer.disconnect();
			observed = now;
			if (now !== null) {
				observer.observe(now);
			}
		}
	};
	host.addController({
		hostConnected: () => observe(element()),
		hostUpdated: () => observe(element()),
		hostDisconnected: () => observe(null),
	});
}
