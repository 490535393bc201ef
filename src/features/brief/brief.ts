import { markdownProse, markdownQuote } from '../../editor/markdownQuote.js';
import type { ImageFacts } from '../../images/inspect.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';

/** A prompt on the way to the image. */
export interface Step {
	/** `3a` */
	readonly label: string;
	readonly prompt: string;
	/** Label or name of the edited image; `undefined` where the prompt alone made it. */
	readonly from: string | undefined;
}

/** An image with the link that shows it where the brief stands. */
export interface LinkedImage {
	readonly label: string;
	/** Given by the user. */
	readonly title: string | undefined;
	/** In Markdown. */
	readonly link: string;
}

/** Content of a brief; no text is escaped yet. */
export interface Brief {
	readonly image: LinkedImage;
	readonly name: string;
	/** Use of the image; may be empty. */
	readonly purpose: string;
	/** The user's note on the image; may be empty. */
	readonly note: string;
	/** Oldest first. */
	readonly steps: readonly Step[];
	/** `1536x1024` */
	readonly sizeAsked: string;
	readonly facts: Pick<ImageFacts, 'width' | 'height' | 'bytes'>;
	/** Other starred images. */
	readonly alternatives: readonly LinkedImage[];
}

/** Returns the brief as Markdown that any preview renders. */
export function briefText(brief: Brief): string {
	const { image, name, purpose, note, steps, alternatives } = brief;
	return `${[
		`# ${markdownProse(image.title ?? name)}`,
		image.link,
		...section('What it is for', markdownQuote(purpose)),
		...section('Note', markdownQuote(note)),
		'## How it was made',
		...steps.flatMap(stepText),
		'## Size',
		sizeText(brief),
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

function stepText({ label, prompt, from }: Step): string[] {
	const made = from === undefined ? 'made from this prompt' : `made from ${markdownProse(from)}`;
	return [`**${label}**, ${made}:`, markdownQuote(prompt)];
}

function sizeText({ sizeAsked, facts }: Brief): string {
	const asked =
		sizeAsked === 'auto'
			? 'The image service chose the size.'
			: `Requested in ${sizeAsked.replace('x', ' × ')} pixels.`;
	return `${asked} The file has ${readableDimensions(facts)} pixels, ${readableSize(facts.bytes)}.`;
}

function nameOf({ label, title }: LinkedImage): string {
	return title === undefined ? label : `${label} · ${markdownProse(title)}`;
}
