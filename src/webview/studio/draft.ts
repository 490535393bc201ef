import type { StudioEvent } from '../../protocol/studio.js';
import {
	maxMarkedImages,
	type Image,
	type QualityChoice,
	type StudioReference,
	type StudioState,
	type Style,
} from '../../protocol/studioModel.js';
import { promptOfNotes, type Mark } from '../../images/marks.js';
import { totalPrice, type PricedImage } from '../../service/price.js';
import { sizeProblem, type Size } from '../../service/sizes.js';
import { formatMoney } from '../../images/wording.js';
import { ellipsized } from './prompts.js';
import { hints, pageLabels, pageMessages } from '../messages.js';

/** Draft of the composer; what is missing has the default of the {@link Setup}. */
export type StudioDraft = StudioState['draft'];

/** Setup of the extension. */
export type Setup = Extract<StudioEvent, { type: 'setup' }>;

export const emptyDraft: StudioDraft = { prompt: '', count: 1 };

/** Parts of a draft that the extension puts into the composer. */
export type Composed = Omit<Extract<StudioEvent, { type: 'compose' }>, 'type' | 'references'>;

/**
 * Returns a draft with what is given put into it; the rest stays as it is. What a request brings is
 * nothing that the user has chosen, so it goes with the request.
 */
export function draftWith(
	draft: StudioDraft,
	{ prompt, size, quality, background, withoutStyle, marks }: Composed,
	edited?: StudioReference,
): StudioDraft {
	const { qualityOver, ...rest } = size === undefined ? draft : withoutSize(draft);
	return {
		...rest,
		...(prompt === undefined ? {} : { prompt }),
		...(size === undefined ? {} : { size, ...sizeForEdited(edited) }),
		...(quality === undefined ? (qualityOver === undefined ? {} : { qualityOver }) : { quality }),
		...(background === undefined ? {} : { background }),
		...(withoutStyle === undefined ? {} : { withoutStyle }),
		...(marks === undefined || edited === undefined
			? {}
			: withMarks(draft, markedId(edited), marks)),
	};
}

/**
 * Returns the change of a draft for a size that the user chooses: it counts instead of the setting,
 * as long as that stays; where an image is edited, instead of the size of that image.
 */
export function chosenSize(
	size: string,
	{ defaults }: Setup,
	edited?: StudioReference,
): Partial<StudioDraft> {
	return { size, sizeOver: defaults.size, ...sizeForEdited(edited) };
}

/** Returns the change of a draft for a quality that the user chooses: see {@link chosenSize}. */
export function chosenQuality(quality: QualityChoice, { defaults }: Setup): Partial<StudioDraft> {
	return { quality, qualityOver: defaults.quality };
}

/**
 * Returns the number of images. An edit begins with one; a new image has the number that was chosen last
 * for new ones.
 */
export function countOf({ count, edits }: StudioDraft, edited?: StudioReference): number {
	return edited === undefined ? count : edits?.of === edited.id ? edits.count : 1;
}

/** Returns the change of a draft for a number of new images, or of edits of this one. */
export function chosenCount(count: number, edited?: StudioReference): Partial<StudioDraft> {
	return edited === undefined ? { count } : { edits: { of: edited.id, count } };
}

/** Returns the size that is sent. One of an earlier version may not be offered any more. */
export function sizeOf(
	draft: StudioDraft,
	{ sizes, sizeRule, defaults }: Setup,
	edited?: StudioReference,
): string {
	const isForThis =
		draft.sizeFor === edited?.id || (edited === undefined && draft.sizeOver !== undefined);
	const chosen = isForThis && holds(draft.sizeOver, defaults.size) ? draft.size : undefined;
	const all = { sizes: sizes.map((option) => option.size as Size), sizeRule };
	const offered = [chosen, edited?.size, defaults.size].find(
		(size) => size !== undefined && sizeProblem(size as Size, all) === undefined,
	);
	return offered ?? sizes[0]?.size ?? 'auto';
}

function sizeForEdited(edited: StudioReference | undefined): Pick<StudioDraft, 'sizeFor'> {
	return edited === undefined ? {} : { sizeFor: edited.id };
}

/** Returns the quality that is sent, where {@link sendsQuality} one is. */
export function draftQuality(draft: StudioDraft, { defaults, qualities }: Setup): QualityChoice {
	const chosen = holds(draft.qualityOver, defaults.quality) ? draft.quality : undefined;
	return [chosen, defaults.quality].find((one) => one && qualities.includes(one)) ?? 'unset';
}

/** Returns whether the service takes a quality for what is asked for: with references it may not. */
export function sendsQuality(
	references: readonly StudioReference[],
	draft: StudioDraft,
	setup: Setup,
): boolean {
	return (
		setup.qualities.length > 1 &&
		(setup.editsTakeQuality || sentReferences(references, draft, setup) === 0)
	);
}

/** Returns whether a choice counts: a user who has changed the setting since then wants that. */
function holds(over: string | undefined, setting: string): boolean {
	return over === undefined || over === setting;
}

/**
 * Returns what a draft becomes when it has been sent: the prompt goes, unless it has been changed
 * meanwhile, and what came with a request goes with it.
 */
export function draftAfter(draft: StudioDraft, sent: StudioDraft): StudioDraft {
	return draft.prompt === sent.prompt
		? withoutBrought({ ...withoutSentMarks(draft), prompt: '' })
		: draft;
}

/** Returns a draft without the marks that were sent; those that were changed since stay. */
function withoutSentMarks(draft: StudioDraft): StudioDraft {
	const { sentMarks: sent } = draft;
	const isSent =
		sent !== undefined && JSON.stringify(marksOn(draft, sent.of)) === JSON.stringify(sent.marks);
	return isSent ? { ...draft, ...withMarks(draft, sent.of, []) } : draft;
}

/**
 * Returns a draft without the size and quality that a request has brought: the settings count. The
 * style is left out for one request, not for all from then on.
 */
export function withoutBrought(draft: StudioDraft): StudioDraft {
	const left = draft.sizeOver === undefined ? withoutSize(draft) : { ...draft };
	delete left.withoutStyle;
	if (left.qualityOver === undefined) {
		delete left.quality;
	}
	return left;
}

function withoutSize(draft: StudioDraft): StudioDraft {
	const left = { ...draft };
	delete left.size;
	delete left.sizeOver;
	delete left.sizeFor;
	return left;
}

/** Returns the style of a draft; `undefined` where there is none, or it is left out. */
export function styleOf(
	{ withoutStyle }: StudioDraft,
	setup: Setup | undefined,
): Style | undefined {
	return withoutStyle === true ? undefined : setup?.style;
}

/**
 * Returns the number of reference images that are sent, those of the style among them: with any it
 * is an edit.
 */
export function sentReferences(
	references: readonly StudioReference[],
	draft: StudioDraft,
	setup: Setup | undefined,
): number {
	return references.length + (styleOf(draft, setup)?.references ?? 0);
}

/** Returns the identifier that the marks on a reference image are saved by. */
export function markedId({ image, id }: Pick<StudioReference, 'image' | 'id'>): string {
	return image ?? id;
}

/** Returns the marks on an image. */
export function marksOn({ marks }: StudioDraft, image: string | undefined): readonly Mark[] {
	return marks?.find(({ of }) => of === image)?.marks ?? [];
}

/** Returns the part of a draft that changes with the marks on an image. */
export function withMarks(
	{ marks = [] }: StudioDraft,
	of: string,
	now: readonly Mark[],
): Required<Pick<StudioDraft, 'marks'>> {
	const others = marks.filter((one) => one.of !== of);
	const own = now.length === 0 ? [] : [{ of, marks: [...now] }];
	return { marks: [...others, ...own].slice(-maxMarkedImages) };
}

/** Returns the marks that are sent: those on the image that is edited. */
export function sentMarks(
	draft: StudioDraft,
	references: readonly StudioReference[],
): readonly Mark[] {
	const edited = editedOf(references);
	return edited === undefined ? [] : marksOn(draft, markedId(edited));
}

/** Returns the prompt that is sent: without one, the notes of the marks say what to change. */
export function sentPrompt(draft: StudioDraft, references: readonly StudioReference[]): string {
	return /\S/.test(draft.prompt) ? draft.prompt : promptOfNotes(sentMarks(draft, references));
}

/** Returns the choices of a draft, beside the reference images. */
export function askedFor(draft: StudioDraft, references: readonly StudioReference[], setup: Setup) {
	const marks = sentMarks(draft, references);
	return {
		prompt: sentPrompt(draft, references),
		size: sizeOf(draft, setup, editedOf(references)),
		// What is not shown is not sent.
		quality: sendsQuality(references, draft, setup)
			? draftQuality(draft, setup)
			: ('unset' as const),
		...(setup.offersTransparency === true && { background: draft.background ?? 'auto' }),
		count: countOf(draft, editedOf(references)),
		withoutStyle: draft.withoutStyle === true,
		...(marks.length === 0 ? {} : { marks: [...marks] }),
	};
}

/** Returns the image that is edited; `undefined` where an image is made anew. */
export function editedOf(references: readonly StudioReference[]): StudioReference | undefined {
	return references.find(({ edited }) => edited);
}

/**
 * Returns the name of the image that is edited: `2b`, or the name of one that is not of the studio.
 */
export function referenceName({ label, name }: StudioReference): string {
	return label ?? ellipsized(name, 24);
}

/**
 * Returns words for an edited image that is not the one in view; `undefined` where it is, none is
 * edited or in view, or the composer is about to follow the view.
 */
export function notViewed(
	references: readonly StudioReference[],
	viewed: Pick<Image, 'id' | 'label' | 'name'> | undefined,
): string | undefined {
	const edited = editedOf(references);
	return edited === undefined ||
		viewed === undefined ||
		edited.fromView === true ||
		edited.image === viewed.id
		? undefined
		: hints.editingNot(referenceName(edited), viewed.label || viewed.name);
}

/** Returns why nothing can be sent, in words for the user; `undefined` where it can. */
export function whyNot(
	draft: StudioDraft,
	setup: Setup | undefined,
	references: readonly StudioReference[] | undefined,
): string | undefined {
	if (setup === undefined || references === undefined) {
		return hints.loading;
	}
	if (setup.missing.includes('address')) {
		return pageMessages.setUpFirst;
	}
	if (setup.missing.includes('key')) {
		return pageMessages.setKeyFirst;
	}
	const problems = references.filter(({ problem }) => problem).length;
	if (problems > 0) {
		return pageMessages.removeUnusable(problems);
	}
	const { maxReferences = Infinity } = setup;
	const sent = sentReferences(references, draft, setup);
	if (sent > maxReferences) {
		return pageMessages.tooManyReferences(sent, maxReferences);
	}
	// The placeholder says that there is nothing to send yet.
	return /\S/.test(sentPrompt(draft, references)) ? undefined : '';
}

/**
 * Returns words on what the button means for the money, and for the time where not all run at once.
 */
export function costWords(count: number, concurrency: number, money?: string): string {
	const requests = hints.paidRequests(count);
	return [
		money === undefined ? requests : `${requests} · ${money}`,
		...(concurrency < count ? [hints.atATime(concurrency)] : []),
	].join(', ');
}

/** Returns the cost of a draft, `about €0.16`; `undefined` where no price of it is known. */
export function draftCost(
	draft: StudioDraft,
	references: readonly StudioReference[],
	setup: Setup | undefined,
): string | undefined {
	if (setup?.prices === undefined) {
		return undefined;
	}
	const { size, quality, count } = askedFor(draft, references, setup);
	const image = { size: size as PricedImage['size'], quality };
	const total = totalPrice(new Array<PricedImage>(count).fill(image), setup.prices);
	return total === undefined ? undefined : hints.about(formatMoney(total, setup.prices.currency));
}

/**
 * Returns the label of the button.
 *
 * @param ofStyle how many reference images come with the style
 */
export function generateLabel(
	count: number,
	references: readonly StudioReference[],
	ofStyle = 0,
): string {
	const edited = editedOf(references);
	if (edited !== undefined) {
		return count === 1
			? pageLabels.editImage(referenceName(edited))
			: pageLabels.makeEdits(count, referenceName(edited));
	}
	const length = references.length + ofStyle;
	return length === 0
		? pageLabels.generate(count)
		: pageLabels.generateWith(count, length, references.length === 0);
}

/** Returns the words of the empty field. */
export function placeholderFor(references: readonly StudioReference[]): string {
	return editedOf(references) === undefined ? hints.describe : hints.describeChange;
}

/** `1,234 characters`, as the user counts them, more or less: an emoji of one code point is one. */
export function characterWords(text: string): string {
	const pairs = text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0;
	const count = text.length - pairs;
	return hints.characters(count);
}
