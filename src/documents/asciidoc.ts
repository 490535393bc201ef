import { posix } from 'node:path';
import { altText } from '../images/altText.js';
import { AsciidocAttributes } from './asciidocAttributes.js';
import {
	assertPath,
	maxPathLength,
	type LinkParts,
	type ImageLink,
	percentEncodeWithEnds,
	relativeReference,
	type ResourceUri,
} from './imageLink.js';
import type { LinkForm } from './place.js';

/**
 * Returns the AsciiDoc of an image: the block macro `image::path[alt]`, or `image:path[alt]` within a
 * line of text.
 */
export function asciidocImage(parts: LinkParts, form: LinkForm = 'block'): ImageLink {
	return asciidocMacro(asciidocTarget(parts.path), parts.alt, form);
}

/**
 * As {@link asciidocImage} for a page of Antora and an image of the same component: by its resource
 * identifier, see {@link antoraIdentifier}.
 * @returns `undefined` where that is not what they are
 */
export function antoraImage({
	document,
	image,
	alt,
	form = 'block',
}: {
	readonly document: ResourceUri;
	readonly image: ResourceUri;
	readonly alt: string;
	readonly form?: LinkForm | undefined;
}): ImageLink | undefined {
	const identifier = antoraIdentifier(document, image);
	if (identifier === undefined) {
		return undefined;
	}
	// Antora looks for the name as it stands, so nothing is encoded but what would end the macro. It
	// does not find names with brackets or line breaks that way; there is no other.
	return asciidocMacro(
		percentEncodeWithEnds(identifier, /[[\]\p{Cc}]/gu).replace(attributeReference, '\\$&'),
		alt,
		form,
	);
}

/**
 * The resource identifier by which a page of Antora names an image of its component, `module:path`,
 * without the module where it is the page's own. Plain text without escapes.
 * @returns `undefined` where that is not what they are
 */
export function antoraIdentifier(document: ResourceUri, image: ResourceUri): string | undefined {
	const from = antoraFile(document);
	const to = antoraFile(image);
	if (from === undefined || to?.family !== 'images' || to.component !== from.component) {
		return undefined;
	}
	// A partial or an example is part of whichever page includes it, of whichever module.
	const isOwn = from.module === to.module && from.family === 'pages';
	return isOwn ? to.path : `${to.module}:${to.path}`;
}

/**
 * Tells for several places of a text, in their order, the folder where the document's images belong:
 * that of the page's module in Antora, or of another one where the path of an image begins behind its
 * name; else what the attribute `imagesdir` says.
 *
 * @param siteRoot the path that an `imagesdir` with a leading `/` starts from
 * @returns what returns `undefined` where neither says anything, or `imagesdir` is an address of the web or
 *   longer than a path can be
 */
export function asciidocImagesFolders(
	document: ResourceUri,
	text: string,
	siteRoot: string,
): (offset: number) => string | undefined {
	const page = antoraFile(document);
	if (page !== undefined) {
		return (offset) => {
			const [, module = page.module] =
				moduleBefore.exec(text.slice(Math.max(0, offset - 100), offset)) ?? [];
			return `${page.component}/modules/${module}/images`;
		};
	}
	const attributes = new AsciidocAttributes(text);
	return (offset) => {
		const folder = attributes.at(offset, 'imagesdir');
		if (!folder || folder.length > maxPathLength || /^[a-z][a-z\d+.-]+:/i.test(folder)) {
			return undefined;
		}
		return folder.startsWith('/')
			? posix.join(siteRoot, folder)
			: posix.join(posix.dirname(document.path), folder);
	};
}

/** Text between a macro and the path of an image that lies in another module ("Resource IDs"). */
const moduleBefore = /\bimage::?([\w.-]+):$/;

/**
 * Returns the reference to an image where `imagesdir` is put in front of each path: relative to
 * that folder. Plain text, as `relativeReference` returns it.
 * @param imagesFolder as {@link asciidocImagesFolders} returns it
 */
export function asciidocReference(
	document: ResourceUri,
	image: ResourceUri,
	imagesFolder: string | undefined,
): string {
	return imagesFolder === undefined
		? relativeReference(document, image)
		: relativeReference({ ...document, path: posix.join(imagesFolder, 'document') }, image);
}

/**
 * The target of the macro, a URI reference. Encoded is what would end the target, refer to an
 * attribute, or have a meaning in the URI or in HTML. Spaces within may stand, Asciidoctor encodes
 * them ("Block Image Macro", part "Target").
 *
 * Asciidoctor PDF takes the target for the name of a file and does not decode it. There, a name
 * with one of the other characters cannot be reached.
 */
export function asciidocTarget(path: string): string {
	const encoded = percentEncodeWithEnds(path, /["#%<>?[\\\]{}\p{Cc}\u2028\u2029]|&(?=[#a-z])/giu);
	// Asciidoctor takes out a `./` that keeps the beginning of a name from being a scheme.
	return /^[a-z][a-z\d+.-]*:/i.test(encoded) ? encoded : encoded.replaceAll(':', '%3A');
}

/**
 * The alt text as the macro's first attribute. In quotation marks where it would be read as several
 * or as a named one ("Positional and Named Attributes"). Apostrophes, `--`, `...` and `(C)` become
 * what they do in every paragraph.
 */
export function asciidocAlt(alt: string): string {
	const text = altText(alt)
		.replace(/&(?=#?[\da-z]+;)/gi, '&amp;')
		// Whether a backslash stands for itself depends on what follows, and nowhere can two be one.
		.replaceAll('\\', '&#92;')
		.replace(attributeReference, '&#123;');
	return /^['"]|[,="]/.test(text) ? `"${text.replaceAll('"', '\\"')}"` : text;
}

function asciidocMacro(target: string, alt: string, form: LinkForm): ImageLink {
	return form === 'block'
		? { before: `image::${target}[`, alt: asciidocAlt(alt), after: ']' }
		: { before: `image:${inlineTarget(target)}[`, alt: inlineAlt(alt), after: ']' };
}

/**
 * Within a paragraph, what formats text is read before macros are ("Text Substitutions"): marks such
 * as `_` and `*`, the replacements of `--`, `...`, `'`, `(C)` and arrows; and addresses of e-mail.
 */
function inlineTarget(target: string): string {
	return target.replace(/[ #$'()*+=@^_`~]|--|\.\.\./g, (part) =>
		[...part].map((one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`).join(''),
	);
}

/** Likewise; as character references, because an alt text has no other escapes. */
export function inlineAlt(alt: string): string {
	return asciidocAlt(alt).replace(/(?<!&)#|[$*+\]^`_~]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** Returns the place of a file in an Antora component ("Standard File and Directory Set"). */
function antoraFile({ path }: ResourceUri) {
	assertPath(path);
	const match =
		/^(?<component>.*)\/modules\/(?<module>[^/]+)\/(?<family>pages|partials|examples|images)\/(?<path>.+)$/su.exec(
			path,
		);
	return match?.groups as
		Readonly<Record<'component' | 'module' | 'family' | 'path', string>> | undefined;
}

/** "Reference Attributes" of the AsciiDoc Language Documentation; no name of a file is as long. */
const attributeReference =
	/\{(?=(?:[\p{L}\p{N}_][\p{L}\p{N}_-]*|(?:set|counter2?):[^}]{0,1000})\})/gu;
