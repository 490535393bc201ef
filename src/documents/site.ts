import { posix } from 'node:path';
import { longestPath, type ResourceUri } from './imageLink.js';

/**
 * Returns how a page of a static site refers to an image that the site's generator copies to its
 * root: by a path with a leading `/`. Plain text without escapes, as `relativeReference` returns it.
 * @param publicFolder the folder that is copied, relative to the workspace folder, for example
 * `static` or `docs/public`; empty for none
 * @returns `undefined` where the image does not lie in that folder, or the document does not lie in
 * the one around it, which is the site's own: a README above it is no page of the site
 */
export function siteReference({
	document,
	image,
	workspaceFolder,
	publicFolder,
}: {
	readonly document: ResourceUri;
	readonly image: ResourceUri;
	readonly workspaceFolder: ResourceUri | undefined;
	readonly publicFolder: string;
}): string | undefined {
	const folder = publicFolderPath(workspaceFolder, publicFolder);
	const files = [document, image];
	if (
		folder === undefined ||
		files.some(({ scheme }) => scheme !== workspaceFolder?.scheme) ||
		files.some(({ authority }) => authority !== workspaceFolder?.authority) ||
		!image.path.startsWith(`${folder}/`) ||
		!document.path.startsWith(posix.join(posix.dirname(folder), '/'))
	) {
		return undefined;
	}
	return image.path.slice(folder.length);
}

/**
 * The absolute path of the public folder, without a slash at its end.
 * @returns `undefined` where there is none within the workspace folder
 */
export function publicFolderPath(
	workspaceFolder: ResourceUri | undefined,
	publicFolder: string,
): string | undefined {
	if (workspaceFolder === undefined || publicFolder.length > longestPath) {
		return undefined;
	}
	const root = posix.join(workspaceFolder.path, '/');
	const folder = posix.join(root, publicFolder.trim().replaceAll('\\', '/')).replace(/\/$/, '');
	return folder.startsWith(root) ? folder : undefined;
}
