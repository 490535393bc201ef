// What the buttons and menus of the studio can ask for.
import * as z from 'zod/mini';

/** What a person can do about a job. */
export const jobAction = z.enum([
	'cancel',
	/** Sends the same request again. */
	'again',
	/** The same, where an image may have been made and charged already. */
	'sendAgain',
	/** The same with smaller copies of the references. */
	'sendSmaller',
	/** The answer to the question whether to send again: no. */
	'stop',
	/** Asks for a key, or for the address too, then sends the same request again. */
	'setKey',
	'useAnotherKey',
	'setUp',
	/** Leads to the setting that is wrong. */
	'openSettings',
	/** Takes the request into the composer. */
	'change',
	/** Forgets the card. */
	'dismiss',
	'showLog',
	/** The image is here; asks where to put it. */
	'saveAs',
	/** Puts it where it belongs, if that works now. */
	'saveAgain',
	/** Gives the image up. */
	'discard',
	/** An answer that was not understood is kept: saves it, shows it, gives it up after a question. */
	'saveAnswer',
	'showAnswer',
	'discardAnswer',
	/** A link came in place of the image. */
	'openLink',
	'copyLink',
]);
export type JobAction = z.infer<typeof jobAction>;

/** What can be done with an image of the gallery. */
export const imageAction = z.enum([
	'insert',
	/** It becomes the image that is edited. */
	'edit',
	/** The same, and the number of images stays as it is. */
	'editInstead',
	/** It is added to the style guide. */
	'useAsStyle',
	/** Its request comes into the composer exactly as it was, with its reference images. */
	'usePrompt',
	/** Its request comes into the composer in high quality; nothing is sent. */
	'useInHighQuality',
	/** It takes the place of the image that it was made from. */
	'replace',
	'copyImageLink',
	'copyPrompt',
	'open',
	'reveal',
	'saveAs',
]);

/** What can be done with several images of the gallery at once, or with one. */
export const imagesAction = z.enum([
	/** They become further reference images. */
	'addReference',
	/** Writes a brief beside the first one, which names the others as alternatives. */
	'handOver',
	/** To the recycle bin. */
	'remove',
]);
export type ImagesAction = z.infer<typeof imagesAction>;
export type ImageAction = z.infer<typeof imageAction>;
