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
	const folder = siteFolder({ document, workspaceFolder, publicFolder });
	const isOfSite =
		folder !== undefined &&
		image.scheme === document.scheme &&
		image.authority === document.authority &&
		image.path.startsWith(`${folder}/`);
	return isOfSite ? image.path.slice(folder.length) : undefined;
}

/**
 * The folder whose content lies at the root of the site that a document is a page of: what a path
 * with a leading `/` starts from there. An absolute path without a slash at its end.
 *
 * @param publicFolder see {@link siteReference}
 * @returns `undefined` where the document is no page of a site
 */
export function siteFolder({
	document,
	workspaceFolder,
	publicFolder,
}: {
	readonly document: ResourceUri;
	readonly workspaceFolder: ResourceUri | undefined;
	readonly publicFolder: string;
}): string | undefined {
	const folder = publicFolderPath(workspaceFolder, publicFolder);
	const isPage =
		folder !== undefined &&
		document.scheme === workspaceFolder?.scheme &&
		document.authority === workspaceFolder.authority &&
		document.path.startsWith(posix.join(posix.dirname(folder), '/'));
	return isPage ? folder : undefined;
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
