import { posix } from 'node:path';
import { inWords } from '../../../src/easelError.js';
import { altText, firstClause, isGenericAlt } from '../../../src/images/altText.js';
import * as asciidoc from '../../../src/documents/asciidoc.js';
import { AsciidocAttributes } from '../../../src/documents/asciidocAttributes.js';
import * as html from '../../../src/documents/html.js';
import {
	assertPath,
	linkText,
	percentEncode,
	percentEncodeWithEnds,
	relativeReference,
} from '../../../src/documents/imageLink.js';
import { imagePathBefore } from '../../../src/documents/imagePathBefore.js';
import { imagePaths } from '../../../src/documents/imagePaths.js';
import {
	formatOf,
	languageOfDocument,
	languageOfFile,
	languages,
} from '../../../src/documents/languages.js';
import * as blockPlace from '../../../src/documents/blockPlace.js';
import * as blocks from '../../../src/documents/blocks.js';
import * as containers from '../../../src/documents/containers.js';
import { asciidocSpot } from '../../../src/documents/asciidocAround.js';
import { delimitedAround, isTable, surroundingsAt } from '../../../src/documents/delimited.js';
import { behindCharacter, behindIndivisible } from '../../../src/documents/indivisible.js';
import { latexEndAround } from '../../../src/documents/latexAround.js';
import {
	columns,
	lineAbove,
	lineAt,
	lineBelow,
	lineBounds,
	nextWithText,
} from '../../../src/documents/lines.js';
import { linkAround } from '../../../src/documents/linkAround.js';
import { linkPlace, placed } from '../../../src/documents/linkPlace.js';
import { frontMatter, metadataImages, metadataValueAt } from '../../../src/documents/metadata.js';
import { isNotebook, partsOf } from '../../../src/documents/notebook.js';
import type { BlockPlace } from '../../../src/documents/place.js';
import { placeInText } from '../../../src/documents/placeInText.js';
import { placeRules } from '../../../src/documents/placeRules.js';
import * as latex from '../../../src/documents/latex.js';
import {
	decodePercent,
	isInside,
	isUnderstood,
	localPaths,
	wallAround,
} from '../../../src/documents/localPath.js';
import * as markdown from '../../../src/documents/markdown.js';
import * as mdx from '../../../src/documents/mdx.js';
import { foldedPath, lastName, NameIndex } from '../../../src/documents/missing/nameIndex.js';
import { SearchStalledError } from '../../../src/documents/reading/search.js';
import { restructuredTextAround } from '../../../src/documents/restructuredTextAround.js';
import * as restructuredText from '../../../src/documents/restructuredText.js';
import * as sites from '../../../src/documents/sites.js';
import { paragraphEnd } from '../../../src/documents/span.js';
import { findWrongWords, quotedIn } from '../../../src/images/pictureWords.js';
import { replaceAlt } from '../../../src/documents/replaceAlt.js';
import * as typst from '../../../src/documents/typst.js';
import {
	destinationFor,
	documentImagesFolder,
	imageLinkFor,
	imagePathsFor,
	linkFolders,
} from '../../../src/documents/writeImageLink.js';
import { renamedReferences } from '../../../src/documents/renamedReferences.js';
import {
	flattened,
	safeName,
	safeText,
	markdownText,
	sentence,
	shortened,
	shownItem,
	withIcon,
} from '../../../src/editor/untrustedText.js';
import { markdownProse, markdownQuote } from '../../../src/editor/markdownQuote.js';
import { imagePathAt, mayShowImage, mayShowImageAt } from '../../../src/editor/nearImage.js';
import { hashOf } from '../../../src/generation/closedDocumentAnchors.js';
import { searchMatcher } from '../../../src/library/searchMatcher.js';
import { callerWords, originLabels } from '../../../src/generation/requestOrigin.js';
import { requestPreviewText } from '../../../src/style/requestPreviewText.js';
import {
	firstByUrgency,
	noteHover,
	noteText,
	type ImageAtPlace,
} from '../../../src/generation/placeNote.js';
import * as fileName from '../../../src/images/fileName.js';
import { effectivePrompt } from '../../../src/recipes/applyStyle.js';
import { parseStyleGuide } from '../../../src/recipes/styleGuide.js';
import { formatStyleGuide, withReference } from '../../../src/recipes/writeStyleGuide.js';
import { foreignTexts } from '../../../src/recipes/foreign.js';
import * as ours from '../../../src/recipes/ours.js';
import { parseJson, parseRecipe, recipeJson, relativePath } from '../../../src/recipes/recipe.js';
import { fitText, textChunk, type TextChunk } from '../../../src/recipes/textChunks.js';
import { isOurPacket, readXmp } from '../../../src/recipes/xmp.js';
import { recipe } from '../recipes/pngs.js';
import { segments } from '../../../src/images/segments.js';
import { isNamedByFormat } from '../../../src/images/inspect.js';
import { beginningOf, shorten } from '../../../src/images/shorten.js';

/** The part of a document that says its language. */
const ofMarkdown = { languageId: 'markdown', uri: { path: '/docs/guide.md' } };

/** A call of a function with a text in the place of what is foreign. */
export type Call = (text: string) => unknown;

const uri = (path: string) => ({ scheme: 'file', authority: '', path });
const document = uri('/work/docs/page.md');
const workspaceFolder = uri('/work');
const page = { document: document.path, workspaceFolder: workspaceFolder.path };
const image = uri('/work/images/a.png');
const sitesOfAllKinds = (Object.keys(sites.generators) as sites.Generator[]).map((generator) => ({
	...sites.rulesOf({ generator }),
	...{ generator, root: '/work', base: '/docs' },
}));
const vitePress = sitesOfAllKinds.find(({ generator }) => generator === 'VitePress')!;
const time = new Date(2026, 0, 2);
const named = { prompt: 'a fox', time, size: '1024x1024' };

/** A running image as the note at its place takes it. */
function atPlace(text: string): ImageAtPlace {
	return {
		request: { id: '', prompt: text, size: '1024x1024' },
		stage: 'making',
		short: '',
		words: text,
	};
}

const sentNothing = {
	...{ prompt: '', references: [], style: 'none', count: 1 },
	...({ size: 'auto', quality: undefined } as const),
};

/** A text of a PNG, as it is read. */
function textOf(keyword: string, text: string): TextChunk {
	return { chunk: { type: 'iTXt', start: 0, length: 0 }, keyword, text };
}

/** A text in each place of a style guide. */
function inStyleGuide(read: (content: string) => unknown): Call[] {
	const writes: readonly ((text: string) => string)[] = [
		(text) => text,
		(text) => `---\n${text}\n---\n`,
		(text) => `---\nsize: ${text}\n---\n`,
		(text) => `---\nreferences: ${text}\n---\n`,
		(text) => `---\nreferences: [${text}]\n---\n`,
		(text) => `---\nreferences:\n- ${text}\n---\n`,
		(text) => `---\nreferences:\n- "${text}"\n---\n`,
	];
	return writes.map(
		(write): Call =>
			(text) =>
				refused(() => read(write(text))),
	);
}

/** `undefined` where it is refused. */
function refused(call: () => unknown): unknown {
	try {
		return call();
	} catch {
		return undefined;
	}
}

const parts =
	(write: (parts: { path: string; alt: string }) => unknown): Call =>
	(text) =>
		write({ path: text, alt: text });

/** Where in a text something is asked for, as parts of its length. */
const offsets = [0, 0.5, 1];

function spanAt(text: string, part: number) {
	const at = Math.floor(text.length * part);
	return { start: at, end: at };
}

/** A call for each format and some places of a text. */
function atPlaces(read: (place: BlockPlace) => unknown): Call[] {
	return languages.flatMap(({ format }) =>
		offsets.map((part): Call => (text) => {
			const span = spanAt(text, part);
			const line = lineAt(text, span.start, placeRules[format]);
			return read({ span, first: line, line, last: line, left: 'a', right: '' });
		}),
	);
}

/** By module and export, what it does with foreign text: one call for each place of such a text. */
export const takesText: Readonly<Record<string, Readonly<Record<string, readonly Call[]>>>> = {
	'images/altText.ts': {
		altText: [altText],
		firstClause: [firstClause],
		isGenericAlt: [isGenericAlt],
	},
	'documents/blockPlace.ts': {
		aboveBlock: atPlaces((place) => blockPlace.aboveBlock(place)),
		belowBlock: atPlaces((place) => blockPlace.belowBlock(place)),
		betweenLines: atPlaces((place) => blockPlace.betweenLines(place)),
		onEmptyLine: atPlaces((place) => blockPlace.onEmptyLine(place)),
	},
	'documents/blocks.ts': {
		blockEnd: atPlaces(({ line }) => blocks.blockEnd(line)),
		blockStart: atPlaces(({ line }) => blocks.blockStart(line)),
		isInHtmlBlock: atPlaces(({ line }) => blocks.isInHtmlBlock(line)),
		isInItem: atPlaces(({ line }) => blocks.isInItem(line)),
		isTableRow: atPlaces(({ line }) => blocks.isTableRow(line)),
		isWithinParagraph: atPlaces((place) => blocks.isWithinParagraph(place)),
		linesFrom: atPlaces(({ line }) => [...blocks.linesFrom(line)]),
	},
	'documents/containers.ts': {
		blockPrefix: atPlaces(({ line }) => containers.blockPrefix(line)),
		contentPrefix: atPlaces(({ line }) => containers.contentPrefix(line)),
		itemBefore: atPlaces(({ line }) => containers.itemBefore(line)),
		prefixBetween: atPlaces(({ line }) => containers.prefixBetween(line)),
	},
	'documents/lines.ts': {
		columns: [(text) => columns(text)],
		lineAbove: atPlaces(({ line }) => lineAbove(line)),
		lineBounds: atPlaces(({ line: { text }, span }) => lineBounds(text, span.start)),
		lineAt: atPlaces(({ line: { text, rules }, span }) => lineAt(text, span.start, rules)),
		lineBelow: atPlaces(({ line }) => lineBelow(line)),
		nextWithText: atPlaces(({ line }) => [
			nextWithText(line, lineAbove),
			nextWithText(line, lineBelow),
		]),
	},
	'documents/linkAround.ts': {
		linkAround: languages.flatMap(({ format }) =>
			offsets.map(
				(part): Call =>
					(text) =>
						linkAround(format, text, spanAt(text, part)),
			),
		),
	},
	'documents/asciidocAround.ts': {
		asciidocSpot: offsets.flatMap((part): Call[] =>
			[false, true].map(
				(cells) => (text) => asciidocSpot(text, spanAt(text, part).start, { cells }),
			),
		),
	},
	'documents/restructuredTextAround.ts': {
		restructuredTextAround: offsets.map(
			(part): Call =>
				(text) =>
					restructuredTextAround(text, spanAt(text, part).start),
		),
	},
	'documents/delimited.ts': {
		isTable: [
			(delimiter) => isTable({ delimiter, opening: { start: 0, end: 0 }, closing: undefined }),
		],
		delimitedAround: languages.flatMap(({ format }) =>
			offsets.map(
				(part): Call =>
					(text) =>
						delimitedAround(format, text, spanAt(text, part).start),
			),
		),
		surroundingsAt: languages.map(
			({ format }) =>
				(text) =>
					surroundingsAt(format, text, text.length),
		),
	},
	'documents/indivisible.ts': {
		behindCharacter: [(text) => behindCharacter(text, 1)],
		behindIndivisible: languages.flatMap(({ format }) =>
			offsets.map(
				(part): Call =>
					(text) =>
						behindIndivisible(format, text, spanAt(text, part).start),
			),
		),
	},
	'documents/latexAround.ts': {
		latexEndAround: offsets.map(
			(part): Call =>
				(text) =>
					latexEndAround(text, spanAt(text, part).start),
		),
	},
	'documents/placeInText.ts': {
		placeInText: languages.flatMap(({ format }) =>
			offsets.map(
				(part): Call =>
					(text) =>
						placeInText(format, text, spanAt(text, part).start),
			),
		),
	},
	'documents/linkPlace.ts': {
		linkPlace: [...languages.map(({ ids: [id] }) => id), 'plaintext'].flatMap((id) =>
			offsets.flatMap((part): Call[] => [
				(text) => linkPlace(id, text, spanAt(text, part)),
				(text) => linkPlace(id, text, spanAt(text, part), true),
			]),
		),
		placed: [
			(text) =>
				placed({ before: text, alt: text, after: text }, linkPlace('markdown', '', spanAt('', 0))),
		],
	},
	'documents/asciidoc.ts': {
		antoraImage: [
			(text) => asciidoc.antoraImage({ document, image, alt: text }),
			(text) =>
				asciidoc.antoraImage({
					document: uri('/c/modules/m/pages/page.adoc'),
					image: uri(`/c/modules/m/images/${text}`),
					alt: 'a',
				}),
			(text) =>
				asciidoc.antoraImage({ document: uri(`/${text}`), image: uri(`/${text}`), alt: '' }),
		],
		antoraIdentifier: [
			(text) => asciidoc.antoraIdentifier(uri(`/${text}`), uri(`/${text}`)),
			(text) =>
				asciidoc.antoraIdentifier(
					uri('/c/modules/m/pages/page.adoc'),
					uri(`/c/modules/m/images/${text}`),
				),
		],
		asciidocAlt: [asciidoc.asciidocAlt],
		asciidocImage: [parts(asciidoc.asciidocImage)],
		asciidocImagesFolders: [document, uri('/c/modules/m/pages/page.adoc')].map((each) => (text) => {
			const folderAt = asciidoc.asciidocImagesFolders(each, text, `/${text}`);
			for (const { start } of imagePaths(text)) {
				folderAt(start);
			}
			const set = `:imagesdir: /${text}\n`;
			return asciidoc.asciidocImagesFolders(each, set, '/')(set.length);
		}),
		asciidocReference: [
			(text) => asciidoc.asciidocReference(uri(`/${text}`), image, undefined),
			(text) => asciidoc.asciidocReference(document, uri(`/${text}`), '/work'),
			(text) => asciidoc.asciidocReference(document, image, `/${text}`),
		],
		asciidocTarget: [asciidoc.asciidocTarget],
	},
	'documents/asciidocAttributes.ts': {
		AsciidocAttributes: [
			(text: string) => text,
			(text: string) => `:a: b\n:imagesdir: ${text}`,
			(text: string) => `:a: ${'b'.repeat(500)}\n:imagesdir: {a}\n${text}`,
		].map((write) => (text) => {
			const written = write(text);
			return new AsciidocAttributes(written).at(written.length, 'imagesdir');
		}),
	},
	'documents/html.ts': {
		htmlAlt: [html.htmlAlt],
		htmlImage: [parts(html.htmlImage)],
		htmlSource: [html.htmlSource],
		vueImage: [parts(html.vueImage)],
		withDot: [html.withDot],
	},
	'documents/imageLink.ts': {
		assertPath: [assertPath],
		linkText: [(text) => linkText({ before: text, alt: text, after: text })],
		percentEncode: [(text) => percentEncode(text, /[%#?\\\p{Cc}]/gu)],
		percentEncodeWithEnds: [(text) => percentEncodeWithEnds(text, /[%#?\\\p{Cc}]/gu)],
		relativeReference: [
			(text) => relativeReference(uri(`/${text}`), image),
			(text) => relativeReference(document, uri(`/${text}`)),
			(text) => relativeReference(uri(`/c:/${text}`), uri(`/c:/${text}`)),
			(text) => relativeReference(document, { scheme: 'vscode-vfs', authority: text, path: text }),
		],
	},
	'documents/imagePathBefore.ts': {
		imagePathBefore: languages.map(
			({ format }) =>
				(text: string) =>
					imagePathBefore(format, text),
		),
	},
	'documents/metadata.ts': {
		frontMatter: [frontMatter, (text) => frontMatter(`---\n${text}`)],
		metadataImages: [(text) => metadataImages(`---\n${text}\n---\n`)],
		metadataValueAt: [
			(text) => metadataValueAt(`---\n${text}\n---\n`, { start: 4, end: 4 }),
			(text) => {
				const end = text.length + 4;
				return metadataValueAt(`---\n${text}\n---\n`, { start: end, end });
			},
		],
	},
	'documents/imagePaths.ts': { imagePaths: [imagePaths] },
	'documents/languages.ts': {
		formatOf: [formatOf],
		languageOfDocument: [(text) => languageOfDocument('plaintext', text)],
		languageOfFile: [languageOfFile],
	},
	'documents/notebook.ts': {
		isNotebook: [isNotebook],
		partsOf: [
			(text) => partsOf(text, text),
			(text) => partsOf('a.ipynb', text),
			(text) => partsOf('a.ipynb', `{"cells": [{"cell_type": "markdown", "source": "${text}`),
			(text) =>
				partsOf('a.ipynb', JSON.stringify({ cells: [{ cell_type: 'markdown', source: text }] })),
		],
	},
	'documents/latex.ts': {
		graphicsPath: [latex.graphicsPath, (text) => latex.graphicsPath(`\\graphicspath{{${text}}}`)],
		latexImage: [parts(latex.latexImage)],
		latexPath: [latex.latexPath],
		latexRoot: [
			(text) => latex.latexRoot(document, text),
			(text) => latex.latexRoot(document, `% !TEX root = ${text}`),
		],
		latexText: [latex.latexText],
		withoutGraphicsPath: [
			(text) => latex.withoutGraphicsPath('images/a.png', text),
			(text) => latex.withoutGraphicsPath(text, 'images/'),
		],
	},
	'documents/localPath.ts': {
		decodePercent: [decodePercent],
		localPaths: [
			(text) => localPaths({ href: text }, page),
			(text) => localPaths({ href: `@/${text}` }, { ...page, sites: sitesOfAllKinds }),
			(text) => localPaths({ href: `/${text}` }, { ...page, publicFolder: 'static' }),
			(text) => localPaths({ href: '/a.png' }, { ...page, publicFolder: text }),
		],
		isInside: [(text) => isInside(`/work/${text}`, '/work')],
		isUnderstood: [
			(text) => isUnderstood({ href: text }, [vitePress]),
			(text) => isUnderstood({ href: `@/${text}` }, [vitePress]),
		],
		wallAround: [(text) => wallAround(`/${text}`, undefined)],
	},
	'documents/markdown.ts': {
		markdownAlt: [markdown.markdownAlt],
		markdownDestination: [markdown.markdownDestination],
		markdownImage: [parts(markdown.markdownImage)],
		mystImage: [parts((each) => markdown.mystImage(each, 40))],
		uncaptionedImage: [parts((each) => markdown.uncaptionedImage(each, 'alt'))],
	},
	'documents/mdx.ts': { mdxImage: [parts(mdx.mdxImage)] },
	'documents/reading/search.ts': {
		SearchStalledError: [(text) => new SearchStalledError(inWords(text), 'files.exclude')],
	},
	'documents/replaceAlt.ts': {
		replaceAlt: [
			(text) => replaceAlt(text, text),
			(text) => replaceAlt(`![${text}](a.png)`, text),
			(text) => replaceAlt(`<img ${text} alt="">`, text),
		],
	},
	'documents/restructuredText.ts': {
		restructuredTextImage: [parts(restructuredText.restructuredTextImage)],
		restructuredTextUri: [restructuredText.restructuredTextUri],
		sphinxPath: [restructuredText.sphinxPath],
	},
	'documents/missing/nameIndex.ts': {
		foldedPath: [foldedPath],
		lastName: [lastName],
		NameIndex: [
			(text) => {
				const index = new NameIndex();
				index.add(text);
				return index.find(text);
			},
		],
	},
	'documents/sites.ts': {
		sitesIn: [
			['docusaurus.config.js', 'hugo.toml', '.vitepress', '.vuepress', 'astro.config.mjs'],
			['mkdocs.yml', '_config.yml', '.obsidian'],
		].map((names) => (text) => sites.sitesIn('/work', names, () => text)),
		addressInSite: sitesOfAllKinds.map(
			(site) => (text) => sites.addressInSite(`/work/${text}`, site),
		),
		aliasedPath: [
			(text) => sites.aliasedPath(`@/${text}`, image.path, [vitePress]),
			(text) => sites.aliasedPath('@/a', `/work/${text}`, [vitePress]),
		],
		pathsInSite: sitesOfAllKinds.map(
			(site) => (text) => sites.pathsInSite(text, document.path, site, posix),
		),
		rulesOf: [() => sites.rulesOf(vitePress)],
		servedPath: [
			(text) => sites.servedPath(uri(`/work/${text}`), image, [vitePress]),
			(text) => sites.servedPath(document, uri(`/work/public/${text}`), [vitePress]),
		],
		settingsOfSite: sitesOfAllKinds.map(
			(site) => (text) => sites.settingsOfSite(site, `/work/${text}`),
		),
		siteImagesFolder: sitesOfAllKinds.map(
			(site) => (text) => sites.siteImagesFolder(`/work/${text}`, [site]),
		),
		siteOfPage: [(text) => sites.siteOfPage(`/work/${text}`, [vitePress])],
		siteOfSetting: [(text) => sites.siteOfSetting('/work', text)],
		sitesFor: [(text) => sites.sitesFor('/work', text, [])],
		startsWithAlias: [(text) => sites.startsWithAlias(text, [vitePress])],
	},
	'documents/span.ts': {
		paragraphEnd: [(text) => paragraphEnd(text, 0), (text) => paragraphEnd(text, text.length / 2)],
	},
	'images/pictureWords.ts': {
		findWrongWords: [
			(text) => findWrongWords([text, text], text, text),
			(text) => findWrongWords(text.split('\n'), '“A pier”', text),
		],
		quotedIn: [quotedIn],
	},
	'documents/typst.ts': { typstImage: [parts(typst.typstImage)], typstString: [typst.typstString] },
	'documents/writeImageLink.ts': {
		documentImagesFolder: languages.flatMap(({ ids: [id] }) => [
			(text) => documentImagesFolder(id, { document, workspaceFolder, textBefore: text }),
			(text) => documentImagesFolder(id, { document, workspaceFolder, publicFolder: text }),
		]),
		destinationFor: (['inline', 'html', 'embed', 'value'] as const).flatMap((kind) => [
			(text) =>
				destinationFor({ kind, href: `@/${text}` }, { document, image, sites: [vitePress] }),
			(text) => destinationFor({ kind, href: 'a' }, { document, image: uri(`/work/${text}`) }),
		]),
		imagePathsFor: ['plaintext', ...languages.map(({ ids: [id] }) => id)].flatMap((id) => [
			(text) => imagePathsFor(id, { document })(uri(`/work/${text}`)),
			(text) => imagePathsFor(id, { document, textBefore: text })(image),
		]),
		linkFolders: languages.map(({ ids: [id] }) => (text) => {
			const foldersAt = linkFolders(id, text, { document, workspaceFolder });
			for (const { start } of imagePaths(text)) {
				foldersAt(start);
			}
		}),
		imageLinkFor: ['plaintext', ...languages.map(({ ids: [id] }) => id)].flatMap((id) => [
			(text) => imageLinkFor(id, { document, image, alt: text }),
			(text) => imageLinkFor(id, { document, image: uri(`/work/${text}`), alt: 'a' }),
			(text) => imageLinkFor(id, { document, image, alt: 'a', textBefore: text }),
			(text) =>
				imageLinkFor(id, { document, image, alt: 'a', workspaceFolder, publicFolder: text }),
		]),
	},
	'editor/untrustedText.ts': {
		flattened: [(text) => flattened(text)],
		safeName: [(text) => safeName({ path: text })],
		safeText: [(text) => safeText(text)],
		markdownText: [(text) => markdownText(text, 500)],
		sentence: [sentence],
		shortened: [(text) => shortened(text, 500)],
		shownItem: [(text) => shownItem({ label: text, description: text, detail: text })],
		withIcon: [(text) => withIcon('sparkle', text)],
	},
	'editor/markdownQuote.ts': {
		markdownProse: [markdownProse],
		markdownQuote: [markdownQuote],
	},
	'editor/nearImage.ts': {
		imagePathAt: [
			(text) =>
				imagePathAt(
					{ ...ofMarkdown, lineAt: () => ({ text }) } as never,
					{ character: text.length } as never,
				),
		],
		mayShowImage: [mayShowImage],
		mayShowImageAt: [
			(text) =>
				mayShowImageAt(
					{ ...ofMarkdown, lineAt: () => ({ text }) } as never,
					{ character: text.length / 2 } as never,
				),
		],
	},
	'documents/renamedReferences.ts': {
		renamedReferences: ['markdown', 'restructuredtext', 'latex', 'asciidoc', 'typst'].map(
			(languageId) => (text) =>
				renamedReferences(text, [{ start: 0, end: text.length }], languageId, {
					from: 'fox.jpg',
					to: 'fox.png',
				}),
		),
	},
	'generation/closedDocumentAnchors.ts': { hashOf: [hashOf] },
	'library/searchMatcher.ts': {
		searchMatcher: [
			(text) => searchMatcher('an older fox')({ prompt: text, image: undefined, mark: {} }),
		],
	},
	'generation/requestOrigin.ts': {
		callerWords: [(text) => callerWords({ door: 'mcp', name: text })],
		originLabels: [(text) => originLabels({ door: 'mcp', name: text })],
	},
	'style/requestPreviewText.ts': {
		requestPreviewText: [
			(text) => requestPreviewText([{ ...sentNothing, prompt: text }]),
			(text) =>
				requestPreviewText([{ ...sentNothing, references: [{ path: text, isOfStyle: true }] }]),
			(text) => requestPreviewText([{ ...sentNothing, style: text }]),
		],
	},
	'generation/placeNote.ts': {
		firstByUrgency: [(text) => firstByUrgency([atPlace(text)])],
		noteHover: [(text) => noteHover([atPlace(text)])],
		noteText: [(text) => noteText([atPlace(text)])],
	},
	'recipes/foreign.ts': {
		foreignTexts: ['parameters', 'prompt', 'Software', 'XML:com.adobe.xmp'].map(
			(keyword): Call =>
				(text) =>
					foreignTexts([textOf(keyword, text)]),
		),
	},
	'recipes/ours.ts': {
		ourTexts: ['Easel Recipe', 'Description', 'Software', 'XML:com.adobe.xmp'].map(
			(keyword): Call =>
				(text) =>
					ours.ourTexts([textOf(keyword, text), textOf('Software', 'Easel 1')]),
		),
		recipeChunks: [(text) => refused(() => ours.recipeChunks({ ...recipe, prompt: text }, true))],
		recipeIn: [(text) => ours.recipeIn([textOf('Easel Recipe', text)])],
	},
	'recipes/applyStyle.ts': {
		effectivePrompt: [
			(text) => effectivePrompt(text, '', 0),
			(text) => effectivePrompt('', text, 2),
		],
	},
	'recipes/styleGuide.ts': {
		parseStyleGuide: inStyleGuide((content) => parseStyleGuide(content)),
	},
	'recipes/writeStyleGuide.ts': {
		formatStyleGuide: [
			(text) => formatStyleGuide({ text, references: [] }),
			(text) => refused(() => formatStyleGuide({ text: '', references: [text] })),
		],
		withReference: [
			...inStyleGuide((content) => withReference(content, 'a.png')),
			(text) => refused(() => withReference('---\nreferences: [b.png]\n---\n', text)),
		],
	},
	'recipes/recipe.ts': {
		parseJson: [parseJson],
		parseRecipe: [
			parseRecipe,
			(text) => parseRecipe(`{"version":1,"prompt":"${text}","parents":[{"path":"${text}"}]}`),
		],
		recipeJson: [(text) => refused(() => recipeJson({ ...recipe, prompt: text }))],
		relativePath: [
			(text) => relativePath(`/${text}`, '/a/b.png', '/'),
			(text) => relativePath('/a', `/${text}`, '/'),
		],
	},
	'recipes/textChunks.ts': {
		fitText: [fitText],
		textChunk: [(text) => textChunk('Description', text)],
	},
	'recipes/xmp.ts': {
		isOurPacket: [isOurPacket],
		readXmp: [
			readXmp,
			(text) => readXmp(`<a xmp:CreatorTool="${text}`),
			(text) => readXmp(`<dc:description>${text}</dc:description>`),
		],
	},
	'images/fileName.ts': {
		candidateNames: [(text) => fileName.candidateNames(text).next()],
		editedStem: [
			(text) => fileName.editedStem(text, 'a fox'),
			(text) => fileName.editedStem('a.png', text),
		],
		fileNameFrom: [
			(text) => refused(() => fileName.fileNameFrom(text, named)),
			(text) => fileName.fileNameFrom('${promptSlug}', { ...named, prompt: text }),
			(text) => fileName.fileNameFrom('${documentBaseName}', { ...named, documentBaseName: text }),
			(text) => fileName.fileNameFrom('${size}', { ...named, size: text }),
		],
		numbered: [(text) => fileName.numbered(text, 1)],
		promptSlug: [fileName.promptSlug],
	},
	'images/inspect.ts': {
		isNamedByFormat: [(text) => isNamedByFormat(text, { extension: '.jpg' })],
	},
	'images/segments.ts': {
		// `shorten`, below, alone divides into words, and what it gives for that is cut before.
		segments: [(text) => segments(text, 'grapheme').containing(0)],
	},
	'images/shorten.ts': {
		beginningOf: [(text) => beginningOf(text, 4000), (text) => beginningOf(text, text.length - 1)],
		shorten: [(text) => shorten(text, (part) => part.length < 300)],
	},
};

/** By module and export, why it needs no budget. `*` stands for all exports of a module. */
export const takesNone: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	'editor/events.ts': { '*': 'takes time, but none of the processor' },
	'editor/lazyHandlers.ts': { '*': 'handlers of our own' },
	'editor/agentSocket.ts': { '*': 'paths of ours, and JSON of a bounded length' },
	...Object.fromEntries(
		['backupStore', 'swapFiles'].map((name) => [
			`editor/${name}.ts`,
			{ '*': 'paths of files that are opened' },
		]),
	),
	'editor/page.ts': { '*': 'names and messages of our own pages' },
	'editor/secrets.ts': { '*': 'what the user types' },
	'editor/systemNotification.ts': { '*': 'numbers and words of ours' },
	'editor/expectation.ts': { '*': 'numbers, and words of ours' },
	'library/annotations.ts': { '*': 'what the user has written, line by line' },
	'generation/progressWords.ts': { '*': 'facts that were validated' },
	'asking/promptDrafts.ts': { '*': 'what the user has written, of a bounded length' },
	'library/rounds.ts': { '*': 'facts that were validated' },
	'generation/callAllowance.ts': { '*': 'numbers' },
	'generation/callRate.ts': { '*': 'numbers' },
	'recipes/applyStyle.ts': {
		isEmptyStyle: 'whether there is any',
		styleHash: 'what parseStyleGuide has bounded',
	},
	'recipes/styleGuide.ts': { StyleGuideError: 'words of ours' },
	'documents/blockPlace.ts': { block: 'what was read already' },
	'messages.ts': { budgetLeft: 'numbers' },
	'generation/outcome.ts': { '*': 'kinds of ours, and words by way of safeText' },
	'generation/failures.ts': { '*': 'words of the service, by way of safeText' },
	'generation/jobLog.ts': { '*': 'facts that were validated' },
	'generation/recipeWriter.ts': { '*': 'paths of files of ours, and facts of a bounded length' },
	'recipes/beside.ts': { '*': 'the path of a file that is opened, of a bounded length' },
	'recipes/chunks.ts': { '*': 'files that are opened; the heads of their chunks are read' },
	'recipes/traces.ts': { '*': 'the path of a file that is opened, and read in bounds' },
	'recipes/provenance.ts': { '*': 'the path of a file that is opened, and read in bounds' },
	'recipes/reading/recipeReader.ts': { RecipeReader: 'paths of files that another thread reads' },
	'recipes/rewrite.ts': { '*': 'paths of files that are opened, and copied by pieces' },
	'recipes/xmp.ts': { xmpPacket: 'words of ours, and a time' },
	'recipes/textChunks.ts': { readTexts: 'chunks of a bounded length, unpacked in other threads' },
	'generation/closedDocumentAnchors.ts': {
		ClosedDocumentAnchors: 'the text of a document goes to hashOf alone',
		renamed: 'URIs of documents and folders',
	},
	'documents/missing/collect.ts': {
		collectMissingImages: 'the documents are read by a worker thread',
	},
	'documents/missing/decide.ts': {
		decideMissing: 'see NameIndex',
		indexFiles: 'the folders are read by a worker thread',
		verdictOn: 'what was found',
	},
	'documents/reading/search.ts': { search: 'everything is read by a worker thread' },
	'documents/reading/reader.ts': { '*': 'what it is given is read by a worker thread' },
	'documents/span.ts': { moved: 'numbers' },
	'images/fileName.ts': { FileNameError: 'says what is wrong with a pattern that was read' },
	'images/hash.ts': {
		sha256Of: 'the path of a file that is opened, of pieces of a bounded length',
	},
	'editor/errorTexts.ts': { '*': 'what an error names, of a bounded length, put into a sentence' },
	'editor/nearImage.ts': {
		documentsOf: 'languages of the code',
		languageOf: 'as languageOfDocument',
	},
	'images/foreignFormats.ts': {
		detectForeignFormat: 'four kibibytes of what is given',
	},
	'images/inspect.ts': {
		ImageError: 'the path of a file that was opened',
		detectFormat: 'twelve bytes',
		inspectImage: 'the path of a file that is opened; its header is read, of a bounded length',
	},
	'images/readableSize.ts': { '*': 'numbers' },
	'images/wording.ts': { '*': 'numbers, words of ours, and names that were shortened' },
	'images/whole.ts': {
		inspectContent: 'the path of a file that is opened',
		inspectIfImage: 'the path of a file that is opened',
		isWholeImage: 'the path of a file that is opened',
	},
	...Object.fromEntries(
		['order', 'stored', 'thread', 'thumbnailError', 'thumbnails'].map((name) => [
			`images/thumbnails/${name}.ts`,
			{ '*': 'paths of files of ours; images are decoded by worker threads' },
		]),
	),
};
