import * as vscode from 'vscode';
import { linkPlace } from '../../documents/linkPlace.js';
import type { AskedPlace } from '../../documents/place.js';
import { imagesOf } from '../../editor/documentImages.js';
import { isWritable } from '../../editor/documents.js';
import { LineNotes, type LineNote } from '../../editor/lineNotes.js';
import { runDetached } from '../../editor/messages.js';
import { languageOf } from '../../editor/nearImage.js';
import type { RunningJob } from '../../generation/jobList.js';
import { ownReferences } from '../../jobs/request.js';
import { draftLinks, noteHover, noteText } from '../../generation/placeNote.js';
import type { NewDraft } from '../../library/newDrafts.js';
import type { Services } from '../../services.js';
import { documentMessages } from '../messages.js';

/** Pause of typing after which links are looked for anew, in milliseconds. */
const typingPauseMs = 300;

/** Shows notes in the visible editors, until it is disposed of. Nothing is done while none has one. */
export function showNotes(deps: Services): vscode.Disposable {
	const notes = new LineNotes();
	const lines = new ImageLines(
		() => [...jobsByOriginal(deps).keys(), ...draftsByFile(deps).keys()],
		() => show(),
	);
	let noted: readonly vscode.TextEditor[] = [];
	let ticking: NodeJS.Timeout | undefined;
	const show = () => {
		const jobs = jobsByLine(deps, lines);
		const drafts = draftsByFile(deps);
		const editors = vscode.window.visibleTextEditors;
		const before = noted;
		const notesOf = ({ document }: vscode.TextEditor): LineNote[] => {
			const ofJobs = jobs.get(document) ?? new Map<number, readonly RunningJob[]>();
			return [
				...[...ofJobs].map(([line, running]) => ({
					line,
					text: noteText(running),
					hover: noteHover(running),
				})),
				...lines.of(document).flatMap(({ line, file }): LineNote[] => {
					const draft = ofJobs.has(line) ? undefined : drafts.get(file);
					return draft === undefined
						? []
						: [{ line, text: documentMessages.draftNote(draft), hover: [draftLinks(draft)] }];
				}),
			];
		};
		const shown = editors.map((editor) => ({ editor, ofEditor: notesOf(editor) }));
		noted = shown.filter(({ ofEditor }) => ofEditor.length > 0).map(({ editor }) => editor);
		for (const { editor, ofEditor } of shown) {
			if (ofEditor.length > 0 || before.includes(editor)) {
				notes.show(editor, ofEditor);
			}
		}
		if (jobs.size === 0) {
			clearInterval(ticking);
			ticking = undefined;
		} else {
			// The words change from second to second.
			ticking ??= setInterval(show, 1000);
		}
	};
	return vscode.Disposable.from(
		deps.jobs.onDidChange(() => {
			lines.look();
			show();
		}),
		deps.newDrafts.onDidChange(() => lines.look()),
		deps.anchors.onDidChange(show),
		vscode.window.onDidChangeVisibleTextEditors(show),
		lines,
		notes,
		{ dispose: () => clearInterval(ticking) },
	);
}

/** The images in progress, by the lines where their links will be, or that show their originals. */
function jobsByLine(deps: Services, lines: ImageLines) {
	const { anchors, jobs } = deps;
	const found = new Map<vscode.TextDocument, Map<number, readonly RunningJob[]>>();
	const add = (document: vscode.TextDocument, line: number, job: RunningJob) => {
		const ofDocument = found.get(document) ?? new Map<number, readonly RunningJob[]>();
		found.set(document, ofDocument);
		ofDocument.set(line, [...(ofDocument.get(line) ?? []), job]);
	};
	for (const job of jobs.running) {
		const { insertion } = job.request;
		const followed = insertion && anchors.find(insertion);
		if (insertion !== undefined && followed !== undefined && followed.anchors.length > 0) {
			const { document, anchors: places } = followed;
			linesOfLinks(document, places, insertion.block).forEach((line) => add(document, line, job));
		}
	}
	const ofOriginals = jobsByOriginal(deps);
	for (const document of ofOriginals.size === 0 ? [] : lines.documents) {
		for (const { line, file } of lines.of(document)) {
			(ofOriginals.get(file) ?? []).forEach((job) => add(document, line, job));
		}
	}
	return found;
}

/** The edits and other tries in progress, by the image that each is made from. */
function jobsByOriginal({ jobs }: Pick<Services, 'jobs'>): Map<string, readonly RunningJob[]> {
	const made = jobs.running.filter(({ request }) => originalUri(request) !== undefined);
	return Map.groupBy(made, ({ request }) => originalUri(request)!);
}

function originalUri(request: RunningJob['request']): string | undefined {
	const { operation, regeneratedFrom } = request;
	const edited = operation === 'edit' ? ownReferences(request)[0]?.source : undefined;
	return regeneratedFrom ?? edited;
}

/** The new drafts, by the files whose links show that one waits. */
function draftsByFile({ newDrafts }: Pick<Services, 'newDrafts'>): Map<string, NewDraft> {
	return new Map(
		newDrafts.all.flatMap((draft) =>
			(draft.type === 'new'
				? [draft.original.toString()]
				: draft.images.map(({ target }) => target)
			).map((file) => [file, draft] as const),
		),
	);
}

/** The lines that links will be written in, or behind: where a spot lies may be elsewhere. */
function linesOfLinks(
	document: vscode.TextDocument,
	spots: readonly AskedPlace[],
	block: boolean,
): Set<number> {
	const text = document.getText();
	const language = languageOf(document);
	const offsets = spots.map((spot) => linkPlace(language, text, spot, block).span.start);
	return new Set(offsets.map((offset) => document.positionAt(offset).line));
}

/** An image that a line of a document shows. */
interface ImageLine {
	readonly line: number;
	/** Its URI. */
	readonly file: string;
}

/** The lines of the visible documents that show some images. */
class ImageLines implements vscode.Disposable {
	#lines = new Map<vscode.TextDocument, readonly ImageLine[]>();
	#wanted = '';
	#timer: NodeJS.Timeout | undefined;
	readonly #listening: vscode.Disposable;

	/**
	 * @param files returns the URIs of the images to look for
	 * @param onDidChange called when other lines show them
	 */
	constructor(
		private readonly files: () => readonly string[],
		private readonly onDidChange: () => void,
	) {
		this.#listening = vscode.Disposable.from(
			vscode.window.onDidChangeVisibleTextEditors(() => this.#lookAfter(0)),
			vscode.workspace.onDidChangeTextDocument(() => this.#lookAfter(typingPauseMs)),
		);
	}

	dispose(): void {
		clearTimeout(this.#timer);
		this.#listening.dispose();
	}

	get documents(): readonly vscode.TextDocument[] {
		return [...this.#lines.keys()];
	}

	of(document: vscode.TextDocument): readonly ImageLine[] {
		const { lineCount } = document;
		return (this.#lines.get(document) ?? []).filter(({ line }) => line < lineCount);
	}

	/** Looks for them where they are other ones than before. */
	look(): void {
		const wanted = this.files().toSorted().join('\n');
		if (wanted !== this.#wanted) {
			this.#wanted = wanted;
			this.#lookAfter(0);
		}
	}

	#lookAfter(ms: number): void {
		if (this.#wanted === '' && this.#lines.size === 0) {
			return;
		}
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => runDetached(this.#look()), ms);
	}

	async #look(): Promise<void> {
		const files = new Set(this.files());
		const found = new Map<vscode.TextDocument, readonly ImageLine[]>();
		const documents = vscode.window.visibleTextEditors.map(({ document }) => document);
		for (const document of new Set(files.size === 0 ? [] : documents.filter(isWritable))) {
			const { version } = document;
			const images = await imagesOf(document.getText(), languageOf(document), document.uri);
			if (document.version !== version) {
				// Looked for again after the pause that follows.
				continue;
			}
			const lines = images
				.map(({ uri, span }) => ({
					line: document.positionAt(span.start).line,
					file: uri.toString(),
				}))
				.filter(({ file }) => files.has(file));
			if (lines.length > 0) {
				found.set(document, lines);
			}
		}
		this.#lines = found;
		this.onDidChange();
	}
}
