import * as vscode from 'vscode';
import * as z from 'zod';
import type { AskedPlace } from '../documents/place.js';
import { moveSpan, paragraphEnd, type Span } from '../documents/span.js';
import { extensibleObject } from '../files/fileFormat.js';
import {
	hashOf,
	ClosedDocumentAnchors,
	renamed,
	type AnchorsInText,
} from './closedDocumentAnchors.js';
import type { Insertion } from '../jobs/request.js';
import { parseUri, type CommandContext } from '../editor/imageRequest.js';
import type { JobList } from './jobList.js';
import type { SavedImage } from './savedImage.js';
import { UntitledCopies, type Followed } from './untitledCopies.js';
import { inTurn, writeLink, type Written } from './writing.js';
import { spanOf, isWritable, openDocument } from '../editor/documents.js';

/**
 * End of an image link: written; another draft has its link there; its anchor was deleted; or the
 * document is closed, or was changed while its anchors were not followed.
 */
export type Inserted = Written | 'draft' | 'deleted' | 'away';

/** A document with the anchors in it that were not deleted. */
export interface FollowedAnchors {
	readonly document: vscode.TextDocument;
	readonly anchors: readonly AskedPlace[];
}

type Change = vscode.TextDocumentChangeEvent['contentChanges'];

/** Follows the places where commands were given through the edits of the minutes until the image. */
export class Anchors implements vscode.Disposable {
	readonly #followed = new Map<string, Followed>();
	/** By the same identifiers. */
	readonly #copies = new UntitledCopies();
	readonly #left = new ClosedDocumentAnchors();
	/** Changes of documents since a link began to be written there. */
	readonly #held = new Map<vscode.TextDocument, Change[]>();
	readonly #changed = new vscode.EventEmitter<void>();
	/** Anchors have moved, have come or have gone. */
	readonly onDidChange = this.#changed.event;
	readonly #listeners: vscode.Disposable[];

	constructor() {
		this.#listeners = [
			this.#changed,
			vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
				const held = this.#held.get(document);
				if (contentChanges.length > 0 && held !== undefined) {
					held.push(contentChanges);
				} else {
					this.#follow(document, contentChanges);
				}
				this.#copies.add(document, this.#followed);
			}),
			vscode.workspace.onDidSaveTextDocument((document) => this.#copies.noteSaved(document)),
			vscode.workspace.onDidCloseTextDocument((document) => {
				this.#takeName(document);
				this.#leave(document);
			}),
			vscode.workspace.onDidOpenTextDocument((document) => {
				this.#return(document);
				this.#copies.add(document, this.#followed);
			}),
			vscode.workspace.onDidRenameFiles(({ files }) => {
				for (const { oldUri, newUri } of files) {
					this.#rename(oldUri, newUri);
				}
			}),
		];
	}

	dispose(): void {
		vscode.Disposable.from(...this.#listeners).dispose();
	}

	/** Starts to follow the cursors of an editor; `undefined` where nothing can be written there. */
	track(editor: vscode.TextEditor): Insertion | undefined {
		const { document, selections } = editor;
		if (!isWritable(document)) {
			return undefined;
		}
		const text = document.getText();
		const anchors = selections.map((selection): Span => {
			const span = spanOf(document, selection);
			if (selection.isEmpty) {
				return span;
			}
			const behind = paragraphEnd(text, span.end);
			return { start: behind, end: behind };
		});
		const isSelected = selections.some((selection) => !selection.isEmpty);
		return this.#begin(document, withoutDoubles(anchors), isSelected);
	}

	/**
	 * Starts to follow the place of a paragraph in a document that need not be in an editor; `undefined`
	 * where nothing can be written there.
	 *
	 * @param line that it goes before, from 1; without it, the paragraph is the last one
	 */
	trackLine(document: vscode.TextDocument, line?: number): Insertion | undefined {
		if (!isWritable(document)) {
			return undefined;
		}
		const at =
			line === undefined
				? document.getText().length
				: document.offsetAt(new vscode.Position(line - 1, 0));
		return this.#begin(document, [{ start: at, end: at }], true);
	}

	#begin(document: vscode.TextDocument, places: Span[], block: boolean): Insertion {
		const sha256 = hashOf(document.getText());
		const insertion: Insertion = { id: crypto.randomUUID(), places, block, sha256 };
		this.#followed.set(insertion.id, {
			document,
			anchors: insertion.places,
			original: { anchors: insertion.places, sha256: insertion.sha256 },
		});
		return insertion;
	}

	/**
	 * Stands for a place in a document whose cursor is not known. Nothing is followed: where the link
	 * belongs is asked for when the image is there, but in an empty document.
	 */
	withoutPlace(): Insertion {
		const places = [{ start: 0, end: 0 }];
		return { id: crypto.randomUUID(), places, block: false, sha256: hashOf('') };
	}

	/** Stops to follow: there will be no image. */
	forget(insertion: Insertion | undefined): void {
		for (const anchors of [this.#followed, this.#copies, this.#left]) {
			anchors.delete(insertion?.id ?? '');
		}
	}

	/**
	 * Resumes the anchors of a command that was given before this window was reloaded: as soon as the
	 * document is open, if its text is one for which they are known.
	 *
	 * @param document by the name that it had last
	 * @param latest the anchors as they were last seen
	 */
	resume({ id, places, sha256 }: Insertion, document: vscode.Uri, latest?: AnchorsInText): void {
		if (this.#followed.has(id) || this.#left.has(id)) {
			return;
		}
		const original = { anchors: places, sha256 };
		this.#left.leave(id, document, { latest: latest ?? original, original });
		const open = openDocument(document);
		if (open !== undefined) {
			this.#return(open);
		}
	}

	/**
	 * Returns the places of image links in the text as it is now; `undefined` where they are not
	 * followed.
	 */
	find({ id }: Insertion): FollowedAnchors | undefined {
		const followed = this.#followed.get(id);
		return followed && { document: followed.document, anchors: thereOf(followed.anchors) };
	}

	/** The document where a command was given, by the name that it has now. */
	documentOf({
		document,
		insertion,
	}: Pick<CommandContext, 'document' | 'insertion'>): vscode.Uri | undefined {
		const { id = '' } = insertion ?? {};
		return this.#followed.get(id)?.document.uri ?? this.#left.documentOf(id) ?? parseUri(document);
	}

	/**
	 * Writes the image link where the command was given, in one undo step that takes it back. Those
	 * that come at the same time keep the order in which they came.
	 *
	 * @param isDraft whether only the first of several images gets a link
	 */
	async insert(saved: SavedImage, context: CommandContext, isDraft = false): Promise<Inserted> {
		const { insertion } = context;
		const followed = insertion && this.#followed.get(insertion.id);
		if (insertion === undefined || followed === undefined) {
			return 'away';
		}
		const { document } = followed;
		const anchors = () => thereOf(followed.anchors);
		const inserted = await inTurn(document, async (): Promise<Inserted> => {
			if (document.isClosed) {
				return 'away';
			}
			// An anchor is behind a link that was written there.
			if (isDraft && anchors().some(({ behind }) => behind)) {
				return 'draft';
			}
			const written = await writeLink(document, saved, {
				anchors,
				block: insertion.block,
				apply: (edit, places) => this.#apply(document, edit, places),
			});
			return written ?? (anchors().length === 0 ? 'deleted' : 'away');
		});
		// While its turn was waited for, the document may have got another name.
		const isElsewhere = this.#followed.get(insertion.id)?.document !== document;
		return inserted === 'away' && isElsewhere ? this.insert(saved, context, isDraft) : inserted;
	}

	/** Makes an edit of our own, behind which comes what else belongs to the same anchor. */
	async #apply(
		document: vscode.TextDocument,
		edit: () => Thenable<boolean>,
		places: ReadonlyMap<number, number>,
	): Promise<boolean> {
		const held: Change[] = [];
		this.#held.set(document, held);
		let done = false;
		try {
			done = await edit();
			return done;
		} finally {
			this.#held.delete(document);
			// VS Code makes it only of the version that it was made for, so it came first.
			held.forEach((change, index) =>
				this.#follow(document, change, done && index === 0 ? places : nowhere),
			);
		}
	}

	/** The document is closed: its anchors are known where it is opened again with this text. */
	#leave(document: vscode.TextDocument): void {
		const ofDocument = [...this.#followed].filter(([, followed]) => followed.document === document);
		const sha256 = ofDocument.length === 0 ? '' : hashOf(document.getText());
		for (const [id, { anchors, original }] of ofDocument) {
			this.#left.leave(id, document.uri, {
				latest: { anchors: thereOf(anchors), sha256 },
				original,
			});
			this.#followed.delete(id);
			this.#changed.fire();
		}
	}

	/** The document is open: its anchors are followed if its text is one for which they are known. */
	#return(document: vscode.TextDocument): void {
		for (const { id, latest, original } of this.#left.take(document)) {
			this.#followed.set(id, { document, anchors: latest.anchors, original });
			this.#changed.fire();
		}
	}

	/** A file or folder has another name. VS Code has opened again by now what was open in it. */
	#rename(from: vscode.Uri, to: vscode.Uri): void {
		for (const { document } of [...this.#followed.values()]) {
			if (renamed(document.uri, from, to) !== undefined) {
				this.#leave(document);
			}
		}
		if (this.#left.rename(from, to)) {
			this.#changed.fire();
		}
		for (const document of vscode.workspace.textDocuments) {
			this.#return(document);
		}
	}

	/** An untitled document is closed: where it was saved as a file, its anchors are in that. */
	#takeName(closed: vscode.TextDocument): void {
		for (const [id, copied] of this.#copies.take(closed, this.#followed)) {
			this.#followed.set(id, copied);
			this.#changed.fire();
		}
	}

	/** @param places of an edit of our own, where the link of each anchor was written */
	#follow(document: vscode.TextDocument, changes: Change, places = nowhere): void {
		let any = false;
		for (const followed of [...this.#followed.values(), ...this.#copies.all]) {
			if (followed.document !== document) {
				continue;
			}
			any ||= changes.length > 0;
			followed.anchors = followed.anchors.map(
				(anchor) => anchor && afterChanges(anchor, changes, places.get(anchor.start)),
			);
		}
		if (any) {
			this.#changed.fire();
		}
	}
}

/**
 * @param at where the link of this anchor was written by one of the changes; the anchor is behind it
 * @returns `undefined` where the text around it was deleted
 */
function afterChanges(anchor: AskedPlace, changes: Change, at?: number): AskedPlace | undefined {
	let now: AskedPlace | undefined = anchor;
	let isWritten = false;
	// They come last one first, so none moves another; offsets are those of the text before.
	for (const { rangeOffset: start, rangeLength, text } of changes) {
		if (!isWritten && start === at) {
			const end = start + text.length;
			now = { start: end, end, behind: true };
			isWritten = true;
		} else {
			const change = { start, end: start + rangeLength, length: text.length };
			const span: Span | undefined = now && moveSpan(now, change);
			now = now && span && { ...now, ...span };
		}
	}
	return now;
}

const nowhere: ReadonlyMap<number, number> = new Map();

function thereOf(anchors: readonly (AskedPlace | undefined)[]): readonly AskedPlace[] {
	return anchors.filter((anchor) => anchor !== undefined);
}

/** Two selections in one paragraph have the same end of it. */
function withoutDoubles(anchors: readonly Span[]): Span[] {
	const byPlace = anchors.map((anchor) => [`${anchor.start} ${anchor.end}`, anchor] as const);
	return [...new Map(byPlace).values()];
}

/** Pause of typing before the anchors are stored, in milliseconds. */
const pauseMs = 250;
/** Number of commands that are remembered, and of anchors of one: cursors can be thousands. */
const maxCommands = 50;
const maxAnchors = 100;

const key = 'spots';

const storedSchema = extensibleObject({
	/** Missing in those of the first versions; a higher one is of a newer Easel. */
	format: z.literal(1).optional(),
	/** Its URI: it may have got another name since the command was given. */
	document: z.string().optional(),
	sha256: z.string(),
	spots: z.array(z.object({ start: z.number(), end: z.number(), behind: z.boolean().optional() })),
});

type Stored = z.infer<typeof storedSchema>;

/**
 * Stores where in documents images belong that are being made, so that their anchors are known after
 * the window was reloaded, and where a document is opened later.
 */
export class PersistedAnchors implements vscode.Disposable {
	readonly #known = new Set<string>();
	readonly #listeners: readonly vscode.Disposable[];
	#pause: NodeJS.Timeout | undefined;

	/** @param state that of the workspace: a window is reloaded with what it has open */
	constructor(
		private readonly jobs: Pick<JobList, 'running' | 'onDidChange'>,
		private readonly anchors: Anchors,
		private readonly state: vscode.Memento,
	) {
		this.#listeners = [
			jobs.onDidChange(() => this.#resume()),
			anchors.onDidChange(() => this.#storeSoon()),
		];
	}

	dispose(): void {
		clearTimeout(this.#pause);
		vscode.Disposable.from(...this.#listeners).dispose();
	}

	#resume(): void {
		for (const { request } of this.jobs.running) {
			const { insertion, document } = request;
			if (insertion !== undefined && document !== undefined && !this.#known.has(request.id)) {
				this.#known.add(request.id);
				const stored = storedSchema.safeParse(this.#read()[insertion.id]).data;
				const uri = vscode.Uri.parse(stored?.document ?? document, true);
				const latest = stored && { anchors: stored.spots, sha256: stored.sha256 };
				this.anchors.resume(insertion, uri, latest);
				// They may have moved while the prompt was typed.
				this.#storeSoon();
			}
		}
	}

	#storeSoon(): void {
		clearTimeout(this.#pause);
		this.#pause = setTimeout(() => this.#store(), pauseMs);
	}

	#store(): void {
		const stored = this.#read();
		const hashes = new Map<vscode.TextDocument, string>();
		const now = this.jobs.running.flatMap(({ request: { insertion } }): [string, Stored][] => {
			if (insertion === undefined || isNewerFormat(stored[insertion.id])) {
				return [];
			}
			const { id } = insertion;
			const followed = this.anchors.find(insertion);
			if (followed === undefined) {
				// A document that is closed can only get another name.
				const last = storedSchema.safeParse(stored[id]).data;
				const uri = this.anchors.documentOf({ document: undefined, insertion });
				return last && uri ? [[id, { ...last, document: uri.toString() }]] : [];
			}
			const { document, anchors } = followed;
			const sha256 = hashes.get(document) ?? hashOf(document.getText());
			hashes.set(document, sha256);
			return anchors.length > maxAnchors
				? []
				: [[id, { format: 1, document: document.uri.toString(), sha256, spots: [...anchors] }]];
		});
		if (now.length > 0) {
			// As they are there: a newer Easel may have stored some in a way of its own.
			const before = Object.entries(stored).filter(([id]) => !now.some(([one]) => one === id));
			const all = Object.fromEntries([...before, ...now].slice(-maxCommands));
			// What cannot be stored is known as long as this window is open.
			this.state.update(key, all).then(undefined, () => undefined);
		}
	}

	#read(): Record<string, unknown> {
		return z.record(z.string(), z.unknown()).catch({}).parse(this.state.get(key));
	}
}

function isNewerFormat(stored: unknown): boolean {
	return stored !== undefined && !storedSchema.safeParse(stored).success;
}
