import { openRegular } from '../files/regularFile.js';
import { largestImage } from '../images/inspect.js';
import { readBeside } from './beside.js';
import { isSigned, readChunks } from './chunks.js';
import { ourTexts } from './ours.js';
import { readTexts } from './textChunks.js';

/** Where Easel has written how an image was made. */
export interface Traces {
	/** Whether it stands in the image itself. */
	readonly inImage: boolean;
	/** Whether it stands in the file beside it. */
	readonly beside: boolean;
	/** Whether the image is signed, so that nothing in it can be changed. */
	readonly isSigned: boolean;
}

/**
 * Looks for what Easel has written, also where it is damaged or of a later version.
 *
 * @param image absolute path of a PNG
 * @throws as `readProvenance`
 */
export async function findTraces(image: string): Promise<Traces> {
	const handle = await openRegular(image, { largest: largestImage });
	try {
		const chunks = await readChunks(handle);
		const ours = ourTexts(await readTexts(handle, chunks));
		return {
			inImage: ours.length > 0,
			beside: (await readBeside(image)) !== undefined,
			isSigned: isSigned(chunks),
		};
	} finally {
		await handle.close();
	}
}
