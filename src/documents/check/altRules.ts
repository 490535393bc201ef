import { parse } from 'node:path/posix';
import { isGenericAlt } from '../../images/genericAlt.js';
import { findingTexts } from './messages.js';
import type { CheckSettings, RuleId } from './rules.js';
import type { ShownImage } from './shownImages.js';

/** Result of a rule, with its image. */
interface Remark {
	readonly rule: RuleId;
	readonly image: ShownImage;
	readonly message: string;
}

/** Applies the rules for alternative texts to the images of one page. */
export function checkAltTexts(
	images: readonly ShownImage[],
	{ maxAltLength }: Pick<CheckSettings, 'maxAltLength'>,
): Remark[] {
	const seen = new Set<number>();
	/** Pictures by the texts that they had first. */
	const pictures = new Map<string, string>();
	return images.flatMap((image): Remark[] => {
		const { alt, reference } = image;
		// A tag may show several files.
		if (seen.has(reference.span.start)) {
			return [];
		}
		seen.add(reference.span.start);
		if (alt.type === 'none') {
			return [{ rule: 'alt-missing', image, message: findingTexts['alt-missing'] }];
		}
		if (alt.type !== 'text') {
			return [];
		}
		const { text } = alt;
		const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
		if (isGenericFor(text, reference.destination)) {
			return [{ rule: 'alt-generic', image, message: findingTexts['alt-generic'](shown) }];
		}
		const remarks: Remark[] = [];
		if (text.length > maxAltLength) {
			const message = findingTexts['alt-long'](text.length, maxAltLength);
			remarks.push({ rule: 'alt-long', image, message });
		}
		const picture = pictureOf(reference.href);
		const key = text.toLowerCase();
		const first = pictures.get(key) ?? picture;
		pictures.set(key, first);
		if (first !== picture) {
			remarks.push({
				rule: 'alt-duplicate',
				image,
				message: findingTexts['alt-duplicate'](shown),
			});
		}
		return remarks;
	});
}

/** Returns whether an alternative text says nothing: generic words, or the file's own name. */
function isGenericFor(alt: string, destination: string): boolean {
	const { base, name } = parse(destination.replace(/[?#].*/s, ''));
	const isName = alt === base || (alt === name && !alt.includes(' '));
	return isName || isGenericAlt(alt) || /^(?:an? |the )?(?:image|picture|photo) of\b/i.test(alt);
}

/** The same for a picture in its light and its dark form, and in several sizes. */
function pictureOf(href: string): string {
	return href
		.replace(/[?#].*/s, '')
		.toLowerCase()
		.replace(/(?<![a-z])(?:light|dark|day|night|small|large|mobile|desktop)(?![a-z])|@\dx/g, '')
		.replace(/[-_.]+/g, '');
}
