import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { html, type TemplateResult } from 'lit';
import type { Gallery } from './galleryView.js';
import { shortened } from './prompts.js';

/**
 * What is said where there is no image.
 *
 * @param gallery missing while nothing is known yet
 */
export function emptyGallery(
	gallery: Gallery | undefined,
	clearSearch: () => void,
): TemplateResult {
	if (gallery === undefined) {
		return html`<div class="empty"><p>Loading…</p></div>`;
	}
	if (gallery.total === 0) {
		return html`
			<div class="empty">
				<vscode-icon name="file-media" size="32"></vscode-icon>
				<p>Images that you make in this workspace appear here.</p>
			</div>
		`;
	}
	return html`
		<div class="empty">
			<p>No images found for “<bdi>${shortened(gallery.search, 100)}</bdi>”.</p>
			<button @click=${clearSearch}>Clear Search</button>
		</div>
	`;
}
