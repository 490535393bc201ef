import { posix } from 'node:path';
import { antoraImage, asciidocImage, asciidocImagesFolder, asciidocReference } from './asciidoc.js';
import { htmlImage, vueImage } from './html.js';
import { formatOf, type DocumentFormat } from './languages.js';
import { graphicsPath, latexImage, latexRoot, withoutGraphicsPath } from './latex.js';
import { markdownImage } from './markdown.js';
import { mdxImage } from './mdx.js';
import {
	type LinkParts,
	type ImageLink,
	relativeReference,
	type ResourceUri,
} from './imageLink.js';
import type { LinkForm } from './place.js';
import { restructuredTextImage } from './restructuredText.js';
import { publicFolderPath, siteReference } from './site.js';
import { typstImage } from './typst.js';

/** Where an image link is to stand. */
export interface LinkContext {
	/**
	 * The notebook, for a cell; any file inside the first workspace folder, for an untitled document.
	 */
	readonly document: ResourceUri;
	/** The workspace folder of the document, if it has one. */
	readonly workspaceFolder?: ResourceUri | undefined;
	/** The document up to the link, where its own settings for images stand. */
	readonly textBefore?: string | undefined;
	/** See `siteReference`. */
	readonly publicFolder?: string | undefined;
	/** Whether a reStructuredText document is Sphinx's: a `conf.py` lies beside or above it. */
	readonly forSphinx?: boolean | undefined;
	/** As the place of the link needs it (see `linkPlace`); the default is a block. */
	readonly form?: LinkForm | undefined;
	/**
	 * In Markdown, the width of an `<img>` in CSS pixels; without it the link is `![…](…)`. Not in MDX,
	 * whose tools find the files of that form alone.
	 */
	readonly htmlWidth?: number | undefined;
}

/**
 * Returns how a document refers to an image, in the document's own format. In a language without
 * one it is the plain relative path.
 * @param languageId the editor's identifier of the language
 * @param alt plain text; it is made into one short line
 */
export function imageLinkFor(
	languageId: string,
	{ image, alt, ...context }: LinkContext & { readonly image: ResourceUri; readonly alt: string },
): ImageLink {
	return (formatFor(languageId) ?? plain).link(context, image, alt);
}

/**
 * The folder where the document itself says that its images lie: `imagesdir` and the modules of
 * Antora in AsciiDoc, `\graphicspath` in LaTeX. An absolute path, of the document's scheme and
 * authority. It is not confined to the workspace.
 * @returns `undefined` where the format has nothing of the kind, or the document does not use it
 */
export function documentImagesFolder(languageId: string, context: LinkContext): string | undefined {
	return formatFor(languageId)?.imagesFolder?.(context);
}

function formatFor(languageId: string): Format | undefined {
	const format = formatOf(languageId);
	return format && formats[format];
}

interface Format {
	readonly link: (context: LinkContext, image: ResourceUri, alt: string) => ImageLink;
	readonly imagesFolder?: (context: LinkContext) => string | undefined;
}

const formats: Readonly<Record<DocumentFormat, Format>> = {
	markdown: {
		link: onPage((parts, { htmlWidth, form }) =>
			htmlWidth === undefined && form !== 'html'
				? markdownImage(parts)
				: htmlImage(parts, htmlWidth),
		),
	},
	mdx: { link: onPage(mdxImage) },
	html: { link: onPage((parts) => htmlImage(parts)) },
	vue: { link: onPage(vueImage) },
	asciidoc: { link: inAsciidoc, imagesFolder: asciidocFolder },
	restructuredText: { link: inRestructuredText },
	latex: { link: inLatex, imagesFolder: latexFolder },
	typst: { link: beside(typstImage) },
};

const plain: Format = {
	link: beside(({ path }) => ({ before: path, alt: undefined, after: '' })),
};

/** For formats whose links are relative to the document. */
function beside(write: (parts: LinkParts, form?: LinkForm) => ImageLink): Format['link'] {
	return ({ document, form }, image, alt) =>
		write({ path: relativeReference(document, image), alt }, form);
}

/** For formats of which web pages are made: a public folder counts too. */
function onPage(write: (parts: LinkParts, context: LinkContext) => ImageLink): Format['link'] {
	return (context, image, alt) => {
		const path = fromSite(context, image) ?? relativeReference(context.document, image);
		return write({ path, alt }, context);
	};
}

function fromSite(
	{ document, workspaceFolder, publicFolder = '' }: LinkContext,
	image: ResourceUri,
): string | undefined {
	return siteReference({ document, image, workspaceFolder, publicFolder });
}

function inAsciidoc(context: LinkContext, image: ResourceUri, alt: string): ImageLink {
	const { document, form } = context;
	const path =
		fromSite(context, image) ?? asciidocReference(document, image, asciidocFolder(context));
	return antoraImage({ document, image, alt, form }) ?? asciidocImage({ path, alt }, form);
}

function asciidocFolder({
	document,
	workspaceFolder,
	textBefore = '',
	publicFolder = '',
}: LinkContext): string | undefined {
	const siteRoot = publicFolderPath(workspaceFolder, publicFolder) ?? workspaceFolder?.path ?? '/';
	return asciidocImagesFolder(document, textBefore, siteRoot);
}

function inRestructuredText(
	{ document, forSphinx }: LinkContext,
	image: ResourceUri,
	alt: string,
): ImageLink {
	const path = relativeReference(document, image);
	return restructuredTextImage({ path, alt }, { forSphinx });
}

function inLatex(
	{ document, textBefore = '' }: LinkContext,
	image: ResourceUri,
	alt: string,
): ImageLink {
	const path = relativeReference(latexRoot(document, textBefore), image);
	return latexImage({ path: withoutGraphicsPath(path, textBefore), alt });
}

function latexFolder({ document, textBefore = '' }: LinkContext): string | undefined {
	const folder = graphicsPath(textBefore);
	const root = latexRoot(document, textBefore);
	return folder === undefined ? undefined : posix.resolve(posix.dirname(root.path), folder);
}
