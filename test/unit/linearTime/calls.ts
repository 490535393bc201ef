import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import {
	antoraIdentifier,
	antoraImage,
	asciidocImagesFolders,
} from '../../../src/documents/asciidoc.js';
import { AsciidocAttributes } from '../../../src/documents/asciidocAttributes.js';
import { isWithinParagraph, linesFrom } from '../../../src/documents/blocks.js';
import { imagePaths } from '../../../src/documents/imagePaths.js';
import { formatOf, languages } from '../../../src/documents/languages.js';
import { lineAbove, lineAt } from '../../../src/documents/lines.js';
import { linkPlace } from '../../../src/documents/linkPlace.js';
import { NameIndex } from '../../../src/documents/missing/nameIndex.js';
import { placeRules } from '../../../src/documents/placeRules.js';
import { generators, type SiteGenerator } from '../../../src/documents/generators.js';
import { rulesOf, sitesIn } from '../../../src/documents/sites.js';
import { imagePathsFor, linkFolders } from '../../../src/documents/writeImageLink.js';
import { imagePathAt, mayShowImageAt } from '../../../src/editor/nearImage.js';
import { candidateNames } from '../../../src/images/fileName.js';
import { segments } from '../../../src/images/segments.js';
import { shorten } from '../../../src/images/shorten.js';
import { searchMatcher } from '../../../src/library/searchMatcher.js';
import { relativePath } from '../../../src/recipes/recipe.js';
import { recipe } from '../recipes/pngs.js';
import type { HostModule } from './hostModules.js';

/** Calls a function with a text in the place of what is foreign. */
export type Call = (text: string) => unknown;

/** The place in a document that a call is about. */
interface Place {
	readonly text: string;
	/** The identifier of its language. */
	readonly id: string;
	/** Offset in the text. */
	readonly at: number;
}

/** Returns the values that a parameter is tried with. */
type Values = (place: Place) => readonly unknown[];

const uri = (path: string) => ({ scheme: 'file', authority: '', path });
const document = uri('/work/docs/page.md');
const workspaceFolder = uri('/work');
const page = { document: document.path, workspaceFolder: workspaceFolder.path };
const image = uri('/work/images/a.png');
const antoraPage = uri('/c/modules/m/pages/page.adoc');
const sites = (Object.keys(generators) as SiteGenerator[]).map((generator) => ({
	...rulesOf({ generator }),
	...{ generator, root: '/work', base: '/docs' },
}));
const vitePress = sites.filter(({ generator }) => generator === 'VitePress');
const languageIds = languages.map(({ ids: [id] }) => id);
const ids = [...languageIds, 'plaintext'];
/** Places in a text, as parts of its length. */
const parts = [0, 0.5, 1];

const paths: Values = ({ text }) => [`/work/${text}`, document.path];
const spans: Values = ({ at }) => [{ start: at, end: at }];
const contexts = (text: string) => [
	{ document, workspaceFolder, textBefore: text },
	{ document, workspaceFolder, publicFolder: text },
	{ document, sites: vitePress },
];
const styles: Values = ({ text }) => [
	{ text, references: [] },
	{ text: '', references: [text] },
];
const origins: Values = ({ text }) => [{ door: 'mcp', name: text }];
const textChunk = (keyword: string, text: string) => ({ keyword, text, chunk: {} });

function blockPlace({ text, id, at }: Place) {
	const rules = placeRules[formatOf(id)!];
	const line = lineAt(text, at, rules);
	return { span: { start: at, end: at }, first: line, line, last: line, left: 'a' };
}

/** Values by the name and type of a parameter, or by its type alone, or by its name alone. */
const values: Readonly<Record<string, Values>> = {
	string: ({ text }) => [text, 'a.png'],
	'string | undefined': ({ text }) => [text, undefined],
	'readonly string[]': ({ text }) => [[text, text], text.split('\n')],
	// The head of a file, of a bounded length.
	Uint8Array: ({ text }) => [Buffer.from(text.slice(0, 4096))],
	number: () => [400],
	boolean: () => [false, true],
	'text: string': ({ text }) => [text],
	'document: string': paths,
	'image: string': paths,
	'file: string': paths,
	'folder: string': () => ['/work'],
	'workspaceFolder: string | undefined': paths,
	// A whole path, of a bounded length: joining one of `../` takes the square of its length.
	'imagesFolder: string | undefined': ({ text }) => [`/work/${text}`, undefined],
	'pattern: string': ({ text }) => [text, '${promptSlug}-${documentBaseName}-${size}'],
	'languageId: string': ({ id }) => [id],
	'offset: number': ({ at }) => [at],
	DocumentFormat: ({ id }) => [formatOf(id) ?? 'markdown'],
	PlaceRules: ({ id }) => [placeRules[formatOf(id) ?? 'markdown']],
	Line: (place) => [blockPlace(place).line],
	BlockPlace: (place) => [{ ...blockPlace(place), right: '' }],
	Span: spans,
	AskedPlace: spans,
	'readonly Span[]': ({ text }) => [[{ start: 0, end: text.length }]],
	'typeof lineAbove': () => [lineAbove],
	'{ cells = false }': () => [{}, { cells: true }],
	ownParagraph: () => [false, true],
	WrittenLink: ({ text, id }) => [
		{ link: text, languageId: id, before: text, behind: text },
		{ link: '![](a.png)', languageId: id, before: text, behind: text },
	],
	'(problem: string) => void': () => [() => undefined],
	LinkPlace: () => [linkPlace('markdown', '', { start: 0, end: 0 })],
	DelimitedBlock: ({ text }) => [{ delimiter: text }],
	LinkParts: ({ text }) => [{ path: text, alt: text }],
	ImageLink: ({ text }) => [{ before: text, alt: text, after: text }],
	Renaming: () => [{ from: 'fox.jpg', to: 'fox.png' }],
	Renamed: ({ text, at }) => [{ start: at, end: at, newText: text }],
	'{ readonly from: string; readonly twice: string }': () => [
		{ from: 'fox.jpg', twice: 'fox-2x.jpg' },
	],
	ResourceUri: ({ text }) => [
		document,
		uri(`/work/${text}`),
		uri(`/c:/${text}`),
		{ scheme: 'vscode-vfs', authority: text, path: text },
	],
	RegExp: () => [/[%#?\\\p{Cc}]/gu],
	PlatformPath: () => [posix],
	'readonly Site[]': () => [vitePress, sites],
	Site: () => sites,
	'Site | undefined': () => sites,
	"Pick<Site, 'generator'>": () => sites,
	'{ readonly href: string }': ({ text }) => [{ href: text }, { href: '/a.png' }],
	LinkingDocument: ({ text }) => [
		page,
		{ ...page, sites },
		{ ...page, publicFolder: 'static' },
		{ ...page, publicFolder: text },
	],
	LinkContext: ({ text }) => contexts(text),
	"Pick<FoundImage, 'kind' | 'href'>": ({ text }) =>
		['inline', 'html', 'embed', 'value'].flatMap((kind) => [
			{ kind, href: text },
			{ kind, href: 'a' },
		]),
	'LinkContext & { readonly image: ResourceUri }': ({ text }) =>
		contexts(text).flatMap((context) => [
			{ ...context, image },
			{ ...context, image: uri(`/work/${text}`) },
		]),
	'LinkContext & { readonly image: ResourceUri; readonly alt: string }': ({ text }) =>
		contexts(text).flatMap((context) => [
			{ ...context, image, alt: text },
			{ ...context, image: uri(`/work/${text}`), alt: 'a' },
		]),
	'{ readonly path: string }': ({ text }) => [{ path: text }],
	Item: ({ text }) => [{ label: text, description: text, detail: text }],
	FileNameValues: ({ text }) => [
		{ time: new Date(2026, 0, 2), prompt: text, size: text, documentBaseName: text },
	],
	RequestOrigin: origins,
	'RequestOrigin | undefined': origins,
	'readonly PreviewedRequest[]': ({ text }) => [
		[
			{
				...{ prompt: text, style: text, size: '1024x1024', count: 1 },
				references: [{ path: text, part: 'style' }],
			},
		],
	],
	'readonly ImageAtPlace[]': ({ text }) => [
		[{ request: { prompt: text, size: '1024x1024' }, stage: 'making', short: '', words: text }],
	],
	"readonly Pick<TextChunk, 'keyword' | 'text'>[]": ({ text }) =>
		['Easel Recipe', 'Description', 'Software', 'XML:com.adobe.xmp', 'parameters', 'prompt'].map(
			(keyword) => [textChunk(keyword, text), textChunk('Software', 'Easel 1')],
		),
	'readonly TextChunk[]': ({ text }) =>
		['Easel Recipe', 'Description', 'Software', 'XML:com.adobe.xmp', 'parameters', 'prompt'].map(
			(keyword) => [textChunk(keyword, text), textChunk('Software', 'Easel 1')],
		),
	Recipe: ({ text }) => [{ ...recipe, prompt: text }],
	StyleGuide: styles,
	AppliedStyle: styles,
};

/** Values that depend on the language, and on the offset, of a place. */
const byLanguage = new Set([
	'languageId: string',
	'WrittenLink',
	'DocumentFormat',
	'PlaceRules',
	'Line',
	'BlockPlace',
]);
const byOffset = new Set([
	...['offset: number', 'Span', 'AskedPlace', 'Line', 'BlockPlace', 'Renamed'],
]);

/** Types whose values no stranger has written, or that were validated and bounded before. */
const bounded = new Set([
	...['Orientation', 'Size', 'ThumbnailEnding'],
	...[
		'Date',
		'TextChange',
		'Words',
		'ErrorFacts',
		'unknown',
		'MissingImage',
		"Finding['severity']",
		'Chunks',
		'BudgetNumbers',
		'LazyHandlers',
	],
	...['Durations', 'readonly Durations[]', 'HandlerName', 'readonly Image[]'],
	...['Mark', 'readonly Mark[]', 'Manner'],
	...[
		'ExportPreset',
		'GenerationRequest',
		'NewDraft',
		'readonly GalleryImage[]',
		'readonly Round[]',
		'vscode.Uri',
	],
	...["Pick<RoundSlot, 'image' | 'request'>", 'vscode.TextDocument', 'vscode.Webview'],
	...["Pick<vscode.Webview, 'cspSource' | 'asWebviewUri'>", 'readonly DocumentLanguage[]'],
	...['{ width: number; height: number }', '{ readonly from: number; readonly to: number }'],
	...['{ readonly width: number; readonly height: number; }'],
]);

/** Classes that hold what is bounded or validated, or pass it on to what is called here. */
const boundedClasses = [
	...['ApiKeys', 'CallAllowance', 'CallRate', 'ClosedDocumentAnchors', 'LazyHandlers', 'Lineage'],
];

/** By module, the places within its text where a hostile one is put, beside the whole. */
const enclosures: Readonly<Record<string, readonly ((text: string) => string)[]>> = {
	'documents/latex.ts': [(text) => `\\graphicspath{{${text}}}`, (text) => `% !TEX root = ${text}`],
	'documents/localPath.ts': [(text) => `@/${text}`, (text) => `/${text}`],
	'documents/metadata.ts': [(text) => `---\n${text}`, (text) => `---\n${text}\n---\n`],
	'documents/notebook.ts': [
		(text) => `{"cells": [{"cell_type": "markdown", "source": "${text}`,
		(text) => JSON.stringify({ cells: [{ cell_type: 'markdown', source: text }] }),
	],
	'documents/replaceAlt.ts': [
		(text) => `![${text}](a.png)`,
		(text) => `<img ${text} alt="">`,
		(text) => `image::a.png[${text}]`,
		(text) => `.. image:: a.png\n   :alt: ${text}`,
		(text) => `\\includegraphics[${text}]{a}`,
		(text) => `image("a.png", ${text})`,
		(text) => `\`\`\`{image} a.png\n:alt: ${text}`,
	],
	'documents/sites.ts': [(text) => `@/${text}`],
	'documents/writeImageLink.ts': [(text) => `@/${text}`],
	'recipes/recipe.ts': [
		(text) => `{"version":1,"prompt":"${text}","parents":[{"path":"${text}"}]}`,
	],
	...Object.fromEntries(
		['styleGuide', 'writeStyleGuide'].map((name) => [
			`recipes/${name}.ts`,
			[
				(text: string) => `---\n${text}\n---\n`,
				(text: string) => `---\nsize: ${text}\n---\n`,
				(text: string) => `---\nreferences: ${text}\n---\n`,
				(text: string) => `---\nreferences: [${text}]\n---\n`,
				(text: string) => `---\nreferences:\n- ${text}\n---\n`,
				(text: string) => `---\nreferences:\n- "${text}"\n---\n`,
			],
		]),
	),
	'recipes/xmp.ts': [
		(text) => `<a xmp:CreatorTool="${text}`,
		(text) => `<dc:description>${text}</dc:description>`,
	],
};

/** A document of VS Code, as far as one of its lines is looked at. */
const withLine = (text: string) =>
	({ languageId: 'markdown', uri: document, lineAt: () => ({ text }) }) as never;

/** Calls of classes, of functions that take or return functions, and of those with a shape of their own. */
const special: Readonly<Record<string, readonly Call[]>> = {
	antoraIdentifier: [
		(text) => antoraIdentifier(uri(`/${text}`), uri(`/${text}`)),
		(text) => antoraIdentifier(antoraPage, uri(`/c/modules/m/images/${text}`)),
	],
	antoraImage: [
		(text) => antoraImage({ document, image, alt: text }),
		(text) =>
			antoraImage({ document: antoraPage, image: uri(`/c/modules/m/images/${text}`), alt: 'a' }),
		(text) => antoraImage({ document: uri(`/${text}`), image: uri(`/${text}`), alt: '' }),
	],
	asciidocImagesFolders: [document, antoraPage].map((each) => (text) => {
		const folderAt = asciidocImagesFolders(each, text, `/${text}`);
		for (const { start } of imagePaths(text)) {
			folderAt(start);
		}
		const set = `:imagesdir: /${text}\n`;
		return asciidocImagesFolders(each, set, '/')(set.length);
	}),
	AsciidocAttributes: [
		(text: string) => text,
		(text: string) => `:a: b\n:imagesdir: ${text}`,
		(text: string) => `:a: ${'b'.repeat(500)}\n:imagesdir: {a}\n${text}`,
	].map((write) => (text) => {
		const written = write(text);
		return new AsciidocAttributes(written).at(written.length, 'imagesdir');
	}),
	candidateNames: [(text) => candidateNames(text).next()],
	imagePathAt: [(text) => imagePathAt(withLine(text), { character: text.length } as never)],
	imagePathsFor: ids.flatMap((id) => [
		(text) => imagePathsFor(id, { document })(uri(`/work/${text}`)),
		(text) => imagePathsFor(id, { document, textBefore: text })(image),
	]),
	isWithinParagraph: everywhere((place) => isWithinParagraph({ ...blockPlace(place), right: '' })),
	linesFrom: everywhere((place) => [...linesFrom(blockPlace(place).line)]),
	linkFolders: ids.map((id) => (text) => {
		const foldersAt = linkFolders(id, text, { document, workspaceFolder });
		for (const { start } of imagePaths(text)) {
			foldersAt(start);
		}
	}),
	mayShowImageAt: [
		(text) => mayShowImageAt(withLine(text), { character: text.length / 2 } as never),
	],
	NameIndex: [
		(text) => {
			const index = new NameIndex();
			index.add(text);
			return index.find(text);
		},
	],
	relativePath: [
		(text) => relativePath(`/${text}`, '/a/b.png', '/'),
		(text) => relativePath('/a', `/${text}`, '/'),
	],
	searchMatcher: [
		(text) => searchMatcher('an older fox')({ prompt: text, image: undefined, mark: {} }),
	],
	// `shorten` alone divides into words, and what it gives for that is cut before.
	segments: [(text) => segments(text, 'grapheme').containing(0)],
	shorten: [(text) => shorten(text, (part) => part.length < 300)],
	sitesIn: [
		['docusaurus.config.js', 'hugo.toml', '.vitepress', '.vuepress', 'astro.config.mjs'],
		['mkdocs.yml', '_config.yml', '.obsidian'],
	].map((names) => (text) => sitesIn('/work', names, () => text)),
};

/** Returns a call for some places of a text in each language. */
function everywhere(call: (place: Place) => unknown): Call[] {
	return placedCalls(languageIds, parts, (place) => call(place));
}

function placedCalls(
	ids: readonly string[],
	parts: readonly number[],
	call: (place: Place) => unknown,
): Call[] {
	return ids.flatMap((id) =>
		parts.map(
			(part): Call =>
				(text) =>
					call({ text, id, at: Math.floor(text.length * part) }),
		),
	);
}

/** Returns every list that has one of the numbers below each of the counts. */
function indices(counts: readonly number[]): number[][] {
	return counts.reduce<number[][]>(
		(all, count) => all.flatMap((each) => Array.from({ length: count }, (_, at) => [...each, at])),
		[[]],
	);
}

export interface ExportCalls {
	readonly name: string;
	/** Empty for what is bounded, and for what waits: it has no loop over a text of its own. */
	readonly calls: readonly Call[];
	/** Parameters, and classes, that have no row in the tables. */
	readonly missing: readonly string[];
}

/**
 * Returns how the exported functions and classes of a module are called, by what its source declares.
 *
 * @param exports those of the loaded module
 */
export function exportCalls(
	{ name: module, file }: HostModule,
	exports: Readonly<Record<string, unknown>>,
): ExportCalls[] {
	const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
	const textOf = (node: ts.Node) =>
		node
			.getText(source)
			.replace(/\/\*.*?\*\//gs, '')
			.replace(/\s+/g, ' ');
	return source.statements.flatMap((one): ExportCalls[] => {
		const isOne = ts.isFunctionDeclaration(one) || ts.isClassDeclaration(one);
		const modifiers = isOne ? (ts.getModifiers(one) ?? []).map(({ kind }) => kind) : [];
		const name = isOne ? (one.name?.text ?? '') : '';
		if (!modifiers.includes(ts.SyntaxKind.ExportKeyword)) {
			return [];
		}
		if (special[name] !== undefined || boundedClasses.includes(name) || name.endsWith('Error')) {
			return [{ name, calls: special[name] ?? [], missing: [] }];
		}
		if (!isOne || ts.isClassDeclaration(one) || one.asteriskToken !== undefined) {
			return [{ name, calls: [], missing: [name] }];
		}
		if (
			modifiers.includes(ts.SyntaxKind.AsyncKeyword) ||
			(one.type !== undefined && textOf(one.type).startsWith('Promise<'))
		) {
			return [{ name, calls: [], missing: [] }];
		}
		const parameters = one.parameters.map((parameter) => {
			const own = textOf(parameter.name);
			const type = parameter.type === undefined ? '' : textOf(parameter.type);
			const key = [`${own}: ${type}`, type, own].find((each) => values[each] !== undefined);
			const isOptional =
				parameter.initializer !== undefined || parameter.questionToken !== undefined;
			return { key, type, isOptional, name: own };
		});
		const firstDefault = parameters.findIndex(({ key, isOptional }) => isOptional && !key);
		const taken = parameters.slice(0, firstDefault === -1 ? undefined : firstDefault);
		if (taken.some(({ type }) => bounded.has(type))) {
			return [{ name, calls: [], missing: [] }];
		}
		const missing = taken.flatMap(({ key, name: own, type }) =>
			key === undefined ? `${name}(${own}: ${type})` : [],
		);
		const keys = taken.flatMap(({ key }) => key ?? []);
		if (missing.length > 0) {
			return [{ name, calls: [], missing }];
		}
		const sample = { text: 'a', id: 'markdown', at: 0 };
		const call = exports[name] as (...values: readonly unknown[]) => unknown;
		const isByLanguage = keys.some((key) => byLanguage.has(key));
		const all = indices(keys.map((key) => values[key]!(sample).length)).flatMap((index) =>
			placedCalls(
				keys.includes('languageId: string') ? ids : isByLanguage ? languageIds : ['markdown'],
				keys.some((key) => byOffset.has(key)) ? parts : [0],
				(place) => call(...keys.map((key, at) => values[key]!(place)[index[at]!])),
			),
		);
		const written = [(text: string) => text, ...(enclosures[module] ?? [])];
		return [
			{
				name,
				calls: written.flatMap((write) =>
					all.map(
						(each): Call =>
							(text) =>
								each(write(text)),
					),
				),
				missing: [],
			},
		];
	});
}
