import { html, nothing, type TemplateResult } from 'lit';
import { query, state } from 'lit/decorators.js';
import { defaultView, type View } from '../../protocol/compare.js';
import type { Image } from '../../protocol/studioModel.js';
import '../comparison.js';
import type { Compared, Comparison } from '../comparison.js';
import type { Rectangle } from '../geometry.js';
import { hasModifier } from '../keys.js';
import { hints, pageLabels, pageMessages } from '../messages.js';
import './marks/easelMarks.js';
import type { EaselMarks } from './marks/easelMarks.js';
import { markBar, markTools, onMarkingKey } from './marks/markBar.js';
import { backButton, iconButton, favoriteButton } from './parts.js';
import { isPossible, runAction, setFavorite } from './imageActions.js';
import { firstWords } from './prompts.js';
import { byAge } from './rounds.js';
import { StudioElement } from './studioElement.js';

/** Images of the studio compared: each can be starred, continued and inserted, and the others deleted. */
export class GalleryComparison extends StudioElement {
	/** The way in which the user looks at them. */
	@state() private accessor look: View = { ...defaultView, mode: 'side' };

	@query('easel-comparison') private accessor comparison!: Comparison;

	get #ids(): readonly string[] {
		const { library, view } = this.store;
		return byAge(view.compared ?? [], library.rounds?.rounds ?? []);
	}

	protected override updated(): void {
		if (this.store.focus.take('markNote') !== undefined) {
			this.querySelector<HTMLElement>('#mark-note')?.focus();
		}
		if (this.store.focus.take('comparison') !== undefined) {
			const { comparison } = this;
			void comparison.updateComplete.then(() => comparison.focus({ preventScroll: true }));
		}
		this.store.descriptions.request({ images: this.#ids });
	}

	protected override render(): TemplateResult {
		const ids = this.#ids;
		const { images } = this.store.library;
		const prompts = [...new Set(ids.flatMap((id) => images.get(id)?.prompt ?? []))];
		const { marking, view } = this.store;
		const heading = html`
			${backButton(() => view.goBack())}
			<h2 class="cut">Compare ${ids.length} Images</h2>
			${marking.image === undefined ? nothing : markTools(this.store, marking.image)}
			${prompts.length === 1 ? promptLine(prompts[0]!) : nothing}
		`;
		const keys = `1 to ${ids.length} star one, with Shift they edit it, too; E edits the one that was starred last, M marks it.`;
		return html`
			<easel-comparison
				.images=${ids.map((id, place) => this.#compared(id, place, prompts.length > 1))}
				.view=${this.look}
				.heading=${heading}
				.label=${`${hints.compareKeys} ${keys}`}
				@keydown=${{ handleEvent: this.#onKey, capture: true }}
				@easel-compare-change=${() => {
					this.look = this.comparison.view;
				}}
				@easel-compare-undecodable=${({ detail: id }: CustomEvent<string>) =>
					void this.store.ask({ type: 'undecodable', id })}
			></easel-comparison>
			${markBar(this.store)}
		`;
	}

	#compared(id: string, place: number, hasOwnPrompt: boolean): Compared {
		const image = this.store.library.images.get(id);
		if (image === undefined) {
			const caption = html`<span class="quiet">${hints.loading}</span>`;
			return { id, caption, name: hints.loading, problem: '' };
		}
		const { label, title, name, exists, source, thumbnail } = image;
		const isShown = exists && (source ?? thumbnail) !== undefined;
		const marks = (place: Rectangle) => html`
			<easel-marks .store=${this.store} .image=${id} .picture=${place}></easel-marks>
		`;
		return {
			id,
			name: `${label}, ${title ?? name}`,
			caption: this.#caption(image, place, hasOwnPrompt),
			picture: isShown ? image : undefined,
			over: this.store.marking.image === id ? marks : undefined,
			problem: !exists
				? pageMessages.missing
				: isShown
					? pageMessages.damaged
					: pageMessages.outside,
		};
	}

	#caption(image: Image, place: number, hasOwnPrompt: boolean): TemplateResult {
		const { id, label, title, exists, prompt } = image;
		const act = (action: 'insert' | 'edit' | 'export') => () => runAction(this.store, id, action);
		const deleteOthers = () => {
			const ids = this.#ids.filter((other) => other !== id);
			void this.store.ask({ type: 'images', ids, action: 'remove' });
		};
		return html`
			<strong>${label}</strong>
			${title === undefined ? nothing : html`<bdi class="name cut">${title}</bdi>`}
			${hasOwnPrompt ? promptLine(prompt) : nothing}
			<span class="tools row">
				${exists ? iconButton(pageLabels.insertName(label), 'insert', act('insert'), { title: pageLabels.insertAtCursor }) : nothing}
				${exists ? iconButton(pageLabels.editImage(label), 'edit', act('edit'), { title: `${pageLabels.edit} (E)` }) : nothing}
				${isPossible('edit', image) ? iconButton(pageLabels.markImage(label), 'inspect', () => this.#markImage(id), { title: `${pageLabels.mark} (M)` }) : nothing}
				${exists ? iconButton(pageLabels.exportName(label), 'file-media', act('export'), { title: pageLabels.export }) : nothing}
				${iconButton(pageLabels.deleteOthers(label), 'trash', deleteOthers)}
				${favoriteButton(this.store, image, String(place + 1))}
			</span>
		`;
	}

	#markImage(id: string): void {
		const { library, marking } = this.store;
		const image = library.images.get(id);
		if (image !== undefined && isPossible('edit', image)) {
			marking.begin(id);
		}
	}

	/** Before the comparison, which has its own meaning for some digits. */
	readonly #onKey = (event: KeyboardEvent): void => {
		if (onMarkingKey(this.store, event, this.querySelector<EaselMarks>('easel-marks'))) {
			return;
		}
		if (event.defaultPrevented || hasModifier(event) || event.repeat) {
			return;
		}
		const { store, comparison } = this;
		const digit = shiftedDigit(event);
		const place = Number(digit ?? event.key) - 1;
		const image = store.library.images.get(this.#ids[place] ?? '');
		if (event.key === 'Escape') {
			store.view.goBack();
		} else if (event.key === 'e') {
			runAction(store, this.#ids[comparison.current] ?? '', 'edit');
		} else if (event.key === 'm') {
			this.#markImage(this.#ids[comparison.current] ?? '');
		} else if (image !== undefined) {
			comparison.current = place;
			setFavorite(store, [image.id], digit !== undefined || !image.isFavorite);
			if (digit !== undefined) {
				runAction(store, image.id, 'edit');
			}
		} else {
			return;
		}
		event.preventDefault();
	};
}

customElements.define('easel-gallery-comparison', GalleryComparison);

/** Returns the digit of a key with Shift. Where a layout needs Shift for digits, it is one by itself. */
function shiftedDigit({ code, key, shiftKey }: KeyboardEvent): string | undefined {
	return shiftKey && !/^\d$/.test(key) ? /^Digit(\d)$/.exec(code)?.[1] : undefined;
}

function promptLine(prompt: string): TemplateResult {
	return html`<p class="prompt quiet cut" dir="auto" title=${prompt}>${firstWords(prompt)}</p>`;
}
