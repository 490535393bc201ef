import { readableDimensions, readableSize } from '../../images/readableSize.js';
import { ImageError } from '../../images/inspect.js';
import type { Reference } from '../../protocol/studio.js';
import type { DraftReference } from './draftReference.js';

/**
 * The reference images as the page shows them.
 *
 * @param thumbnails where it loads them from, by the identifier of the reference
 * @param labelOf of what is an image of the studio
 */
export function shownReferences(
	references: readonly DraftReference[],
	thumbnails: ReadonlyMap<string, string>,
	labelOf: (reference: DraftReference) => string | undefined,
): Reference[] {
	return references.map((reference) => {
		const { id, name, edited, facts } = reference;
		const thumbnail = thumbnails.get(id);
		const label = labelOf(reference);
		const isUsable = !(facts instanceof ImageError);
		return {
			id,
			name: name.slice(0, 300),
			details: isUsable
				? `${readableDimensions(facts)} · ${readableSize(facts.bytes)}`
				: facts.message,
			problem: !isUsable,
			edited,
			...(thumbnail === undefined ? {} : { thumbnail }),
			...(label === undefined ? {} : { label }),
		};
	});
}
