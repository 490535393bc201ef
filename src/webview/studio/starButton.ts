import { html, nothing, type TemplateResult } from 'lit';
import type { Image } from '../../protocol/studio.js';
import { codicon } from '../codicon.js';
import { labels } from '../messages.js';
import type { StudioStore } from './store.js';

/** Puts a star on an image, or takes it away. @param key does the same */
export function starButton(
	store: StudioStore,
	{ id, label, kept }: Image,
	key = 'K',
): TemplateResult {
	return html`
		<button
			class="star"
			aria-label=${labels.starImage(label)}
			aria-pressed=${kept ? 'true' : 'false'}
			title="${kept ? labels.removeStar : labels.star} (${key})"
			@click=${() => store.star([id], !kept)}
		>
			${codicon(kept ? 'star-full' : 'star-empty')}
			${kept ? html`<span class="hidden">${labels.starred}</span>` : nothing}
		</button>
	`;
}
