// What several elements of the studio's page have.
import { html, nothing, type TemplateResult } from 'lit';
import type { Image } from '../../protocol/studioModel.js';
import { codicon, type IconName } from '../codicon.js';
import { pageLabels } from '../messages.js';
import { setFavorite } from './imageActions.js';
import type { StudioStore } from './store.js';
import type { ImageLibrary } from './store/imageLibrary.js';

interface IconButton {
	/** Tooltip, where that is not the whole label. */
	readonly title?: string;
	/** True where the tab key leads to it. */
	readonly isTabStop?: boolean;
	/** Kind of popup, for screen readers. */
	readonly opens?: 'menu' | 'dialog';
}

/** A button that shows only an icon. */
export function iconButton(
	label: string,
	icon: IconName,
	onClick: (event: MouseEvent) => void,
	{ title = label, isTabStop = true, opens }: IconButton = {},
): TemplateResult {
	return html`
		<button
			class="icon"
			tabindex=${isTabStop ? 0 : -1}
			aria-label=${label}
			aria-haspopup=${opens ?? nothing}
			title=${title}
			@click=${onClick}
		>
			${codicon(icon)}
		</button>
	`;
}

/** Leads back to what was shown before. */
export function backButton(goBack: () => void): TemplateResult {
	return html`
		<button class="back" @click=${goBack}>${codicon('arrow-left')} ${pageLabels.back}</button>
	`;
}

/** Puts a star on an image, or takes it away. @param key does the same */
export function favoriteButton(
	store: StudioStore,
	{ id, label, isFavorite }: Image,
	key = 'K',
	isTabStop = true,
): TemplateResult {
	return html`
		<button
			class="star"
			tabindex=${isTabStop ? 0 : -1}
			aria-label=${pageLabels.starImage(label)}
			aria-pressed=${isFavorite ? 'true' : 'false'}
			title="${isFavorite ? pageLabels.removeStar : pageLabels.star} (${key})"
			@click=${() => setFavorite(store, [id], !isFavorite)}
		>
			${codicon(isFavorite ? 'star-full' : 'star-empty')}
		</button>
	`;
}

/** A small picture beside words that say what it is; `undefined` where none can be shown. */
export function thumbnail(
	library: ImageLibrary,
	source: string | undefined,
): TemplateResult | undefined {
	return source === undefined || library.broken.has(source)
		? undefined
		: html`<img
				src=${source}
				alt=""
				decoding="async"
				draggable="false"
				@error=${() => library.noteBroken(source)}
			/>`;
}

interface Segments<Value extends string> {
	/** Name of the radio buttons, unique in the page. */
	readonly name: string;
	readonly legend: string;
	readonly value: Value;
	readonly options: readonly {
		readonly value: Value;
		readonly label: string;
		/** Name for screen readers, where that is not the label. */
		readonly name?: string;
		readonly title?: string | undefined;
		readonly count?: number | undefined;
		readonly isDisabled?: boolean;
	}[];
	readonly choose: (value: Value) => void;
}

/** A few choices beside each other, of which one counts. */
export function segmentedControl<Value extends string>({
	name,
	legend,
	value,
	options,
	choose,
}: Segments<Value>): TemplateResult {
	return html`
		<fieldset class="segments">
			<legend class="hidden">${legend}</legend>
			${options.map(
				(option) => html`
					<label title=${option.title ?? option.name ?? nothing}>
						<input
							type="radio"
							name=${name}
							aria-label=${option.name ?? nothing}
							.checked=${option.value === value}
							?disabled=${option.isDisabled ?? false}
							@change=${() => choose(option.value)}
						/>
						<span
							>${option.label}${option.count === undefined ? nothing : html` <small>${option.count}</small>`}</span
						>
					</label>
				`,
			)}
		</fieldset>
	`;
}
