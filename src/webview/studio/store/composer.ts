import type { StudioEvent, StudioRequest } from '../../../protocol/studio.js';
import type { ModelTaskName, StudioReference } from '../../../protocol/studioModel.js';
import { pageMessages } from '../../messages.js';
import {
	chosenSize,
	countOf,
	draftAfter,
	draftWith,
	editedOf,
	withoutBrought,
	type Composed,
	type StudioDraft,
	type Setup,
} from '../draft.js';
import { moveItem } from '../reorder.js';
import type { FocusRequests } from './focusRequests.js';
import type { Notices } from './notices.js';
import type { SendRequest } from './requests.js';
import type { SavedPage } from './savedPage.js';

/** Limit of prompts of this page, which the arrow key brings back before those of the extension. */
const maxRecent = 10;

/** The draft with its reference images, and what it can be sent with. */
export class Composer {
	setup: Setup | undefined;
	references: readonly StudioReference[] | undefined;
	/** Tasks that a language model can be given. */
	modelTasks: readonly ModelTaskName[] = [];
	/** Prompts that were sent or replaced, newest first. */
	recent: readonly string[] = [];
	/** The request on its way: until it is in the journal it can still be refused. */
	sending: StudioDraft | undefined;

	/** The prompt when an image was opened large. */
	#promptBefore = '';

	constructor(
		private readonly saved: SavedPage,
		private readonly notices: Notices,
		private readonly focus: FocusRequests,
		private readonly ask: SendRequest,
		private readonly changed: () => void,
	) {}

	get draft(): StudioDraft {
		return this.saved.current.draft;
	}

	/** Changes the draft. */
	write(part: Partial<StudioDraft>): void {
		this.saved.update({ draft: { ...this.draft, ...part } });
	}

	/** Changes what is not saved. */
	set(part: Partial<Pick<Composer, 'setup' | 'references' | 'modelTasks' | 'sending'>>): void {
		Object.assign(this, part);
		this.changed();
	}

	/** Takes the size that the user has chosen. */
	chooseSize(size: string): void {
		if (this.setup !== undefined) {
			this.write(chosenSize(size, this.setup, editedOf(this.references ?? [])));
		}
	}

	/** Without the image that was edited, what came with it is of no use either. */
	removeReference(reference: StudioReference): void {
		if (reference.edited) {
			this.saved.update({ draft: withoutBrought(this.draft) });
		}
		void this.ask({ type: 'removeReference', id: reference.id });
	}

	/** Shows at once what the extension will say of the order. */
	moveReference({ id, to }: Extract<StudioRequest, { type: 'moveReference' }>): void {
		const { references = [] } = this;
		const from = references.findIndex((reference) => reference.id === id);
		if (from >= 0) {
			this.set({ references: moveItem(references, from, to) });
		}
	}

	compose(composed: Composed): void {
		const { draft } = this;
		this.saved.update({
			draft: draftWith(draft, composed, editedOf(this.references ?? [])),
		});
		this.#remember(draft.prompt);
		if (composed.words !== undefined) {
			this.notices.show({ severity: 'info', text: composed.words });
		}
		this.focus.request('prompt');
	}

	/** Puts in what a language model has written. What the user has typed meanwhile counts more. */
	takeDrafted({ instead, prompt }: Extract<StudioEvent, { type: 'drafted' }>): void {
		if (this.draft.prompt === instead) {
			this.compose({ prompt });
		} else {
			this.#remember(prompt);
			this.notices.show({ severity: 'info', text: pageMessages.draftPutAside });
		}
	}

	/** @param accepted whether what was sent is in the journal */
	takeAnswer(accepted: boolean): void {
		// A page that was hidden meanwhile is a new one, whose draft is what was sent.
		const { draft } = this;
		const sent = this.sending ?? draft;
		this.set({ sending: undefined });
		if (accepted) {
			// What was said about the draft is of no use any more.
			this.notices.dismissInfos();
			this.saved.update({ draft: draftAfter(draft, sent) });
			this.#remember(draft.prompt);
			const edited = editedOf(this.references ?? []);
			this.notices.announce(pageMessages.requested(countOf(sent, edited)));
			this.focus.request('prompt', 'composer');
		}
	}

	/**
	 * Has the image that is open large edited, unless the user has chosen another one.
	 *
	 * @param before the one that was open until now
	 */
	followView(before: string | undefined, id: string | undefined): void {
		const { draft } = this;
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

	/** A prompt that has gone is the first that the arrow key brings. */
	#remember(prompt: string): void {
		if (/\S/.test(prompt) && prompt !== this.draft.prompt) {
			const others = this.recent.filter((other) => other !== prompt);
			this.recent = [prompt, ...others].slice(0, maxRecent);
		}
	}
}
