import * as vscode from 'vscode';
import { linkPlace } from '../../documents/linkPlace.js';
import type { AskedPlace } from '../../documents/place.js';
import { registerCommand, registerLink, runCommand } from '../../editor/commands.js';
import { commandTitles } from '../../editor/commandTable.js';
import { languageOf } from '../../editor/nearImage.js';
import { LineNotes } from '../../editor/lineNotes.js';
import { notify, runDetached } from '../../editor/messages.js';
import { askPick, type ValueItem } from '../../editor/quickInput.js';
import type { RunningJob } from '../../generation/jobList.js';
import { cancelCommand, noteHover, noteText } from '../../generation/placeNote.js';
import { oneLine } from '../../asking/questions.js';
import type { Services } from '../../services.js';
import { documentMessages } from '../messages.js';

/** While an image is made, its place in the document shows how far it is, and lets it be cancelled. */
export function registerProgressInDocument(deps: Services): vscode.Disposable {
	return vscode.Disposable.from(
		showNotes(deps),
		registerLink(cancelCommand, (id) => cancel(id, deps)),
		registerCommand('easel.showImagesInProgress', () => showImagesInProgress(deps)),
	);
}

function cancel(id: unknown, { jobs }: Services): void {
	const job = jobs.running.find(({ request }) => request.id === id);
	if (job === undefined) {
		runDetached(notify('info', documentMessages.notRunning));
	} else {
		job.cancel();
	}
}

/** Offers by the keyboard what the hovers do: cancels an image, or opens the studio. */
async function showImagesInProgress(deps: Services): Promise<void> {
	const { running, unsaved } = deps.jobs;
	if (running.length === 0) {
		await (unsaved.length > 0
			? runCommand('easel.openStudio')
			: notify('info', documentMessages.noneRunning));
		return;
	}
	const answer = await askPick<ValueItem>({
		title: documentMessages.imagesInProgress,
		placeholder: documentMessages.selectImageToCancel,
		items: [
			{ icon: 'layout', label: commandTitles['easel.openStudio'] },
			...running.map(({ request: { id, prompt }, words }) => ({
				icon: 'circle-slash',
				label: documentMessages.cancelImage(oneLine(prompt, 60)),
				description: words,
				value: id,
			})),
		],
	});
	if (answer?.type === 'value') {
		const { value } = answer.value;
		await (value === undefined ? runCommand('easel.openStudio') : cancel(value, deps));
	}
}

/** Shows notes in the visible editors, until it is disposed of. Nothing is done while none has one. */
function showNotes(deps: Services): vscode.Disposable {
	const notes = new LineNotes();
	let noted: readonly vscode.TextEditor[] = [];
	let ticking: NodeJS.Timeout | undefined;
	const show = () => {
		const images = imagesByLine(deps);
		const editors = vscode.window.visibleTextEditors;
		const before = noted;
		noted = editors.filter(({ document }) => images.has(document));
		for (const editor of editors) {
			const lines = images.get(editor.document);
			if (lines !== undefined || before.includes(editor)) {
				const ofEditor = [...(lines ?? [])].map(([line, jobs]) => ({
					line,
					text: noteText(jobs),
					hover: noteHover(jobs),
				}));
				notes.show(editor, ofEditor);
			}
		}
		if (noted.length === 0) {
			clearInterval(ticking);
			ticking = undefined;
		} else {
			// The words change from second to second.
			ticking ??= setInterval(show, 1000);
		}
	};
	return vscode.Disposable.from(
		deps.jobs.onDidChange(show),
		deps.anchors.onDidChange(show),
		vscode.window.onDidChangeVisibleTextEditors(show),
		notes,
		{ dispose: () => clearInterval(ticking) },
	);
}

/** The images that are being made, by the lines of the documents where they belong. */
function imagesByLine({ anchors, jobs }: Services) {
	const found = new Map<vscode.TextDocument, Map<number, readonly RunningJob[]>>();
	for (const job of jobs.running) {
		const { insertion } = job.request;
		const followed = insertion && anchors.find(insertion);
		if (insertion === undefined || followed === undefined || followed.anchors.length === 0) {
			continue;
		}
		const { document, anchors: places } = followed;
		const ofDocument = found.get(document) ?? new Map<number, readonly RunningJob[]>();
		found.set(document, ofDocument);
		for (const line of linesOfLinks(document, places, insertion.block)) {
			ofDocument.set(line, [...(ofDocument.get(line) ?? []), job]);
		}
	}
	return found;
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
