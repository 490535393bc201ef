/** Texts of the check, one line each. */
export const findingTexts = {
	'alt-missing': 'This image has no alternative text.',
	'alt-generic': (alt: string) => `“${alt}” does not say what this image shows.`,
	'alt-long': (length: number, max: number) =>
		`The alternative text has ${String(length)} characters; at most ${String(max)} are allowed.`,
	'alt-duplicate': (alt: string) => `Another image of this page has the text “${alt}” as well.`,
	'image-missing': (path: string) => `${path} does not exist.`,
	'image-missing-elsewhere': (path: string, elsewhere: string) =>
		`${path} does not exist. ${elsewhere} does.`,
	'image-case': (path: string, name: string) =>
		`${path} is ${name} on disk: this link is broken where letter case counts.`,
	'image-weight': (path: string, kilobytes: number, max: number) =>
		`${path} has ${String(kilobytes)} kB; at most ${String(max)} kB are allowed.`,
	'image-dimensions': (path: string, width: number, max: number) =>
		`${path} is ${String(width)} pixels wide; at most ${String(max)} are allowed.`,
	'image-format': (path: string, formats: readonly string[]) =>
		`${path} is none of the allowed formats: ${formats.join(', ')}.`,
	recipe: (path: string) => `${path} was made with Easel, and its recipe is missing.`,
	style: (path: string, guide: string) =>
		`${path} was made with another version of the style guide ${guide}.`,
	words: (path: string) => `The words in ${path} are not checked yet.`,
};
