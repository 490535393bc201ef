import { html, nothing, type TemplateResult } from 'lit';
import { maxCompared, maxSelected, type ImagesAction } from '../../protocol/studioModel.js';
import { hints, pageLabels, pageMessages } from '../messages.js';
import type { IconName } from '../codicon.js';
import { openMenuBelow, type Menu } from './easelMenu.js';
import { setFavorite } from './imageActions.js';
import { iconButton } from './parts.js';
import type { StudioStore } from './store.js';

type Images = StudioStore['library']['images'];

interface SelectionAction {
	readonly label: (count: number) => string;
	readonly icon: IconName;
	/** Missing where it always is. */
	readonly isPossible?: (images: Images, ids: readonly string[]) => boolean;
	readonly run: (store: StudioStore, ids: readonly string[]) => void;
}

const askForAll =
	(action: ImagesAction): SelectionAction['run'] =>
	(store, ids) =>
		void store.ask({ type: 'images', ids: [...ids], action });

/** A file that is not in the gallery cannot be starred, described in a brief, or deleted. */
const areListed = (images: Images, ids: readonly string[]) =>
	ids.every((id) => images.get(id)?.isUnlisted !== true);

const comparison: SelectionAction = {
	label: pageLabels.compareMany,
	icon: 'git-compare',
	isPossible: (images, ids) =>
		ids.length > 1 && ids.length <= (areListed(images, ids) ? maxCompared : 2),
	run: (store, ids) => {
		if (areListed(store.library.images, ids)) {
			store.view.compare(ids);
		} else {
			askForAll('compare')(store, ids);
		}
	},
};

const removal: SelectionAction = {
	label: (count) => pageLabels.deleteMany(count),
	icon: 'trash',
	isPossible: areListed,
	run: askForAll('remove'),
};

/** Actions on several images at once, in groups, the most important one first. */
const groups: readonly (readonly SelectionAction[])[] = [
	[
		comparison,
		{
			label: () => pageLabels.star,
			icon: 'star-empty',
			isPossible: (images, ids) =>
				areListed(images, ids) && ids.some((id) => images.get(id)?.isFavorite !== true),
			run: (store, ids) => setFavorite(store, ids, true),
		},
		{
			label: () => pageLabels.removeStar,
			icon: 'star-full',
			isPossible: (images, ids) => ids.some((id) => images.get(id)?.isFavorite === true),
			run: (store, ids) => setFavorite(store, ids, false),
		},
		{ label: () => pageLabels.addAsReference, icon: 'add', run: askForAll('addReference') },
		{
			label: () => pageLabels.writeBrief,
			icon: 'export',
			isPossible: areListed,
			run: askForAll('writeBrief'),
		},
	],
	[removal],
];

/** Returns the menu of what can be done with the images that are selected. */
export function selectionMenu(store: StudioStore): Menu {
	const ids = [...store.selected.ids];
	return {
		name: hints.images(ids.length),
		groups: groups
			.map((group) => group.filter((action) => canRun(action, store, ids)))
			.filter(({ length }) => length > 0)
			.map((group) =>
				group.map(({ label, icon, run }) => ({
					label: label(ids.length),
					icon,
					run: () => run(store, ids),
				})),
			),
	};
}

function canRun(
	{ isPossible }: SelectionAction,
	{ library }: StudioStore,
	ids: readonly string[],
): boolean {
	return isPossible?.(library.images, ids) ?? true;
}

/** Those that can be made again with the style of now; `undefined` where others are looked for. */
function outdatedIn({ library }: StudioStore): readonly string[] | undefined {
	return library.rounds?.query.among === 'older' ? library.imageIds : undefined;
}

/**
 * Renders the words and buttons while images are selected, or those with an older style are shown.
 */
export function selectionBar(store: StudioStore): TemplateResult | typeof nothing {
	const outdated = outdatedIn(store);
	const ids = [...store.selected.ids];
	const again = (outdated ?? []).filter((id) => store.selected.ids.has(id)).slice(0, maxSelected);
	const others = (outdated?.length ?? 0) - again.length;
	if (ids.length + others === 0) {
		return nothing;
	}
	return html`
		<div class="selection row" role="group" aria-label="Selection">
			<span class="words">${wordsOf(ids.length, outdated !== undefined)}</span>
			${
				again.length === 0
					? nothing
					: html`<button
							class="primary"
							@click=${() => void store.ask({ type: 'restyle', images: [...again] })}
						>
							${pageLabels.regenerateInStyle(again.length)}
						</button>`
			}
			${
				others === 0
					? nothing
					: html`<button
							@click=${() => store.selected.select({ ids: new Set(outdated), from: undefined })}
						>
							${pageLabels.selectAll(outdated?.length ?? 0)}
						</button>`
			}
			${
				canRun(comparison, store, ids)
					? html`<button
							class=${again.length === 0 ? 'primary' : ''}
							@click=${() => comparison.run(store, ids)}
						>
							${pageLabels.compareMany(ids.length)}
						</button>`
					: nothing
			}
			${
				ids.length === 0
					? nothing
					: html`
							${
								ids.length < 2 || !canRun(removal, store, ids)
									? nothing
									: html`<button @click=${() => removal.run(store, ids)}>
											${pageLabels.deleteMany(ids.length)}
										</button>`
							}
							${iconButton(
								pageLabels.more,
								'ellipsis',
								(event) => openMenuBelow(event, selectionMenu(store)),
								{ opens: 'menu' },
							)}
							${iconButton(pageLabels.clearSelection, 'close', () => store.selected.clear(), {
								title: `${pageLabels.clearSelection} (Escape)`,
							})}
						`
			}
		</div>
	`;
}

function wordsOf(length: number, isOutdated: boolean): string {
	if (isOutdated && length === 0) {
		return pageMessages.selectToRegenerate;
	}
	return length === 1 && !isOutdated
		? pageMessages.selectMore(maxCompared - 1)
		: hints.selected(length);
}
