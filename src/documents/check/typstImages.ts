import { altOf, type Alt, type PlainImage } from './alt.js';

/** Finds the images of Typst: calls of `image`, outside of comments and raw text. */
export function typstImages(text: string): PlainImage[] {
	if (!text.includes('image(')) {
		return [];
	}
	const visible = text.replace(hidden, (part) =>
		part.startsWith('"') ? part : part.replace(/[^\n]/g, ' '),
	);
	return [...visible.matchAll(/(?<![\w.-])image\(/g)].flatMap(
		({ 0: open, index }): PlainImage[] => {
			const start = index + open.length;
			const call = callAt(visible, start);
			if (call === undefined) {
				return [];
			}
			const literal = /^\s*"((?:\\.|[^"\\])*)"/.exec(call);
			const written = literal?.[1] ?? '';
			const pathStart = start + (literal?.[0].length ?? 1) - 1 - written.length;
			const figure = figureAround(visible, index);
			const alt = altIn(call);
			const isNamed = alt.type === 'none' && figure !== undefined && /[(,]\s*alt\s*:/.test(figure);
			return [
				{
					span: { start: index, end: start + call.length + 1 },
					path: { start: pathStart, end: pathStart + written.length },
					href: unescaped(written),
					alt: isNamed ? { type: 'unknown' } : alt,
					caption: figure && /\bcaption\s*:\s*\[([^[\]#]{1,300})\]/.exec(figure)?.[1]?.trim(),
				},
			];
		},
	);
}

/** Strings come first: what looks like a comment within them is none. */
const hidden =
	/"(?:\\[^]|[^"\\\n])*"|(?<!:)\/\/.*|\/\*(?:(?!\*\/)[^])*|```(?:(?!```)[^])*```|`[^`\n]*`/g;

/** Returns what stands between the parentheses of a call; `undefined` where it does not end. */
function callAt(text: string, start: number): string | undefined {
	const near = text.slice(start, start + maxCallLength);
	let depth = 1;
	for (const { 0: part, index } of near.matchAll(/"(?:\\[^]|[^"\\])*"|[()]/g)) {
		depth += part === '(' ? 1 : part === ')' ? -1 : 0;
		if (depth === 0) {
			return near.slice(0, index);
		}
	}
	return undefined;
}

/** In UTF-16 code units. */
const maxCallLength = 4000;

function altIn(call: string): Alt {
	const [, quoted] = /[(,]\s*alt\s*:\s*(?:"((?:\\[^]|[^"\\])*)"|[^\s"])/.exec(`,${call}`) ?? [];
	if (quoted !== undefined) {
		return altOf(unescaped(quoted));
	}
	return /[(,]\s*alt\s*:(?!\s*none)/.test(call) ? { type: 'unknown' } : { type: 'none' };
}

/** Returns the call of `figure` that a place lies in. */
function figureAround(text: string, offset: number): string | undefined {
	const from = text.slice(Math.max(0, offset - 500), offset).lastIndexOf('figure(');
	if (from < 0) {
		return undefined;
	}
	const start = Math.max(0, offset - 500) + from + 'figure('.length;
	const call = callAt(text, start);
	return call !== undefined && start + call.length > offset ? `(${call}` : undefined;
}

function unescaped(text: string): string {
	return text.replace(
		/\\(?:u\{([\da-f]{1,6})\}|(.))/gi,
		(_, code: string | undefined, mark: string) =>
			code === undefined ? mark : String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)),
	);
}
