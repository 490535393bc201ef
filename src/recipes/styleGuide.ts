import { EaselError } from '../easelError.js';
import { parseSize, type Size } from '../service/sizes.js';

/** In bytes; a larger file is no style guide. */
export const maxGuideBytes = 64 * 1024;
/** In UTF-16 code units, of the text that is applied: it goes with every single prompt. */
export const maxStyleLength = 8000;
/** The specification names no limit ("Limits", rule 4); more than these say nothing about a style. */
export const maxStyleReferences = 8;

/** The facts of one that is larger. */
export const tooLargeGuide = { code: 'style.tooLarge', kilobytes: maxGuideBytes / 1024 } as const;

/** Content of a style guide, as its file has it. */
export interface StyleGuide {
	/** Goes with every prompt; may be empty. */
	readonly text: string;
	/** Default size of images. */
	readonly size?: Size;
	/** Paths as they are written: relative to the guide's folder, or with `/` to the workspace folder. */
	readonly references: readonly string[];
}

/** A style guide cannot be used. */
export class StyleGuideError extends EaselError {
	override readonly name = 'StyleGuideError';

	/** From 1, where it is one. */
	get line(): number | undefined {
		return 'line' in this.facts ? this.facts.line : undefined;
	}
}

/**
 * Reads a style guide: lines between two of `---` at its beginning, with `size` and `references`, and
 * below them the text, which is applied as it stands.
 *
 * @throws {StyleGuideError} naming the line that is wrong
 */
export function parseStyleGuide(content: string): StyleGuide {
	if (content.length > maxGuideBytes) {
		throw new StyleGuideError(tooLargeGuide);
	}
	const lines = content.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
	if (!isFence(lines[0])) {
		return { text: checkedText(lines, 0), references: [] };
	}
	const end = lines.findIndex((line, index) => index > 0 && isFence(line));
	if (end < 0) {
		throw new StyleGuideError({ code: 'style.notClosed', line: 1 });
	}
	return { ...readFields(lines.slice(1, end)), text: checkedText(lines.slice(end + 1), end + 1) };
}

function isFence(line: string | undefined): boolean {
	return line?.trimEnd() === '---';
}

/** @param before how many lines stand before these */
function checkedText(lines: readonly string[], before: number): string {
	const text = lines.join('\n').trim();
	if (text.length > maxStyleLength) {
		const first = lines.findIndex((line) => line.trim() !== '');
		const line = before + 1 + Math.max(0, first);
		const { length } = text;
		throw new StyleGuideError({ code: 'style.tooLong', length, maxLength: maxStyleLength, line });
	}
	const broken = lines.findIndex((line) => line.includes('\0'));
	if (broken >= 0) {
		throw new StyleGuideError({ code: 'style.notText', line: before + broken + 1 });
	}
	return text;
}

/**
 * Reads the fields between the two lines of `---`: a small part of YAML, and a mistake for the
 * rest.
 */
function readFields(lines: readonly string[]): Omit<StyleGuide, 'text'> {
	const seen = new Set<string>();
	const references: string[] = [];
	let size: Size | undefined;
	/** True if lines with a dash go on with what began above. */
	let inList = false;
	for (const [index, line] of lines.entries()) {
		// The first line is that of ---.
		const number = index + 2;
		const content = line.trim();
		if (content === '' || content.startsWith('#')) {
			continue;
		}
		if (content === '-' || content.startsWith('- ')) {
			if (!inList) {
				throw new StyleGuideError({ code: 'style.strayDash', line: number });
			}
			addReference(references, content.slice(1), number);
			continue;
		}
		const [name, value] = fieldOf(line, number);
		if (seen.has(name)) {
			throw new StyleGuideError({ code: 'style.repeated', field: name, line: number });
		}
		seen.add(name);
		inList = name === 'references' && value === '';
		if (name === 'size') {
			size = sizeOf(scalar(value, number), number);
		} else if (!inList) {
			listed(value, number).forEach((one) => {
				addReference(references, one, number);
			});
		}
	}
	return { references, ...(size === undefined ? {} : { size }) };
}

function fieldOf(line: string, number: number): [name: 'size' | 'references', value: string] {
	const colon = line.indexOf(':');
	const name = line.slice(0, Math.max(colon, 0));
	if ((name !== 'size' && name !== 'references') || !/^(?: |\t|$)/.test(line.slice(colon + 1))) {
		throw new StyleGuideError({ code: 'style.unknownField', line: number });
	}
	const value = line.slice(colon + 1).trim();
	return [name, value.startsWith('#') ? '' : value];
}

/** Reads the value of `references:` in the same line: a list in brackets, or one path. */
function listed(value: string, number: number): string[] {
	const inside = /^\[([^\]]*)\]\s*(?:#|$)/.exec(value)?.[1];
	if (inside !== undefined) {
		return inside.trim() === '' ? [] : inside.split(',');
	}
	if (/^[[{]/.test(value)) {
		throw new StyleGuideError({ code: 'style.listInOneLine', line: number });
	}
	return [value];
}

function addReference(references: string[], written: string, number: number): void {
	const path = scalar(written.trim(), number);
	if (references.length === maxStyleReferences) {
		const maxCount = maxStyleReferences;
		throw new StyleGuideError({ code: 'style.tooManyReferences', maxCount, line: number });
	}
	if (path === '') {
		throw new StyleGuideError({ code: 'style.emptyPath', line: number });
	}
	if (/^[a-z][a-z\d+.-]+:/i.test(path)) {
		throw new StyleGuideError({ code: 'style.address', line: number });
	}
	references.push(path);
}

function sizeOf(written: string, number: number): Size {
	const size = parseSize(written);
	if (size === undefined) {
		throw new StyleGuideError({ code: 'style.unknownSize', line: number });
	}
	return size;
}

/** A value with or without quotes; a comment behind it is none of it. */
function scalar(written: string, number: number): string {
	const quote = written.charAt(0);
	if (quote !== '"' && quote !== "'") {
		const comment = written.search(/\s#/);
		return (comment < 0 ? written : written.slice(0, comment)).trim();
	}
	const end = written.indexOf(quote, 1);
	const rest = written.slice(end + 1).trim();
	if (end < 0 || (rest !== '' && !rest.startsWith('#')) || written.slice(1, end).includes('\\')) {
		throw new StyleGuideError({ code: 'style.openQuote', line: number });
	}
	return written.slice(1, end);
}
