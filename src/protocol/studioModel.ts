import * as z from 'zod/mini';
import { marksSchema } from '../images/marks.js';
import { maxImages, qualities } from '../service/sizes.js';

// What the page of the studio and the extension speak about.

/** In UTF-16 code units. More than anybody writes; a page that sends more means no good. */
export const maxPromptLength = 1_000_000;
/** In bytes. What is larger can be picked: a message is copied several times on its way. */
export const maxReferenceBytes = 50 * 1024 * 1024;
/**
 * Number of rounds and images that are described in one message: more than the largest screen shows
 * of the smallest.
 */
export const maxDescribed = 1000;
/** In UTF-16 code units, of the name that the user gives to an image or a round. */
export const maxNameLength = 100;
/** In UTF-16 code units, of what the user notes about an image. */
export const maxNoteLength = 4000;
/** Number of images that are compared at once. */
export const maxCompared = 4;
/** More reference images than anybody attaches; the service says how many it takes. */
export const maxReferences = 1000;
/** Number of images that are selected at once. */
export const maxSelected = 10_000;
/** Number of images that have marks in the draft; only those of the image that is edited are sent. */
export const maxMarkedImages = 50;
/** Number of questions and choices that are listed. */
export const maxWaitingRows = 200;

/** Ours, of jobs and references: nothing that a path could be made of. */
export const id = z.uuid();
/** For people: names, messages, details. */
export const text = z.string().check(z.maxLength(4000));
export const prompt = z.string().check(z.maxLength(maxPromptLength));
/** Address that the page loads an image from. Another version of the file has another source. */
export const source = z.string().check(z.minLength(1), z.maxLength(20_000));
/** In pixels. */
const length = z.int().check(z.gte(1), z.lte(2 ** 31));
export const size = z.string().check(z.maxLength(20), z.regex(/^(?:auto|\d+x\d+)$/));

export const quality = z.enum(['unset', ...qualities]);
export type QualityChoice = z.infer<typeof quality>;
export const background = z.enum(['auto', 'transparent']);
export type BackgroundChoice = z.infer<typeof background>;

export const imageCount = z.int().check(z.gte(1), z.lte(maxImages));
/** `3a`: the first image of the third round. */
const label = z.string().check(z.maxLength(20));
export const name = z.string().check(z.maxLength(maxNameLength));
export const note = z.string().check(z.maxLength(maxNoteLength));

/** One of the sizes that the service knows. */
export const sizeOptionSchema = z.strictObject({
	size,
	/** `3:2`, or `automatic`. */
	ratio: text,
	use: text,
	experimental: z.boolean(),
});
/** Rule for sizes beside those that are listed: see `SizeRule` of the service. */
export const sizeRuleSchema = z.strictObject({
	...{ multipleOf: length, minEdge: length, maxEdge: length },
	...{ maxRatio: z.optional(z.number().check(z.gte(1))) },
	...{ minPixels: z.optional(length), maxPixels: z.optional(length) },
});
export type SizeOption = z.infer<typeof sizeOptionSchema>;

/** Prices of images, by size and quality: see `PriceList` of the service. */
export const priceListSchema = z.strictObject({
	currency: z.string().check(z.maxLength(3)),
	prices: z.record(z.string().check(z.maxLength(30)), z.number().check(z.gte(0))),
});

/** Steps to do before anything can be sent. */
export const setupProblem = z.enum(['address', 'key']);
export type SetupProblem = z.infer<typeof setupProblem>;

/** Task of a language model for the composer: a prompt for the document beside, or a better one. */
export const modelTask = z.enum(['draft', 'improve']);
export type ModelTaskName = z.infer<typeof modelTask>;

/** SHA-256, hexadecimal. */
export const hash = z.string().check(z.regex(/^[\da-f]{64}$/));

/** The style guide of the workspace, which goes with every prompt. */
export const styleSchema = z.strictObject({
	/** The name of its file. */
	name: text,
	/** SHA-256 of all that it applies; missing where it cannot be used. */
	sha256: z.optional(hash),
	/** Number of reference images that come with it: with any, an image is an edit. */
	references: z.int().check(z.gte(0), z.lte(100)),
	/** Why it cannot be used. */
	problem: z.optional(text),
});
export type Style = z.infer<typeof styleSchema>;

/** A reference image, in the order in which they are sent. */
export const studioReferenceSchema = z.strictObject({
	id,
	name: text,
	/** `1024 × 1024 · 1.2 MB`, or why it cannot be used. */
	details: text,
	/** Set where it cannot be used: it must be removed before anything is sent. */
	problem: z.boolean(),
	/** A small picture of it; missing where there is none (yet). */
	thumbnail: z.optional(source),
	/** True where it is the image that is edited: the first of them, and the only one. */
	edited: z.boolean(),
	/** Set where it is edited because it is the image in view: another one in view replaces it. */
	fromView: z.optional(z.boolean()),
	/** For the image that is edited: the size nearest to its own. */
	size: z.optional(size),
	/** Label of an image of the studio, which can be shown; a file of the folder has no label. */
	label: z.optional(label),
	image: z.optional(id),
});
export type StudioReference = z.infer<typeof studioReferenceSchema>;

/** Action of the user on a job. */
export const jobAction = z.enum([
	'cancel',
	/** Sends the same request again. */
	'again',
	/** The same, where an image may have been made and charged already. */
	'sendAgain',
	/** The same with smaller copies of the references. */
	'sendSmaller',
	/** The answer to the question whether to send again: no. */
	'stop',
	/** Asks for a key, or for the address too, then sends the same request again. */
	'setKey',
	'useAnotherKey',
	'setUp',
	/** Opens the page of the service where the account is verified. */
	'verify',
	/** Leads to the setting that is wrong. */
	'openSettings',
	/** Takes the request into the composer. */
	'change',
	/** Forgets the card. */
	'dismiss',
	'showLog',
	/** The image is here; asks where to put it. */
	'saveAs',
	/** Puts it where it belongs, if that works now. */
	'saveAgain',
	/** Gives the image up. */
	'discard',
	/** An answer that was not understood is kept: saves it, shows it, gives it up after a question. */
	'saveAnswer',
	'showAnswer',
	'discardAnswer',
	/** A link came in place of the image. */
	'openLink',
	'copyLink',
]);
export type JobAction = z.infer<typeof jobAction>;

export const jobSchema = z.strictObject({
	id,
	/** Place among the rounds. */
	label,
	prompt,
	/** `1024 × 1024 · high quality · 2 reference images`. */
	details: text,
	/**
	 * `asking`: the user has to decide whether it is sent again; `unsaved`: the image is here and
	 * could not be put where it belongs.
	 */
	state: z.enum(['running', 'asking', 'failed', 'unsaved']),
	/**
	 * Words on what it is doing, with the time it takes, or why there is no image. Changes every
	 * second.
	 */
	words: text,
	/** Words on what a failure means for the money. */
	charge: z.optional(text),
	/** The same in few words, for a small tile: `1:12`, `Queued`, `Failed`. */
	short: text,
	/** Cause of a failure: those of one cause are shown once, and handled together. */
	cause: z.optional(text),
	/** The same without what changes every second: what a screen reader announces. */
	announcement: text,
	/** Probable progress, from 0 to 1; missing where that is not known. */
	progress: z.optional(z.number().check(z.gte(0), z.lte(1))),
	actions: z.array(jobAction).check(z.maxLength(jobAction.options.length)),
	/** The label of `sendAgain`, where it says which try that is. */
	sendAgainLabel: z.optional(text),
});
export type Job = z.infer<typeof jobSchema>;

/** Description of one image. */
export const imageSchema = z.strictObject({
	id,
	prompt,
	/** The file's name. */
	name: text,
	/** The file, relative to the workspace where it lies in it, else its name alone. */
	path: text,
	/** `1024 × 1024 · 1.2 MB · 5 minutes ago · By an agent`. */
	details: text,
	width: length,
	height: length,
	/** Set for a file of the folder that is not in the gallery: it has no prompt, label, star, title or note. */
	isUnlisted: z.optional(z.boolean()),
	/** Why there is no picture of it. */
	problem: z.optional(text),
	/**
	 * True where it was asked for in high quality, or with reference images, which know no quality.
	 */
	final: z.boolean(),
	label,
	/** True where the user has put a star on it. */
	isFavorite: z.boolean(),
	/** Name given by the user. */
	title: z.optional(name),
	/** Note of the user. */
	note: z.optional(note),
	/**
	 * The images that it comes from, the first one first and the one that was edited last; empty for
	 * what was made of a prompt alone. `id` is missing where it is none of the studio's.
	 */
	chain: z.array(z.strictObject({ label: text, id: z.optional(id) })).check(z.maxLength(100)),
	/** Marks that it was edited with; `on` is their image, where that is one of the studio's. */
	marked: z.optional(z.strictObject({ marks: marksSchema, on: z.optional(id) })),
	/** True where it was made from another image, whose place it can take. */
	hasOriginal: z.optional(z.boolean()),
	/** True for an answer to marks whose original's rest can be kept, in an image that is not there. */
	lacksRest: z.optional(z.boolean()),
	/** True where the file is where it was saved. Without it there is nothing but the prompt. */
	exists: z.boolean(),
	thumbnail: z.optional(source),
	/** The image itself; missing where it lies outside of what the page may load. */
	source: z.optional(source),
	/** The file's own URI, for dragging it elsewhere; missing where the page may not load it. */
	uri: z.optional(source),
});
export type Image = z.infer<typeof imageSchema>;

/** Action on an image of the gallery. */
export const imageAction = z.enum([
	'insert',
	/** It is added to the style guide. */
	'useAsStyle',
	/** Its request comes into the composer exactly as it was, with its reference images. */
	'usePrompt',
	/** Its request comes into the composer in high quality; nothing is sent. */
	'useInHighQuality',
	/** It takes the place of the image that it was made from. */
	'replace',
	/** It gets the pixels of its original outside of its marks, as another image. */
	'keepRest',
	'copyImageLink',
	'copyPrompt',
	'showProvenance',
	'export',
	/** A variant of it for dark pages is asked for. */
	'makeDark',
	'open',
	'reveal',
	'saveAs',
]);

/** Action on several images of the gallery at once, or with one. */
export const imagesAction = z.enum([
	/** They become further reference images. */
	'addReference',
	/** Writes a brief beside the first one, which names the others as alternatives. */
	'writeBrief',
	/** Shows two of them side by side in a tab, where one is not in the gallery. */
	'compare',
	/** To the recycle bin. */
	'remove',
]);
export type ImagesAction = z.infer<typeof imagesAction>;
export type ImageAction = z.infer<typeof imageAction>;

/** Description of one round. */
export const roundSchema = z.strictObject({
	/** The round’s identifier, or that of its only image. */
	id,
	/** `Round 3`. */
	title: text,
	/** Name given by the user. */
	name: z.optional(name),
	/** The first of its prompts, its beginning. */
	prompt: text,
	/** Number of different prompts its images have: more than one in a series. */
	prompts: z.int().check(z.gte(1)),
	/** The image that it continues. `id` is missing where it is none of the studio's. */
	from: z.optional(z.strictObject({ label: text, id: z.optional(id) })),
	/** True where the user has folded it up. */
	collapsed: z.boolean(),
	/** `5 minutes ago`. */
	age: text,
	/** Who has asked for it, where that was not the user: `By Claude Code`. */
	origin: z.optional(text),
});
export type StudioRound = z.infer<typeof roundSchema>;

/** More have no room on a screen; the largest series of missing images stays below. */
export const maxInRound = 10_000;
const maxRounds = 100_000;
/** Width to height: a picture that is flatter or longer has edges. */
export const maxRatio = 20;
export const minRatio = 0.05;

const slotSchema = z.strictObject({
	/** The job’s identifier, which the image has as well. */
	id,
	/** A job is being made, has failed or is not saved. */
	kind: z.enum(['image', 'job']),
	/** Width to height: of the image; of one that is to come what was asked for, 1 where the service chooses. */
	ratio: z.number().check(z.gte(minRatio), z.lte(maxRatio)),
	/** The answer of the round that it is with the rest of its original: both are one draft. */
	restores: z.optional(id),
});
/** A place of a round. */
export type StudioSlot = z.infer<typeof slotSchema>;

const placesSchema = z.strictObject({
	/** The round’s identifier, or that of its only image. */
	id,
	slots: z.array(slotSchema).check(z.minLength(1), z.maxLength(maxInRound)),
	/** True where the user has folded it up; then it takes one line, before it is described. */
	collapsed: z.optional(z.boolean()),
});
/** All rounds, thousands of them, as far as they have to be known before they are on the screen. */
export const roundsSchema = z.array(placesSchema).check(z.maxLength(maxRounds));

/** Which images are looked for. */
export const querySchema = z.strictObject({
	/** All of its words are in the prompt, the name, the title or the note. Empty for all. */
	text: prompt,
	/**
	 * `older`: those that do not have the style of now, and were not made again with it; `folder`: those
	 * that lie where the document or the image beside the studio does; `files`: all images of the folder
	 * that the user has chosen, those of other programs too, as one round.
	 */
	among: z.enum(['all', 'favorites', 'older', 'folder', 'files']),
	/** Only those that were asked for in this size. */
	size: z.optional(size),
});
export type Query = z.infer<typeof querySchema>;
export const everything: Query = { text: '', among: 'all' };

/** A question or a choice that waits for the user. */
export const waitingSchema = z.strictObject({
	id,
	icon: z.enum(['question', 'git-compare']),
	label: text,
});
export type WaitingRow = z.infer<typeof waitingSchema>;

/** Descriptions of what is on the screen. */
export const descriptionSchema = z.strictObject({
	rounds: z.array(roundSchema).check(z.maxLength(maxDescribed)),
	images: z.array(imageSchema).check(z.maxLength(maxDescribed)),
});
export type Description = z.infer<typeof descriptionSchema>;

/** State that the page saves with the editor. */
export const studioStateSchema = z.strictObject({
	draft: z.strictObject({
		prompt,
		size: z.optional(size),
		/** The reference that was edited when the size was chosen; missing where none was. */
		sizeFor: z.optional(id),
		quality: z.optional(quality),
		background: z.optional(background),
		/** Number of new images, and of edits of one reference; of any other it is 1. */
		count: imageCount,
		edits: z.optional(z.strictObject({ of: id, count: imageCount })),
		/** True where the style is left out for what is asked for next. */
		withoutStyle: z.optional(z.boolean()),
		/**
		 * Setting at the time when the user chose another size or quality; missing where none did.
		 */
		sizeOver: z.optional(size),
		qualityOver: z.optional(quality),
		/** Marks by their image, or the reference that is none of the studio's; the newest last. */
		marks: z.optional(
			z.array(z.strictObject({ of: id, marks: marksSchema })).check(z.maxLength(maxMarkedImages)),
		),
		/** Marks of the last message, which come back with its prompt. */
		sentMarks: z.optional(z.strictObject({ prompt, of: id, marks: marksSchema })),
	}),
	query: querySchema,
	/** The image of the detail view. */
	shown: z.optional(id),
	/** The images that are compared. */
	compared: z.optional(z.array(id).check(z.minLength(2), z.maxLength(maxCompared))),
	/** The images of a folder; missing where none was opened yet. */
	folder: z.optional(
		z.strictObject({
			cells: z.enum(['small', 'medium', 'large']),
			/** The image that had the tab stop: where the user was. */
			at: z.optional(id),
		}),
	),
});
export type StudioState = z.infer<typeof studioStateSchema>;
