import { everything, type StudioState } from '../../../protocol/studioModel.js';
import { emptyDraft } from '../draft.js';

/** The state of the page that is saved with the editor: the draft, the search, and what is open. */
export class SavedPage {
	current: StudioState = { draft: emptyDraft, query: everything };

	constructor(
		private readonly save: (state: StudioState) => void,
		private readonly changed: () => void,
	) {}

	update(part: Partial<StudioState>): void {
		this.current = { ...this.current, ...part };
		this.save(this.current);
		this.changed();
	}
}
