import { html, nothing, type TemplateResult } from 'lit';
import { query, state } from 'lit/decorators.js';
import { codicon, type IconName } from '../codicon.js';
import { withinWindow, type Point } from '../geometry.js';
import { PageElement } from '../pageElement.js';
import { itemForKey } from './listKeys.js';

export interface MenuItem {
	readonly label: string;
	readonly icon: IconName;
	/** Is called when the menu is closed, and the focus is where it was. */
	readonly run: () => void;
}

export interface Menu {
	/** Name for screen readers. */
	readonly name: string;
	/** With lines between them; none of them is empty. */
	readonly groups: readonly (readonly MenuItem[])[];
}

/**
 * Opens the menu of the page.
 *
 * @param from gets the focus back when it is closed by a key or a choice
 * @param at in pixels of the window: its upper left corner, as far as there is room
 */
export function openMenu(from: HTMLElement, at: Point, menu: Menu): void {
	void document.querySelector<EaselMenu>('easel-menu')!.open(from, at, menu);
}

/** Opens it below the button that was clicked, as far as there is room. */
export function openMenuBelow(event: Event, menu: Menu): void {
	const button = event.currentTarget as HTMLElement;
	const { left, bottom } = button.getBoundingClientRect();
	openMenu(button, { x: left, y: bottom + 2 }, menu);
}

/**
 * The menu of the page, as the workbench has its own, until the user turns to something else. A popover
 * that closes by itself would take the release of the right button that has opened it for that.
 */
export class EaselMenu extends PageElement {
	@state() private accessor menu: Menu = { name: '', groups: [] };
	@query('.menu') private accessor list!: HTMLElement;

	/** Element that the focus goes back to. */
	#from: HTMLElement | undefined;
	#opened = new AbortController();

	async open(from: HTMLElement, at: Point, menu: Menu): Promise<void> {
		this.#opened.abort();
		this.menu = menu;
		await this.updateComplete;
		const { list } = this;
		this.#from = from;
		this.#opened = new AbortController();
		const { signal } = this.#opened;
		list.showPopover();
		signal.addEventListener('abort', () => list.hidePopover());
		for (const type of ['pointerdown', 'wheel', 'resize', 'blur', 'focusin']) {
			window.addEventListener(type, this.#onElsewhere, { signal, capture: true, passive: true });
		}
		const { innerWidth: width, innerHeight: height } = window;
		const { x, y } = withinWindow(at, list.getBoundingClientRect(), { width, height });
		// A property: the page's policy allows no style attributes.
		list.style.translate = `${x}px ${y}px`;
		this.#items[0]?.focus();
	}

	/** Closes it and gives the focus back. */
	#close(): void {
		this.#opened.abort();
		this.#from?.focus({ preventScroll: true });
	}

	readonly #onElsewhere = (event: Event): void => {
		const isOwn = event.composedPath().includes(this);
		// What loses the focus when it is opened says so here as well as the window.
		const isElement = event.type === 'blur' && event.target !== window;
		if (!isOwn && !isElement) {
			this.#opened.abort();
		}
	};

	protected override render(): TemplateResult {
		const { name, groups } = this.menu;
		return html`
			<div
				class="menu"
				role="menu"
				popover="manual"
				aria-label=${name}
				@keydown=${this.#onKey}
				@contextmenu=${(event: Event) => event.preventDefault()}
			>
				${groups.map(
					(group, index) => html`
						${index > 0 ? html`<div class="separator" role="separator"></div>` : nothing}
						${group.map(
							({ label, icon, run }) => html`
								<button
									class="plain"
									role="menuitem"
									tabindex="-1"
									@click=${() => {
										this.#close();
										run();
									}}
									@pointermove=${hover}
								>
									${codicon(icon)}
									<span>${label}</span>
								</button>
							`,
						)}
					`,
				)}
			</div>
		`;
	}

	get #items(): HTMLElement[] {
		return [...this.list.querySelectorAll<HTMLElement>('[role="menuitem"]')];
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		// Nothing of it is for what lies below the menu.
		event.stopPropagation();
		if (event.key === 'Escape' || event.key === 'Tab') {
			event.preventDefault();
			this.#close();
			return;
		}
		const items = this.#items;
		const to = itemForKey(
			event.key,
			items.map(({ textContent }) => textContent),
			items.findIndex((item) => item === document.activeElement),
		);
		if (to !== undefined) {
			event.preventDefault();
			items[to]?.focus();
		}
	};
}

customElements.define('easel-menu', EaselMenu);

/** As in the workbench, what the pointer is on has the focus. */
function hover(event: PointerEvent): void {
	const item = event.currentTarget as HTMLElement;
	if (item !== document.activeElement) {
		item.focus({ preventScroll: true });
	}
}
