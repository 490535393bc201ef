import { altText } from '../images/altText.js';
import { asciidocAlt, inlineAlt } from './asciidoc.js';
import { htmlAlt } from './html.js';
import { formatOf } from './languages.js';
import { latexText } from './latex.js';
import { markdownAlt } from './markdown.js';
import type { Span } from './span.js';
import { typstString } from './typst.js';

/** An image link in its document, as it is written. */
export interface WrittenLink {
	readonly link: string;
	/** The editor's identifier of the document's language. */
	readonly languageId: string;
	/** Text of the line before the link. */
	readonly before?: string;
	/** Text behind the link, at most some hundred UTF-16 code units of it. */
	readonly behind?: string;
}

/** Replacement of an alt text; its span counts from the beginning of the link. */
export interface Replacement extends Span {
	readonly text: string;
}

/**
 * Returns how the alt text of an image link is replaced, or one is added, in the syntax of its
 * document; `undefined` where the form of the link has no place for it.
 *
 * @param alt plain text; empty for a decorative image
 */
export function replaceAlt(
	{ link, languageId, before = '', behind = '' }: WrittenLink,
	alt: string,
): Replacement | undefined {
	if (link.length > maxLinkLength) {
		return undefined;
	}
	switch (formatOf(languageId)) {
		case 'markdown':
		case 'mdx':
			return inMarkdown(link, alt, languageId, { before, behind });
		case 'html':
		case 'vue':
			return inTag(link, alt);
		case 'asciidoc':
			return inMacro(link, alt);
		case 'restructuredText':
			return inDirective(link, alt, before);
		case 'latex':
			return inCommand(link, alt);
		case 'typst':
			return inCall(link, alt);
		case undefined:
			return undefined;
	}
}

/** In UTF-16 code units; the parts of a link are looked for many times. */
const maxLinkLength = 4000;

interface Surroundings {
	readonly before: string;
	readonly behind: string;
}

function inMarkdown(
	link: string,
	alt: string,
	languageId: string,
	{ before, behind }: Surroundings,
): Replacement | undefined {
	if (link.startsWith('![[')) {
		return inEmbed(link, alt, before);
	}
	if (/^[ \t>]*(?:`{3,}|~{3,}|:{3,})\{/.test(link)) {
		return inMystDirective(link, alt);
	}
	const found = /^!\[((?:\\.|\[(?:\\.|[^\]\\])*\]|[^[\]\\])*)\]/s.exec(link);
	if (found === null) {
		return inTag(link, alt);
	}
	if (alt === '') {
		return undefined;
	}
	const [bracket, label = ''] = found;
	const attribute = { quarto: 'fig-alt', rmd: 'alt' }[languageId];
	if (attribute !== undefined && label === '') {
		// What stands in the brackets would be a caption as well.
		const text = `${attribute}="${quotedAlt(alt)}"`;
		const { length } = link;
		return behind.startsWith('{')
			? { start: length + 1, end: length + 1, text: `${text} ` }
			: { start: length, end: length, text: `{${text}}` };
	}
	const text = markdownAlt(alt);
	const rest = link.slice(bracket.length);
	return rest === '' || rest === '[]'
		? // The label is the name of its definition as well.
			{ start: 2, end: link.length, text: `${text}][${label}]` }
		: { start: 2, end: bracket.length - 1, text };
}

/** The value of an attribute of Pandoc. */
function quotedAlt(alt: string): string {
	return altText(alt)
		.replace(/&(?=#?\w+;)/g, '&amp;')
		.replace(/["\\]/g, '\\$&')
		.replace(/[`{|]/g, (mark) => `&#${String(mark.charCodeAt(0))};`);
}

function inEmbed(link: string, alt: string, before: string): Replacement | undefined {
	const text = altText(alt).replace(/[|[\]]+/g, ' ');
	if (text === '' || !link.endsWith(']]')) {
		return undefined;
	}
	const bar = /\\?\|/.exec(link);
	const mark = bar?.[0] ?? (before.includes('|') ? '\\|' : '|');
	const size = /\|(\d+(?:x\d+)?)\]\]$/.exec(link)?.[1];
	const end = link.length - 2;
	const behind = size === undefined ? '' : mark + size;
	return { start: bar?.index ?? end, end, text: mark + text + behind };
}

function inMystDirective(link: string, alt: string): Replacement | undefined {
	const text = `"${altText(alt).replace(/["\\]/g, '\\$&')}"`;
	const option = /^[ \t>]*:alt:([^\n]*)/m.exec(link);
	if (option !== null) {
		const end = option.index + option[0].trimEnd().length;
		const start = option.index + option[0].indexOf(':alt:') + ':alt:'.length;
		return { start, end: Math.max(start, end), text: ` ${text}` };
	}
	const end = /\r?\n|$/.exec(link)?.index ?? link.length;
	const isYaml = /^[ \t>]*---/.test(link.slice(end).trimStart());
	const [prefix = ''] = /^[ \t>]*/.exec(link) ?? [];
	return isYaml ? undefined : { start: end, end, text: `\n${prefix}:alt: ${text}` };
}

const attribute =
	/^.(?:[^\s>"'{}/]+)(?:[^>"'{}]|"[^"]*"|'[^']*'|\{[^{}]*\})*?\s(alt(?![\w-])(?:\s*=\s*(?:"[^"]*"|'[^']*'|\{[^{}]*\}|[^\s>"'{}]+))?)/is;

/** In a tag, or a shortcode of Hugo, whose first sign was taken for that of a tag. */
function inTag(link: string, alt: string): Replacement | undefined {
	const isTag = link.startsWith('<');
	const [open] = /^.(?:img|image|figure)(?=[\s/>])/i.exec(link) ?? [];
	if (open === undefined || (!isTag && !/^\s/.test(link))) {
		return undefined;
	}
	const value = isTag ? htmlAlt(alt) : altText(alt).replace(/["\\]/g, '\\$&').replace(/[<>]/g, '');
	const text = `alt="${value}"`;
	const found = attribute.exec(link);
	if (found !== null) {
		return { start: found[0].length - found[1]!.length, end: found[0].length, text };
	}
	return { start: open.length, end: open.length, text: ` ${text}` };
}

function inMacro(link: string, alt: string): Replacement | undefined {
	const bracket = link.indexOf('[');
	if (bracket < 0 || !link.endsWith(']')) {
		return undefined;
	}
	const start = bracket + 1;
	const attributes = link.slice(start, -1);
	const isBlock = link.startsWith('image::');
	// It would end the cell of a table, or the macro.
	const marks = (text: string) =>
		text.replace(/[\]|]/g, (mark) => `&#${String(mark.charCodeAt(0))};`);
	const written = marks(isBlock ? asciidocAlt(alt) : inlineAlt(alt));
	const named = /(?:^|,)\s*(alt\s*=\s*(?:"(?:\\"|[^"])*"|[^,]*))/.exec(attributes);
	if (named !== null) {
		const quoted = written.startsWith('"') ? written : `"${written}"`;
		const end = start + named.index + named[0].length;
		return { start: end - named[1]!.length, end, text: `alt=${quoted}` };
	}
	const [first] = /^\s*(?:"(?:\\"|[^"])*"|(?![\w-]+\s*=)[^,]*)/.exec(attributes) ?? [''];
	const rest = attributes.slice(first.length);
	const text = written === '' ? '""' : written;
	return {
		start,
		end: start + first.length,
		text: rest === '' || rest.startsWith(',') ? text : `${text},`,
	};
}

function inDirective(link: string, alt: string, before: string): Replacement | undefined {
	if (!link.startsWith('..') || before.includes('|')) {
		return undefined;
	}
	const text = altText(alt);
	const written = text === '' ? '' : ` ${text}`;
	const option = /\n([ \t]*):alt:[^\n]*(?:\n\1[ \t]+[^\s:][^\n]*)*/.exec(link);
	if (option !== null) {
		const start = option.index + 1 + option[1]!.length + ':alt:'.length;
		const { length } = option[0].trimEnd();
		return { start, end: Math.max(start, option.index + length), text: written };
	}
	const end = /\r?\n|$/.exec(link)?.index ?? link.length;
	const indent =
		/^\r?\n([ \t]+):/.exec(link.slice(end))?.[1] ?? `${before.replace(/[^\t]/g, ' ')}   `;
	return { start: end, end, text: `\n${indent}:alt:${written}` };
}

function inCommand(link: string, alt: string): Replacement | undefined {
	const text = `alt={${latexText(altText(alt))}}`;
	const [open, options] = /^\\includegraphics\*?\s*(?:(\[)|(?=\{))/.exec(link) ?? [];
	if (open === undefined) {
		return undefined;
	}
	const at = open.length;
	if (options === undefined) {
		return { start: at, end: at, text: `[${text}]` };
	}
	const old = /^(?:[^\]{}]|\{[^{}]*\})*?(?<=[[,\s])(alt\s*=\s*(?:\{[^{}]*\}|[^,\]]*))/.exec(
		link.slice(at - 1),
	);
	if (old !== null) {
		const end = at - 1 + old[0].length;
		return { start: end - old[1]!.length, end, text };
	}
	const comma = /^\s*\]/.test(link.slice(at)) ? '' : ',';
	return { start: at, end: at, text: text + comma };
}

function inCall(link: string, alt: string): Replacement | undefined {
	const text = `alt: "${typstString(altText(alt))}"`;
	const [path] = /^image\(\s*"(?:\\.|[^"\\])*"/.exec(link) ?? [];
	if (path === undefined) {
		return undefined;
	}
	const old = /^(?:[^"]|"(?:\\.|[^"\\])*")*?[(,]\s*(alt\s*:\s*(?:"(?:\\.|[^"\\])*"|none))/.exec(
		link,
	);
	return old === null
		? { start: path.length, end: path.length, text: `, ${text}` }
		: { start: old[0].length - old[1]!.length, end: old[0].length, text };
}
