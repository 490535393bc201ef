import { posix } from 'node:path';
import { antoraImage, asciidocImage, asciidocImagesFolder, asciidocReference } from './asciidoc.js';
import { htmlImage, vueImage } from './html.js';
import { graphicsPath, latexImage, latexRoot, withoutGraphicsPath } from './latex.js';
import { markdownImage } from './markdown.js';
import { mdxImage } from './mdx.js';
import {
	type ImageParts,
	type ImageReference,
	relativeReference,
	type ResourceUri,
} from './reference.js';
import { restructuredTextImage } from './restructuredText.js';
import { publicFolderPath, siteReference } from './site.js';
import { typstImage } from './typst.js';

/** Where a reference to an image is to stand. */
export interface ImagePlace {
	/**
	 * The notebook, for a cell; any file inside the first workspace folder, for an untitled document.
	 */
	readonly document: ResourceUri;
	/** The workspace folder of the document, if it has one. */
	readonly workspaceFolder?: ResourceUri | undefined;
	/** The document up to the place, where its own settings for images stand. */
	readonly textBefore?: string | undefined;
	/** See `siteReference`. */
	readonly publicFolder?: string | undefined;
	/** Whether a reStructuredText document is Sphinx's: a `conf.py` lies beside or above it. */
	readonly forSphinx?: boolean | undefined;
}

/**
 * Returns how a document refers to an image, in the document's own format. In a language without
 * one it is the plain relative path.
 * @param languageId the editor's identifier of the language
 * @param alt the prompt, or any other plain text; it is made into one short line
 */
export function imageReference(
	languageId: string,
	{ image, alt, ...place }: ImagePlace & { readonly image: ResourceUri; readonly alt: string },
): ImageReference {
	return (formats.get(languageId) ?? plain).reference(place, image, alt);
}

/**
 * The folder where the document itself says that its images lie: `imagesdir` and the modules of
 * Antora in AsciiDoc, `\graphicspath` in LaTeX. An absolute path, of the document's scheme and
 * authority. It is not confined to the workspace.
 * @returns `undefined` where the format has nothing of the kind, or the document does not use it
 */
export function documentImagesFolder(languageId: string, place: ImagePlace): string | undefined {
	return formats.get(languageId)?.imagesFolder?.(place);
}

interface Format {
	readonly reference: (place: ImagePlace, image: ResourceUri, alt: string) => ImageReference;
	readonly imagesFolder?: (place: ImagePlace) => string | undefined;
}

/** The identifiers are those of the editor itself and of the extensions that most people use. */
const formats: ReadonlyMap<string, Format> = new Map(
	Object.entries({
		...forEach(['markdown', 'quarto', 'rmd'], { reference: onPage(markdownImage) }),
		// Markdown to the editor as well: they have its preview and its paste.
		...forEach(['prompt', 'instructions', 'chatagent', 'skill'], {
			reference: onPage(markdownImage),
		}),
		mdx: { reference: onPage(mdxImage) },
		...forEach(['html', 'svelte', 'astro', 'handlebars'], { reference: onPage(htmlImage) }),
		...forEach(['vue', 'vue-html'], { reference: onPage(vueImage) }),
		asciidoc: { reference: inAsciidoc, imagesFolder: asciidocFolder },
		restructuredtext: { reference: inRestructuredText },
		...forEach(['latex', 'tex'], { reference: inLatex, imagesFolder: latexFolder }),
		typst: { reference: beside(typstImage) },
	}),
);

const plain: Format = {
	reference: beside(({ path }) => ({ before: path, alt: '', after: '', block: false })),
};

function forEach(languageIds: readonly string[], format: Format): Record<string, Format> {
	return Object.fromEntries(languageIds.map((languageId) => [languageId, format]));
}

/** For formats whose references are relative to the document. */
function beside(write: (parts: ImageParts) => ImageReference): Format['reference'] {
	return ({ document }, image, alt) => write({ path: relativeReference(document, image), alt });
}

/** For formats of which web pages are made: a public folder counts too. */
function onPage(write: (parts: ImageParts) => ImageReference): Format['reference'] {
	return (place, image, alt) =>
		write({ path: fromSite(place, image) ?? relativeReference(place.document, image), alt });
}

function fromSite(
	{ document, workspaceFolder, publicFolder = '' }: ImagePlace,
	image: ResourceUri,
): string | undefined {
	return siteReference({ document, image, workspaceFolder, publicFolder });
}

function inAsciidoc(place: ImagePlace, image: ResourceUri, alt: string): ImageReference {
	const { document } = place;
	const path = fromSite(place, image) ?? asciidocReference(document, image, asciidocFolder(place));
	return antoraImage({ document, image, alt }) ?? asciidocImage({ path, alt });
}

function asciidocFolder({
	document,
	workspaceFolder,
	textBefore = '',
	publicFolder = '',
}: ImagePlace): string | undefined {
	const siteRoot = publicFolderPath(workspaceFolder, publicFolder) ?? workspaceFolder?.path ?? '/';
	return asciidocImagesFolder(document, textBefore, siteRoot);
}

function inRestructuredText(
	{ document, forSphinx }: ImagePlace,
	image: ResourceUri,
	alt: string,
): ImageReference {
	const path = relativeReference(document, image);
	return restructuredTextImage({ path, alt }, { forSphinx: forSphinx === true });
}

function inLatex(
	{ document, textBefore = '' }: ImagePlace,
	image: ResourceUri,
	alt: string,
): ImageReference {
	const path = relativeReference(latexRoot(document, textBefore), image);
	return latexImage({ path: withoutGraphicsPath(path, textBefore), alt });
}

function latexFolder({ document, textBefore = '' }: ImagePlace): string | undefined {
	const folder = graphicsPath(textBefore);
	const root = latexRoot(document, textBefore);
	return folder === undefined ? undefined : posix.resolve(posix.dirname(root.path), folder);
}
