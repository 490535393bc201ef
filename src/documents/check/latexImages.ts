import { altOf, type Alt, type PlainImage } from './alt.js';

/** Finds the images of LaTeX, outside of comments and verbatim environments. */
export function latexImages(text: string): PlainImage[] {
	if (!text.includes('\\includegraphics')) {
		return [];
	}
	const visible = masked(masked(text, /(?<!\\)%.*/g), verbatim);
	return [...visible.matchAll(command)].map((match): PlainImage => {
		const [whole, options = '', target = ''] = match;
		const { index } = match;
		const end = index + whole.length;
		const caption = captionAround(visible, index);
		const alt = altIn(options);
		return {
			span: { start: index, end },
			path: { start: end - 1 - target.length, end: end - 1 },
			href: /[\\#]/.test(target) ? '' : target.trim(),
			// Readers of the figure have its caption.
			alt: alt.type === 'none' && caption !== undefined ? { type: 'unknown' } : alt,
			caption,
		};
	});
}

const command =
	/\\includegraphics\*?\s{0,20}(?:\[((?:[^[\]{}]|\{[^{}]*\}){0,2000})\])?\s{0,20}\{([^{}]{1,2000})\}/g;
const verbatim =
	/\\begin\{(verbatim\*?|Verbatim|lstlisting|minted|comment)\}(?:(?!\\end\{\1\})[^])*/g;

/** Replaces what is not shown by as many blanks. */
function masked(text: string, hidden: RegExp): string {
	return text.replace(hidden, (part) => part.replace(/[^\n]/g, ' '));
}

function altIn(options: string): Alt {
	const [, braced, bare] = /(?:^|,)\s*alt\s*=\s*(?:\{([^{}]*)\}|([^,]*))/.exec(options) ?? [];
	if (/(?:^|,)\s*artifact\s*(?:,|$)/.test(options)) {
		return { type: 'decorative' };
	}
	const text = braced ?? bare;
	return /\\[a-zA-Z]/.test(text ?? '') ? { type: 'unknown' } : altOf(text);
}

/** In UTF-16 code units; what is farther away belongs to another figure. */
const farthest = 3000;

/** Returns the caption of the figure that a place lies in, as plain text. */
function captionAround(text: string, offset: number): string | undefined {
	const before = text.slice(Math.max(0, offset - farthest), offset);
	const opened = before.lastIndexOf('\\begin{');
	const figure = [...before.matchAll(/\\(begin|end)\{(?:wrap|sideways|sub)?figure\*?\}/g)].at(-1);
	if (opened < 0 || figure?.[1] !== 'begin') {
		return undefined;
	}
	const behind = text.slice(offset, offset + farthest);
	const end = behind.search(/\\end\{(?:wrap|sideways|sub)?figure\*?\}/);
	const within = before.slice(figure.index) + (end < 0 ? '' : behind.slice(0, end));
	const caption = /\\caption\*?(?:\[[^\]]*\])?\{((?:[^{}]|\{[^{}]*\})*)\}/.exec(within)?.[1];
	return caption === undefined ? undefined : plainText(caption);
}

function plainText(latex: string): string {
	return latex
		.replace(/\\(?:label|cite\w*|ref)\{[^{}]*\}/g, '')
		.replace(/\\[a-zA-Z]+\*?[ ]?|[{}]/g, '')
		.replace(/\\([#$%&_])/g, '$1')
		.replace(/~|\s+/g, ' ')
		.trim();
}
