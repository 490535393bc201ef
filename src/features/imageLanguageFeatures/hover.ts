import * as vscode from 'vscode';
import { imageAt } from '../../editor/documentImages.js';
import type { CommandId } from '../../editor/commandTable.js';
import { isThere } from '../../editor/files.js';
import { shortened } from '../../editor/foreignText.js';
import { readableDimensions } from '../../images/readableSize.js';
import type { Gallery, GalleryImage } from '../../jobs/gallery.js';
import { ageWords } from '../../editor/age.js';

/** Longest side of the picture in a hover, in pixels. */
const longestSide = 180;
/** Longest prompt in a hover, in UTF-16 code units. */
const longestPrompt = 500;

/** The image under the pointer, its prompt and what can be done; only for images of Easel. */
export async function hoverOver(
	document: vscode.TextDocument,
	position: vscode.Position,
	gallery: Gallery,
): Promise<vscode.Hover | undefined> {
	const uri = await imageAt(document, position);
	const image = uri && (await gallery.list()).find(({ target }) => target === uri.toString());
	if (uri === undefined || image === undefined) {
		return undefined;
	}
	// VS Code's own Markdown shows the picture already.
	const withPicture = document.languageId !== 'markdown';
	// What cannot be looked at now may well be there.
	const exists = await isThere(uri).catch(() => true);
	return new vscode.Hover(describe(image, uri, exists, withPicture));
}

function describe(
	image: GalleryImage,
	uri: vscode.Uri,
	isThere: boolean,
	withPicture: boolean,
): vscode.MarkdownString {
	const { prompt, width, height } = image;
	const text = new vscode.MarkdownString();
	text.appendText(shortened(prompt, longestPrompt));
	const age = ageWords(new Date(image.savedAt));
	text.appendMarkdown(`\n\n${readableDimensions(image)} · ${age}\n\n`);
	const [original] = image.references;
	const links = [
		...(isThere ? [link('easel.editWithPrompt', 'Edit with Prompt', uri.toString())] : []),
		link('easel.generateImage', 'Regenerate', {
			prompt,
			size: image.size,
			...(image.quality === undefined ? {} : { quality: image.quality }),
			references: image.references,
			output: uri.toString(),
		}),
		...(isThere && image.operation === 'edit' && original !== undefined
			? [link('easel.compareImages', 'Compare', original, uri.toString())]
			: []),
	];
	text.appendMarkdown(links.join(' · '));
	if (withPicture && isThere) {
		const scale = Math.min(1, longestSide / Math.max(width, height));
		const [shownWidth, shownHeight] = [width, height].map((side) => Math.round(side * scale));
		const size = `width=${String(shownWidth)},height=${String(shownHeight)}`;
		text.appendMarkdown(`\n\n![](${uri.toString()}|${size})`);
	}
	text.isTrusted = {
		enabledCommands: ['easel.editWithPrompt', 'easel.generateImage', 'easel.compareImages'],
	};
	return text;
}

/** Arguments go as JSON, so a URI goes as its text; a bracket would end the link. */
function link(command: CommandId, label: string, ...args: unknown[]): string {
	const query = encodeURIComponent(JSON.stringify(args)).replace(/[()]/g, (sign) =>
		sign === '(' ? '%28' : '%29',
	);
	return `[${label}](command:${command}?${query})`;
}
