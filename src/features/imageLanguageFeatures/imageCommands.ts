import * as vscode from 'vscode';
import { registerLink, runCommand } from '../../editor/commands.js';
import { runDetached, notify, showError } from '../../editor/messages.js';
import { originalOf } from '../../generation/galleryLookup.js';
import type { Gallery, GalleryImage } from '../../jobs/gallery.js';
import { documentMessages } from '../messages.js';

/** What the links of a hover do with an image of the gallery. No menu has them. */
export type ImageCommand = 'edit' | 'regenerate' | 'compare';

const commands: Readonly<
	Record<ImageCommand, (uri: vscode.Uri, image: GalleryImage) => Promise<unknown>>
> = {
	edit: (uri) => runCommand('easel.editWithPrompt', uri),
	regenerate: (uri) => runCommand('easel.regenerateImage', uri),
	compare: async (uri, image) => {
		const original = originalOf(image);
		await (original && runCommand('easel.compareImages', original, uri));
	},
};

/**
 * Where the image of a link was seen, by its identifier: it may have taken the place of another one
 * since it was made.
 */
const seenAt = new Map<string, vscode.Uri>();

/** Has the links of this image mean it where it is seen now. */
export function seeAt(uri: vscode.Uri, { id }: GalleryImage): void {
	seenAt.set(id, uri);
}

/** Registers them. They take the identifier of the image, and nothing else. */
export function registerImageCommands(gallery: Gallery): vscode.Disposable {
	const names = Object.keys(commands) as ImageCommand[];
	return vscode.Disposable.from(
		...names.map((name) =>
			registerLink(imageCommandId(name), async (id) => {
				try {
					const image = (await gallery.list()).find((one) => one.id === id);
					if (image === undefined) {
						runDetached(notify('info', documentMessages.notInGallery));
						return undefined;
					}
					const uri = seenAt.get(image.id) ?? vscode.Uri.parse(image.target, true);
					return await commands[name](uri, image);
				} catch (error) {
					// It is a person who has followed the link.
					showError(error);
					return undefined;
				}
			}),
		),
	);
}

export function imageCommandId(name: ImageCommand) {
	return `_easel.image.${name}` as const;
}
