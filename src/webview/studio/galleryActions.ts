import type { LitElement } from 'lit';
import type { Image } from '../../protocol/studio.js';
import { copyImage } from './copyImage.js';
import type { EaselMenu } from './easelMenu.js';
import { ask } from './events.js';
import { actionsFor, menuOf, type GalleryAction } from './imageActions.js';
import type { Result } from './result.js';
import { labels, messages } from '../messages.js';

/** What the gallery gives to what is done in it. */
interface Options {
	image(id: string): Image | undefined;
	menu(): EaselMenu;
	/** Has another image chosen to be compared with this one. */
	compare(id: string): void;
}

/** What a person does with one image of the gallery, by key, button or menu. */
export class GalleryActions {
	/** What has come of what the page did itself, until something else is done. */
	result: (Result & { readonly id: string }) | undefined;

	/** What to do with the item of the menu that is chosen. */
	#chosen: (action: GalleryAction) => void = () => undefined;

	constructor(
		private readonly host: LitElement,
		private readonly options: Options,
	) {}

	run(id: string, action: GalleryAction): void {
		if (action === 'compare') {
			this.options.compare(id);
		} else if (action === 'copyImage') {
			void this.#copy(id);
		} else if (action === 'keep' || action === 'unkeep') {
			ask(this.host, { type: 'markImage', id, kept: action === 'keep' });
		} else {
			ask(this.host, { type: 'image', id, action });
		}
	}

	/** Something else is done. */
	forgetResult(): void {
		this.#setResult(undefined);
	}

	/** Opens the menu with what had no room in the view of an image. */
	openMore(
		id: string,
		{ actions, button }: HTMLElementEventMap['easel-detail-more']['detail'],
	): void {
		const { left, bottom } = button.getBoundingClientRect();
		this.#chosen = (action) => this.run(id, action);
		void this.options.menu().open(labels.more, menuOf(actions), { x: left, y: bottom + 2 }, button);
	}

	/** Opens the menu of a tile. */
	readonly openMenu = ({ detail }: HTMLElementEventMap['easel-grid-menu']): void => {
		const { id, at, tile } = detail;
		const image = this.options.image(id);
		if (image !== undefined) {
			this.#chosen = (action) => this.run(id, action);
			void this.options.menu().open(image.name, menuOf(actionsFor(image)), at, tile);
		}
	};

	/** An item of the menu that was opened last. */
	readonly onChosen = ({ detail }: CustomEvent<string>): void => {
		this.#chosen(detail as GalleryAction);
	};

	async #copy(id: string): Promise<void> {
		const source = this.options.image(id)?.source;
		this.forgetResult();
		if (source === undefined) {
			return;
		}
		try {
			await copyImage(source);
			this.#setResult({ id, text: messages.copied, failed: false });
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			this.#setResult({ id, text: messages.notCopied(reason), failed: true });
		}
	}

	#setResult(result: GalleryActions['result']): void {
		this.result = result;
		this.host.requestUpdate();
	}
}
