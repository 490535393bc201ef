import { readableSize } from '../images/readableSize.js';
import type { GenerationRequest } from '../jobs/request.js';

/** How much was sent with a request, for a refusal for its size; empty where that was words alone. */
export function sentWords({ references }: Pick<GenerationRequest, 'references'>): string {
	const bytes = readableSize(references.reduce((sum, reference) => sum + reference.bytes, 0));
	switch (references.length) {
		case 0:
			return '';
		case 1:
			return `1 reference image of ${bytes} was sent.`;
		default:
			return `${String(references.length)} reference images were sent, ${bytes} in total.`;
	}
}
