import { maxMarks, type Mark } from '../../../images/marks.js';
import { pageMessages } from '../../messages.js';
import { marksOn } from '../draft.js';
import type { MarkTool } from '../marks/markGeometry.js';
import type { Composer } from './composer.js';
import type { FocusRequests } from './focusRequests.js';
import type { Notices } from './notices.js';
import type { SavedPage } from './savedPage.js';

type Marks = readonly Mark[];

/** Work on the marks of an image in view; it ends with that view. */
interface Session {
	readonly image: string;
	readonly tool: MarkTool;
	/** Index of the mark that is selected. */
	readonly selected?: number | undefined;
	/** The marks before each step that can be undone, and after each that was; the next one last. */
	readonly past: readonly Marks[];
	readonly future: readonly Marks[];
	/** Names the last step: the same one again is undone with it. */
	readonly step?: string | undefined;
}

/** The marks on an image that is open large or compared, while the user makes and changes them. */
export class Marking {
	#session: Session | undefined;

	constructor(
		private readonly saved: SavedPage,
		private readonly composer: Composer,
		private readonly notices: Notices,
		private readonly focus: FocusRequests,
		private readonly changed: () => void,
	) {}

	/** The image that is being marked. */
	get image(): string | undefined {
		return this.#current?.image;
	}

	/** The tool in use; `undefined` while no image is being marked. */
	get tool(): MarkTool | undefined {
		return this.#current?.tool;
	}

	/** The marks on that image, or on the one that is open large. */
	get marks(): Marks {
		return marksOn(this.composer.draft, this.image ?? this.saved.current.shown);
	}

	/** Index of the mark that is selected. */
	get selected(): number | undefined {
		const { selected } = this.#current ?? {};
		return selected === undefined || this.marks[selected] === undefined ? undefined : selected;
	}

	get canUndo(): boolean {
		return (this.#current?.past.length ?? 0) > 0;
	}

	get canRedo(): boolean {
		return (this.#current?.future.length ?? 0) > 0;
	}

	/** It ends with the view of its image. */
	get #current(): Session | undefined {
		const { shown, compared = [] } = this.saved.current;
		const isSeen = (image: string) => image === shown || compared.includes(image);
		if (this.#session !== undefined && !isSeen(this.#session.image)) {
			this.#session = undefined;
		}
		return this.#session;
	}

	/** Begins to draw marks on an image in view; what is drawn is a new one. */
	begin(image: string): void {
		const tool = this.image === image ? this.tool : undefined;
		this.use(tool === undefined || tool === 'move' ? 'rectangle' : tool, image);
		this.select(undefined);
		this.#focusPicture();
	}

	/** Takes a tool for the marks of an image in view: by default of the one that is being marked. */
	use(tool: MarkTool, image = this.image ?? this.saved.current.shown): void {
		if (image !== undefined) {
			const current = this.image === image ? this.#current : undefined;
			if (current === undefined) {
				this.notices.announce(pageMessages.marking);
			}
			this.#set({ ...(current ?? { image, past: [], future: [] }), tool });
		}
	}

	/** Leaves the tool, then the marks. */
	leave(): void {
		if (this.tool === 'move') {
			this.end();
		} else {
			this.use('move');
		}
	}

	/** Shows the image as before; its marks stay. */
	end(): void {
		this.#set(undefined);
		this.#focusPicture();
	}

	/** @param index of a mark; `undefined` selects none */
	select(index: number | undefined): void {
		if (this.#current !== undefined && this.#current.selected !== index) {
			this.#set({ ...this.#current, selected: index, step: undefined });
		}
	}

	/** Adds a mark and selects it; returns whether there is room for it. */
	add(mark: Mark): boolean {
		const { marks } = this;
		if (marks.length >= maxMarks) {
			this.notices.show({ severity: 'info', text: pageMessages.tooManyMarks(maxMarks) });
			return false;
		}
		this.#write([...marks, mark]);
		this.select(marks.length);
		return true;
	}

	/** @param step names what is done: the same again with no other step between is one step */
	change(index: number, mark: Mark, step?: string): void {
		const { marks } = this;
		this.#write(marks.with(index, mark), step && `${step} ${String(index)}`);
	}

	/** Writes the note of a mark. */
	writeNote(index: number, note: string): void {
		const mark = this.marks[index];
		if (mark !== undefined) {
			this.change(index, { ...mark, note }, 'note');
		}
	}

	/** Deletes a mark, and selects the next one. */
	remove(index: number): void {
		const left = this.marks.toSpliced(index, 1);
		this.#write(left);
		this.select(left.length === 0 ? undefined : Math.min(index, left.length - 1));
		this.notices.announce(pageMessages.markDeleted(index + 1));
		if (left.length === 0) {
			this.#focusPicture();
		} else {
			this.focus.request('mark');
		}
	}

	undo(): void {
		const { past = [], future = [] } = this.#current ?? {};
		this.#goTo(past.at(-1), { past: past.slice(0, -1), future: [...future, this.marks] });
	}

	redo(): void {
		const { past = [], future = [] } = this.#current ?? {};
		this.#goTo(future.at(-1), { past: [...past, this.marks], future: future.slice(0, -1) });
	}

	#focusPicture(): void {
		this.focus.request(this.saved.current.compared === undefined ? 'detail' : 'comparison');
	}

	#goTo(marks: Marks | undefined, steps: Pick<Session, 'past' | 'future'>): void {
		if (this.#current !== undefined && marks !== undefined) {
			this.#session = { ...this.#current, ...steps, step: undefined };
			this.composer.writeMarks(this.#current.image, marks);
			this.notices.announce(pageMessages.marks(marks.length));
		}
	}

	#write(marks: Marks, step?: string): void {
		const current = this.#current;
		if (current === undefined) {
			return;
		}
		const isSame = step !== undefined && step === current.step;
		const past = isSame ? current.past : [...current.past, this.marks];
		this.#session = { ...current, past, future: [], step };
		this.composer.writeMarks(current.image, marks);
	}

	#set(session: Session | undefined): void {
		this.#session = session;
		this.changed();
	}
}
