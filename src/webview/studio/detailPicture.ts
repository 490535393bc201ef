import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Image } from '../../protocol/studio.js';
import { containIn, rectangleStyle } from '../geometry.js';
import { messages } from '../messages.js';
import type { ZoomAndPan } from '../zoomAndPan.js';
import type { StudioElement } from './studioElement.js';

/**
 * What there is to look at of one image: the image itself, or its thumbnail until that has been
 * decoded, and where it cannot be shown.
 */
export class DetailPicture {
	/** The source that is on the screen now. */
	#loaded: string | undefined;
	readonly #undecodable = new Set<string>();

	constructor(
		private readonly host: StudioElement,
		private readonly zoom: ZoomAndPan,
	) {}

	/** Where it is loaded from; `undefined` where there is nothing to show. */
	sourceOf(image: Image | undefined): string | undefined {
		return image?.exists === true ? (this.#ownSource(image) ?? image.thumbnail) : undefined;
	}

	/** What the user should know about what is shown instead of the image; empty if that is shown. */
	noteOn(image: Image): string {
		if (!image.exists) {
			return messages.missing;
		}
		if (this.#isDamaged(image)) {
			return messages.damaged;
		}
		if (image.source === undefined) {
			return image.thumbnail === undefined ? messages.outside : messages.preview;
		}
		return '';
	}

	/** The thumbnail stays below the image until that has been decoded, in the same place. */
	render(image: Image): TemplateResult {
		const { id, name, thumbnail } = image;
		const place = rectangleStyle(containIn(image, this.zoom.rectangle));
		const source = this.#ownSource(image);
		const pixelated = this.zoom.pixelated ? 'pixelated' : '';
		return html`
			${
				thumbnail === undefined || (source !== undefined && this.#loaded === source)
					? nothing
					: html`<img
							class="thumbnail"
							src=${thumbnail}
							alt=${source === undefined ? name : ''}
							draggable="false"
							.style=${place}
						/>`
			}
			${
				source === undefined
					? nothing
					: keyed(
							source,
							html`<img
								class=${`${pixelated} ${this.#loaded === source ? '' : 'loading'}`}
								src=${source}
								alt=${name}
								decoding="async"
								draggable="false"
								.style=${place}
								@load=${this.#onLoad}
								@error=${() => {
									this.#undecodable.add(source);
									this.host.requestUpdate();
									void this.host.store.ask({ type: 'undecodable', id });
								}}
							/>`,
						)
			}
		`;
	}

	/** Not that of its thumbnail. */
	#ownSource(image: Image): string | undefined {
		return this.#isDamaged(image) ? undefined : image.source;
	}

	#isDamaged({ source }: Image): boolean {
		return source !== undefined && this.#undecodable.has(source);
	}

	readonly #onLoad = async (event: Event): Promise<void> => {
		const image = event.currentTarget as HTMLImageElement;
		const source = image.getAttribute('src') ?? undefined;
		// Loaded is not yet decoded; without the thumbnail there would be nothing for a moment.
		await image.decode().catch(() => undefined);
		this.#loaded = source;
		this.host.requestUpdate();
	};
}
