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
