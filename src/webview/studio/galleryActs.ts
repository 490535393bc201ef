import type { LitElement } from 'lit';
import type { Image } from '../../protocol/studio.js';
import { copyImage } from './copyImage.js';
import type { EaselMenu } from './easelMenu.js';
import { ask } from './events.js';
import { actsOn, menuOf, type Act } from './imageActions.js';
import type { Result } from './result.js';

/** What the gallery gives to what is done in it. */
export interface Acting {
	image(id: string): Image | undefined;
	menu(): EaselMenu;
	/** Has another image chosen to be compared with this one. */
	compare(id: string): void;
}

/** What a person does with one image of the gallery, by key, button or menu. */
export class GalleryActs {
	/** What has come of what the page did itself, until something else is done. */
	result: (Result & { readonly id: string }) | undefined;

	/** What to do with the item of the menu that is chosen. */
	#chosen: (act: Act) => void = () => undefined;

	constructor(
		private readonly host: LitElement,
		private readonly acting: Acting,
	) {}

	act(id: string, act: Act): void {
		switch (act) {
			case 'compare':
				this.acting.compare(id);
				break;
			case 'copyImage':
				void this.#copy(id);
				break;
			default:
				ask(this.host, { type: 'image', id, action: act });
		}
	}

	/** Something else is done. */
	forgetResult(): void {
		this.#setResult(undefined);
	}

	/** Opens the menu with what had no room in the view of an image. */
	openMore(id: string, { acts, button }: HTMLElementEventMap['easel-detail-more']['detail']): void {
		const { left, bottom } = button.getBoundingClientRect();
		this.#chosen = (act) => this.act(id, act);
		void this.acting.menu().open('More', menuOf(acts), { x: left, y: bottom + 2 }, button);
	}

	/** Opens the menu of a tile. */
	readonly openMenu = ({ detail }: HTMLElementEventMap['easel-grid-menu']): void => {
		const { id, at, tile } = detail;
		const image = this.acting.image(id);
		if (image !== undefined) {
			this.#chosen = (act) => this.act(id, act);
			void this.acting.menu().open(image.name, menuOf(actsOn(image)), at, tile);
		}
	};

	/** An item of the menu that was opened last. */
	readonly onChosen = ({ detail }: CustomEvent<string>): void => {
		this.#chosen(detail as Act);
	};

	async #copy(id: string): Promise<void> {
		const source = this.acting.image(id)?.source;
		this.forgetResult();
		if (source === undefined) {
			return;
		}
		try {
			await copyImage(source);
			this.#setResult({ id, text: 'Image copied.', failed: false });
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			this.#setResult({ id, text: `The image could not be copied: ${reason}`, failed: true });
		}
	}

	#setResult(result: GalleryActs['result']): void {
		this.result = result;
		this.host.requestUpdate();
	}
}
