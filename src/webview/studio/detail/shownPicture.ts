import type { Image } from '../../../protocol/studio.js';
import { messages } from '../../messages.js';
import type { Picture } from '../../zoomAndPan.js';
import type { ImageLibrary } from '../store/imageLibrary.js';

type Broken = Pick<ImageLibrary, 'broken'>;

/** Returns the picture to look at; `undefined` where that is nothing. */
export function shownPicture(image: Image, library: Broken): Picture | undefined {
	const source = isDamaged(image, library) ? undefined : image.source;
	return image.exists && (source ?? image.thumbnail) !== undefined
		? { ...image, source }
		: undefined;
}

/** Returns words on what is shown instead of the image; empty if that is shown. */
export function pictureNote(image: Image, library: Broken): string {
	if (!image.exists) {
		return messages.missing;
	}
	if (image.problem !== undefined) {
		return image.problem;
	}
	if (isDamaged(image, library)) {
		return messages.damaged;
	}
	if (image.source === undefined) {
		return image.thumbnail === undefined ? messages.outside : messages.preview;
	}
	return '';
}

function isDamaged({ source }: Image, { broken }: Broken): boolean {
	return source !== undefined && broken.has(source);
}
