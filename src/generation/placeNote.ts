import type { Paragraph } from '../editor/richText.js';
import type { Stage } from './progressWords.js';
import type { RunningJob } from './jobList.js';
import type { NewDraft } from '../library/newDrafts.js';
import { labels, phrases } from '../messages.js';

/** Parts of a running image that are shown at its place in a document. */
export type ImageAtPlace = Pick<RunningJob, 'short' | 'stage' | 'words'> & {
	readonly request: Pick<RunningJob['request'], 'id' | 'prompt' | 'size'>;
};

/** Cancels the image whose identifier it takes. */
export const cancelCommand = '_easel.cancelImage';

/**
 * Stages by urgency: of the images at one place, the one at the earliest of these speaks for all.
 */
const urgency: readonly Stage[] = ['asking', 'pausing', 'unknown', 'making', 'queued', 'saving'];

const maxListed = 8;

/**
 * The note at a place where images will stand: how many, and in a word how the one is doing that the
 * user has to know about first. All else is in its hover: a line does not break for a note.
 *
 * @param images at least one, in the order in which they were asked for
 */
export function noteText(images: readonly ImageAtPlace[]): string {
	return phrases.imagesAt(images.length, firstByUrgency(images)?.short ?? '');
}

/** Returns the image that the user has to know about first. */
export function firstByUrgency<Image extends Pick<RunningJob, 'stage'>>(
	images: readonly Image[],
): Image | undefined {
	return [...images].sort((a, b) => urgency.indexOf(a.stage) - urgency.indexOf(b.stage))[0];
}

/** Returns the hover of the note: each prompt once, and below it its images, each with Cancel. */
export function noteHover(images: readonly ImageAtPlace[]): readonly Paragraph[] {
	const listed = images.slice(0, maxListed);
	const more = images.length - listed.length;
	return [
		...listed.flatMap(({ request, words }, index): Paragraph[] => {
			const { id, prompt, size } = request;
			const isSame = listed[index - 1]?.request.prompt === prompt;
			return [
				...(isSame ? [] : [{ type: 'text', text: prompt } as const]),
				{ type: 'text', text: `${size.replace('x', ' × ')} · ${words}` },
				{ type: 'links', links: [{ label: labels.cancel, command: cancelCommand, id }] },
			];
		}),
		...(more > 0 ? [{ type: 'text', text: phrases.andMore(more) } as const] : []),
	];
}

/** Returns what can be done with a new draft, as links. */
export function draftLinks({ type, images }: NewDraft): Extract<Paragraph, { type: 'links' }> {
	const [{ id }] = images;
	const open = { label: type === 'new' ? labels.compare : labels.chooseDraft, id } as const;
	return {
		type: 'links',
		links: [
			{ ...open, command: '_easel.openDraft' },
			...(type === 'new'
				? ([
						{ label: labels.useNew, command: '_easel.useDraft', id },
						{ label: labels.discard, command: '_easel.discardDraft', id },
					] as const)
				: []),
		],
	};
}
