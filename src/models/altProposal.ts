import { framed } from './documentText.js';
import { flattened } from '../editor/untrustedText.js';

/** A proposal as a model has made it, in one line. */
interface Proposal {
	/** Empty for a decorative image. */
	readonly alt: string;
	readonly description: string;
}

/** Reads the answer of a model, which is untrusted text. */
export function readProposal(answer: string): Proposal {
	const [first = '', ...others] = answer.trim().split('\n');
	const alt = flattened(first).replace(/^["“”']+|["“”']+$/g, '');
	return {
		alt: /^decorative\.?$/i.test(alt) ? '' : alt,
		description: others.join('\n').trim(),
	};
}

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
