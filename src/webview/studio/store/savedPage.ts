import { everything, type SavedState } from '../../../protocol/studio.js';
import { emptyDraft } from '../draft.js';

/** The state of the page that is saved with the editor: the draft, the search, and what is open. */
export class SavedPage {
	current: SavedState = { draft: emptyDraft, query: everything };

	constructor(
		private readonly save: (state: SavedState) => void,
		private readonly changed: () => void,
	) {}

	update(part: Partial<SavedState>): void {
		this.current = { ...this.current, ...part };
		this.save(this.current);
		this.changed();
	}
}
