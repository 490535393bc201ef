import { posix } from 'node:path';
import { altText } from '../images/altText.js';
import {
	antoraIdentifier,
	antoraImage,
	asciidocImage,
	asciidocImagesFolders,
	asciidocReference,
} from './asciidoc.js';
import type { FoundImage } from './findImages.js';
import { htmlImage, htmlSource, vueImage, withDot } from './html.js';
import { formatOf, type DocumentFormat } from './languages.js';
import { graphicsPath, latexImage, latexRoot, withoutGraphicsPath } from './latex.js';
import { markdownDestination, markdownImage, mystImage, uncaptionedImage } from './markdown.js';
import { mdxImage } from './mdx.js';
import {
	type LinkParts,
	type ImageLink,
	percentEncode,
	relativeReference,
	type ResourceUri,
} from './imageLink.js';
import type { LinkForm } from './place.js';
import { restructuredTextImage, sphinxPath } from './restructuredText.js';
import {
	addressInSite,
	aliasedPath,
	rulesOf,
	servedPath,
	siteOfPage,
	sitesFor,
	type Site,
} from './sites.js';
import { typstImage } from './typst.js';

/** Place for an image link. */
export interface LinkContext {
	/**
	 * The notebook, for a cell; any file inside the first workspace folder, for an untitled document.
	 */
	readonly document: ResourceUri;
	/** The workspace folder of the document, if it has one. */
	readonly workspaceFolder?: ResourceUri | undefined;
	/** The document up to the link, where its own settings for images stand. */
	readonly textBefore?: string | undefined;
	/** Value of `easel.documents.publicFolder`: relative to the workspace folder, empty for none. */
	readonly publicFolder?: string | undefined;
	/** The sites that the document lies in, the nearest first; their roots are paths of URIs. */
	readonly sites?: readonly Site[] | undefined;
	/** As the place of the link needs it (see `linkPlace`); the default is a block. */
	readonly form?: LinkForm | undefined;
	/**
	 * In Markdown, the width of an `<img>` in CSS pixels; without it the link is `![…](…)`. Not in MDX,
	 * whose tools find the files of that form alone. In Markdown of Sphinx it is that of its directive.
	 */
	readonly htmlWidth?: number | undefined;
	/** True if the alt text is a caption as well, in documents of Quarto and R Markdown. */
	readonly isCaption?: boolean | undefined;
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
	const { path, write } = formatFor(languageId) ?? plain;
	if (context.form === 'value') {
		return { before: metadataValue(context, image), alt: undefined, after: '' };
	}
	const link = write({ path: path(context)(image), alt }, context, image);
	return {
		...link,
		before: withPrefix(link.before, context),
		after: withPrefix(link.after, context),
	};
}

/** Returns a link with the plain prefix of its site, which no escape may hide. */
function withPrefix(text: string, context: LinkContext): string {
	const site = siteOfPage(context.document.path, context.sites ?? []);
	const prefix = site && rulesOf(site).prefix;
	return prefix === undefined ? text : text.replace(/%7B(\w+)(?:%7D|\})(?=\/)/, prefix);
}

/**
 * Returns the new destination of an image, so that it shows another file: behind the alias that
 * stands there, or else as the site or the document refers to it.
 */
export function destinationFor(
	{ kind, href }: Pick<FoundImage, 'kind' | 'href'>,
	{ image, ...context }: LinkContext & { readonly image: ResourceUri },
): string {
	const { document } = context;
	const sites = sitesOf(context);
	const relative = relativeReference(document, image);
	const served = kind === 'import' ? undefined : fromSite(context, image, kind === 'html');
	const path = aliasedPath(href, image.path, sites) ?? served ?? relative;
	const vault = sites.find((site) => rulesOf(site).findsByName);
	const inVault = vault === undefined ? relative : posix.relative(vault.root, image.path);
	return withPrefix(kind === 'embed' ? inVault : escaped(kind, href, path), context);
}

/** Returns a path as it stands in its place, where another one was written. */
function escaped(kind: Exclude<FoundImage['kind'], 'embed'>, href: string, path: string): string {
	switch (kind) {
		case 'html':
			return htmlSource(withDotLike(href, path)).replaceAll("'", '%27');
		case 'import':
		case 'value':
		case 'other':
			return withDotLike(href, path);
		case 'directive':
			return sphinxPath(path);
		case 'inline':
		case 'reference':
		case 'sized':
			return markdownDestination(path);
	}
}

function withDotLike(href: string, path: string): string {
	return href.startsWith('./') ? withDot(path) : path;
}

/**
 * The folder where the document itself says that its images lie: `imagesdir` and the modules of
 * Antora in AsciiDoc, `\graphicspath` in LaTeX. An absolute path, of the document's scheme and
 * authority. It is not confined to the workspace.
 * @returns `undefined` where the format has nothing of the kind, or the document does not use it
 */
export function documentImagesFolder(languageId: string, context: LinkContext): string | undefined {
	const { textBefore = '' } = context;
	return formatFor(languageId)?.folders?.(context, textBefore)(textBefore.length).images;
}

/**
 * The folders that a relative path of an image in a document may start from, in the order in which
 * the format looks into them: in LaTeX that of the main document, then what
 * {@link documentImagesFolder} says for the place of the path, and at last the document's own.
 * Absolute paths, of the document's scheme and authority.
 * @param text of the document, in which the places lie
 * @returns what tells it of a place; places have to be asked for in their order
 */
export function linkFolders(
	languageId: string,
	text: string,
	context: Omit<LinkContext, 'textBefore'>,
): (offset: number) => readonly string[] {
	const foldersAt = formatFor(languageId)?.folders?.(context, text);
	const own = posix.dirname(context.document.path);
	return (offset) => {
		const { main, images } = foldersAt?.(offset) ?? {};
		return [...new Set([main, images, own].filter((folder) => folder !== undefined))];
	};
}

/** Names an image as {@link imageLinkFor} does, before its path is escaped. */
export function imagePathsFor(
	languageId: string,
	context: LinkContext,
): (image: ResourceUri) => string {
	return (formatFor(languageId) ?? plain).path(context);
}

function formatFor(languageId: string): Format | undefined {
	const format = formatOf(languageId);
	return format && formats[format];
}

interface Folders {
	/** Path of the main document. */
	readonly main?: string;
	/** Folder that the document names for its images. */
	readonly images: string | undefined;
}

interface Format {
	/** The text of a document is read once for all its images. */
	readonly path: (context: LinkContext) => (image: ResourceUri) => string;
	readonly write: (parts: LinkParts, context: LinkContext, image: ResourceUri) => ImageLink;
	/** As {@link linkFolders}, without the document's own. */
	readonly folders?: (context: LinkContext, text: string) => (offset: number) => Folders;
}

const formats: Readonly<Record<DocumentFormat, Format>> = {
	markdown: { path: onPage, write: writeMarkdown },
	mdx: { path: onPage, write: mdxImage },
	html: { path: onPage, write: (parts) => htmlImage(parts) },
	vue: { path: onPage, write: (parts) => vueImage(parts) },
	asciidoc: {
		path: pathInAsciidoc,
		write: (parts, { document, form }, image) =>
			antoraImage({ document, image, alt: parts.alt, form }) ?? asciidocImage(parts, form),
		folders: foldersInAsciidoc,
	},
	restructuredText: {
		path: beside,
		// Sphinx takes names as they are, where Docutils takes URIs.
		write: (parts, context) =>
			restructuredTextImage(parts, {
				forSphinx: sitesOf(context).some(isOfSphinx),
			}),
	},
	latex: {
		path: pathInLatex,
		write: latexImage,
		folders: foldersInLatex,
	},
	typst: { path: beside, write: (parts, { form }) => typstImage(parts, form) },
};

const plain: Format = {
	path: beside,
	write: ({ path }) => ({ before: path, alt: undefined, after: '' }),
};

/** For formats whose links are relative to the document. */
function beside({ document }: LinkContext): (image: ResourceUri) => string {
	return (image) => relativeReference(document, image);
}

/** For formats of which web pages are made: a public folder counts too. */
function onPage(context: LinkContext): (image: ResourceUri) => string {
	return (image) => fromSite(context, image) ?? relativeReference(context.document, image);
}

function writeMarkdown(parts: LinkParts, context: LinkContext, image: ResourceUri): ImageLink {
	const { document, form, htmlWidth } = context;
	const { sites = [] } = context;
	const site = siteOfPage(document.path, sites);
	const needsDot = sites.some((one) => rulesOf(one).needsDot === true);
	if (site !== undefined && rulesOf(site).isMdx === true) {
		return mdxImage(parts);
	}
	if (site !== undefined && isOfSphinx(site) && form !== 'html') {
		const isPlain = encodeURI(parts.path) === parts.path && htmlWidth === undefined;
		return isPlain || form === 'inline' ? markdownImage(parts) : mystImage(parts, htmlWidth);
	}
	// Of a path with a percent sign too, which `markdownImage` writes as HTML.
	if (htmlWidth !== undefined || form === 'html' || parts.path.includes('%')) {
		const write = needsDot ? vueImage : htmlImage;
		const page = { ...document, path: addressInSite(document.path, site) };
		const path = fromSite(context, image, true) ?? relativeReference(page, image);
		return write({ ...parts, path }, htmlWidth);
	}
	const alternative = captionsOf(document.path, site);
	if (alternative !== undefined && form !== 'inline' && context.isCaption !== true) {
		return uncaptionedImage(parts, alternative);
	}
	const inVault = site && posix.relative(site.root, image.path);
	const isEmbedded =
		site?.generator === 'Obsidian' &&
		fromSite(context, image) === undefined &&
		site.markdownLinks === undefined &&
		!/^\.\.\/|[#^|[\]]/.test(inVault ?? '#');
	return isEmbedded
		? { before: `![[${inVault}|`, alt: altText(parts.alt).replace(/[|[\]]/g, ' '), after: ']]' }
		: markdownImage(parts);
}

function isOfSphinx({ generator }: Site): boolean {
	return generator === 'Sphinx' || generator === 'MyST';
}

/**
 * The attribute for the alt text where what stands in the brackets would be shown as a caption:
 * documents of Quarto and R Markdown.
 */
function captionsOf(document: string, site: Site | undefined): string | undefined {
	const extension = posix.extname(document).toLowerCase();
	if (extension === '.qmd' || (extension === '.md' && site?.generator === 'Quarto')) {
		return 'fig-alt';
	}
	return extension === '.rmd' ? 'alt' : undefined;
}

const notInUrl = /[^\w/.~!$&'()*+,;=:@-]/gu;

/** A path for front matter, escaped as the quotation mark before it needs it. */
function metadataValue(context: LinkContext, image: ResourceUri): string {
	const { document, textBefore = '' } = context;
	const site = siteOfPage(document.path, context.sites ?? []);
	const metadata = site && rulesOf(site).metadata;
	const served = metadata === 'relative' ? undefined : fromSite(context, image);
	const relative = relativeReference(document, image);
	const plain = served ?? (metadata === 'bare' ? relative : withDot(relative));
	const path = metadata === 'encoded' ? percentEncode(plain, notInUrl) : plain;
	if (textBefore.endsWith('"')) {
		return JSON.stringify(path).slice(1, -1);
	}
	if (textBefore.endsWith("'")) {
		return path.replaceAll("'", "''");
	}
	// A bare value of YAML begins with a letter, a digit or what begins a path.
	const needsQuotes = /^[^\p{L}\p{N}_./]|: | #|["'\\[\]{},\p{Cc}]/u.test(path);
	return needsQuotes ? JSON.stringify(path) : path;
}

function fromSite(context: LinkContext, image: ResourceUri, isHtml = false): string | undefined {
	return servedPath(context.document, image, sitesOf(context), isHtml);
}

function sitesOf({ document, workspaceFolder, publicFolder = '', sites = [] }: LinkContext) {
	const isHere =
		workspaceFolder?.scheme === document.scheme && workspaceFolder.authority === document.authority;
	return sitesFor(isHere ? workspaceFolder.path : undefined, publicFolder, sites);
}

function pathInAsciidoc(context: LinkContext): (image: ResourceUri) => string {
	const { document } = context;
	const folder = documentImagesFolder('asciidoc', context);
	return (image) =>
		antoraIdentifier(document, image) ??
		fromSite(context, image) ??
		asciidocReference(document, image, folder);
}

function foldersInAsciidoc(context: LinkContext, text: string): (offset: number) => Folders {
	const folderAt = asciidocImagesFolders(context.document, text, siteRootOf(context));
	return (offset) => ({ images: folderAt(offset) });
}

/** Returns the folder that a leading `/` of `imagesdir` means. */
function siteRootOf(context: LinkContext): string {
	const site = sitesOf(context).find(({ publicFolder }) => publicFolder !== undefined);
	return site === undefined
		? (context.workspaceFolder?.path ?? '/')
		: posix.join(site.root, site.publicFolder ?? '');
}

function pathInLatex({ document, textBefore = '' }: LinkContext): (image: ResourceUri) => string {
	const root = latexRoot(document, textBefore);
	const folder = graphicsPath(textBefore);
	return (image) => withoutGraphicsPath(relativeReference(root, image), folder);
}

function foldersInLatex({ document }: LinkContext, text: string): () => Folders {
	const main = posix.dirname(latexRoot(document, text).path);
	const folder = graphicsPath(text);
	// In this order (`\IfFileExists` of the kernel, which `graphicx` looks with).
	const folders = { main, images: folder && posix.resolve(main, folder) };
	return () => folders;
}
