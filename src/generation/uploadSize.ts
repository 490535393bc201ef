import { readableSize } from '../images/readableSize.js';
import type { Reference } from '../jobs/request.js';
import { messages } from './messages.js';

/** What a request brings along, as far as its size matters. */
export interface UploadedReferences {
	readonly references: readonly Reference[];
	/** Whether they are scaled copies already. */
	readonly smallerReferences?: true | undefined;
}

/** How much was sent with a request, for a refusal for its size; empty where that was words alone. */
export function uploadSize({ references }: UploadedReferences): string {
	const bytes = readableSize(references.reduce((sum, reference) => sum + reference.bytes, 0));
	return references.length === 0 ? '' : messages.sentReferences(references.length, bytes);
}
