import { posix } from 'node:path';
import { EaselError } from '../easelError';
import { firstClause } from './altText.js';
import { beginningOf, shorten } from './shorten';

/** The names of images that can be references, whatever the case of their letters. */
export const imageNamePattern = /\.(?:png|jpe?g|webp)$/i;

/** The default of the setting `easel.output.fileName`. */
export const defaultFileNamePattern = '${promptSlug}';

/** Values of the variables of a pattern. */
export interface FileNameValues {
	/** `${promptSlug}` is made from it. */
	readonly prompt: string;
	/** `${date}` and `${time}` are made from it, in local time. */
	readonly time: Date;
	/** `${size}`, for example `1536x1024`. */
	readonly size: string;
	/**
	 * `${documentBaseName}`: name of the document without its extension, as the variable of the
	 * same name in `markdown.copyFiles.destination`. Absent where there is no document.
	 */
	readonly documentBaseName?: string | undefined;
}

/** A pattern that cannot be used. */
export class FileNameError extends EaselError {
	override readonly name = 'FileNameError';
}

/**
 * Turns the {@link firstClause} of a prompt into the beginning of a file name that the user
 * recognizes: "A red fox, 3 stars! Flat." becomes `red-fox-3-stars`. Letters, marks and digits of all scripts stay, in lower case where
 * the script has one (independent of the machine's language), in Unicode's form NFC. All else
 * separates words, or vanishes: apostrophes, and what has no width, such as direction marks and
 * the joiners U+200C and U+200D. Some languages do write these two inside words, but they are
 * invisible, file systems disagree on whether they count, and a word stays readable without them.
 * English articles before another word are left out.
 *
 * The result is valid as one path component on Windows, macOS and Linux, and it can stand in a
 * link without escapes. It has 1 to 40 characters (UTF-16 code units) and at most 120 bytes in
 * UTF-8: names have at most 255 bytes (143 on eCryptfs), and a number, an extension or a prefix may
 * follow. It is cut between words where possible. Slugs stay as they are. The fallback is `image`.
 */
export function promptSlug(prompt: string): string {
	const beginning = normalized(beginningOf(prompt.trimStart(), maxReadLength));
	const text = normalized(firstClause(beginning).replace(apostrophes, '').toLowerCase());
	const slug = shorten(withoutArticles(text.match(words) ?? []).join('-'), fitsSlug);
	return notReserved(trimmed(slug));
}

/**
 * Makes a file name from the pattern in `easel.output.fileName`: variables are replaced, what is
 * not safe in a name or in a link becomes `-`, and the extension takes the place of an image
 * extension at the pattern's end, or is appended. An empty pattern is the default one, and one of
 * more than 1,000 characters is none. A variable without a value is removed together with the
 * separator that follows it. The result is valid as one path component on Windows, macOS and Linux
 * and has at most 200 bytes in UTF-8 before the extension.
 * @param extension with its dot
 * @throws {FileNameError} where the pattern has an unknown variable, names a folder or is too long
 */
export function fileNameFrom(pattern: string, values: FileNameValues, extension = '.png'): string {
	assertShort(pattern);
	const stem = pattern.trim().replace(imageExtension, '') || defaultFileNamePattern;
	assertUsable(stem);
	// Once each, however often a pattern has them.
	const known = new Map<string, string>();
	const text = stem.replace(variables, (_, name: string, _closing, separator: string) => {
		const value = known.get(name) ?? variableValues[name as Variable](values);
		known.set(name, value);
		return value === '' ? '' : value + separator;
	});
	return safeStem(text, fitsStem) + extension;
}

/**
 * The file name, without extension, of an edit of this file: `diagram.png` and "Make it a night
 * scene" become `diagram-night-scene`. Words at the beginning that only lead up to the change are
 * left out. It is as long as a slug at most, of which the change has at least two fifths: an edit of
 * an edit still tells what it has changed.
 */
export function editedStem(fileName: string, prompt: string): string {
	const words = promptSlug(prompt).split('-');
	const start = words.findIndex((word) => !leadingWords.has(word));
	const change = words.slice(Math.max(0, start)).join('-');
	const name = withoutExtension(beginningOf(fileName, maxReadLength));
	const stem = shorten(name, fitsOriginal).replace(/-+$/, '');
	return notReserved(trimmed(shorten(safeStem(`${stem}-${change}`, fitsStem), fitsSlug)));
}

/**
 * Adds a number before the extension, as the editor does it where a name is taken
 * (`markdown.copyFiles.overwriteBehavior`: `nameIncrementally`): `image.png`, `image-1.png`.
 * @param n at least 1
 */
export function numbered(name: string, n: number): string {
	const extension = posix.extname(name);
	return `${name.slice(0, name.length - extension.length)}-${n}${extension}`;
}

/** The names to try one after another: `name` itself, then numbered from 1. Has no end. */
export function* candidateNames(name: string): Generator<string, never> {
	yield name;
	for (let n = 1; ; n++) {
		yield numbered(name, n);
	}
}

const fallback = 'image';
/** Length of the text that a name is made of, in UTF-16 code units: a name is shorter by far. */
const maxReadLength = 4000;
/** Length of the pattern in a setting, in UTF-16 code units. */
const maxPatternLength = 1000;

// Between letters only: elsewhere they are quotation marks, which separate words.
const apostrophes = /(?<=\p{L}\p{M}*)['’ʼ](?=\p{L})/gu;
// Variation selectors, fillers and the like are marks and letters by category, but invisible. So
// are direction marks and joiners. The keycap is what remains of an emoji such as 1️⃣.
const invisible = /[\p{Default_Ignorable_Code_Point}\u20e3]/gu;
// A mark without a letter before it would change the separator that it follows.
const words = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const unsafe = /[^\p{L}\p{M}\p{N}._+@-]+/gu;
const strayMarks = /(?<![\p{L}\p{M}\p{N}])\p{M}+/gu;
// https://learn.microsoft.com/windows/win32/fileio/naming-a-file: the names of devices, also with
// an extension, also with superscript digits. CONIN$ and CONOUT$ have lost their $ by then.
const reserved = /^(?:con|prn|aux|nul|(?:com|lpt)[\d⁰¹²³⁴-⁹])(?=\.|$)/iu;
const imageExtension = /\.(?:png|jpe?g|webp)$/i;
const variables = /\$\{([^{}]*)(\}?)([-_. ]?)/g;

/** Words at the beginning of an instruction that say nothing about the image. */
const leadingWords = new Set(
	'please make turn change convert transform it this that the a an image picture into to'.split(
		' ',
	),
);

type Variable = 'promptSlug' | 'date' | 'time' | 'size' | 'documentBaseName';

const variableValues: Record<Variable, (values: FileNameValues) => string> = {
	promptSlug: ({ prompt, documentBaseName }) => {
		const slug = promptSlug(prompt);
		return slug === fallback ? documentStem(documentBaseName ?? '') || slug : slug;
	},
	date: ({ time }) => [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(two).join('-'),
	time: ({ time }) => [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(''),
	size: ({ size }) => beginningOf(size, maxPatternLength),
	// Cut to less than the whole name may have, so that the variables after it still fit.
	documentBaseName: ({ documentBaseName = '' }) => documentStem(documentBaseName),
};

const fitsSlug = (text: string) => text.length <= 40 && Buffer.byteLength(text) <= 120;
const fitsOriginal = (text: string) => text.length <= 24 && Buffer.byteLength(text) <= 72;
const fitsDocument = (text: string) => Buffer.byteLength(text) <= 60;
const fitsStem = (text: string) => Buffer.byteLength(text) <= 200;

function withoutArticles(all: readonly string[]): readonly string[] {
	return all.filter((word, at) => at === all.length - 1 || !/^(?:an?|the)$/.test(word));
}

function documentStem(documentBaseName: string): string {
	const name = beginningOf(documentBaseName, maxReadLength);
	return /[\p{L}\p{N}]/u.test(name) ? safeStem(name, fitsDocument) : '';
}

/** The name as it is where it has none, or begins with its only dot. */
function withoutExtension(name: string): string {
	const dot = name.lastIndexOf('.');
	return dot > 0 ? name.slice(0, dot) : name;
}

function assertShort(pattern: string): void {
	if (pattern.length > maxPatternLength) {
		const { length } = pattern;
		throw new FileNameError({ code: 'fileName.tooLong', length, maxLength: maxPatternLength });
	}
}

function assertUsable(stem: string): void {
	const unknown = [...stem.matchAll(variables)]
		.filter(([, name, closing]) => !Object.hasOwn(variableValues, name!) || closing === '')
		.map(([whole, name, closing]) => whole.slice(0, 2 + name!.length + closing!.length));
	if (unknown.length > 0) {
		const known = Object.keys(variableValues).map((name) => `\${${name}}`);
		throw new FileNameError({ code: 'fileName.unknownVariable', unknown, known });
	}
	const folders = stem.match(/[^/\\]*[/\\]/g);
	if (folders !== null) {
		throw new FileNameError({ code: 'fileName.folder', folder: folders.join('') });
	}
}

function safeStem(text: string, fits: (text: string) => boolean): string {
	const safe = normalized(text).replace(strayMarks, '').replace(unsafe, '-');
	// Before, so that it counts; and behind, because a cut may leave nothing else.
	return notReserved(trimmed(shorten(notReserved(trimmed(safe)), fits)));
}

/** In form NFC, which all systems show alike, without invisible characters. */
function normalized(text: string): string {
	return text.replace(invisible, '').normalize('NFC');
}

/** Without dots and hyphens at the ends, which mean something to shells and systems. */
function trimmed(text: string): string {
	return text.replace(/^[-.]+|[-.]+$/g, '') || fallback;
}

function notReserved(name: string): string {
	return name.replace(reserved, `$&-${fallback}`);
}

function two(number: number): string {
	return String(number).padStart(2, '0');
}
