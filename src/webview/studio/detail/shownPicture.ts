import type { Image } from '../../../protocol/studioModel.js';
import { pageMessages } from '../../messages.js';
import type { ViewedPicture } from '../../zoomAndPan.js';
import type { ImageLibrary } from '../store/imageLibrary.js';

type Broken = Pick<ImageLibrary, 'broken'>;

/** Returns the picture to look at; `undefined` where that is nothing. */
export function shownPicture(image: Image, library: Broken): ViewedPicture | undefined {
	const source = isDamaged(image, library) ? undefined : image.source;
	return image.exists && (source ?? image.thumbnail) !== undefined
		? { ...image, source }
		: undefined;
}

/** Returns words on what is shown instead of the image; empty if that is shown. */
export function pictureNote(image: Image, library: Broken): string {
	if (!image.exists) {
		return pageMessages.missing;
	}
	if (image.problem !== undefined) {
		return image.problem;
	}
	if (isDamaged(image, library)) {
		return pageMessages.damaged;
	}
	if (image.source === undefined) {
		return image.thumbnail === undefined ? pageMessages.outside : pageMessages.preview;
	}
	return '';
}

function isDamaged({ source }: Image, { broken }: Broken): boolean {
	return source !== undefined && broken.has(source);
}
