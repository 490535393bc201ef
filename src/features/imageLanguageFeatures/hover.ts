import * as vscode from 'vscode';
import { ageWords } from '../../editor/age.js';
import { registerLink, runCommand } from '../../editor/commands.js';
import { commandTitles } from '../../editor/commandTable.js';
import { documentImageAt } from '../../editor/documentImages.js';
import { mayExist } from '../../editor/files.js';
import { notify, runDetached, showError } from '../../editor/messages.js';
import { richText, type CommandLink } from '../../editor/richText.js';
import { shortened } from '../../editor/untrustedText.js';
import { galleryImageAt, originalOf, type KnownImages } from '../../generation/galleryLookup.js';
import { labels } from '../../generation/messages.js';
import { readableDimensions } from '../../images/readableSize.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import { documentMessages } from '../messages.js';

/** Longest side of the picture in a hover, in pixels. */
const maxSidePixels = 180;

/** Longest prompt in a hover, in graphemes: it leaves room for the picture. */
const maxPromptLength = 160;

/** What the links of a hover do with an image of the gallery. No menu has them. */
const links = {
	edit: {
		command: '_easel.image.edit',
		run: (uri: vscode.Uri) => runCommand('easel.editWithPrompt', uri),
	},
	regenerate: {
		command: '_easel.image.regenerate',
		run: (uri: vscode.Uri) => runCommand('easel.regenerateImage', uri),
	},
	howMade: {
		command: '_easel.image.howMade',
		run: (uri: vscode.Uri) => runCommand('easel.showProvenance', uri),
	},
	open: {
		command: '_easel.image.open',
		run: (uri: vscode.Uri) => vscode.commands.executeCommand('vscode.open', uri),
	},
	compare: {
		command: '_easel.image.compare',
		run: async (uri: vscode.Uri, image: GalleryImage) => {
			const original = originalOf(image);
			await (original && runCommand('easel.compareImages', original, uri));
		},
	},
} as const;

/**
 * Where the image of a link was seen, by its identifier: it may have taken the place of another one
 * since it was made.
 */
const seenAt = new Map<string, vscode.Uri>();

/** The image under the pointer, its prompt and what can be done; only for images of Easel. */
export async function hoverOver(
	document: vscode.TextDocument,
	position: vscode.Position,
	known: KnownImages,
): Promise<vscode.MarkdownString | undefined> {
	const at = await documentImageAt(document, position);
	const image = at && (await galleryImageAt(at.uri, known));
	if (at === undefined || image === undefined) {
		return undefined;
	}
	const { uri, isOnPath } = at;
	const { id, prompt, savedAt, width, height } = image;
	seenAt.set(id, uri);
	const exists = await mayExist(uri);
	const original = originalOf(image);
	const isBeside = original !== undefined && original.toString() !== uri.toString();
	const scale = Math.min(1, maxSidePixels / Math.max(width, height));
	const link = (name: keyof typeof links, label: string): CommandLink[] => [
		{ label, command: links[name].command, id },
	];
	return richText([
		{ type: 'text', text: shortened(prompt, maxPromptLength) },
		{ type: 'text', text: `${readableDimensions(image)} · ${ageWords(new Date(savedAt))}` },
		{
			type: 'links',
			links: [
				...(exists ? link('edit', commandTitles['easel.editWithPrompt']) : []),
				...link('regenerate', commandTitles['easel.regenerateImage']),
				...(exists && isBeside ? link('compare', labels.compare) : []),
				...link('howMade', commandTitles['easel.showProvenance']),
				...(exists ? link('open', labels.openFile) : []),
			],
		},
		// On the path VS Code's own Markdown shows the picture already.
		...(exists && !(isOnPath && document.languageId === 'markdown')
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

/** Registers what the links do. They take the identifier of the image, and nothing else. */
export function registerHoverLinks(known: KnownImages): vscode.Disposable {
	return vscode.Disposable.from(
		...Object.values(links).map(({ command, run }) =>
			registerLink(command, async (id) => {
				try {
					const image = (await known.list()).find((one) => one.id === id);
					if (image === undefined) {
						runDetached(notify('info', documentMessages.notInGallery));
						return undefined;
					}
					return await run(seenAt.get(image.id) ?? vscode.Uri.parse(image.target, true), image);
				} catch (error) {
					// A user has followed the link, although it has an argument.
					showError(error);
					return undefined;
				}
			}),
		),
	);
}
