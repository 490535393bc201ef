import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** Makes a text of about so many UTF-16 code units. */
export interface HostileText {
	/** Identifies the text in a report. */
	readonly name: string;
	readonly make: (length: number) => string;
}

/** Tokens that open, close, separate or escape something in one of the formats. */
const tokens = [
	...['a', ' ', '\t', '\n', '\r\n', '\\', '/', '.', '-', '%', ':', '{', '}', '[', ']', '('],
	...[')', '<', '>', '"', "'", '`', '*', '_', '$', '!', '#', '&', '|', '~', '=', '+', '^'],
	...[',', ';', '@', '\0', '\u0301', '\u0316', '\u200d', '\u202e', '\ud83d', '😀', '狐'],
	...['ก', '각', 'ᄀ', 'ß', '️', '![', '](', '![](', '<a', '<img ', '<img src="', '<!--'],
	...['-->', '</', '"a"', '{a}', '${', '${a/', '.png', 'a.png ', '../', './', '//', '\\{'],
	...['%41', '%ff', '%e4', '&amp;', '&#', '\\graphicspath{{', '\\graphicspath'],
	...['% !TEX root = ', ':a: ', ':a: {a}{a}\n', 'ifdef::a[]\n', '----\n', '> ', '- '],
	...['\n\n', '\n \n', ' \n', 'image::', '.. image:: ', '#image("', '\u2028', '$('],
	...['\u001b[', '\u001b];a', 'a:', 'A\u0301', "a'a", 'con.'],
];

/** Texts that are hard for readers of any format. */
export function hostileTexts(): HostileText[] {
	const repeated = tokens.map((token) => repeats('', token, ''));
	const nested = [
		...['[]', '()', '{}', '<>', '**', '``'].map(([open = '', close = '']): HostileText => ({
			name: `nested ${open}${close}`,
			make: (length) => open.repeat(length / 2) + close.repeat(length / 2),
		})),
		mixed('combining marks that have to be put in order', '\u0301', '\u0316'),
		mixed('an image at the end of blanks', ' ', '![a](b.png)'),
		mixed('an image at the end of letters', 'a', '.png'),
	];
	// Blanks and the like, with something before and behind that no end of a line is.
	const enclosed = [' ', '\t', '\n', '.', '-', 'a', '\u0301', '%'].map((token) =>
		repeats('a', token, 'a!'),
	);
	return [...repeated, ...nested, ...enclosed];
}

/**
 * Texts that are hard for the regular expressions of a source file: for each place in an expression,
 * what leads there again and again, and once, with the character of that place again and again.
 */
export function hostileTextsFor(file: string): HostileText[] {
	const texts = new Map<string, HostileText>();
	for (const { source, flags } of expressionsIn(file)) {
		const samples = atomsOf(source).flatMap((atom) => sampleOf(atom, flags) ?? []);
		let before = '';
		for (const sample of samples) {
			for (const text of [repeats('', before + sample, '\0'), repeats(before, sample, '\0')]) {
				texts.set(text.name, text);
			}
			before += sample;
		}
	}
	return [...texts.values()];
}

function repeats(before: string, token: string, behind: string): HostileText {
	return {
		name: [before, `${token}…`, behind].map((part) => JSON.stringify(part)).join(' '),
		make: (length) =>
			before + token.repeat(Math.max(1, Math.floor(length / token.length))) + behind,
	};
}

function mixed(name: string, one: string, other: string): HostileText {
	return {
		name,
		make: (length) =>
			one.repeat(Math.floor(length / 2)) + other.repeat(Math.floor(length / 2 / other.length)),
	};
}

/** The regular expressions that a file writes out. */
function expressionsIn(file: string): { source: string; flags: string }[] {
	const found: { source: string; flags: string }[] = [];
	const text = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
	const visit = (node: ts.Node) => {
		if (ts.isRegularExpressionLiteral(node)) {
			const end = node.text.lastIndexOf('/');
			found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
		}
		ts.forEachChild(node, visit);
	};
	visit(text);
	return found;
}

/** Returns the parts of an expression that match one character, without quantifiers. */
function atomsOf(source: string): string[] {
	const withoutGroups = source
		.replace(/\(\?(?:<?[=!]|:|<\w+>)/g, '(')
		.replace(/(?<!\\)\{\d*,?\d*\}/g, '');
	return [
		...withoutGroups.matchAll(
			/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|[^bB])|\[(?:\\.|[^\]\\])*\]|[^()|*+?^$\\]/giu,
		),
	].map(([atom]) => atom);
}

const candidates = [
	...'a1 \t\n\r.-/\\%:{}[]()<>"\'`*_$!#&|~=+^,;@?A\0\u0301\u202e狐',
	'\u2028',
	'\ufe0f',
];

function sampleOf(atom: string, flags: string): string | undefined {
	try {
		const expression = new RegExp(`^${atom}$`, flags.replace(/[gy]/g, ''));
		return (/^[^\\[.]$/u.test(atom) ? [atom] : candidates).find((one) => expression.test(one));
	} catch {
		return undefined;
	}
}
