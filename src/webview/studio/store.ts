import type { ChannelError } from '../../protocol/pageChannel.js';
import type { Ask, StudioEvent, StudioRequest } from '../../protocol/studio.js';
import type { StudioState } from '../../protocol/studioModel.js';
import { Composer } from './store/composer.js';
import { FocusRequests } from './store/focusRequests.js';
import { ImageLibrary } from './store/imageLibrary.js';
import { ImageSearch } from './store/imageSearch.js';
import { Marking } from './store/marking.js';
import { Notices } from './store/notices.js';
import { PageView } from './store/pageView.js';
import { DescriptionRequests } from './store/requests.js';
import { SavedPage } from './store/savedPage.js';
import { SelectedImages } from './store/selectedImages.js';
import { StudioJobs } from './store/studioJobs.js';

/**
 * The state of the studio's page, in parts: each is read and changed by itself. Elements are drawn
 * anew when any of it changes.
 */
export class StudioStore {
	readonly notices: Notices;
	readonly focus: FocusRequests;
	readonly library: ImageLibrary;
	readonly jobs: StudioJobs;
	readonly selected: SelectedImages;
	readonly composer: Composer;
	readonly marking: Marking;
	readonly search: ImageSearch;
	readonly view: PageView;
	readonly descriptions: DescriptionRequests;

	readonly #saved: SavedPage;
	readonly #listeners = new Set<() => void>();
	readonly #changed = (): void => {
		for (const listener of this.#listeners) {
			listener();
		}
	};

	/** @param save keeps the state with the editor */
	constructor(
		private readonly extension: Ask,
		save: (state: StudioState) => void,
	) {
		const changed = this.#changed;
		const ask = (request: StudioRequest) => this.ask(request);
		const saved = new SavedPage(save, changed);
		const notices = new Notices(changed);
		const focus = new FocusRequests(changed);
		const library = new ImageLibrary(changed);
		const selected = new SelectedImages(notices, focus);
		const composer = new Composer(saved, notices, focus, ask, changed);
		const search = new ImageSearch(saved, library, selected, ask);
		const seen = { saved, library, search, selected, composer };
		this.#saved = saved;
		this.notices = notices;
		this.focus = focus;
		this.library = library;
		this.jobs = new StudioJobs(notices, changed);
		this.selected = selected;
		this.composer = composer;
		this.marking = new Marking(saved, composer, notices, focus, changed);
		this.search = search;
		this.view = new PageView({ ...seen, marking: this.marking, notices, focus, ask, changed });
		this.descriptions = new DescriptionRequests(ask);
	}

	/** Calls `listener` after every change; returns what ends that. */
	subscribe(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Asks the extension for everything, beside the state that the editor has saved. */
	begin(saved: StudioState | undefined): void {
		this.#saved.current = saved ?? this.#saved.current;
		void this.ask({ type: 'ready' });
		if (this.view.shown === undefined) {
			// An image that was open in a page before this one is not edited any more.
			void this.ask({ type: 'edit', how: 'inView' });
		}
	}

	/** Applies an event of the extension. */
	receive(event: StudioEvent): void {
		const { composer, jobs, library, notices, view } = this;
		switch (event.type) {
			case 'setup':
				composer.set({ setup: event });
				break;
			case 'references':
				composer.set({ references: event.references });
				break;
			case 'compose':
				composer.set({ references: event.references });
				composer.compose(event);
				break;
			case 'waiting':
				notices.setWaiting(event.waiting);
				break;
			case 'modelTasks':
				composer.set({ modelTasks: event.tasks });
				break;
			case 'drafted':
				composer.takeDrafted(event);
				break;
			case 'sized':
				composer.chooseSize(event.size);
				break;
			case 'jobs':
				if (jobs.take(event.jobs)) {
					// What was asked for would run out of sight.
					view.showNewest();
				}
				break;
			case 'rounds': {
				const { rounds, imageIds } = library;
				library.takeRounds(event);
				jobs.announceArrived(library.imageIds);
				view.followRounds({ rounds, imageIds });
				break;
			}
			case 'search':
				view.showSearch(event.query, event.selected);
				break;
			case 'mark':
				view.mark(event.id);
				break;
			case 'described':
				library.describe(event);
				break;
			case 'asked':
				composer.takeAnswer(event.accepted);
				break;
			case 'notice':
				notices.show(event);
		}
		this.#changed();
	}

	/** Resolves with whether it was done; a failure has been shown then. */
	async ask(request: StudioRequest): Promise<boolean> {
		this.#foresee(request);
		try {
			await this.extension(request);
			return true;
		} catch (error) {
			this.jobs.hasRequested = false;
			this.notices.showError((error as ChannelError).message);
			if (request.type === 'annotateImages' || request.type === 'annotateRound') {
				// What was shown in advance is shown as it is.
				this.descriptions.repeat();
			}
			return false;
		}
	}

	/** Shows at once what the extension will say in a moment, so that the next key finds it. */
	#foresee(request: StudioRequest): void {
		if (request.type === 'generate' || request.type === 'roundAgain') {
			this.jobs.hasRequested = true;
		} else if (request.type === 'annotateImages') {
			this.library.annotateImages(request);
		} else if (request.type === 'annotateRound') {
			this.library.annotateRound(request);
		} else if (request.type === 'moveReference') {
			this.composer.moveReference(request);
		}
	}
}
