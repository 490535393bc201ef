import type { ChannelError } from '../../protocol/pageEnd.js';
import {
	everything,
	maxCompared,
	maxDescribed,
	type Ask,
	type Description,
	type Image,
	type Job,
	type ModelTaskName,
	type Query,
	type Reference,
	type Round,
	type SavedState,
	type Slot,
	type StudioEvent,
	type StudioRequest,
} from '../../protocol/studio.js';
import { hints, messages } from '../messages.js';
import {
	draftAfter,
	draftWith,
	editedOf,
	emptyDraft,
	withoutBrought,
	type Composed,
	type Draft,
	type Setup,
} from './draft.js';
import { announcementsOf, nameOf, type Announcement } from './jobAnnouncements.js';
import { moved } from './reorder.js';
import { imagesIn, isSameQuery, nextFocus, type RoundPlaces, type Rounds } from './rounds.js';
import { nothingSelected, selectionAmong, type Selection } from './selection.js';

export type Notice = Omit<Extract<StudioEvent, { type: 'notice' }>, 'type'>;
export type FolderState = NonNullable<SavedState['folder']>;

/** An element of the page that gets the focus as soon as it shows what it is about. */
export type FocusTarget = 'prompt' | 'search' | 'grid' | 'detail' | 'comparison';

/** More would push away the pictures. */
const maxNotices = 3;
/** Number of announcements; older ones have been read. */
const maxAnnouncements = 8;
/** Number of descriptions; one that is needed again is described again. */
const maxDescriptions = 2000;
/** Number of prompts of this page the arrow key brings back before those of the extension. */
const maxRecent = 10;
/** Pause of typing before a search begins, in milliseconds. */
const typingPauseMs = 150;
/**
 * Pause between two looks, in milliseconds: a user who scrolls on needs none of what is between.
 */
const lookPauseMs = 100;

/**
 * All that the page of the studio knows and shows: what the extension has said, what the user looks at
 * and has selected, and what can be done. Elements read it, are drawn anew when it changes, and call
 * its methods.
 */
export class StudioStore {
	/** State that is saved with the editor. */
	saved: SavedState = { draft: emptyDraft, query: everything };

	setup: Setup | undefined;
	references: readonly Reference[] | undefined;
	/** Tasks that a language model can be given. */
	modelTasks: readonly ModelTaskName[] = [];
	/** Newest first. */
	jobs: ReadonlyMap<string, Job> = new Map();
	rounds: Rounds | undefined;
	/** Those that have been described. */
	known: ReadonlyMap<string, Round> = new Map();
	images: ReadonlyMap<string, Image> = new Map();

	notices: readonly Notice[] = [];
	announcements: readonly Announcement[] = [];
	/** Prompts that were sent or replaced, newest first. */
	recent: readonly string[] = [];
	/** The images that are selected. */
	selection: Selection = nothingSelected;
	/** The request on its way: until it is in the journal it can still be refused. */
	sending: Draft | undefined;
	/** The job whose card is open. */
	card: string | undefined;
	/** The round whose name is being written. */
	renaming: string | undefined;
	/** True where the list of keys is shown. */
	showsKeys = false;

	/** Another number whenever the stream is to begin at its top. */
	scrolledToTop = 0;

	/** All images that are found, as they stand in the stream. */
	imageIds: readonly string[] = [];
	/** Sources of images and thumbnails that could not be loaded. */
	readonly broken = new Set<string>();

	#roundOf: ReadonlyMap<string, RoundPlaces> = new Map();
	/** The same as `imageIds`: a round may have thousands. */
	#imageIds: ReadonlySet<string> = new Set();
	#listeners = new Set<() => void>();
	#focus: { readonly target: FocusTarget; readonly id: string | undefined } | undefined;
	#hasJobs = false;
	/** True where something was sent whose round is not shown yet. */
	#hasRequested = false;
	/** Labels of awaited images, by its id. */
	#awaited = new Map<string, string>();
	/** An image that is shown as soon as it is found. */
	#revealed: string | undefined;
	/** The image that the comparison leads back to. */
	#cameFrom: string | undefined;
	/** The prompt when an image was opened large. */
	#promptBefore = '';
	#typing: ReturnType<typeof setTimeout> | undefined;
	#looked = '';
	#lookedAt = -Infinity;
	#looking: ReturnType<typeof setTimeout> | undefined;

	/** @param save keeps the state with the editor */
	constructor(
		private readonly extension: Ask,
		private readonly save: (state: SavedState) => void,
	) {}

	/** Calls `listener` after every change; returns what ends that. */
	subscribe(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** The page is ready for what the extension has to say. */
	begin(saved: SavedState | undefined): void {
		this.saved = saved ?? this.saved;
		void this.ask({ type: 'ready' });
		if (this.saved.shown === undefined) {
			// An image that was open in a page before this one is not edited any more.
			void this.ask({ type: 'edit', how: 'inView' });
		}
	}

	// --- What the extension says

	receive(event: StudioEvent): void {
		switch (event.type) {
			case 'setup':
				this.setup = event;
				break;
			case 'references':
				this.references = event.references;
				break;
			case 'compose':
				this.references = event.references;
				this.#compose(event);
				break;
			case 'modelTasks':
				this.modelTasks = event.tasks;
				break;
			case 'drafted':
				this.#takeDrafted(event);
				break;
			case 'jobs':
				this.#takeJobs(event.jobs);
				break;
			case 'rounds':
				this.#takeRounds(event);
				break;
			case 'search':
				this.#lookFor(event.query, event.selected);
				break;
			case 'described':
				this.#describe(event);
				break;
			case 'asked':
				this.#takeAnswer(event.accepted);
				break;
			case 'notice':
				this.#notify(event);
		}
		this.#changed();
	}

	#compose(composed: Composed): void {
		const { draft } = this.saved;
		this.#save({ draft: draftWith(draft, composed, editedOf(this.references ?? [])) });
		this.#remember(draft.prompt);
		if (composed.words !== undefined) {
			this.#notify({ severity: 'info', text: composed.words });
		}
		this.focus('prompt');
	}

	/** Puts in what a language model has written. What the user has typed meanwhile counts more. */
	#takeDrafted({ instead, prompt }: Extract<StudioEvent, { type: 'drafted' }>): void {
		if (this.saved.draft.prompt === instead) {
			this.#compose({ prompt });
		} else {
			this.#remember(prompt);
			this.#notify({ severity: 'info', text: messages.draftPutAside });
		}
	}

	#takeAnswer(accepted: boolean): void {
		// A page that was hidden meanwhile is a new one, whose draft is what was sent.
		const { draft } = this.saved;
		const sent = this.sending ?? draft;
		this.sending = undefined;
		if (accepted) {
			// What was said about the draft is of no use any more.
			this.notices = this.notices.filter(({ severity, undo }) => severity !== 'info' || undo);
			this.#save({ draft: draftAfter(draft, sent) });
			this.#remember(draft.prompt);
			this.announce(messages.requested(sent.count));
			this.focus('prompt', 'composer');
		}
	}

	/** A prompt that has gone is the first that the arrow key brings. */
	#remember(prompt: string): void {
		if (/\S/.test(prompt) && prompt !== this.saved.draft.prompt) {
			const others = this.recent.filter((other) => other !== prompt);
			this.recent = [prompt, ...others].slice(0, maxRecent);
		}
	}

	#takeJobs(jobs: readonly Job[]): void {
		const before = this.jobs;
		this.jobs = new Map(jobs.map((job) => [job.id, job]));
		if (this.card !== undefined && !this.jobs.has(this.card)) {
			this.card = undefined;
		}
		for (const { id, label, prompt, state } of jobs) {
			if (state === 'failed') {
				this.#awaited.delete(id);
			} else {
				this.#awaited.set(id, `${label}, ${nameOf(prompt)}`);
			}
		}
		if (!this.#hasJobs) {
			this.#hasJobs = true;
			return;
		}
		for (const { text, urgent } of announcementsOf([...before.values()], jobs)) {
			this.announce(text, urgent);
		}
		if (this.#hasRequested && jobs.some(({ id }) => !before.has(id))) {
			this.#hasRequested = false;
			// What was asked for would run out of sight.
			this.showNewest();
		}
	}

	#takeRounds(now: Rounds): void {
		const before = this.rounds;
		const idsBefore = this.imageIds;
		this.rounds = now;
		this.imageIds = imagesIn(now.rounds);
		this.#imageIds = new Set(this.imageIds);
		this.#roundOf = new Map(
			now.rounds.flatMap((round) => [
				[round.id, round] as const,
				...round.slots.map(({ id }) => [id, round] as const),
			]),
		);
		for (const id of this.#awaited.size === 0 ? [] : this.imageIds) {
			const name = this.#awaited.get(id);
			if (name !== undefined) {
				this.#awaited.delete(id);
				this.announce(messages.arrived(name));
			}
		}
		if (before === undefined && !isSameQuery(now.query, this.saved.query)) {
			// The page was restored with what had been looked for.
			void this.ask({ type: 'search', query: this.saved.query });
			return;
		}
		const isOther =
			before !== undefined &&
			(!isSameQuery(before.query, now.query) || (this.showsFolder && before.folder !== now.folder));
		if (isOther) {
			this.scrolledToTop++;
		}
		if (this.#revealed !== undefined && isSameQuery(now.query, everything)) {
			const id = this.#revealed;
			this.#revealed = undefined;
			this.reveal(id);
		}
		if (this.isSearching || isOther) {
			// What this search does not find may still exist.
			return;
		}
		const ids = this.#imageIds;
		const known = new Set(idsBefore);
		this.selection = selectionAmong(
			this.selection,
			(id) => ids.has(id) || (before !== undefined && !known.has(id)),
		);
		if (this.selection.ids.size === 0 && document.activeElement?.closest('.selection')) {
			// The bar goes, and what has the focus in it.
			this.focus('grid');
		}
		this.#leaveWhatHasGone(before === undefined ? undefined : idsBefore, ids);
	}

	/** Shows something else where what was shown has gone: after a delete, the next image. */
	#leaveWhatHasGone(before: readonly string[] | undefined, ids: ReadonlySet<string>): void {
		const { shown, compared } = this.saved;
		if (compared !== undefined && !compared.every((id) => ids.has(id))) {
			const left = compared.filter((id) => ids.has(id));
			this.#look({ shown: undefined, compared: left.length < 2 ? undefined : left });
			this.focus(left.length < 2 ? 'grid' : 'comparison', 'page');
		} else if (compared === undefined && shown !== undefined && !ids.has(shown)) {
			const next = before && nextFocus(shown, before, this.imageIds);
			this.#look({ shown: next, compared: undefined });
			if (next === undefined) {
				this.focus('grid', 'page');
			}
		}
	}

	#lookFor(query: Query, selected: readonly string[]): void {
		this.#look({ shown: undefined, compared: undefined });
		if (query.among === 'files') {
			this.saveFolder({ at: undefined });
		}
		this.search(query);
		if (selected.length + this.selection.ids.size > 0) {
			this.select({ ids: new Set(selected), from: undefined });
		}
		this.focus(query.among === 'files' ? 'grid' : 'search');
	}

	#describe({ rounds, images }: Description): void {
		this.known = withAll(this.known, rounds);
		this.images = withAll(
			this.images,
			// A thumbnail comes later than the rest. Until then that of the same file stays.
			images.map((image) => {
				const before = this.images.get(image.id);
				return image.source !== undefined && image.source === before?.source
					? { thumbnail: before.thumbnail, ...image }
					: image;
			}),
		);
	}

	/** Shows why something was not done. */
	showError(text: string): void {
		this.#notify({ severity: 'error', text });
		this.#changed();
	}

	/** Shows a notice; one that is repeated stands there once. */
	#notify(notice: Notice): void {
		const others = this.notices.filter(
			({ text, undo }) => text !== notice.text || undo?.join() !== notice.undo?.join(),
		);
		this.notices = [...others, notice].slice(-maxNotices);
	}

	// --- What elements ask about

	/** Returns true while all images of a folder are shown, by name, in the place of the rounds. */
	get showsFolder(): boolean {
		return this.rounds?.query.among === 'files';
	}

	/** Returns whether the rounds are not yet those that are looked for. */
	get isSearching(): boolean {
		return this.rounds !== undefined && !isSameQuery(this.rounds.query, this.saved.query);
	}

	/** Returns whether one image, or some compared, stand in the place of the stream. */
	get isCovered(): boolean {
		return this.saved.shown !== undefined || this.saved.compared !== undefined;
	}

	/** Those that can be made again with the style of now; `undefined` where others are looked for. */
	get outdated(): readonly string[] | undefined {
		return this.rounds?.query.among === 'older' ? this.imageIds : undefined;
	}

	/** The round with this id, or with this place. */
	roundOf(id: string): RoundPlaces | undefined {
		return this.#roundOf.get(id);
	}

	/** The places of the round in which an image is. */
	slotsBeside(id: string): readonly Slot[] {
		return this.#roundOf.get(id)?.slots ?? [];
	}

	isImage(id: string): boolean {
		return this.#imageIds.has(id);
	}

	isCollapsed({ id, collapsed = false }: RoundPlaces): boolean {
		return this.known.get(id)?.collapsed ?? collapsed;
	}

	/** Takes the focus that was wanted, once; `undefined` where it is not for this element. */
	takeFocus(target: FocusTarget): { readonly id: string | undefined } | undefined {
		const focus = this.#focus;
		if (focus?.target !== target) {
			return undefined;
		}
		this.#focus = undefined;
		return focus;
	}

	// --- What the user does

	/** Resolves with whether it was done; a failure has been shown then. */
	async ask(request: StudioRequest): Promise<boolean> {
		this.#foresee(request);
		try {
			await this.extension(request);
			return true;
		} catch (error) {
			this.#hasRequested = false;
			this.#notify({ severity: 'error', text: (error as ChannelError).message });
			if (request.type === 'markImages' || request.type === 'markRound') {
				// What was shown in advance is shown as it is.
				this.#looked = '';
			}
			this.#changed();
			return false;
		}
	}

	/** Shows at once what the extension will say in a moment, so that the next key finds it. */
	#foresee(request: StudioRequest): void {
		if (request.type === 'generate' || request.type === 'roundAgain') {
			this.#hasRequested = true;
		} else if (request.type === 'markImages') {
			const images = request.ids.flatMap((id) => this.images.get(id) ?? []);
			this.images = withAll(
				this.images,
				images.map((image) => ({
					...image,
					isFavorite: request.isFavorite ?? image.isFavorite,
					title: named(image.title, request.title),
					note: named(image.note, request.note),
				})),
			);
		} else if (request.type === 'markRound') {
			const { id, name, collapsed } = request;
			const round = this.known.get(id);
			if (round !== undefined) {
				const now = { collapsed: collapsed ?? round.collapsed, name: named(round.name, name) };
				this.known = withAll(this.known, [{ ...round, ...now }]);
			}
		} else if (request.type === 'moveReference' && this.references !== undefined) {
			const from = this.references.findIndex(({ id }) => id === request.id);
			this.references = from < 0 ? this.references : moved(this.references, from, request.to);
		} else {
			return;
		}
		this.#changed();
	}

	/** Changes the draft. */
	write(part: Partial<Draft>): void {
		this.#save({ draft: { ...this.saved.draft, ...part } });
		this.#changed();
	}

	/** Changes what is shown for the moment and not saved. */
	set(part: Partial<Pick<StudioStore, 'sending' | 'card' | 'renaming' | 'showsKeys'>>): void {
		Object.assign(this, part);
		this.#changed();
	}

	/** Without the image that was edited, what came with it is of no use either. */
	removeReference(reference: Reference): void {
		if (reference.edited) {
			this.#save({ draft: withoutBrought(this.saved.draft) });
		}
		void this.ask({ type: 'removeReference', id: reference.id });
		this.#changed();
	}

	/** Has a screen reader say something that nothing on the screen with the focus says. */
	announce(text: string, urgent = false): void {
		this.announcements = [...this.announcements, { text, urgent }].slice(-maxAnnouncements);
		this.#changed();
	}

	/**
	 * Gives an element the focus, as soon as it is shown.
	 *
	 * @param from where the focus has to be now; else it stays where the user has gone
	 */
	focus(
		target: FocusTarget,
		from: 'anywhere' | 'page' | 'composer' = 'anywhere',
		id?: string,
	): void {
		if (from === 'anywhere' || from === focusedPart()) {
			this.#focus = { target, id };
			this.#changed();
		}
	}

	dismissNotice(notice: Notice): void {
		this.notices = this.notices.filter((other) => other !== notice);
		this.focus('prompt');
	}

	/** An image or a thumbnail cannot be loaded. */
	noteBroken(source: string): void {
		this.broken.add(source);
		this.#changed();
	}

	search(query: Query, isTyping = false): void {
		if ((query.among === 'files') !== (this.saved.query.among === 'files')) {
			// Files of a folder are nowhere else.
			this.selection = nothingSelected;
		}
		this.#look({ query });
		clearTimeout(this.#typing);
		this.#typing = setTimeout(
			() => void this.ask({ type: 'search', query }),
			isTyping ? typingPauseMs : 0,
		);
	}

	select(selection: Selection): void {
		this.selection = selection;
		this.announce(messages.selected(selection.ids.size));
	}

	unselect(): void {
		const [first] = this.selection.ids;
		this.select(nothingSelected);
		this.focus('grid', 'anywhere', first);
	}

	/** Opens an image large. */
	open(id: string): void {
		this.#look({ shown: id, compared: undefined });
		this.focus('detail');
	}

	/** Goes to the image before the one that is shown (-1), or after it (1). */
	step(by: -1 | 1): void {
		const ids = this.imageIds;
		const index = ids.indexOf(this.saved.shown ?? '');
		const shown = index < 0 ? undefined : ids[index + by];
		if (shown !== undefined) {
			this.#look({ shown });
			const image = this.images.get(shown);
			const name =
				image === undefined
					? hints.image
					: [image.label, image.title ?? image.name].filter((word) => word !== '').join(', ');
			this.announce(`${name}, ${String(index + by + 1)} of ${String(ids.length)}`);
		}
	}

	/** @param ids two to four images */
	compare(ids: readonly string[]): void {
		this.#cameFrom = this.saved.shown;
		this.#look({ shown: undefined, compared: ids.slice(0, maxCompared) });
		this.focus('comparison');
	}

	/** Selects an image, so that others can be selected to be compared with it. */
	beginComparing(id: string): void {
		this.select({ ids: new Set([id]), from: id });
		this.announce(messages.selectOthers);
		this.#look({ shown: undefined, compared: undefined });
		this.focus('grid', 'anywhere', id);
	}

	/** Leads from one image, or a comparison, back to what was shown before. */
	goBack(): void {
		const { shown, compared } = this.saved;
		const back = compared === undefined ? undefined : this.#cameFrom;
		this.#cameFrom = undefined;
		this.#look({ shown: back, compared: undefined });
		if (back === undefined) {
			this.focus('grid', 'anywhere', shown ?? compared?.[0]);
		} else {
			this.focus('detail');
		}
	}

	/** Shows an image large where one is shown so, else in its place; searches all if need be. */
	reveal(id: string): void {
		const round = this.#roundOf.get(id);
		if (round === undefined) {
			if (this.rounds === undefined || isSameQuery(this.rounds.query, everything)) {
				this.announce(messages.gone, true);
			} else {
				this.#revealed = id;
				this.search(everything);
			}
		} else if (this.saved.shown !== undefined && this.isImage(id)) {
			this.#look({ shown: id });
		} else {
			this.#look({ shown: undefined, compared: undefined });
			if (this.isCollapsed(round)) {
				void this.ask({ type: 'markRound', id: round.id, collapsed: false });
			}
			this.focus('grid', 'anywhere', id);
		}
	}

	/** Shows the newest round, whatever is looked at; the focus stays where it is. */
	showNewest(): void {
		if (!isSameQuery(this.saved.query, everything)) {
			this.search(everything);
		}
		this.#look({ shown: undefined, compared: undefined });
		this.scrolledToTop++;
	}

	/** Puts an image on the clipboard. */
	async copy(id: string): Promise<void> {
		const source = this.images.get(id)?.source;
		if (source === undefined) {
			return;
		}
		try {
			// The promise within, so that the browser still knows the click that allows it.
			await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(source) })]);
			this.#notify({ severity: 'info', text: messages.copied });
			this.#changed();
		} catch (error) {
			this.showError(messages.notCopied(error instanceof Error ? error.message : String(error)));
		}
	}

	/** Puts a star on images, or takes it from them, and says so. */
	setFavorite(ids: readonly string[], isFavorite: boolean): void {
		void this.ask({ type: 'markImages', ids: [...ids], isFavorite });
		const label = ids.length === 1 ? this.images.get(ids[0]!)?.label : undefined;
		const name = label ?? hints.images(ids.length);
		this.announce(isFavorite ? `${name}: ${messages.starred}` : messages.starRemovedFrom(name));
	}

	/** Saves how large the images of a folder are, or which one has the tab stop. */
	saveFolder(part: Partial<FolderState>): void {
		this.#save({ folder: { cells: 'medium', ...this.saved.folder, ...part } });
		this.#changed();
	}

	// --- What has to be known of what is on the screen

	/**
	 * Asks for what an element has to know of what it shows; at most every tenth of a second.
	 *
	 * @param shown what is seen first
	 */
	look(shown: Partial<Record<'rounds' | 'images', readonly string[]>>): void {
		const { rounds = [], images = [] } = shown;
		const request: StudioRequest = {
			type: 'look',
			rounds: rounds.slice(0, maxDescribed),
			images: images.slice(0, maxDescribed),
		};
		clearTimeout(this.#looking);
		const text = JSON.stringify(request);
		if (text === this.#looked) {
			return;
		}
		const rest = this.#lookedAt + lookPauseMs - performance.now();
		this.#looking = setTimeout(
			() => {
				this.#looked = text;
				this.#lookedAt = performance.now();
				void this.ask(request);
			},
			Math.max(rest, 0),
		);
	}

	// --- The state

	#look(part: Partial<Pick<SavedState, 'query' | 'shown' | 'compared'>>): void {
		const { shown } = this.saved;
		this.#save(part);
		if (this.saved.shown !== shown) {
			this.#followView(shown);
		}
		this.#changed();
	}

	#save(part: Partial<SavedState>): void {
		this.saved = { ...this.saved, ...part };
		this.save(this.saved);
	}

	#changed(): void {
		for (const listener of this.#listeners) {
			listener();
		}
	}

	/** Has the composer edit the image that is open large, unless the user has chosen another one. */
	#followView(before: string | undefined): void {
		const { shown: id, draft } = this.saved;
		if (before === undefined) {
			this.#promptBefore = draft.prompt;
		}
		const edited = editedOf(this.references ?? []);
		const isWrittenAbout = this.#promptBefore !== draft.prompt && /\S/.test(draft.prompt);
		if (id === undefined && edited?.fromView === true && isWrittenAbout) {
			// The prompt was written while it was open, and is about it.
			void this.ask({ type: 'edit', id: edited.id, how: 'instead' });
		} else {
			void this.ask({ type: 'edit', how: 'inView', ...(id === undefined ? {} : { id }) });
		}
	}
}

/** Returns the part with the focus; `undefined` where the page has none. */
function focusedPart(): 'composer' | 'page' | undefined {
	const { activeElement, body } = document;
	if (activeElement === null || activeElement === body) {
		return undefined;
	}
	return activeElement.closest('easel-compose') === null ? 'page' : 'composer';
}

/** Returns a map with things in the place of those before them; those that came first go first. */
function withAll<Thing extends { readonly id: string }>(
	before: ReadonlyMap<string, Thing>,
	things: readonly Thing[],
): ReadonlyMap<string, Thing> {
	if (things.length === 0) {
		return before;
	}
	const now = new Map(before);
	for (const thing of things) {
		const old = now.get(thing.id);
		now.delete(thing.id);
		// What is the same stays the same object: it is not drawn anew.
		now.set(thing.id, JSON.stringify(old) === JSON.stringify(thing) ? old! : thing);
	}
	for (const id of [...now.keys()].slice(0, Math.max(now.size - maxDescriptions, 0))) {
		now.delete(id);
	}
	return now;
}

/** An empty text takes a name away; what is not given stays. */
function named(before: string | undefined, now: string | undefined): string | undefined {
	return now === '' ? undefined : (now ?? before);
}

/**
 * Draws an image on a canvas, as VS Code's own image preview does it: resources of a webview come through
 * its service worker, so that they do not taint the canvas, and fetching them would need a wider policy.
 *
 * @throws what the browser throws where the image cannot be loaded
 */
async function pngOf(source: string): Promise<Blob> {
	const image = new Image();
	image.src = source;
	await image.decode();
	const canvas = document.createElement('canvas');
	canvas.width = image.naturalWidth;
	canvas.height = image.naturalHeight;
	canvas.getContext('2d')?.drawImage(image, 0, 0);
	const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
	if (blob === null) {
		throw new Error(messages.tooLargeToCopy);
	}
	return blob;
}
