/**
 * Whether a part of a prompt says how an image is to look and nothing of what it shows: "flat
 * illustration", "no text", "16:9", "in the style of a woodcut". English only.
 *
 * @param part without the commas around it
 */
export function isStyle(part: string): boolean {
	const text = part.trim().toLowerCase();
	if (text.length > maxStyleLength) {
		return false;
	}
	const words = text
		.split(/[\s/]/)
		.map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
	return (
		stylePatterns.some((pattern) => pattern.test(text)) ||
		(words.some((word) => styleWords.has(word)) &&
			words.every((word) => styleWords.has(word) || besideStyle.has(word) || word === ''))
	);
}

/** In UTF-16 code units; a longer part says more than that. */
const maxStyleLength = 100;

/** Each of these makes a part one of style, if there is nothing else but them and those below. */
const styleWords = wordsOf(`
	2d 3d 4k 8k aesthetic anime art artstation artwork background bokeh cartoon cinematic clipart
	colors colours detailed digital doodle drawing duotone flat gradient gradients grayscale hd hdr
	hyperrealistic illustration illustrations isometric lighting line-art lineart low-poly lowpoly
	masterpiece minimalist minimalistic monochrome painting palette pastel photo photograph
	photography photorealistic quality realistic render rendered rendering resolution shading sketch
	style styled stylized uhd vector watercolor watercolour wireframe-style`);

/** What stands beside them. */
const besideStyle = wordsOf(`
	a an and as for in of on or the very with
	accent abstract beige black blue bold bright charcoal clean color colour contemporary contrast
	cool corporate crayon crisp dark depth design dramatic editorial elegant field fine focus friendly
	geometric golden gray green grey hand-drawn hand drawn high highly ink light limited line lines
	low material memphis minimal modern muted natural neutral oil orange outlined pencil pink plain
	playful poly professional purple red resolution retro rounded scandinavian shallow shapes sharp
	simple smooth soft solid studio subtle teal technical textured thick thin tones transparent two-tone
	ultra vibrant vintage vivid warm white yellow`);

const unwritten =
	'(?:text|texts|words|letters|lettering|captions?|labels?|typography|watermarks?|logos?)';

const stylePatterns: readonly RegExp[] = [
	// Ratios, sizes and the options of other services.
	/^(?:aspect ratio |ratio )?\d+(?:\.\d+)? ?[:x×] ?\d+(?: aspect ratio| ratio| format)?$/,
	/^--?[a-z]/,
	/^(?:style|mood|palette|colou?rs?|lighting|format|aspect ratio|size|background)\s?:/,
	/^(?:in|with) the style of /,
	/^(?:(?:in|with) (?:an? |the )?)?(?!.* (?:in|of|on|with) )(?:[\p{L}\d'’-]+ ){0,3}[\p{L}\d'’-]*[ -]style$/u,
	/^(?:no|without|free of|avoid) (?:[\p{L}\d-]+ ?){1,4}$/u,
	new RegExp(`^(?:with )?(?:no|without)(?: any)? ${unwritten}\\b`),
];

/** Style at the end of a clause: "… in the style of a woodcut", "… with no text". */
export const styleAtEnd: readonly RegExp[] = [
	/\s(?:in|with) the style of\s.*/i,
	/\sin (?:an? |the )?(?:[\p{L}\d'’-]+ ){0,3}(?:[\p{L}\d'’]+-)?style$/iu,
	new RegExp(
		`\\s(?:(?:and|with) )?(?:no|without)(?: any)? ${unwritten}(?: (?:and|or) ${unwritten})?$`,
		'i',
	),
];

function wordsOf(text: string): ReadonlySet<string> {
	return new Set(text.trim().split(/\s+/));
}
