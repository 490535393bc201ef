import { html, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';

/** Cells that are drawn together, or not at all where it is far from what is seen. */
export interface Page {
	/** Stays the same while others come and go. */
	readonly key: string;
	/** About how high it is before it was drawn, in CSS pixels. */
	readonly height: number;
	/** The ids of what it has for the tab stop, in order. */
	readonly ids: readonly string[];
}

interface Drawing<P extends Page> {
	/** The cell with the tab stop: its page is drawn wherever it is. */
	readonly active: string | undefined;
	/**
	 * Returns the inputs that a page is drawn from, beside itself: where all of it is the same, it
	 * is not drawn anew.
	 */
	readonly inputsOf: (page: P) => readonly unknown[];
	/** @param active the cell with the tab stop, where it is on this page */
	readonly draw: (page: P, active: string | undefined) => TemplateResult;
}

/** Draws those pages of a scrolled element that are near what is seen of it. */
export class VisiblePages implements ReactiveController {
	#near: ReadonlySet<string> = new Set();
	/** Heights of pages when they were last drawn, in CSS pixels. */
	readonly #heights = new Map<string, number>();
	readonly #observer: IntersectionObserver;

	constructor(private readonly host: LitElement) {
		this.#observer = new IntersectionObserver((entries) => this.#onSeen(entries), {
			root: host,
			rootMargin: '100% 0px',
		});
		host.addController(this);
	}

	hostUpdated(): void {
		for (const page of this.host.querySelectorAll('.page')) {
			// Those that are observed already stay so; one that goes is seen to go.
			this.#observer.observe(page);
		}
	}

	hostDisconnected(): void {
		this.#observer.disconnect();
	}

	render<P extends Page>(pages: readonly P[], drawing: Drawing<P>): unknown {
		return repeat(
			pages,
			({ key }) => key,
			(page, index) => this.#page(page, index, drawing),
		);
	}

	#page<P extends Page>(
		page: P,
		index: number,
		{ active, inputsOf, draw }: Drawing<P>,
	): TemplateResult {
		const own = active !== undefined && page.ids.includes(active) ? active : undefined;
		// The first one is drawn at once, before anything can be observed.
		const isDrawn =
			own !== undefined || this.#near.has(page.key) || (this.#near.size === 0 && index === 0);
		const height = this.#heights.get(page.key) ?? page.height;
		return html`<div
			class="page"
			role="presentation"
			data-page=${page.key}
			.style=${isDrawn ? '' : `height: ${String(height)}px`}
		>
			${guard(isDrawn ? [page, own, ...inputsOf(page)] : [page.key], () =>
				isDrawn ? draw(page, own) : '',
			)}
		</div>`;
	}

	#onSeen(entries: readonly IntersectionObserverEntry[]): void {
		const near = new Set(this.#near);
		for (const { target, isIntersecting, boundingClientRect } of entries) {
			const key = (target as HTMLElement).dataset['page']!;
			if (isIntersecting) {
				near.add(key);
			} else if (near.delete(key) && target.isConnected) {
				this.#heights.set(key, boundingClientRect.height);
			}
		}
		this.#near = near;
		this.host.requestUpdate();
	}
}
