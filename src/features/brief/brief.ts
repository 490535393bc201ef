import type { Overlay } from '../../asking/requestCommands.js';
import { markdownProse, markdownQuote } from '../../editor/markdownQuote.js';
import type { ImageFacts } from '../../images/inspect.js';
import type { Mark } from '../../images/marks.js';
import { placeWords } from '../../images/marks/words.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';

/** A prompt on the way to the image. */
export interface Step {
	/** File name of its image. A label such as `3a` is another one for others. */
	readonly name: string;
	readonly prompt: string;
	/** File name of the edited image; `undefined` where the prompt alone made it. */
	readonly from: string | undefined;
	/** Places on the edited image that were to change, where the edit had any. */
	readonly marks?: readonly Mark[] | undefined;
	/** File name of the image whose pixels it has outside of the marks, where it was made without the service. */
	readonly restOf?: string | undefined;
}

/** An image with the link that shows it where the brief stands. */
export interface LinkedImage {
	readonly name: string;
	/** Given by the user. */
	readonly title: string | undefined;
	/** In Markdown. */
	readonly link: string;
}

/** Content of a brief; no text is escaped yet. */
export interface Brief {
	readonly image: LinkedImage;
	/** Use of the image; may be empty. */
	readonly purpose: string;
	/** The user's note on the image; may be empty. */
	readonly note: string;
	/** Oldest first. */
	readonly steps: readonly Step[];
	/** `1536x1024` */
	readonly sizeAsked: string;
	readonly facts: Pick<ImageFacts, 'width' | 'height' | 'bytes'>;
	/** An image that was laid over it, such as a screenshot of what is built. */
	readonly overlay?: Pick<Overlay, 'part' | 'threshold'> & { readonly image: LinkedImage };
	/** Other starred images. */
	readonly alternatives: readonly LinkedImage[];
}

/** Returns the brief as Markdown that any preview renders. */
export function briefText(brief: Brief): string {
	const { image, purpose, note, steps, overlay, alternatives } = brief;
	return `${[
		`# ${markdownProse(image.title ?? image.name)}`,
		image.link,
		...section('What it is for', markdownQuote(purpose)),
		...section('Note', markdownQuote(note)),
		'## How it was made',
		...steps.flatMap(stepText),
		'## Size',
		sizeText(brief),
		...(overlay === undefined ? [] : overlayText(overlay)),
		'## Text in the picture',
		'Text and numbers in the picture are placeholders. Write your own.',
		...section(
			'Other starred drafts',
			alternatives.map((one) => [`**${nameOf(one)}**`, one.link].join('\n\n')).join('\n\n'),
		),
	].join('\n\n')}\n`;
}

function section(title: string, text: string): string[] {
	return text === '' ? [] : [`## ${title}`, text];
}

function stepText({ name, prompt, from, marks = [], restOf }: Step): string[] {
	const made = from === undefined ? 'made from this prompt' : `made from ${markdownProse(from)}`;
	if (restOf !== undefined) {
		const rest = `outside of the marks it has the pixels of ${markdownProse(restOf)}`;
		return [`**${markdownProse(name)}**, ${made}: ${rest}.`];
	}
	const notes = marks.map((mark, index) => {
		const note = mark.note.trim() === '' ? '' : `: ${markdownProse(mark.note.trim())}`;
		return `${String(index + 1)}. ${markdownProse(placeWords(mark))}${note}`;
	});
	return [
		`**${markdownProse(name)}**, ${made}:`,
		markdownQuote(prompt),
		...(notes.length === 0
			? []
			: [`Only these places of ${markdownProse(from ?? '')} were to change:`, notes.join('\n')]),
	];
}

function overlayText({ image, part, threshold }: NonNullable<Brief['overlay']>): string[] {
	const percent = (part ?? 0) * 100;
	const share = percent < 10 ? percent.toFixed(1).replace(/\.0$/, '') : percent.toFixed(0);
	const differs = `in ${share} % of the picture, a color channel differs by ${String(Math.round(threshold))} % or more`;
	const laid = `${nameOf(image)}, laid over the picture`;
	return [
		'## What it was compared with',
		image.link,
		part === undefined ? `${laid}.` : `${laid}: ${differs}.`,
	];
}

function sizeText({ sizeAsked, facts }: Brief): string {
	const asked =
		sizeAsked === 'auto'
			? 'The image service chose the size.'
			: `Requested in ${sizeAsked.replace('x', ' × ')} pixels.`;
	return `${asked} The file has ${readableDimensions(facts)} pixels, ${readableSize(facts.bytes)}.`;
}

function nameOf({ name, title }: LinkedImage): string {
	return markdownProse(title === undefined ? name : `${name} · ${title}`);
}
