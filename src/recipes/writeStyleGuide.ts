import { parseStyleGuide, StyleGuideError, type StyleGuide } from './styleGuide.js';

/**
 * A style guide as a file.
 *
 * @throws {StyleGuideError} where a path cannot stand in one
 */
export function formatStyleGuide({ text, size, references }: StyleGuide): string {
	const lines = [
		'---',
		'# Easel adds the text below to every prompt of this workspace, and sends these images with it.',
		'# Paths begin at the folder of this file; with / at that of the workspace.',
		...(size === undefined ? [] : [`size: ${size}`]),
		'references:',
		...references.map(itemOf),
		'---',
		'',
		text.trim(),
		'',
	];
	return lines.join('\n');
}

/**
 * The text of a style guide with one more reference image; all else stays as the user has written it.
 *
 * @throws {StyleGuideError} where it is no style guide, or has as many as it may have
 */
export function withReference(content: string, path: string): string {
	const before = parseStyleGuide(content);
	const lines = content.split('\n');
	const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
	const isBegun = /^\uFEFF?---\s*$/.test(lines[0] ?? '') && end > 0;
	const ending = /\r$/.test(lines[0] ?? '') ? '\r' : '';
	const item = `${itemOf(path)}${ending}`;
	if (!isBegun) {
		const head = ['---', 'references:', itemOf(path), '---', ''].map((line) => `${line}${ending}`);
		return checked([...head, content.replace(/^\uFEFF/, '')].join('\n'), before, path);
	}
	const field = lines.findIndex((line, index) => index < end && line.startsWith('references:'));
	if (field < 0) {
		lines.splice(end, 0, `references:${ending}`, item);
	} else if (/^references:\s*(?:#.*)?$/.test(lines[field]!.trimEnd())) {
		const last = lines.findLastIndex((line, index) => index < end && /^\s*-(?:\s|$)/.test(line));
		// As far in as the others, because others may read it as YAML.
		const margin = /^\s*/.exec(lines[last] ?? item)?.[0] ?? '';
		lines.splice(Math.max(last, field) + 1, 0, `${margin}${item.trimStart()}`);
	} else {
		// What stood in one line gets a line for each.
		const items = before.references.map((one) => `${itemOf(one)}${ending}`);
		lines.splice(field, 1, `references:${ending}`, ...items, item);
	}
	return checked(lines.join('\n'), before, path);
}

/** It is read back: a guide that says something else than was meant is worse than none. */
function checked(content: string, before: StyleGuide, path: string): string {
	const { references } = parseStyleGuide(content);
	if (JSON.stringify(references) !== JSON.stringify([...before.references, path])) {
		throw new StyleGuideError({ code: 'style.notWritable', path });
	}
	return content;
}

function itemOf(path: string): string {
	const isPlain = /^[^\s'"#[\]{}\\-][^'"\\]*$/.test(path) && !/\s#|\s$/.test(path);
	const quote = path.includes('"') ? "'" : '"';
	if (!isPlain && (path.includes(quote) || /[\\\r\n]/.test(path))) {
		throw new StyleGuideError({ code: 'style.badName', path });
	}
	return isPlain ? `  - ${path}` : `  - ${quote}${path}${quote}`;
}
