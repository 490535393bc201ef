import path from 'node:path';
import * as vscode from 'vscode';
import { linkText } from '../../documents/imageLink.js';
import { imageLinkFor } from '../../documents/writeImageLink.js';
import { inspectUri, withImageFile } from '../../editor/images.js';
import { copyText, notify, runDetached } from '../../editor/messages.js';
import { safeText } from '../../editor/untrustedText.js';
import { registerRequestCommand } from '../../generation/requestCommands.js';
import { openImage } from '../../generation/savedImage.js';
import type { Services } from '../../generation/services.js';
import { insideFolder } from '../../generation/writing.js';
import { isNamedByFormat, type ImageFacts } from '../../images/inspect.js';
import type { PaletteColor } from '../../images/palette.js';
import { paletteOfFile } from '../../images/paletteOfFile.js';
import { subjectOf } from '../../images/subject.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import { log } from '../../log.js';
import { briefMessages } from '../messages.js';
import { askForBrief } from './ask.js';
import { briefText, type LinkedImage } from './brief.js';
import { lineageOf, type SavedSlot } from './lineage.js';
import { saveBrief } from './saveBrief.js';

/** "Write Brief…": writes down beside an image what a colleague or a coding agent goes on with. */
export function registerBrief(deps: Services): vscode.Disposable {
	return vscode.Disposable.from(
		...(['generate', 'edit'] as const).map((operation) =>
			registerRequestCommand('handOver', operation, (image, others) =>
				writeBrief(image, others ?? [], deps),
			),
		),
	);
}

/**
 * @throws {ImageError} where the file of the image cannot be read
 * @throws {SaveError} where the brief cannot be written
 */
async function writeBrief(
	image: GalleryImage,
	others: readonly GalleryImage[],
	deps: Services,
): Promise<void> {
	const uri = vscode.Uri.parse(image.target, true);
	const facts = await inspectUri(uri);
	// Measuring is over before the questions are answered.
	const measuring = paletteOf(uri, deps);
	const { marks, slot, steps, alternatives } = await lineageOf(image, others, deps);
	const answers = await askForBrief(alternatives, marks);
	if (answers === undefined) {
		return;
	}
	const palette = await measuring;
	/** @param at the file that the links are relative to */
	const textAt = (at: vscode.Uri): string => {
		const linked = (one: SavedSlot) => linkedAt(at, one, marks.ofImage(one.id).title);
		return briefText({
			image: linked(slot),
			name: path.posix.basename(uri.path),
			purpose: answers.purpose,
			note: marks.ofImage(image.id).note ?? '',
			steps,
			sizeAsked: image.size,
			facts,
			palette,
			alternatives: answers.alternatives.map(linked),
		});
	};
	const brief = await saveBrief(uri, textAt(uri), deps.storage);
	const root = insideFolder(vscode.workspace.getWorkspaceFolder(uri)?.uri);
	const attached = [brief, await namedByFormat(uri, facts, deps.storage)];
	const hasChat = (await vscode.commands.getCommands(true)).includes(openChat);
	runDetached(
		notify('info', briefMessages.written(safeText(vscode.workspace.asRelativePath(brief))), [
			{ label: briefMessages.open, run: () => openImage(brief) },
			// Wherever it is pasted, its links are relative to the workspace folder.
			{ label: briefMessages.copy, run: () => copyText(textAt(root ?? uri), briefMessages.copied) },
			...(hasChat ? [{ label: briefMessages.openInChat, run: () => chatAbout(attached) }] : []),
		]),
	);
}

/** Returns the image, or a copy where its name says another format than it has: chats go by names. */
async function namedByFormat(
	image: vscode.Uri,
	facts: ImageFacts,
	storage: string,
): Promise<vscode.Uri> {
	if (isNamedByFormat(image.path, facts)) {
		return image;
	}
	const name = path.posix.parse(image.path).name + facts.extension;
	const copy = vscode.Uri.joinPath(vscode.Uri.file(storage), 'briefs', crypto.randomUUID(), name);
	await vscode.workspace.fs.copy(image, copy);
	return copy;
}

function linkedAt(at: vscode.Uri, { label, image }: SavedSlot, title = ''): LinkedImage {
	const link = imageLinkFor('markdown', {
		document: at,
		image: vscode.Uri.parse(image.target, true),
		alt: title || subjectOf(image.prompt),
	});
	return { label, title: title || undefined, link: linkText(link) };
}

/** A picture that cannot be decoded still has a brief. */
async function paletteOf(
	uri: vscode.Uri,
	{ extensionUri }: Services,
): Promise<readonly PaletteColor[] | undefined> {
	const script = vscode.Uri.joinPath(extensionUri, 'dist', 'thumbnails.js').fsPath;
	try {
		return await withImageFile(uri, (file) => paletteOfFile(file, script));
	} catch (error) {
		log.error('The colors of an image could not be measured', error);
		return undefined;
	}
}

/** No public command: editors without a chat, and some others, do not have it. */
const openChat = 'workbench.action.chat.open';

/** Nothing is sent: the user says what is to be done. */
async function chatAbout(attachFiles: readonly vscode.Uri[]): Promise<void> {
	await vscode.commands.executeCommand(openChat, { query: '', isPartialQuery: true, attachFiles });
}
