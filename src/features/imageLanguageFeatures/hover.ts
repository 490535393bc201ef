import type * as vscode from 'vscode';
import { imageAt } from '../../editor/documentImages.js';
import { uriExists } from '../../editor/files.js';
import { richText, type CommandLink } from '../../editor/richText.js';
import { readableDimensions } from '../../images/readableSize.js';
import { galleryImageAt, originalOf } from '../../generation/galleryLookup.js';
import type { Gallery, GalleryImage } from '../../jobs/gallery.js';
import { ageWords } from '../../editor/age.js';
import { imageCommandId, seeAt, type ImageCommand } from './imageCommands.js';
import { labels } from '../../generation/messages.js';
import { commandTitles } from '../../editor/commandTable.js';

/** Longest side of the picture in a hover, in pixels. */
const maxSidePixels = 180;

/** The image under the pointer, its prompt and what can be done; only for images of Easel. */
export async function hoverOver(
	document: vscode.TextDocument,
	position: vscode.Position,
	gallery: Gallery,
): Promise<vscode.MarkdownString | undefined> {
	const uri = await imageAt(document, position);
	const image = uri && (await galleryImageAt(uri, gallery));
	if (uri === undefined || image === undefined) {
		return undefined;
	}
	seeAt(uri, image);
	// VS Code's own Markdown shows the picture already.
	const withPicture = document.languageId !== 'markdown';
	// What cannot be looked at now may well be there.
	const exists = await uriExists(uri).catch(() => true);
	return describe(image, uri, exists, withPicture);
}

function describe(
	image: GalleryImage,
	uri: vscode.Uri,
	isThere: boolean,
	withPicture: boolean,
): vscode.MarkdownString {
	const { id, prompt, savedAt, width, height } = image;
	const original = originalOf(image);
	const isBeside = original !== undefined && original.toString() !== uri.toString();
	const scale = Math.min(1, maxSidePixels / Math.max(width, height));
	const link = (name: ImageCommand, label: string): CommandLink[] => [
		{ label, command: imageCommandId(name), id },
	];
	return richText([
		{ type: 'text', text: prompt },
		{ type: 'text', text: `${readableDimensions(image)} · ${ageWords(new Date(savedAt))}` },
		{
			type: 'links',
			links: [
				...(isThere ? link('edit', commandTitles['easel.editWithPrompt']) : []),
				...link('regenerate', commandTitles['easel.regenerateImage']),
				...(isThere && isBeside ? link('compare', labels.compare) : []),
			],
		},
		...(withPicture && isThere
			? [
					{
						type: 'picture',
						uri,
						width: Math.round(width * scale),
						height: Math.round(height * scale),
					} as const,
				]
			: []),
	]);
}
