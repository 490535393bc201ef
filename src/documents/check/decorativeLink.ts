import { linkText } from '../imageLink.js';
import { rulesOf, siteOfPage } from '../sites.js';
import { imageLinkFor, type LinkContext } from '../writeImageLink.js';

/**
 * Returns the tag that takes the place of an image link of Markdown, which cannot say itself that an image
 * is decorative; `undefined` where a site would not show it, or something of the link would be lost.
 *
 * @param link as it is written
 * @param behind the character behind it
 * @param href its destination, which counts where it is the address of an image on another server
 * @param image path of its URI, where it is a file
 */
export function decorativeLink(
	{ link, behind, href }: Readonly<Record<'link' | 'behind' | 'href', string>>,
	language: string,
	context: LinkContext,
	image: string | undefined,
): string | undefined {
	const isImage = /^!\[(?!\[)/.test(link);
	const hasMore = /["']\)$/.test(link) || behind === '{';
	const site = siteOfPage(context.document.path, context.sites ?? []);
	if (!isImage || hasMore || (site !== undefined && leavesOutHtml(site))) {
		return undefined;
	}
	if (/^https?:/i.test(href)) {
		return `<img src="${href.replaceAll('&', '&amp;').replaceAll('"', '%22')}" alt="">`;
	}
	return image === undefined
		? undefined
		: linkText(
				imageLinkFor(language, {
					...{ ...context, image: { ...context.document, path: image } },
					...{ alt: '', form: 'html' },
				}),
			);
}

/** Returns whether a site compiles HTML in Markdown as MDX, or does not copy its images, or drops it. */
function leavesOutHtml(site: Parameters<typeof rulesOf>[0]): boolean {
	return rulesOf(site).isMdx === true || ['Hugo', 'Sphinx', 'MyST'].includes(site.generator);
}
