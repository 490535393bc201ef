import { openRegular } from '../files/boundedRead.js';
import { detectFormat, maxImageBytes } from '../images/inspect.js';
import { readBeside } from './beside.js';
import { isSigned, readAt, readChunks } from './chunks.js';
import { ourTexts } from './ours.js';
import { readPacketFile, recipeInPacket } from './packets.js';
import { readTexts } from './textChunks.js';

/** Places where Easel has written a recipe. */
export interface Traces {
	/** True if it stands in the image itself. */
	readonly inImage: boolean;
	/** True if it stands in the file beside it. */
	readonly beside: boolean;
	/** True if the image is signed, so that nothing in it can be changed. */
	readonly isSigned: boolean;
}

/**
 * Looks for what Easel has written, also where it is damaged or of a later version, whatever the name of
 * the image says.
 *
 * @param image absolute
 * @throws {PngError} where it is no image and has no recipe beside it, or is a PNG with too much in it;
 *   {@link UnfitFileError} where it is no regular file or too large; the system's error
 */
export async function findTraces(image: string): Promise<Traces> {
	const handle = await openRegular(image, { maxBytes: maxImageBytes });
	try {
		const beside = (await readBeside(image)) !== undefined;
		const packets = await readPacketFile(handle);
		if (packets !== undefined) {
			const { recipe, isOurs } = recipeInPacket(packets);
			return { inImage: isOurs || recipe !== undefined, beside, isSigned: packets.isSigned };
		}
		const format = detectFormat(await readAt(handle, 0, formatBytes));
		if (format === undefined ? beside : format !== 'png') {
			return { inImage: false, beside, isSigned: false };
		}
		const chunks = await readChunks(handle);
		const ours = ourTexts(await readTexts(handle, chunks));
		return {
			inImage: ours.length > 0,
			beside,
			isSigned: isSigned(chunks),
		};
	} finally {
		await handle.close();
	}
}

/** Number of bytes that determine the format of an image. */
const formatBytes = 12;
