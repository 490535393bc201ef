import {
	mostImages,
	type Reference,
	type SavedState,
	type StudioEvent,
} from '../../protocol/studio.js';

/** What stands in Compose. What is not chosen yet is what the extension begins a draft with. */
export type Draft = SavedState['draft'];

/** What the extension says of itself. */
export type Setup = Extract<StudioEvent, { type: 'setup' }>;

export const emptyDraft: Draft = { prompt: '', count: 1 };

/** What the extension wants to stand in Compose. */
export type Composed = Omit<Extract<StudioEvent, { type: 'compose' }>, 'type'>;

/** Returns a draft with what is given put into it; the rest stays as it is. */
export function draftWith(draft: Draft, { prompt, size, quality }: Composed): Draft {
	return {
		...draft,
		...(prompt === undefined ? {} : { prompt }),
		...(size === undefined ? {} : { size }),
		...(quality === undefined ? {} : { quality }),
	};
}

/** From 1 to the most. */
export const counts: readonly number[] = Array.from(
	{ length: mostImages },
	(_, index) => index + 1,
);

/** The size that is sent. One of an earlier version may not be offered any more. */
export function sizeOf(draft: Draft, { sizes, defaults }: Setup): string {
	const offered = [draft.size, defaults.size].find((size) =>
		sizes.some((option) => option.size === size),
	);
	return offered ?? sizes[0]?.size ?? 'auto';
}

/** Why nothing can be sent, in words for the person who wants to; `undefined` where it can. */
export function whyNot(
	{ prompt }: Draft,
	setup: Setup | undefined,
	references: readonly Reference[] | undefined,
): string | undefined {
	if (setup === undefined || references === undefined) {
		return 'Loading…';
	}
	if (setup.missing.includes('address')) {
		return 'Set up the image service first.';
	}
	if (setup.missing.includes('key')) {
		return 'Set an API key first.';
	}
	const problems = references.filter(({ problem }) => problem).length;
	if (problems > 0) {
		return problems === 1
			? 'Remove the reference image that cannot be used first.'
			: `Remove the ${problems} reference images that cannot be used first.`;
	}
	return /\S/.test(prompt) ? undefined : 'Write a prompt first.';
}

/** What pressing the button means for the money, and for the time where not all run at once. */
export function costWords(count: number, concurrency: number): string {
	if (count === 1) {
		return '1 paid request';
	}
	const together = concurrency < count ? `, ${concurrency} at a time` : '';
	return `${count} paid requests${together}`;
}

export function generateLabel(count: number): string {
	return count === 1 ? 'Generate' : `Generate ${count} Images`;
}

/** `1,234 characters`, as a person counts them, more or less: an emoji of one code point is one. */
export function characterWords(text: string): string {
	const pairs = text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0;
	const count = text.length - pairs;
	return `${count.toLocaleString('en-US')} ${count === 1 ? 'character' : 'characters'}`;
}
