import {
	everything,
	maxCompared,
	type Query,
	type StudioState,
} from '../../../protocol/studioModel.js';
import { hints, pageMessages } from '../../messages.js';
import { isSameQuery, nextFocus } from '../rounds.js';
import type { Composer } from './composer.js';
import type { FocusRequests } from './focusRequests.js';
import type { ImageLibrary } from './imageLibrary.js';
import type { ImageSearch } from './imageSearch.js';
import type { Marking } from './marking.js';
import type { Notices } from './notices.js';
import type { SendRequest } from './requests.js';
import type { SavedPage } from './savedPage.js';
import type { SelectedImages } from './selectedImages.js';

/** Parts of the store that the view leads through. */
interface ViewDeps {
	readonly saved: SavedPage;
	readonly library: ImageLibrary;
	readonly search: ImageSearch;
	readonly selected: SelectedImages;
	readonly composer: Composer;
	readonly marking: Marking;
	readonly notices: Notices;
	readonly focus: FocusRequests;
	readonly ask: SendRequest;
	readonly changed: () => void;
}

/** The view of the user: the stream, one image large, or some compared. */
export class PageView {
	/** Another number whenever the stream is to begin at its top. */
	scrolledToTop = 0;
	/** The round whose name is being written. */
	renaming: string | undefined;
	/** True where the list of keys is shown. */
	showsKeys = false;

	/** An image that is shown as soon as it is found. */
	#revealed: string | undefined;
	/** An image that is to be marked as soon as it is found. */
	#marked: string | undefined;
	/** The image that the comparison leads back to. */
	#cameFrom: string | undefined;

	constructor(private readonly deps: ViewDeps) {}

	/** The image that is open large. */
	get shown(): string | undefined {
		return this.deps.saved.current.shown;
	}

	/** The images that are compared. */
	get compared(): readonly string[] | undefined {
		return this.deps.saved.current.compared;
	}

	/** Returns whether one image, or some compared, stand in the place of the stream. */
	get isCovered(): boolean {
		return this.shown !== undefined || this.compared !== undefined;
	}

	/** Changes what is shown for the moment and not saved. */
	set(part: Partial<Pick<PageView, 'renaming' | 'showsKeys'>>): void {
		Object.assign(this, part);
		this.deps.changed();
	}

	/** Opens an image large. */
	open(id: string): void {
		this.#show({ shown: id, compared: undefined });
		this.deps.focus.request('detail');
	}

	/** Opens an image large, to be marked; searches all if need be. */
	mark(id: string): void {
		const { library, marking, search } = this.deps;
		if (library.isImage(id)) {
			this.open(id);
			marking.begin(id);
		} else {
			this.#marked = id;
			search.run(everything);
		}
	}

	/** Goes to the image before the one that is shown (-1), or after it (1). */
	step(by: -1 | 1): void {
		const { images, imageIds: ids } = this.deps.library;
		const index = ids.indexOf(this.shown ?? '');
		const shown = index < 0 ? undefined : ids[index + by];
		if (shown !== undefined) {
			this.#show({ shown });
			const image = images.get(shown);
			const name =
				image === undefined
					? hints.image
					: [image.label, image.title ?? image.name].filter((word) => word !== '').join(', ');
			this.deps.notices.announce(`${name}, ${String(index + by + 1)} of ${String(ids.length)}`);
		}
	}

	/** @param ids two to four images */
	compare(ids: readonly string[]): void {
		this.#cameFrom = this.shown;
		this.#show({ shown: undefined, compared: ids.slice(0, maxCompared) });
		this.deps.focus.request('comparison');
	}

	/** Selects an image, so that others can be selected to be compared with it. */
	beginComparing(id: string): void {
		this.deps.selected.select({ ids: new Set([id]), from: id });
		this.deps.notices.announce(pageMessages.selectOthers);
		this.#show({ shown: undefined, compared: undefined });
		this.deps.focus.request('grid', 'anywhere', id);
	}

	/** Leads from one image, or a comparison, back to what was shown before. */
	goBack(): void {
		const { shown, compared } = this;
		const back = compared === undefined ? undefined : this.#cameFrom;
		this.#cameFrom = undefined;
		this.#show({ shown: back, compared: undefined });
		if (back === undefined) {
			this.deps.focus.request('grid', 'anywhere', shown ?? compared?.[0]);
		} else {
			this.deps.focus.request('detail');
		}
	}

	/** Shows an image large where one is shown so, else in its place; searches all if need be. */
	reveal(id: string): void {
		const { ask, focus, library, notices, search } = this.deps;
		const round = library.roundOf(id);
		if (round === undefined) {
			if (library.rounds === undefined || isSameQuery(library.rounds.query, everything)) {
				notices.announce(pageMessages.gone, true);
			} else {
				this.#revealed = id;
				search.run(everything);
			}
		} else if (this.shown !== undefined && library.isImage(id)) {
			this.#show({ shown: id });
		} else {
			this.#show({ shown: undefined, compared: undefined });
			if (library.isCollapsed(round)) {
				void ask({ type: 'annotateRound', id: round.id, collapsed: false });
			}
			focus.request('grid', 'anywhere', id);
		}
	}

	/** Shows the newest round, whatever is looked at; the focus stays where it is. */
	showNewest(): void {
		const { search } = this.deps;
		if (!isSameQuery(search.query, everything)) {
			search.run(everything);
		}
		this.#show({ shown: undefined, compared: undefined });
		this.scrolledToTop++;
	}

	/** Shows a search that the extension asks for. @param selected images to select in it */
	showSearch(query: Query, selected: readonly string[]): void {
		const { deps } = this;
		this.#show({ shown: undefined, compared: undefined });
		if (query.among === 'files') {
			deps.search.saveFolder({ at: undefined });
		}
		deps.search.run(query);
		if (selected.length + deps.selected.ids.size > 0) {
			deps.selected.select({ ids: new Set(selected), from: undefined });
		}
		deps.focus.request(query.among === 'files' ? 'grid' : 'search');
	}

	/**
	 * Follows what the library has of rounds now.
	 *
	 * @param before what it had until now
	 */
	followRounds(before: Pick<ImageLibrary, 'rounds' | 'imageIds'>): void {
		const { ask, focus, library, search, selected } = this.deps;
		const now = library.rounds;
		if (now === undefined) {
			return;
		}
		if (before.rounds === undefined && !isSameQuery(now.query, search.query)) {
			// The page was restored with what had been looked for.
			void ask({ type: 'search', query: search.query });
			return;
		}
		const isOther =
			before.rounds !== undefined &&
			(!isSameQuery(before.rounds.query, now.query) ||
				(library.showsFolder && before.rounds.folder !== now.folder));
		if (isOther) {
			this.scrolledToTop++;
		}
		if (this.#revealed !== undefined && isSameQuery(now.query, everything)) {
			const id = this.#revealed;
			this.#revealed = undefined;
			this.reveal(id);
		}
		if (this.#marked !== undefined && library.isImage(this.#marked)) {
			const id = this.#marked;
			this.#marked = undefined;
			this.mark(id);
		}
		if (search.isRunning || isOther) {
			// What this search does not find may still exist.
			return;
		}
		const known = new Set(before.imageIds);
		selected.retain((id) => library.isImage(id) || (before.rounds !== undefined && !known.has(id)));
		if (selected.ids.size === 0 && document.activeElement?.closest('.selection')) {
			// The bar goes, and what has the focus in it.
			focus.request('grid');
		}
		this.#leaveWhatHasGone(before.rounds && before.imageIds);
	}

	/** Shows something else where what was shown has gone: after a delete, the next image. */
	#leaveWhatHasGone(before: readonly string[] | undefined): void {
		const { focus, library } = this.deps;
		const { shown, compared } = this;
		const exists = (id: string) => library.isImage(id);
		if (compared !== undefined && !compared.every(exists)) {
			const left = compared.filter(exists);
			this.#show({ shown: undefined, compared: left.length < 2 ? undefined : left });
			focus.request(left.length < 2 ? 'grid' : 'comparison', 'page');
		} else if (compared === undefined && shown !== undefined && !library.isImage(shown)) {
			const next = before && nextFocus(shown, before, library.imageIds);
			this.#show({ shown: next, compared: undefined });
			if (next === undefined) {
				focus.request('grid', 'page');
			}
		}
	}

	#show(part: Partial<Pick<StudioState, 'shown' | 'compared'>>): void {
		const { shown } = this;
		this.deps.saved.update(part);
		if (this.shown !== shown) {
			this.deps.composer.followView(shown, this.shown);
		}
	}
}
