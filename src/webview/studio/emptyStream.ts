import { css, html, type TemplateResult } from 'lit';
import { codicon } from '../codicon.js';
import { everything, type Query } from '../../protocol/studio.js';
import { shortened } from './prompts.js';
import type { Rounds } from './streamRounds.js';
import { hints, labels, messages } from '../messages.js';

interface WaysOut {
	readonly compose: () => void;
	readonly search: (query: Query) => void;
}

/**
 * What is said where there is no image, with what leads to some.
 *
 * @param rounds missing while nothing is known yet
 */
export function emptyStream(
	rounds: Rounds | undefined,
	{ compose, search }: WaysOut,
): TemplateResult {
	if (rounds === undefined) {
		return html`<div class="empty"><p>${hints.loading}</p></div>`;
	}
	if (rounds.total === 0) {
		return html`
			<div class="empty">
				${codicon('file-media', 32)}
				<p>${messages.empty}</p>
				<button class="primary" @click=${compose}>${labels.describeImage}</button>
			</div>
		`;
	}
	const { query } = rounds;
	const [button, wider] = widened(query);
	return html`
		<div class="empty">
			<p>${wordsOf(query, rounds.folder)}</p>
			<div class="buttons">
				<button @click=${() => search(wider)}>${button}</button>
			</div>
		</div>
	`;
}

/** What was looked for without the narrowest part of it, in words for its button. */
function widened(query: Query): [button: string, wider: Query] {
	if (query.text !== '') {
		return [labels.clearSearch, { ...query, text: '' }];
	}
	return query.size !== undefined
		? [labels.showAllSizes, { text: query.text, among: query.among }]
		: [labels.showAllImages, everything];
}

/** Among which images something was looked for. */
const places: Readonly<Record<Query['among'], string>> = {
	all: '',
	kept: ' among the starred images',
	older: ' with an older style',
	folder: ' in this folder',
};

function wordsOf({ text, among, size }: Query, folder: string | undefined): TemplateResult {
	const where = places[among];
	const sized = size === undefined ? '' : ` of ${size.replace('x', ' × ')}`;
	if (text !== '') {
		return html`No images${sized} found for “<bdi>${shortened(text, 100)}</bdi>”${where}.`;
	}
	if (size !== undefined) {
		return html`No images${sized}${where}.`;
	}
	if (among === 'older') {
		return html`${messages.noOlderStyle}`;
	}
	return among === 'kept'
		? html`${messages.noStarred}`
		: folder === undefined
			? html`${messages.noFolder}`
			: html`No images in the folder <bdi>${folder}</bdi>.`;
}

export const emptyStyles = css`
	.empty {
		display: flex;
		flex-direction: column;
		align-items: center;
		gap: 12px;
		padding: 48px 16px;
		color: var(--vscode-descriptionForeground);
		text-align: center;
		overflow-wrap: anywhere;
	}
`;
