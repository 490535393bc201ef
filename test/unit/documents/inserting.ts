import assert from 'node:assert/strict';
import { imageLinkFor } from '../../../src/documents/writeImageLink';
import { linkPlace, placed } from '../../../src/documents/linkPlace';
import { file } from './troublesome';

/** A document in which an image link was written. */
export interface Written {
	readonly text: string;
	/** Offsets of the alt text, which is selected then. */
	readonly alt: { readonly start: number; readonly end: number };
	/** Place of the next image that was asked for together with this one. */
	readonly end: number;
}

/** Writes an image link as the editor does: at a place, with its alt text selected. */
export function insertImage(
	languageId: string,
	text: string,
	asked: { readonly start: number; readonly end: number; readonly behind?: boolean },
	{
		path = 'a.png',
		alt = 'x',
		ownParagraph,
	}: { readonly path?: string; readonly alt?: string; readonly ownParagraph?: boolean } = {},
): Written {
	const place = linkPlace(languageId, text, asked, ownParagraph);
	const link = imageLinkFor(languageId, {
		document: file('/root/docs/page'),
		image: file(`/root/docs/${path}`),
		alt,
		textBefore: text.slice(0, place.span.start),
		form: place.form,
	});
	const { before, alt: written = '', after } = placed(link, place);
	const start = place.span.start + before.length;
	return {
		text: text.slice(0, place.span.start) + before + written + after + text.slice(place.span.end),
		alt: { start, end: start + written.length },
		end: start + written.length + after.length,
	};
}

/** A text with `¦` at the cursor, or `⟦` and `⟧` around what is selected. */
export function marked(text: string) {
	const plain = text.replace(/[⟦⟧¦]/g, '');
	const start = text.search(/[⟦¦]/);
	const end = text.includes('⟧') ? text.indexOf('⟧') - 1 : start;
	return { text: plain, asked: { start, end } };
}

/** Tests of one sentence: each document with its marks, and what it is with an image link. */
export function places(
	languageId: string,
	sentence: string,
	cases: Readonly<Record<string, string>>,
	image: { readonly alt?: string } = {},
): void {
	for (const [before, after] of Object.entries(cases)) {
		test(`in ${languageId} ${sentence}: ${JSON.stringify(before)}`, () => {
			const { text, asked } = marked(before);
			assert.equal(insertImage(languageId, text, asked, image).text, after);
		});
	}
}
