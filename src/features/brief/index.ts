import path from 'node:path';
import * as vscode from 'vscode';
import { linkText } from '../../documents/imageLink.js';
import { subjectOf } from '../../images/subject.js';
import { imageLinkFor } from '../../documents/writeImageLink.js';
import { inspectUri, withImageFile } from '../../editor/images.js';
import { registerRequestCommand } from '../../generation/requestCommands.js';
import { insideFolder } from '../../generation/writing.js';
import { isNamedByFormat, type ImageFacts } from '../../images/inspect.js';
import { paletteOfFile } from '../../images/paletteOfFile.js';
import type { PaletteColor } from '../../images/palette.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import { askForBrief } from './ask.js';
import { briefText, type Brief, type LinkedImage } from './brief.js';
import { lineageOf, type SavedSlot } from './lineage.js';
import type { BriefDeps } from './deps.js';
import { offerBrief } from './offer.js';
import { saveBrief } from './saveBrief.js';
import { log } from '../../log.js';

/**
 * "Hand Over…": writes a brief beside an image of the gallery, for a colleague or a coding agent who
 * goes on with it.
 */
export function registerBrief(deps: BriefDeps): vscode.Disposable {
	return vscode.Disposable.from(
		...(['generate', 'edit'] as const).map((operation) =>
			registerRequestCommand('handOver', operation, (image) => handOver(image, deps)),
		),
	);
}

/**
 * @throws {ImageError} where the file of the image cannot be read
 * @throws {SaveError} where the brief cannot be written
 */
async function handOver(image: GalleryImage, deps: BriefDeps): Promise<void> {
	const uri = vscode.Uri.parse(image.target, true);
	const facts = await inspectUri(uri);
	// A person needs longer for the answers.
	const measuring = paletteOf(uri, deps);
	const lineage = await lineageOf(image, deps);
	const said = await askForBrief(lineage);
	if (said === undefined) {
		return;
	}
	const palette = await measuring;
	const { marks, slot, steps } = lineage;
	/** @param at the file that the links are relative to */
	const textAt = (at: vscode.Uri): string => {
		const linked = (one: SavedSlot): LinkedImage => linkedAt(at, one, marks.ofImage(one.id).title);
		const brief: Brief = {
			image: linked(slot),
			name: path.posix.basename(uri.path),
			purpose: said.purpose,
			note: marks.ofImage(image.id).note ?? '',
			steps,
			sizeAsked: image.size,
			facts,
			palette,
			alternatives: said.alternatives.map(linked),
		};
		return briefText(brief);
	};
	const saved = await saveBrief(uri, textAt(uri), deps.storage);
	const root = insideFolder(vscode.workspace.getWorkspaceFolder(uri)?.uri);
	const shown = await namedByFormat(uri, facts, deps.storage);
	await offerBrief({ brief: saved, image: shown, copied: textAt(root ?? uri) });
}

/** The image, or a copy in our storage where its own name says another format than it has. */
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
	const named = title === '' ? undefined : title;
	const alt = named ?? subjectOf(image.prompt);
	const link = imageLinkFor('markdown', {
		document: at,
		image: vscode.Uri.parse(image.target, true),
		alt,
	});
	return { label, title: named, link: linkText(link) };
}

/** A picture that cannot be decoded still has a brief. */
async function paletteOf(
	uri: vscode.Uri,
	{ extensionUri }: BriefDeps,
): Promise<readonly PaletteColor[] | undefined> {
	const script = vscode.Uri.joinPath(extensionUri, 'dist', 'thumbnails.js').fsPath;
	try {
		return await withImageFile(uri, (file) => paletteOfFile(file, script));
	} catch (error) {
		log.error('The colors of an image could not be measured', error);
		return undefined;
	}
}
