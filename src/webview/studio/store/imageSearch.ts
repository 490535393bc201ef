import type { Query, StudioState } from '../../../protocol/studioModel.js';
import { isSameQuery } from '../rounds.js';
import type { ImageLibrary } from './imageLibrary.js';
import type { SendRequest } from './requests.js';
import type { SavedPage } from './savedPage.js';
import type { SelectedImages } from './selectedImages.js';

export type FolderState = NonNullable<StudioState['folder']>;

/** Pause of typing before a search begins, in milliseconds. */
const typingPauseMs = 150;

/** The search, and the sizes in which the images of a folder are shown. */
export class ImageSearch {
	#typing: ReturnType<typeof setTimeout> | undefined;

	constructor(
		private readonly saved: SavedPage,
		private readonly library: ImageLibrary,
		private readonly selected: SelectedImages,
		private readonly ask: SendRequest,
	) {}

	get query(): Query {
		return this.saved.current.query;
	}

	get folder(): FolderState | undefined {
		return this.saved.current.folder;
	}

	/** Returns whether the rounds are not yet those that are looked for. */
	get isRunning(): boolean {
		const { rounds } = this.library;
		return rounds !== undefined && !isSameQuery(rounds.query, this.query);
	}

	run(query: Query, isTyping = false): void {
		if ((query.among === 'files') !== (this.query.among === 'files')) {
			// Files of a folder are nowhere else.
			this.selected.retain(() => false);
		}
		this.saved.update({ query });
		clearTimeout(this.#typing);
		this.#typing = setTimeout(
			() => void this.ask({ type: 'search', query }),
			isTyping ? typingPauseMs : 0,
		);
	}

	/** Saves how large the images of a folder are, or which one has the tab stop. */
	saveFolder(part: Partial<FolderState>): void {
		this.saved.update({ folder: { cells: 'medium', ...this.folder, ...part } });
	}
}
