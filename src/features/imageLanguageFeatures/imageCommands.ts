import * as vscode from 'vscode';
import { register, runCommand } from '../../editor/commands.js';
import { inBackground, notify, tellFailure } from '../../editor/messages.js';
import type { Gallery, GalleryImage } from '../../jobs/gallery.js';

/** What the links of a hover do with an image of the gallery. No menu has them. */
export type ImageCommand = 'edit' | 'regenerate' | 'compare';

const commands: Readonly<Record<ImageCommand, (image: GalleryImage) => Promise<unknown>>> = {
	edit: ({ target }) => runCommand('easel.editWithPrompt', target),
	regenerate: ({ prompt, size, quality, references, target }) =>
		runCommand('easel.generateImage', {
			prompt,
			size,
			...(quality === undefined ? {} : { quality }),
			references,
			output: target,
		}),
	compare: async (image) => {
		const original = originalOf(image);
		await (original && runCommand('easel.compareImages', original, image.target));
	},
};

/** Registers them. They take the identifier of the image, and nothing else. */
export function registerImageCommands(gallery: Gallery): vscode.Disposable {
	const names = Object.keys(commands) as ImageCommand[];
	return vscode.Disposable.from(
		...names.map((name) =>
			register(imageCommandId(name), async (id) => {
				try {
					const image = (await gallery.list()).find((one) => one.id === id);
					if (image === undefined) {
						inBackground(notify('info', 'The image is not in the gallery any more.'));
						return undefined;
					}
					return await commands[name](image);
				} catch (error) {
					// It is a person who has followed the link.
					tellFailure(error);
					return undefined;
				}
			}),
		),
	);
}

export function imageCommandId(name: ImageCommand) {
	return `_easel.image.${name}` as const;
}

/** The image that this one is an edit of, as a URI. */
export function originalOf({ operation, references: [first] }: GalleryImage): string | undefined {
	return operation === 'edit' ? first : undefined;
}
