import { beginningOf } from '../images/shorten.js';
import type { TextChunk } from './textChunks.js';
import { readXmp, xmpKeyword } from './xmp.js';

/** A named text of a file; both by the program that has written the file. */
export interface Fact {
	readonly name: string;
	readonly text: string;
}

/** Texts that other programs have written into an image. All of it is text of strangers. */
export interface ForeignTexts {
	/** The program, or where the texts stand. */
	readonly source: string;
	readonly facts: readonly Fact[];
}

/** In UTF-16 code units; of a longer text the beginning is shown. */
const maxFactLength = 20_000;
/** Number of texts of one file. */
const maxFacts = 60;

/**
 * Lists the texts that other programs have written into a PNG, under the program's name where its
 * keywords give it away, and what XMP says of the source.
 *
 * @param texts those that Easel has not written itself
 */
export function foreignTexts(
	texts: readonly Pick<TextChunk, 'keyword' | 'text'>[],
): ForeignTexts[] {
	const byKey = new Map<string, string>();
	for (const { keyword, text } of texts) {
		if (text !== undefined && text.trim() !== '' && !byKey.has(keyword)) {
			byKey.set(keyword, text);
		}
	}
	const xmp = Object.entries(readXmp(byKey.get(xmpKeyword) ?? ''));
	byKey.delete(xmpKeyword);
	return [
		{ source: programOf(byKey) ?? 'Text in the file', facts: factsOf([...byKey]) },
		{ source: 'XMP', facts: factsOf(xmp) },
	].filter(({ facts }) => facts.length > 0);
}

function factsOf(texts: readonly (readonly [name: string, text: string])[]): Fact[] {
	return texts.slice(0, maxFacts).map(([name, text]) => ({
		name: beginningOf(name, 100),
		text: beginningOf(text, maxFactLength),
	}));
}

function programOf(texts: ReadonlyMap<string, string>): string | undefined {
	return programs.find(([, keyword, part]) => texts.get(keyword)?.includes(part))?.[0];
}

/** Programs by a keyword that they use, and a part of the text there. */
const programs: readonly (readonly [program: string, keyword: string, part: string])[] = [
	['SwarmUI', 'parameters', '"sui_image_params"'],
	['AUTOMATIC1111', 'parameters', ''],
	['ComfyUI', 'prompt', '"class_type"'],
	['ComfyUI', 'workflow', '"nodes"'],
	['NovelAI', 'Software', 'NovelAI'],
	['InvokeAI', 'invokeai_metadata', ''],
];
