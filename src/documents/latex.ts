import { posix } from 'node:path';
import { beginningOf } from '../images/shorten.js';
import { altText } from '../images/altText.js';
import {
	assertPath,
	maxPathLength,
	type LinkParts,
	type ImageLink,
	type ResourceUri,
} from './imageLink.js';

/**
 * Returns the LaTeX of an image: a figure as wide as the line, with the alt text as its caption. The
 * option `alt` of `\includegraphics` is newer than many installations and stops these with an error.
 * The document has to use the package `graphicx`.
 */
export function latexImage({ path, alt }: LinkParts): ImageLink {
	return {
		before: [
			'\\begin{figure}',
			'\t\\centering',
			`\t\\includegraphics[width=\\linewidth]{${latexPath(path)}}`,
			'\t\\caption{',
		].join('\n'),
		alt: latexText(altText(alt)),
		after: '}\n\\end{figure}',
	};
}

/**
 * The argument of `\includegraphics`, with the extension. Most characters stand for themselves
 * there, the space, `_`, `&`, `~`, `$` and those beyond ASCII included (LaTeX News 30 to 32). Where
 * TeX would read a comment, a parameter, a group, a command, or one space instead of two, the
 * character comes from one of the kernel's constants (interface3, "Constant strings"; in the kernel
 * since February 2020).
 *
 * TeX has no way to name a file with `"`, with a control character, with a space at the beginning
 * or end of a name, or with a `$` that its file search takes for a variable, as in `$HOME`.
 */
export function latexPath(path: string): string {
	assertPath(path);
	return path
		.replace(/[%#{}\\]|\^(?=\^)| {2,}|(?<=[%#{}\\]) /g, (part) =>
			part.startsWith(' ')
				? '\\space '.repeat(part.length)
				: `\\csname c_${constants[part]!}_str\\endcsname `,
		)
		.replace(/^(?=[~|])/, './');
}

/**
 * Plain text in a paragraph (LaTeX2e manual, part 23, "Special insertions"). Straight quotation
 * marks become those that TeX writers type: packages for languages give `"` meanings of its own. It
 * is the text of a caption, so of more than 4,000 UTF-16 code units the rest is left out.
 */
export function latexText(text: string): string {
	return beginningOf(text, maxCaptionLength)
		.replace(/[\\~^]|[#$%&_{}]/g, (character) => commands[character] ?? `\\${character}`)
		.replace(ligatures, '$&{}')
		.replace(/"([^"]*)"/g, "``$1''")
		.replaceAll('"', "''");
}

/**
 * Returns the folder in which LaTeX looks for the files that a document names: the folder of the
 * main document, because that is where it runs. It is the document itself, or what the magic
 * comment `% !TEX root = …` names, which editors and TeXShop read.
 * @returns the main document
 */
export function latexRoot(document: ResourceUri, textBefore: string): ResourceUri {
	const root = /^[ \t]*%+[ \t]*![ \t]*TEX[ \t]+root[ \t]*=[ \t]*(\S.*)/im
		.exec(textBefore)?.[1]
		?.trimEnd();
	return root === undefined || root.length > maxPathLength
		? document
		: {
				...document,
				path: posix.resolve(posix.dirname(document.path), root.replaceAll('\\', '/')),
			};
}

/**
 * Leaves out the folder that `\graphicspath` gives to LaTeX in front of each name.
 * @param path relative to the main document
 * @param folder as {@link graphicsPath} returns it
 */
export function withoutGraphicsPath(path: string, folder: string | undefined): string {
	return folder !== undefined && path.startsWith(folder) ? path.slice(folder.length) : path;
}

/**
 * The folder of `\graphicspath`, relative to the main document and with a slash at its end. Of
 * several folders it is the first: what lies in a later one gives way to a file of the same name in
 * an earlier one.
 * @returns `undefined` where there is none, or none that is written out plainly
 */
export function graphicsPath(textBefore: string): string | undefined {
	const withoutComments = textBefore.replace(/(?<!\\)%.*/g, '');
	const last = [...withoutComments.matchAll(/\\graphicspath\s*\{\s*\{([^{}\\]*)\}/g)].at(-1);
	const folder = last?.[1]?.trim().replace(/^(?:\.\/)+/, '');
	return folder && /^[^/].*\/$/.test(folder) ? folder : undefined;
}

const maxCaptionLength = 4000;

/** Characters that TeX would put together with the next one, as in `--`, '' and `?``. */
const ligatures = /-(?=-)|`(?=`)|'(?=')|,(?=,)|<(?=<)|>(?=>)|[?!](?=`)/g;

const constants: Readonly<Record<string, string>> = {
	'%': 'percent',
	'#': 'hash',
	'{': 'left_brace',
	'}': 'right_brace',
	'\\': 'backslash',
	'^': 'circumflex',
};

const commands: Readonly<Record<string, string>> = {
	'\\': '\\textbackslash{}',
	'~': '\\textasciitilde{}',
	'^': '\\textasciicircum{}',
};
