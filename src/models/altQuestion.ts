import { framed } from './documentText.js';

/** Longest text around an image that is sent, in UTF-16 code units. */
export const maxAroundLength = 4_000;

/**
 * Returns the question for an alt text.
 *
 * @param around the text around the image, which is that of strangers
 */
export function altQuestion(around: string): { instructions: string; text: string } {
	const text = framed('document', around);
	return {
		instructions: [
			'You write alternative texts for images in documents, by the rules of the W3C.',
			text.meaning,
			'Look at the picture. If it adds nothing to the text, answer with the single word DECORATIVE.',
			'Otherwise the first line of your answer is the alternative text: what the picture says to a reader of this text, at most 125 characters, without "Image of".',
			'Only for a chart, a diagram or another picture that says more, add an empty line and a long description.',
			'Answer in the language of the document, with nothing else.',
		].join(' '),
		text: text.text,
	};
}
