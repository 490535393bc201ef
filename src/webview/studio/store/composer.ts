import type { StudioEvent, StudioRequest } from '../../../protocol/studio.js';
import type { ModelTaskName, StudioReference } from '../../../protocol/studioModel.js';
import type { Mark } from '../../../images/marks.js';
import { pageMessages } from '../../messages.js';
import {
	askedFor,
	chosenSize,
	countOf,
	draftAfter,
	draftWith,
	editedOf,
	markedId,
	marksOn,
	sentMarks,
	sentPrompt,
	styleOf,
	whyNot,
	withMarks,
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
	/** Marks that came back with the prompt of the last message. */
	#recalledMarks: readonly Mark[] | undefined;

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

	/** Returns why nothing can be sent now; `undefined` where it can. */
	get reason(): string | undefined {
		return this.sending === undefined
			? whyNot(this.draft, this.setup, this.references)
			: pageMessages.onTheWay;
	}

	/** Sends the draft, or announces why that cannot be. */
	async send(): Promise<void> {
		const { draft, reason, references = [], setup } = this;
		if (reason !== undefined || setup === undefined) {
			this.notices.announce(reason ?? '');
			if (!/\S/.test(sentPrompt(draft, references))) {
				this.focus.request('prompt');
			}
			return;
		}
		const edited = editedOf(references);
		const style = styleOf(draft, setup)?.sha256;
		this.sending = draft;
		this.#noteSent(references);
		const isBegun = await this.ask({
			type: 'generate',
			references: references.map(({ id }) => id),
			...(edited === undefined ? {} : { edited: edited.id }),
			...askedFor(draft, references, setup),
			...(style === undefined ? {} : { style }),
		});
		if (!isBegun) {
			this.set({ sending: undefined });
		}
	}

	/** Saves the marks that are sent: a page that comes back clears them when all is in the journal. */
	#noteSent(references: readonly StudioReference[]): void {
		const draft = { ...this.draft };
		delete draft.sentMarks;
		const edited = editedOf(references);
		const marks = sentMarks(draft, references);
		const prompt = sentPrompt(draft, references).trim();
		this.saved.update({
			draft:
				edited === undefined || marks.length === 0
					? draft
					: { ...draft, sentMarks: { prompt, of: markedId(edited), marks: [...marks] } },
		});
	}

	/** Changes the marks on an image, which becomes the one that is edited. */
	writeMarks(image: string, marks: readonly Mark[]): void {
		this.write(withMarks(this.draft, image, marks));
		const edited = editedOf(this.references ?? []);
		const isChosen = edited !== undefined && markedId(edited) === image && edited.fromView !== true;
		if (marks.length > 0 && !isChosen) {
			void this.ask({ type: 'edit', id: image, how: 'instead' });
		}
	}

	/**
	 * Brings back the marks of the last message with its prompt, where the image has none now, and
	 * takes them away with any other prompt.
	 */
	recallMarks(prompt: string): void {
		const { sentMarks: sent } = this.draft;
		if (sent === undefined) {
			return;
		}
		const now = marksOn(this.draft, sent.of);
		if (prompt.trim() === sent.prompt && now.length === 0) {
			this.write(withMarks(this.draft, sent.of, sent.marks));
			this.#recalledMarks = marksOn(this.draft, sent.of);
		} else if (prompt.trim() !== sent.prompt && now.length > 0 && now === this.#recalledMarks) {
			this.write(withMarks(this.draft, sent.of, []));
		}
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

	/** Puts a draft of the extension into the composer, which gets the focus. */
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
