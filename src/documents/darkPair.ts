import { posix } from 'node:path';
import type { DarkForm } from './generators.js';
import { htmlAlt, htmlSource, imgTagOf, withDot } from './html.js';
import { linkText, relativeReference, type ResourceUri } from './imageLink.js';
import { formatOf } from './languages.js';
import { markdownAlt, mystImage } from './markdown.js';
import { renamedReferences } from './renamedReferences.js';
import { rulesOf, servedPath, siteOfPage, sitesFor, type Site } from './sites.js';
import type { Span } from './span.js';
import { imageLinkFor, imagePathsFor, type LinkContext } from './writeImageLink.js';

/** A link of a document to an image. */
export interface LinkToPair {
	/** The whole image, and its path as it is written. */
	readonly span: Span;
	readonly pathSpan: Span;
	/** Plain text. */
	readonly alt: string;
}

interface Pair extends LinkContext {
	readonly light: ResourceUri;
	/** In the same folder. */
	readonly dark: ResourceUri;
}

/** A piece of a text, and what stands there instead. */
type Change = Span & { readonly newText: string };

/**
 * Returns the changes that make links show another picture on dark pages, in the form of their site.
 *
 * @param text the document
 * @returns changes in the order of the text, none of which touches another; and the number of links
 *   for which Easel knows no form, unless the document names the other picture already
 */
export function darkPairs(
	text: string,
	links: readonly LinkToPair[],
	languageId: string,
	pair: Pair,
): { readonly changes: readonly Change[]; readonly left: number } {
	const names = { from: posix.basename(pair.light.path), to: posix.basename(pair.dark.path) };
	const file = fileOf(text);
	const found = links.map((link) => {
		const [renamed] = renamedReferences(text, [link.pathSpan], languageId, names);
		return pairAt({ ...pair, ...link, ...file, languageId, darkPath: renamed!.newText });
	});
	const all = found.flatMap((changes) => changes ?? []);
	// What a document needs once is written once.
	const distinct = new Map(all.map((one) => [JSON.stringify(one), one]));
	const ordered = [...distinct.values()].sort((a, b) => a.start - b.start || a.end - b.end);
	const changes: Change[] = [];
	for (const { start, end, newText } of ordered) {
		const last = changes.at(-1);
		if (last?.end === start) {
			changes.splice(-1, 1, { start: last.start, end, newText: last.newText + newText });
		} else if (last === undefined || last.end < start) {
			changes.push({ start, end, newText });
		}
	}
	const isDone = text.includes(names.to);
	return { changes, left: isDone ? 0 : found.filter((one) => one === undefined).length };
}

function pairAt(place: Place): readonly Change[] | undefined {
	switch (formatOf(place.languageId)) {
		case 'html':
		case 'vue':
			return wrapped(place, false);
		case 'restructuredText':
			return formOf(place) === 'classes' ? directives(place, restructuredTextBlock) : undefined;
		case 'markdown':
		case 'mdx':
			return inMarkdown(place);
		case 'asciidoc':
		case 'latex':
		case 'typst':
		case undefined:
			return undefined;
	}
}

/** A document, read once for all its links. */
interface File {
	readonly text: string;
	readonly eol: string;
	/** True if it has a rule for the classes of `attributes`. */
	readonly hasRule: boolean;
	/** True if it imports the component of `themedImage`. */
	readonly hasImport: boolean;
}

function fileOf(text: string): File {
	return {
		text,
		eol: text.includes('\r\n') ? '\r\n' : '\n',
		hasRule: /\.only-dark\b[^{}]{0,200}\{/.test(text),
		hasImport: /^import[ \t]+ThemedImage\b/m.test(text),
	};
}

/** A link, and where it stands. */
interface Place extends Pair, LinkToPair, File {
	readonly languageId: string;
	/** Path of the dark picture, as that of the other one is written. */
	readonly darkPath: string;
}

function inMarkdown(place: Place): readonly Change[] | undefined {
	const { text, span, pathSpan } = place;
	const form = formOf(place);
	if (/^!\[(?!\[)/.test(text.slice(span.start, span.start + 3))) {
		return linkWriters[form](place);
	}
	const tag = imgTagOf(text, pathSpan);
	if (tag !== undefined) {
		// It has a dark variant, which the new one does not take the place of.
		const isOfPair = pairedClass.test(text.slice(tag.start, tag.end));
		return isOfPair
			? undefined
			: form === 'fragments'
				? twice(place, '', '#only-light', '#only-dark')
				: form === 'none' || form === 'classes'
					? undefined
					: wrapped(place, isJsx(place));
	}
	return form === 'classes' ? directives(place, mystBlock) : undefined;
}

/** Classes by which one picture of a pair is shown. */
const pairedClass = /\bonly-(?:light|dark)\b|\bdark:(?:hidden|block)\b/;

const linkWriters: Readonly<Record<DarkForm, (place: Place) => readonly Change[] | undefined>> = {
	none: () => undefined,
	picture: (place) => {
		const { alt, light, dark, languageId, text, span } = place;
		const source = htmlPath(place, dark);
		const image = htmlPath(place, light);
		const title = titleOf(place);
		// Attributes behind a link would be text behind a tag.
		if (source === undefined || image === undefined || attributesBehind(place) !== '') {
			return undefined;
		}
		if (isJsx(place)) {
			const words = `${attribute('alt', alt)}${title}`;
			return [
				{
					...span,
					newText: `<picture>${sourceTag(source, true)}<img src="${image}"${words} /></picture>`,
				},
			];
		}
		const textBefore = text.slice(0, span.start);
		const tag = linkText(
			imageLinkFor(languageId, { ...place, textBefore, image: light, form: 'html' }),
		);
		const newText = `<picture>${sourceTag(source, false)}${tag.replace(/>$/, `${title}>`)}</picture>`;
		return [{ ...span, newText }];
	},
	fragments: (place) => twice(place, attributesBehind(place), '#only-light', '#only-dark'),
	attributes: (place) => {
		const { text, eol, hasRule } = place;
		const behind = attributesBehind(place);
		if (pairedClass.test(behind)) {
			return undefined;
		}
		const classed = (name: string) =>
			`{.${name}${behind === '' ? '' : ` ${behind.slice(1, -1).trim()}`}}`;
		const changes = twice(place, behind, '', '', [classed('only-light'), classed('only-dark')]);
		const style = ['', '<style>', '.dark .only-light,', 'html:not(.dark) .only-dark {'];
		const lines = [...style, '  display: none;', '}', '</style>', ''].join(eol);
		const end = { start: text.length, end: text.length };
		const newText = `${/\n$/.test(text) ? '' : eol}${lines}`;
		return changes && (hasRule ? changes : [...changes, { ...end, newText }]);
	},
	themedImage: (place) => {
		const { text, eol, span, alt, light, dark, hasImport } = place;
		const [one, other] = [modulePath(place, light), modulePath(place, dark)];
		const words = `${attribute('alt', alt)}${titleOf(place)}`;
		const sources = `{{ light: require(${one}).default, dark: require(${other}).default }}`;
		const component = { ...span, newText: `<ThemedImage${words} sources=${sources} />` };
		if (hasImport) {
			return [component];
		}
		const at = /^---[ \t]*\r?\n[^]*?\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[0].length ?? 0;
		const before = at === 0 ? '' : eol;
		const after = /^\r?\n/.test(text.slice(at, at + 2)) ? eol : eol + eol;
		const newText = `${before}import ThemedImage from '@theme/ThemedImage';${after}`;
		return [{ start: at, end: at, newText }, component];
	},
	classes: (place) => {
		const { text, eol, span, alt, light, dark, languageId } = place;
		const lines = linesAround(text, span);
		if (!lines.isAlone || titleOf(place) !== '') {
			return undefined;
		}
		const pathOf = imagePathsFor(languageId, { ...place, textBefore: text.slice(0, span.start) });
		const blockOf = (image: ResourceUri, name: string) =>
			linkText(mystImage({ path: pathOf(image), alt })).replace(
				/\n```$/,
				`\n:class: ${name}\n\`\`\``,
			);
		const blocks = [blockOf(light, 'only-light'), blockOf(dark, 'only-dark')].join('\n\n');
		return [{ ...span, newText: blocks.replaceAll('\n', eol) }];
	},
	utilities: (place) => {
		const { span, alt, light, dark } = place;
		const [one, other] = [htmlPath(place, light), htmlPath(place, dark)];
		const tag = (name: string, path: string) =>
			`<img className="${name}" src="${path}"${attribute('alt', alt)}${titleOf(place)} />`;
		return one === undefined || other === undefined
			? undefined
			: [{ ...span, newText: tag('block dark:hidden', one) + tag('hidden dark:block', other) }];
	},
};

function formOf({ document, sites = [] }: Place): DarkForm {
	const site = siteOfPage(document.path, sites);
	if (site === undefined) {
		return 'picture';
	}
	const { dark = 'picture', settings } = rulesOf(site);
	const isOfTheme = settings?.darkTheme === undefined || site.darkTheme !== undefined;
	return isOfTheme ? dark : dark === 'classes' ? 'none' : 'picture';
}

/** Returns whether raw HTML of the document is JSX. */
function isJsx({ document, languageId, sites = [] }: Place): boolean {
	const site = siteOfPage(document.path, sites);
	return formatOf(languageId) === 'mdx' || (site !== undefined && rulesOf(site).isMdx === true);
}

/**
 * Returns the address of an image for raw HTML; `undefined` where its site would not find a file that it
 * does not serve as it is.
 */
function htmlPath(place: Place, image: ResourceUri): string | undefined {
	const {
		document,
		workspaceFolder,
		publicFolder = '',
		sites = [],
		languageId,
		text,
		span,
	} = place;
	const all = sitesFor(workspaceFolder?.path, publicFolder, sites);
	const site = siteOfPage(document.path, all);
	const served = servedPath(document, image, all, true);
	if (served !== undefined) {
		return srcsetAddress(htmlSource(served));
	}
	const isUnsure = site !== undefined && rulesOf(site).unsure?.includes('html') === true;
	if (isUnsure || isJsx(place)) {
		return undefined;
	}
	const textBefore = text.slice(0, span.start);
	const tag = imageLinkFor(languageId, { ...place, textBefore, image, form: 'html' });
	const [, source] = /src="([^"]*)"/.exec(tag.before) ?? [];
	return source === undefined ? undefined : srcsetAddress(source);
}

/** A comma or a blank would end an address. */
function srcsetAddress(address: string): string {
	return address.replaceAll(',', '%2C').replaceAll(' ', '%20');
}

function sourceTag(address: string, isInJsx: boolean): string {
	const [name, end] = isInJsx ? ['srcSet', ' />'] : ['srcset', '>'];
	return `<source media="(prefers-color-scheme: dark)" ${name}="${address}"${end}`;
}

function attribute(name: string, value: string): string {
	return ` ${name}="${htmlAlt(value)}"`;
}

/** Returns the title of a link as an attribute; empty where it has none. */
function titleOf({ text, span, pathSpan }: Place): string {
	const behind = pathSpan.end <= span.end ? text.slice(pathSpan.end, span.end) : '';
	const [, one, other] = /^[ \t]+(?:"([^"\n]*)"|'([^'\n]*)')[ \t]*\)$/.exec(behind) ?? [];
	const title = one ?? other ?? '';
	return title === '' ? '' : attribute('title', title);
}

/** The tag of an image, wrapped into `<picture>`. */
function wrapped(place: Place, isInJsx: boolean): readonly Change[] | undefined {
	const { text, pathSpan, darkPath } = place;
	const tag = imgTagOf(text, pathSpan);
	if (tag === undefined) {
		return undefined;
	}
	const before = text.slice(Math.max(0, tag.start - maxTag), tag.start).toLowerCase();
	const isInPicture = before.lastIndexOf('<picture') > before.lastIndexOf('</picture');
	if (isInPicture || pairedClass.test(text.slice(tag.start, tag.end))) {
		return undefined;
	}
	const source = sourceTag(srcsetAddress(darkPath), isInJsx);
	return [
		{ start: tag.start, end: tag.start, newText: `<picture>${source}` },
		{ start: tag.end, end: tag.end, newText: '</picture>' },
	];
}

/** In UTF-16 code units. */
const maxTag = 2000;

/** Attributes in braces right behind a link, braces included. */
function attributesBehind({ text, span }: Place): string {
	return /^\{[^{}\n]*\}/.exec(text.slice(span.end, span.end + maxTag))?.[0] ?? '';
}

/**
 * The image as it is and a copy of it that shows the dark one, each with an end of its path and its own
 * attributes; a copy of one that stands alone gets a line.
 */
function twice(
	{ text, eol, span, pathSpan, darkPath, alt }: Place,
	behind: string,
	lightEnd: string,
	darkEnd: string,
	attributes: readonly [string, string] = [behind, behind],
): readonly Change[] | undefined {
	const path = text.slice(pathSpan.start, pathSpan.end);
	if (lightEnd !== '' && path.includes('#')) {
		return undefined;
	}
	const tag = imgTagOf(text, pathSpan);
	const whole = tag ?? span;
	// A path of a definition is written where it is shown.
	const isInline = whole.start <= pathSpan.start && pathSpan.end <= whole.end;
	const before = isInline ? text.slice(whole.start, pathSpan.start) : `![${markdownAlt(alt)}](`;
	const after = isInline ? text.slice(pathSpan.end, whole.end) : ')';
	const withEnd = (one: string, end: string) =>
		one.endsWith('>') ? `${one.slice(0, -1)}${end}>` : `${one}${end}`;
	const { indent, isAlone } = linesAround(text, { ...whole, end: whole.end + behind.length });
	const light = `${before}${withEnd(path, lightEnd)}${after}${attributes[0]}`;
	const dark = `${before}${withEnd(darkPath, darkEnd)}${after}${attributes[1]}`;
	const between = isAlone ? `${eol}${indent}` : '';
	return [{ start: whole.start, end: whole.end + behind.length, newText: light + between + dark }];
}

/** Returns the path of an image as the string of a module of Docusaurus. */
function modulePath({ text, pathSpan, document, sites = [] }: Place, image: ResourceUri): string {
	const site = siteOfPage(document.path, sites) as Site;
	const isServed = /^<?(?:\/|@site\/)/.test(text.slice(pathSpan.start, pathSpan.start + 7));
	const path = isServed
		? `@site/${posix.relative(site.root, image.path)}`
		: withDot(relativeReference(document, image));
	return `'${path.replace(/[\\']/g, '\\$&')}'`;
}

/** A block of lines that shows an image. */
interface Block extends Span {
	/** Offset at which an option is written. */
	readonly optionAt: number;
	readonly option: (value: string) => string;
}

/** Gives a directive the class of light pages, and a copy of it behind it that of dark ones. */
function directives(
	place: Place,
	blockOf: (place: Place) => Block | undefined,
): readonly Change[] | undefined {
	const { text, eol, pathSpan, darkPath } = place;
	const block = blockOf(place);
	if (block === undefined || /:(?:fig)?class:/.test(text.slice(block.start, block.end))) {
		return undefined;
	}
	const { start, end, optionAt, option } = block;
	const copy = [
		...[text.slice(start, pathSpan.start), darkPath, text.slice(pathSpan.end, optionAt)],
		...[option('only-dark'), text.slice(optionAt, end)],
	].join('');
	return [
		{ start: optionAt, end: optionAt, newText: option('only-light') },
		{ start: end, end, newText: `${eol}${eol}${linesAround(text, block).indent}${copy}` },
	];
}

/** The directive of a path, and all lines behind it that are indented further. */
function restructuredTextBlock({ text, eol, pathSpan }: Place): Block | undefined {
	const start = lineStart(text, pathSpan.start);
	const head = /^([ \t]*)\.\. (image|figure)::[ \t]+$/.exec(text.slice(start, pathSpan.start));
	const lineEnd = endOfLine(text, pathSpan.end);
	if (head === null || text.slice(pathSpan.end, lineEnd).trim() !== '') {
		return undefined;
	}
	const indent = head[1]!;
	let end = lineEnd;
	for (let at = lineEnd; at < text.length;) {
		const next = /^\r?\n/.exec(text.slice(at, at + 2))![0].length + at;
		const to = endOfLine(text, next);
		const line = text.slice(next, to);
		if (line.trim() !== '') {
			if (!line.startsWith(`${indent} `) && !line.startsWith(`${indent}\t`)) {
				break;
			}
			end = to;
		}
		at = to;
	}
	const name = head[2] === 'figure' ? 'figclass' : 'class';
	const option = (value: string) => `${eol}${indent}   :${name}: ${value}`;
	return { start: start + indent.length, end, optionAt: lineEnd, option };
}

/** A directive of MyST, from its fence to the one that ends it. */
function mystBlock({ text, eol, pathSpan }: Place): Block | undefined {
	const start = lineStart(text, pathSpan.start);
	const head = /^(`{3,20}|:{3,20})\{(image|figure)\}[ \t]+$/.exec(
		text.slice(start, pathSpan.start),
	);
	const lineEnd = endOfLine(text, pathSpan.end);
	const close = head === null ? -1 : text.indexOf(`\n${head[1]!}`, lineEnd);
	if (head === null || close < 0) {
		return undefined;
	}
	const name = head[2] === 'figure' ? 'figclass' : 'class';
	const option = (value: string) => `${eol}:${name}: ${value}`;
	return { start, end: endOfLine(text, close + 1), optionAt: lineEnd, option };
}

function lineStart(text: string, at: number): number {
	return text.lastIndexOf('\n', at - 1) + 1;
}

/** Returns where a line ends, before its line break. */
function endOfLine(text: string, from: number): number {
	const end = text.indexOf('\n', from);
	return end < 0 ? text.length : text[end - 1] === '\r' && end > from ? end - 1 : end;
}

/** Returns what a line has before a span, and whether it has nothing else. */
function linesAround(
	text: string,
	{ start, end }: Span,
): { readonly indent: string; readonly isAlone: boolean } {
	// In a longer line it is not alone.
	const [, indent] = /(?:^|\n)([^\n]*)$/.exec(text.slice(Math.max(0, start - maxTag), start)) ?? [];
	const isAtEnd = /^[^\S\n]*(?:\n|$)/.test(text.slice(end, end + maxTag));
	return { indent: indent ?? '', isAlone: indent?.trim() === '' && isAtEnd };
}
