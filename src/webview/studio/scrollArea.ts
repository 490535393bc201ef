import { between } from '../geometry.js';

/** What is seen of a scrolled area, in pixels from the top of the window. */
export interface Seen {
	readonly top: number;
	readonly bottom: number;
}

/**
 * The part of the page that scrolls an element: its next ancestor that scrolls, or the page. It may
 * be another one after the layout has changed, so it is looked for each time.
 */
export function scrollAreaOf(element: Element): Element {
	for (let at = parentOf(element); at !== undefined; at = parentOf(at)) {
		if (at === document.body || at === document.documentElement) {
			break;
		}
		const { overflowY } = getComputedStyle(at);
		if (overflowY === 'auto' || overflowY === 'scroll') {
			return at;
		}
	}
	return document.scrollingElement ?? document.documentElement;
}

/** The ancestors of an element up to its scroll area: a change of their size may move it. */
export function ancestorsIn(area: Element, element: Element): Element[] {
	const all: Element[] = [];
	for (let at = parentOf(element); at !== undefined && at !== area; at = parentOf(at)) {
		all.push(at);
	}
	return all;
}

/** What sends the scroll events of an area. */
export function scrollTarget(area: Element): EventTarget {
	return isPage(area) ? document : area;
}

export function seenOf(area: Element): Seen {
	const { top, bottom } = isPage(area)
		? { top: 0, bottom: window.innerHeight }
		: area.getBoundingClientRect();
	return {
		top: between(0, top, window.innerHeight),
		bottom: between(0, bottom, window.innerHeight),
	};
}

/**
 * Scrolls an element's upper edge to that of what is seen.
 *
 * @param isWanted whether it should be scrolled by so many pixels, downwards where that is positive
 */
export function scrollToEdge(element: Element, isWanted: (by: number) => boolean): void {
	const area = scrollAreaOf(element);
	const by = element.getBoundingClientRect().top - seenOf(area).top;
	if (isWanted(by)) {
		area.scrollBy({ top: by, behavior: 'instant' });
	}
}

function isPage(area: Element): boolean {
	return area === document.scrollingElement || area === document.documentElement;
}

/** In the tree as it is drawn, out of shadow roots too. */
function parentOf(element: Element): Element | undefined {
	if (element.assignedSlot !== null) {
		return element.assignedSlot;
	}
	const { parentNode } = element;
	if (parentNode instanceof ShadowRoot) {
		return parentNode.host;
	}
	return parentNode instanceof Element ? parentNode : undefined;
}
