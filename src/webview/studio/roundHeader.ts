import { html, nothing, type TemplateResult } from 'lit';
import { maxNameLength, type StudioRound } from '../../protocol/studioModel.js';
import { codicon } from '../codicon.js';
import { hints, pageLabels } from '../messages.js';
import { openMenuBelow, type MenuItem } from './easelMenu.js';
import { iconButton } from './parts.js';
import { ellipsized } from './prompts.js';
import { comparableIn, countAsked, type RoundPlaces } from './rounds.js';
import type { StudioStore } from './store.js';

/** Actions that have a button in the line; the menu has all of it. */
type RoundAction =
	'from' | 'compare' | 'again' | 'deleteUnstarred' | 'rename' | 'collapse' | 'expand';

const items: Readonly<Record<RoundAction, Omit<MenuItem, 'run'>>> = {
	from: { label: pageLabels.showSourceImage, icon: 'arrow-left' },
	compare: { label: pageLabels.compare, icon: 'git-compare' },
	again: { label: pageLabels.regenerate, icon: 'sync' },
	deleteUnstarred: { label: pageLabels.deleteUnstarred, icon: 'trash' },
	rename: { label: pageLabels.renameRound, icon: 'edit' },
	collapse: { label: pageLabels.collapse, icon: 'fold' },
	expand: { label: pageLabels.expand, icon: 'unfold' },
};

/** The line above the tiles of a round. Where it is narrow, what has no room is in its menu alone. */
export function roundHeader(
	store: StudioStore,
	places: RoundPlaces,
	isCollapsed: boolean,
	isTabStop: boolean,
): TemplateResult {
	const { id } = places;
	const round = store.library.known.get(id);
	const tab = isTabStop ? 0 : -1;
	const run = (action: RoundAction) => runRoundAction(store, id, action);
	const compared = comparableIn(places, store.library.images);
	return html`
		<div class="header row" role="row">
			<div class="title row" role="rowheader">
				<button
					class="icon fold"
					data-cell=${isCollapsed ? id : nothing}
					tabindex=${tab}
					aria-expanded=${isCollapsed ? 'false' : 'true'}
					aria-label=${round?.title ?? pageLabels.round}
					title=${isCollapsed ? pageLabels.expand : pageLabels.collapse}
					@click=${() => run(isCollapsed ? 'expand' : 'collapse')}
				>
					${codicon(isCollapsed ? 'chevron-right' : 'chevron-down')}
				</button>
				${round === undefined ? nothing : wordsOf(store, round, countAsked(places))}
			</div>
			<div class="tools row" role="gridcell">
				${round?.from === undefined ? nothing : fromOf(round.from, tab, () => run('from'))}
				${
					compared.length < 2
						? nothing
						: html`<button class="small compare" tabindex=${tab} @click=${() => run('compare')}>
								${pageLabels.compareMany(compared.length)}
							</button>`
				}
				<button
					class="small again"
					tabindex=${tab}
					title=${hints.regenerateRound}
					@click=${(event: MouseEvent) => {
						// A double click is not meant to be paid for twice.
						if (event.detail <= 1) {
							run('again');
						}
					}}
				>
					${pageLabels.regenerate}
				</button>
				<span class="age">${round?.age}</span>
				${iconButton(
					`More about ${round?.title ?? 'this round'}`,
					'ellipsis',
					(event) =>
						openMenuBelow(event, { name: pageLabels.round, groups: menuOf(store, places) }),
					{ title: pageLabels.more, isTabStop, opens: 'menu' },
				)}
			</div>
		</div>
	`;
}

function menuOf(store: StudioStore, places: RoundPlaces): MenuItem[][] {
	const round = store.library.known.get(places.id);
	const hasUnstarred = unstarredIn(store, places).length > 0;
	const groups: RoundAction[][] = [
		[
			...(round?.from?.id === undefined ? [] : (['from'] as const)),
			...(comparableIn(places, store.library.images).length < 2 ? [] : (['compare'] as const)),
			'again',
		],
		['rename', store.library.isCollapsed(places) ? 'expand' : 'collapse'],
		hasUnstarred ? ['deleteUnstarred'] : [],
	];
	return groups
		.filter(({ length }) => length > 0)
		.map((group) =>
			group.map((action) => ({
				...items[action],
				run: () => runRoundAction(store, places.id, action),
			})),
		);
}

/** Returns the images without a star; none where no image has one, as all would go. */
function unstarredIn(store: StudioStore, { slots }: RoundPlaces): string[] {
	const images = slots.flatMap(({ id, kind }) => (kind === 'image' ? [id] : []));
	const hasStar = images.some((id) => store.library.images.get(id)?.isFavorite === true);
	return hasStar ? images.filter((id) => store.library.images.get(id)?.isFavorite === false) : [];
}

/** Does what the line of a round or its menu offers. */
export function runRoundAction(store: StudioStore, id: string, action: RoundAction): void {
	const places = store.library.roundOf(id);
	if (places === undefined) {
		return;
	}
	switch (action) {
		case 'rename':
			store.view.set({ renaming: id });
			return;
		case 'collapse':
		case 'expand':
			void store.ask({ type: 'annotateRound', id, collapsed: action === 'collapse' });
			return;
		case 'compare':
			store.view.compare(comparableIn(places, store.library.images));
			return;
		case 'again':
			void store.ask({ type: 'roundAgain', id });
			return;
		case 'deleteUnstarred':
			void store.ask({ type: 'images', ids: unstarredIn(store, places), action: 'remove' });
			return;
		case 'from': {
			const from = store.library.known.get(id)?.from?.id;
			if (from !== undefined) {
				store.view.reveal(from);
			}
		}
	}
}

/** Leads to the image that the round continues, where that is one of the studio's. */
function fromOf(
	from: NonNullable<StudioRound['from']>,
	tab: number,
	go: () => void,
): TemplateResult {
	return from.id === undefined
		? html`<span class="quiet from">from ${from.label}</span>`
		: html`<button class="link from" tabindex=${tab} title="Show ${from.label}" @click=${go}>
				from ${from.label}
			</button>`;
}

function wordsOf(store: StudioStore, round: StudioRound, count: number): TemplateResult {
	const { id, name, title, prompt, prompts, age, origin } = round;
	if (store.view.renaming === id) {
		return nameField(store, round);
	}
	const more =
		prompts > 1
			? ` and ${String(prompts - 1)} more`
			: name === undefined && count > 1
				? ` × ${String(count)}`
				: '';
	const asked = name ?? `“${ellipsized(prompt, 200)}”`;
	const words = origin === undefined ? asked : `${origin} · ${asked}`;
	return html`
		<h2 id="title-${id}" title=${`${title} · ${words}${more} · ${age}`}>
			<span class="number">${title}</span>
			<span class="quiet">·</span>
			<bdi class="cut ${name === undefined ? '' : 'named'}">${words}</bdi>
		</h2>
		${more === '' ? nothing : html`<span class="quiet number">${more}</span>`}
	`;
}

function nameField(store: StudioStore, { id, title, name = '' }: StudioRound): TemplateResult {
	/** @param text missing where the old name stays */
	const close = (text: string | undefined) => {
		// The field that goes loses the focus, which comes here too.
		if (store.view.renaming === id) {
			store.view.set({ renaming: undefined });
			if (text !== undefined && text !== name) {
				void store.ask({ type: 'annotateRound', id, name: text });
			}
		}
	};
	const textOf = ({ currentTarget }: Event) => (currentTarget as HTMLInputElement).value.trim();
	return html`<input
		class="rename"
		aria-label="Name of ${title}"
		placeholder=${`Name of ${title}`}
		maxlength=${maxNameLength}
		.value=${name}
		@keydown=${(event: KeyboardEvent) => {
			if (event.key === 'Escape') {
				event.preventDefault();
				close(undefined);
			} else if (event.key === 'Enter' && !event.isComposing) {
				event.preventDefault();
				close(textOf(event));
			}
			// Nothing of it is for the tiles.
			event.stopPropagation();
		}}
		@blur=${(event: FocusEvent) => close(textOf(event))}
	/>`;
}
