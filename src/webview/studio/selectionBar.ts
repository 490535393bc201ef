import { html, nothing, type TemplateResult } from 'lit';
import { maxCompared, maxSelected } from '../../protocol/studio.js';
import { hints, labels, messages } from '../messages.js';
import type { IconName } from '../codicon.js';
import { openMenuBelow, type Menu, type MenuItem } from './easelMenu.js';
import { iconButton } from './parts.js';
import type { StudioStore } from './store.js';

interface SelectionAction {
	readonly label: (count: number) => string;
	readonly icon: IconName;
	readonly isPossible: (store: StudioStore, ids: readonly string[]) => boolean;
	readonly run: (store: StudioStore, ids: readonly string[]) => void;
}

/** What can be done with several images at once, the most important one first. */
export const selectionActions: Readonly<Record<string, SelectionAction>> = {
	compare: {
		label: labels.compareMany,
		icon: 'git-compare',
		isPossible: (_, { length }) => length > 1 && length <= maxCompared,
		run: (store, ids) => store.compare(ids),
	},
	star: {
		label: () => labels.star,
		icon: 'star-empty',
		isPossible: (store, ids) => ids.some((id) => store.images.get(id)?.kept !== true),
		run: (store, ids) => store.star(ids, true),
	},
	unstar: {
		label: () => labels.removeStar,
		icon: 'star-full',
		isPossible: (store, ids) => ids.some((id) => store.images.get(id)?.kept === true),
		run: (store, ids) => store.star(ids, false),
	},
	addReference: {
		label: () => labels.addAsReference,
		icon: 'add',
		isPossible: () => true,
		run: (store, ids) => void store.ask({ type: 'images', ids: [...ids], action: 'addReference' }),
	},
	handOver: {
		label: () => labels.writeBrief,
		icon: 'export',
		isPossible: () => true,
		run: (store, ids) => void store.ask({ type: 'images', ids: [...ids], action: 'handOver' }),
	},
	remove: {
		label: (count) => labels.deleteMany(count),
		icon: 'trash',
		isPossible: () => true,
		run: (store, ids) => void store.ask({ type: 'images', ids: [...ids], action: 'remove' }),
	},
};

/** Returns the menu of what can be done with the images that are selected. */
export function selectionMenu(store: StudioStore): Menu {
	const ids = [...store.selection.ids];
	const entries = Object.entries(selectionActions).filter(([, { isPossible }]) =>
		isPossible(store, ids),
	);
	const items = entries.map(([id, { label, icon }]): MenuItem => ({
		id,
		icon,
		label: label(ids.length),
	}));
	const isRemoval = ({ id }: MenuItem) => id === 'remove';
	return {
		name: hints.images(ids.length),
		groups: [items.filter((item) => !isRemoval(item)), items.filter(isRemoval)],
	};
}

/** What is said and can be done while images are selected, or those with an older style are shown. */
export function selectionBar(store: StudioStore): TemplateResult | typeof nothing {
	const { outdated, selection } = store;
	const ids = [...selection.ids];
	const again = (outdated ?? []).filter((id) => selection.ids.has(id)).slice(0, maxSelected);
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
							${labels.regenerateInStyle(again.length)}
						</button>`
			}
			${
				others === 0
					? nothing
					: html`<button @click=${() => store.select({ ids: new Set(outdated), from: undefined })}>
							${labels.selectAll(outdated?.length ?? 0)}
						</button>`
			}
			${
				ids.length < 2 || ids.length > maxCompared
					? nothing
					: html`<button
							class=${again.length === 0 ? 'primary' : ''}
							@click=${() => store.compare(ids)}
						>
							${labels.compareMany(ids.length)}
						</button>`
			}
			${
				ids.length === 0
					? nothing
					: html`
							${
								ids.length < 2
									? nothing
									: html`<button
											class="minor"
											@click=${() => selectionActions['remove']!.run(store, ids)}
										>
											${labels.deleteMany(ids.length)}
										</button>`
							}
							${iconButton(
								labels.more,
								'ellipsis',
								(event) =>
									openMenuBelow(event, selectionMenu(store), (action) =>
										selectionActions[action]?.run(store, [...store.selection.ids]),
									),
								{ opens: 'menu' },
							)}
							${iconButton(labels.clearSelection, 'close', () => store.unselect(), {
								title: `${labels.clearSelection} (Escape)`,
							})}
						`
			}
		</div>
	`;
}

function wordsOf(length: number, isOutdated: boolean): string {
	if (isOutdated && length === 0) {
		return messages.selectToRegenerate;
	}
	return length === 1 && !isOutdated
		? messages.selectMore(maxCompared - 1)
		: hints.selected(length);
}
