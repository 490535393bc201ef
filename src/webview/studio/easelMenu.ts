import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { query, state } from 'lit/decorators.js';
import { dispatch } from '../dispatch.js';
import { between, type Point } from '../geometry.js';
import { styles } from './easelMenu.styles.js';
import { pageStyles } from './page.styles.js';

export interface MenuItem {
	readonly id: string;
	readonly label: string;
	/** A codicon. */
	readonly icon?: string;
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

	/** Where the focus goes back to. */
	#from: HTMLElement | undefined;
	#dismissed = new AbortController();

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
		this.#from = from;
		await this.updateComplete;
		this.#dismissed.abort();
		this.#dismissed = new AbortController();
		this.menu.showPopover();
		this.#dismissWhereOthersDo(this.#dismissed.signal);
		const { width, height } = this.menu.getBoundingClientRect();
		const margin = 4;
		const x = between(margin, at.x, Math.max(margin, window.innerWidth - width - margin));
		const y = between(margin, at.y, Math.max(margin, window.innerHeight - height - margin));
		// A property: the page's policy allows no style attributes.
		this.menu.style.translate = `${x}px ${y}px`;
		this.#items[0]?.focus();
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#dismissed.abort();
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
									${icon === undefined ? nothing : html`<vscode-icon name=${icon}></vscode-icon>`}
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
		this.#close();
		dispatch(this, 'easel-menu-choose', id);
	}

	#close(): void {
		this.#dismissed.abort();
		this.#from?.focus({ preventScroll: true });
	}

	/**
	 * Closes the menu when the user turns to something else. A popover that does so by itself would
	 * take the release of the right button that has opened it for that.
	 */
	#dismissWhereOthersDo(signal: AbortSignal): void {
		signal.addEventListener('abort', () => this.menu.hidePopover());
		const dismiss = (event: Event) => {
			if (!event.composedPath().includes(this)) {
				this.#dismissed.abort();
			}
		};
		for (const type of ['pointerdown', 'wheel', 'resize', 'blur']) {
			window.addEventListener(type, dismiss, { signal, capture: true, passive: true });
		}
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		// Nothing of it is for what lies below the menu.
		event.stopPropagation();
		const items = this.#items;
		const index = items.findIndex((item) => item.matches(':focus'));
		const go = (to: number) => items.at(to % items.length)?.focus();
		switch (event.key) {
			case 'ArrowDown':
				go(index + 1);
				break;
			case 'ArrowUp':
				go(index - 1);
				break;
			case 'Home':
				go(0);
				break;
			case 'End':
				go(-1);
				break;
			case 'Escape':
			case 'Tab':
				this.#close();
				break;
			default:
				if (event.key.length > 1 || event.key === ' ' || !this.#goToLetter(event.key, index)) {
					return;
				}
		}
		event.preventDefault();
	};

	/** Moves to the next item that begins with it. */
	#goToLetter(letter: string, from: number): boolean {
		const items = this.#items;
		const ordered = [...items.slice(from + 1), ...items.slice(0, from + 1)];
		const found = ordered.find((item) =>
			item.textContent.trim().toLowerCase().startsWith(letter.toLowerCase()),
		);
		found?.focus();
		return found !== undefined;
	}
}

customElements.define('easel-menu', EaselMenu);

/** As in the workbench, what the pointer is on has the focus. */
function hover(event: PointerEvent): void {
	const item = event.currentTarget as HTMLElement;
	if (!item.matches(':focus')) {
		item.focus({ preventScroll: true });
	}
}
