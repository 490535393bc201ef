import type { EaselMenu, MenuItem } from './easelMenu.js';
import { askJobs } from './events.js';
import type { Tally } from './failures.js';
import type { RoundAction } from './roundHeader.js';
import type { RoundList } from './roundList.js';
import { labels } from '../messages.js';

interface Options {
	menu(): EaselMenu;
	list(): RoundList;
	/** Shows a tile in its place. */
	reveal(id: string): void;
}

const roundItems: Readonly<Record<RoundAction, Omit<MenuItem, 'id'>>> = {
	from: { label: labels.showSourceImage, icon: 'arrow-left' },
	compare: { label: labels.compare, icon: 'git-compare' },
	again: { label: labels.regenerate, icon: 'sync' },
	rename: { label: labels.renameRound, icon: 'edit' },
	collapse: { label: labels.collapse, icon: 'fold' },
	expand: { label: labels.expand, icon: 'unfold' },
};

/** The menus of rounds, and of what runs or has failed. */
export class StreamMenus {
	/** What to do with the item that is chosen. */
	#chosen: (id: string) => void = () => undefined;

	constructor(
		private readonly host: EventTarget,
		private readonly options: Options,
	) {}

	/** What the line of a round has no room for. */
	readonly onMore = ({ detail }: HTMLElementEventMap['easel-list-more']): void => {
		const { id, actions, button } = detail;
		const items = actions.map((action) => ({ id: action, ...roundItems[action] }));
		const isTidying = ({ id }: MenuItem) => ['rename', 'collapse', 'expand'].includes(id);
		const groups = [items.filter((item) => !isTidying(item)), items.filter(isTidying)];
		this.#open(labels.round, groups, button, (action) =>
			this.options.list().runRound(id, action as RoundAction),
		);
	};

	/** What there is of a state: where it is, and for failures, what to do about all of them. */
	readonly onTally = ({ detail }: HTMLElementEventMap['easel-search-tally']): void => {
		const { tally, button } = detail;
		const [first] = tally.ids;
		if (tally.state !== 'failed') {
			if (first !== undefined) {
				this.options.reveal(first);
			}
			return;
		}
		this.#open(labels.failedImages, groupsFor(tally), button, (action) => {
			if (action === 'again' || action === 'dismiss') {
				askJobs(this.host, tally.ids, action);
			} else if (first !== undefined) {
				this.options.reveal(first);
			}
		});
	};

	readonly onChosen = ({ detail }: CustomEvent<string>): void => this.#chosen(detail);

	#open(
		name: string,
		groups: readonly (readonly MenuItem[])[],
		button: HTMLElement,
		chosen: (id: string) => void,
	): void {
		const { left, bottom } = button.getBoundingClientRect();
		this.#chosen = chosen;
		const shown = groups.filter(({ length }) => length > 0);
		void this.options.menu().open(name, shown, { x: left, y: bottom + 2 }, button);
	}
}

function groupsFor({ ids }: Tally): MenuItem[][] {
	const all = ids.length > 1;
	return [
		[{ id: 'show', label: all ? labels.showNewest : labels.show, icon: 'eye' }],
		[
			{ id: 'again', label: all ? labels.retryAll(ids.length) : labels.retry, icon: 'sync' },
			{ id: 'dismiss', label: all ? labels.dismissAll : labels.dismiss, icon: 'close-all' },
		],
	];
}
