import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { query, state } from 'lit/decorators.js';
import { codicon, type IconName } from '../codicon.js';
import { dispatch } from '../dispatch.js';
import type { Point } from '../geometry.js';
import { styles } from './easelMenu.styles.js';
import { itemForKey } from './listKeys.js';
import { pageStyles } from './page.styles.js';
import { Popup, withinWindow } from './popup.js';

export interface MenuItem {
	readonly id: string;
	readonly label: string;
	/** A codicon. */
	readonly icon?: IconName;
}

declare global {
	interface HTMLElementEventMap {
		/** The `id` of the item. The menu is closed and the focus back where it was. */
		'easel-menu-choose': CustomEvent<string>;
	}
}

/**
 * A menu as the workbench has it. `vscode-context-menu` has no roles, and its items cannot be
 * reached by a screen reader.
 */
export class EaselMenu extends LitElement {
	static override readonly styles = [pageStyles, styles];

	/** In groups, with lines between them. */
	@state() private accessor groups: readonly (readonly MenuItem[])[] = [];
	@state() private accessor name = '';

	@query('.menu') private accessor menu!: HTMLElement;

	readonly #popup = new Popup(this, { element: () => this.menu });

	/**
	 * @param at in pixels of the window: where its upper left corner is, as far as there is room
	 * @param from what has the focus when it is closed by a key or a choice
	 */
	async open(
		name: string,
		groups: readonly (readonly MenuItem[])[],
		at: Point,
		from: HTMLElement,
	): Promise<void> {
		this.name = name;
		this.groups = groups;
		await this.updateComplete;
		this.#popup.open((size, window) => withinWindow(at, size, window), from);
		this.#items[0]?.focus();
	}

	protected override render(): TemplateResult {
		return html`
			<div
				class="menu"
				role="menu"
				popover="manual"
				aria-label=${this.name}
				@keydown=${this.#onKey}
				@contextmenu=${(event: Event) => event.preventDefault()}
			>
				${this.groups.map(
					(group, index) => html`
						${index > 0 ? html`<div class="line" role="separator"></div>` : nothing}
						${group.map(
							({ id, label, icon }) => html`
								<button
									role="menuitem"
									tabindex="-1"
									@click=${() => this.#choose(id)}
									@pointermove=${hover}
								>
									${icon === undefined ? nothing : html`${codicon(icon)}`}
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
		return [...this.menu.querySelectorAll<HTMLElement>('[role="menuitem"]')];
	}

	#choose(id: string): void {
		this.#popup.close();
		dispatch(this, 'easel-menu-choose', id);
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		// Nothing of it is for what lies below the menu.
		event.stopPropagation();
		if (event.key === 'Escape' || event.key === 'Tab') {
			event.preventDefault();
			this.#popup.close();
			return;
		}
		const items = this.#items;
		const texts = items.map(({ textContent }) => textContent);
		const to = itemForKey(
			event.key,
			texts,
			items.findIndex((item) => item.matches(':focus')),
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
	if (!item.matches(':focus')) {
		item.focus({ preventScroll: true });
	}
}
