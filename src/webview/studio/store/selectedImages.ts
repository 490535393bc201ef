import { pageMessages } from '../../messages.js';
import { nothingSelected, selectionAmong, type Selection } from '../selection.js';
import type { FocusRequests } from './focusRequests.js';
import type { Notices } from './notices.js';

/** The images that are selected. */
export class SelectedImages {
	current: Selection = nothingSelected;

	constructor(
		private readonly notices: Notices,
		private readonly focus: FocusRequests,
	) {}

	get ids(): ReadonlySet<string> {
		return this.current.ids;
	}

	select(selection: Selection): void {
		this.current = selection;
		this.notices.announce(pageMessages.selected(selection.ids.size));
	}

	clear(): void {
		const [first] = this.ids;
		this.select(nothingSelected);
		this.focus.request('grid', 'anywhere', first);
	}

	/** Drops those that do not exist any more, without a word. */
	retain(exists: (id: string) => boolean): void {
		this.current = selectionAmong(this.current, exists);
	}
}
