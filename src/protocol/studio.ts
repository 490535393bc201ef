import * as z from 'zod/mini';
import { mostImages } from '../service/mostImages.js';
import type { AnswerTo, EventOf, Protocol, RequestOf } from './channel.js';
import { imageAction, jobAction } from './studioActions.js';

/** In UTF-16 code units. More than anybody writes; a page that sends more means no good. */
export const longestPrompt = 1_000_000;
/** In bytes. What is larger can be picked: a message is copied several times on its way. */
export const largestReference = 50 * 1024 * 1024;
/** So many rounds and so many images are described in one message: more than a screen shows. */
export const mostDescribed = 200;
/** In UTF-16 code units, of the name that a person gives to an image or a round. */
export const longestName = 100;
/** In UTF-16 code units, of what a person notes about an image. */
export const longestNote = 4000;
/** So many images are compared at once. */
export const mostCompared = 4;
/** More have no room on a screen; the largest series of missing images stays below. */
export const mostInRound = 10_000;

/** Ours, of jobs and references: nothing that a path could be made of. */
const id = z.uuid();
/** For people: names, messages, details. */
const text = z.string().check(z.maxLength(4000));
const prompt = z.string().check(z.maxLength(longestPrompt));
/** Where the page loads an image from. Another version of the file has another source. */
const source = z.string().check(z.minLength(1), z.maxLength(20_000));
/** In pixels. */
const length = z.int().check(z.gte(1), z.lte(2 ** 31));
/** Wall-clock time, in milliseconds since 1970. */
const time = z.int().check(z.gte(0));
const size = z.string().check(z.maxLength(20), z.regex(/^(?:auto|\d+x\d+)$/));

const quality = z.enum(['unset', 'low', 'high']);
export type Quality = z.infer<typeof quality>;
export { qualityNames } from '../service/qualityNames.js';
export { mostImages } from '../service/mostImages.js';

const count = z.int().check(z.gte(1), z.lte(mostImages));
/** `3a`: the first image of the third round. */
const label = z.string().check(z.maxLength(20));
const name = z.string().check(z.maxLength(longestName));
const note = z.string().check(z.maxLength(longestNote));
/** Width to height. */
const ratio = z.number().check(z.gte(0.05), z.lte(20));

// --- What the extension tells the page

/** One of the sizes that the service knows. */
const sizeOptionSchema = z.strictObject({
	size,
	/** `3:2`, or `automatic`. */
	ratio: text,
	use: text,
	experimental: z.boolean(),
});
export type SizeOption = z.infer<typeof sizeOptionSchema>;

/** What has to be done before anything can be sent. */
const setupProblem = z.enum(['address', 'key']);
export type SetupProblem = z.infer<typeof setupProblem>;

/** A reference image, in the order in which they are sent. */
const referenceSchema = z.strictObject({
	id,
	name: text,
	/** `1024 × 1024 · 1.2 MB`, or why it cannot be used. */
	details: text,
	/** Set where it cannot be used: it must be removed before anything is sent. */
	problem: z.boolean(),
	/** A small picture of it; missing where there is none (yet). */
	thumbnail: z.optional(source),
	/** Whether it is the image that is edited: the first of them, and the only one. */
	edited: z.boolean(),
	/** Of an image of the studio, which can be shown. */
	label: z.optional(label),
	image: z.optional(id),
});
export type Reference = z.infer<typeof referenceSchema>;

const jobSchema = z.strictObject({
	id,
	/** Where it stands among the rounds. */
	label,
	prompt,
	/** `1024 × 1024 · high quality · 2 reference images`. */
	details: text,
	/**
	 * `asking`: a person has to decide whether it is sent again; `unsaved`: the image is here and
	 * could not be put where it belongs.
	 */
	state: z.enum(['running', 'asking', 'failed', 'unsaved']),
	/** What it is doing, with the time it takes, or why there is no image. Changes every second. */
	words: text,
	/** The same in few words, for a small tile: `1:12`, `Queued`, `Failed`. */
	short: text,
	/** Of a failure: those that have the same one are told once, and dealt with together. */
	cause: z.optional(text),
	/** The same without what changes every second: what a screen reader is told. */
	announcement: text,
	/** How far it probably is, from 0 to 1; missing where nobody can tell. */
	progress: z.optional(z.number().check(z.gte(0), z.lte(1))),
	actions: z.array(jobAction).check(z.maxLength(jobAction.options.length)),
});
export type Job = z.infer<typeof jobSchema>;

/** What the gallery shows of one image. */
const imageSchema = z.strictObject({
	id,
	prompt,
	/** The file's name. */
	name: text,
	/** The file, relative to the workspace where it lies in it, else its name alone. */
	path: text,
	/** `1024 × 1024 · 1.2 MB · 5 minutes ago`. */
	details: text,
	width: length,
	height: length,
	madeAt: time,
	/** Whether it was asked for in high quality, or with reference images, which know no quality. */
	final: z.boolean(),
	label,
	/** Whether a person has chosen to keep it. */
	kept: z.boolean(),
	/** What a person calls it. */
	title: z.optional(name),
	/** What a person has noted about it. */
	note: z.optional(note),
	/**
	 * The images that it comes from, the first one first and the one that was edited last; empty for
	 * what was made of a prompt alone. `id` is missing where it is none of the studio's.
	 */
	chain: z.array(z.strictObject({ label: text, id: z.optional(id) })).check(z.maxLength(100)),
	/** Whether it was made from another image, whose place it can take. */
	hasOriginal: z.optional(z.boolean()),
	/** Whether the file is where it was saved. Without it there is nothing but the prompt. */
	exists: z.boolean(),
	thumbnail: z.optional(source),
	/** The image itself; missing where it lies outside of what the page may load. */
	source: z.optional(source),
});
export type Image = z.infer<typeof imageSchema>;

/** What the page shows of one round. */
const roundSchema = z.strictObject({
	/** That of the round, or of its only image. */
	id,
	/** `Round 3`. */
	title: text,
	/** What a person calls it. */
	name: z.optional(name),
	/** The first of its prompts, its beginning. */
	prompt: text,
	/** How many different prompts its images have: more than one in a series. */
	prompts: z.int().check(z.gte(1)),
	/** The image that it continues. `id` is missing where it is none of the studio's. */
	from: z.optional(z.strictObject({ label: text, id: z.optional(id) })),
	/** Whether a person has folded it up. */
	collapsed: z.boolean(),
	/** `5 minutes ago`. */
	age: text,
});
export type Round = z.infer<typeof roundSchema>;

const descriptionSchema = z.strictObject({
	rounds: z.array(roundSchema).check(z.maxLength(mostDescribed)),
	images: z.array(imageSchema).check(z.maxLength(mostDescribed)),
});
export type Description = z.infer<typeof descriptionSchema>;

/** Which images are looked for. */
const querySchema = z.strictObject({
	/** All of its words are in the prompt, the name, the title or the note. Empty for all. */
	text: prompt,
	/** `folder`: those that lie where the document or the image beside the studio does. */
	among: z.enum(['all', 'kept', 'folder']),
	/** Only those that were asked for in this size. */
	size: z.optional(size),
});
export type Query = z.infer<typeof querySchema>;
export const everything: Query = { text: '', among: 'all' };

/** A place of a round: an image that is there, or one that is being made, has failed, is not saved. */
const slotSchema = z.strictObject({
	/** That of the job, which the image has as well. */
	id,
	kind: z.enum(['image', 'job']),
	/** Of the image; of one that is to come what was asked for, 1 where the service chooses. */
	ratio,
});
export type Slot = z.infer<typeof slotSchema>;

const eventSchema = z.discriminatedUnion('type', [
	/** Comes first, once, and again whenever one of it changes. */
	z.strictObject({
		type: z.literal('setup'),
		sizes: z.array(sizeOptionSchema).check(z.minLength(1), z.maxLength(50)),
		/** What a new draft begins with. */
		defaults: z.strictObject({ size, quality }),
		missing: z.array(setupProblem),
		/** How many images are made at the same time, in all windows together. */
		concurrency: z.int().check(z.gte(1)),
		/** The last prompts, newest first. */
		history: z.array(prompt).check(z.maxLength(100)),
	}),
	/** The reference images, all of them. */
	z.strictObject({
		type: z.literal('references'),
		references: z.array(referenceSchema).check(z.maxLength(1000)),
	}),
	/** What is given replaces what stands in the composer, which gets the focus. */
	z.strictObject({
		type: z.literal('compose'),
		references: z.array(referenceSchema).check(z.maxLength(1000)),
		prompt: z.optional(prompt),
		size: z.optional(size),
		quality: z.optional(quality),
		count: z.optional(count),
		/** What a person should know about it: a reference image that is not there any more. */
		words: z.optional(text),
	}),
	/** The jobs that run or have failed, newest first. */
	z.strictObject({ type: z.literal('jobs'), jobs: z.array(jobSchema).check(z.maxLength(1000)) }),
	/** Which rounds there are, newest first; what they are is asked for with `describe`. */
	z.strictObject({
		type: z.literal('rounds'),
		/** What was looked for. */
		query: querySchema,
		rounds: z
			.array(
				z.strictObject({
					id,
					slots: z.array(slotSchema).check(z.minLength(1), z.maxLength(mostInRound)),
					/** Whether a person has folded it up; then it takes one line, before it is described. */
					collapsed: z.optional(z.boolean()),
				}),
			)
			.check(z.maxLength(100_000)),
		/** How many images there are, kept ones among them, whatever is looked for. */
		total: z.int().check(z.gte(0)),
		kept: z.int().check(z.gte(0)),
		/** The name of the folder that `folder` stands for; missing where there is none. */
		folder: z.optional(text),
	}),
	/** Rounds and images that have been described before, as they are now. */
	z.strictObject({ type: z.literal('described'), ...descriptionSchema.shape }),
	/**
	 * What has become of `generate`: whether all that was asked for is in the journal, so that nothing
	 * of it can be lost. Else the draft is still needed.
	 */
	z.strictObject({ type: z.literal('asked'), accepted: z.boolean() }),
	/** Something happened that no other part of the page shows. */
	z.strictObject({
		type: z.literal('notice'),
		severity: z.enum(['info', 'warning', 'error']),
		text,
		/** The image that can be brought back. */
		undo: z.optional(id),
	}),
]);

// --- What the page asks the extension for

/**
 * What takes a person or the service its time is answered when it has begun, and a failure after that
 * comes as a `notice`. Everything else is answered when it is done.
 */
const requestSchema = z.discriminatedUnion('type', [
	/** The page stands and wants to be told everything; it has been when this is answered. */
	z.strictObject({ type: z.literal('ready') }),
	/**
	 * Makes images, or edits the image that is named. Where the reference images are others than
	 * those that the page shows, that is an error and nothing is sent.
	 */
	z.strictObject({
		type: z.literal('generate'),
		/** The reference images that are shown, in order. */
		references: z.array(id).check(z.maxLength(1000)),
		/** That of them which is edited. */
		edited: z.optional(id),
		prompt: prompt.check(z.regex(/\S/)),
		size,
		quality,
		count,
	}),
	z.strictObject({ type: z.literal('setUp'), problem: setupProblem }),
	/** Opens the picker. */
	z.strictObject({ type: z.literal('pickReferences') }),
	/** URIs that were dropped; only those within the workspace are taken. */
	z.strictObject({
		type: z.literal('dropReferences'),
		uris: z.array(z.string().check(z.minLength(1), z.maxLength(20_000))).check(z.maxLength(100)),
	}),
	/** A file that was dropped from elsewhere, or pasted. */
	z.strictObject({
		type: z.literal('addReference'),
		name: z.string().check(z.maxLength(1000)),
		bytes: z
			.instanceof(Uint8Array)
			.check(z.refine((bytes) => bytes.length > 0 && bytes.length <= largestReference)),
	}),
	z.strictObject({ type: z.literal('removeReference'), id }),
	/** @param to counts from 0, without the one that moves */
	z.strictObject({
		type: z.literal('moveReference'),
		id,
		to: z.int().check(z.gte(0), z.lte(1000)),
	}),
	/** It becomes the image that is edited, in the place of the one before. */
	z.strictObject({ type: z.literal('editReference'), id }),
	z.strictObject({ type: z.literal('job'), id, action: jobAction }),
	/** The same for all of a round that have failed, or all with one cause. */
	z.strictObject({
		type: z.literal('jobs'),
		ids: z.array(id).check(z.minLength(1), z.maxLength(1000)),
		action: z.enum(['again', 'dismiss']),
	}),
	/** What was found comes as `rounds`. */
	z.strictObject({ type: z.literal('search'), query: querySchema }),
	/**
	 * The rounds and images that are on the screen now, in that order. They are the answer, which is
	 * empty where another such request has come meanwhile; thumbnails come later, as `described`.
	 */
	z.strictObject({
		type: z.literal('describe'),
		rounds: z.array(id).check(z.maxLength(mostDescribed)),
		images: z.array(id).check(z.maxLength(mostDescribed)),
	}),
	z.strictObject({ type: z.literal('image'), id, action: imageAction }),
	/** What a person decides about an image; what is not given stays. An empty text takes it away. */
	z.strictObject({
		type: z.literal('markImage'),
		id,
		kept: z.optional(z.boolean()),
		title: z.optional(name),
		note: z.optional(note),
	}),
	/** The same about a round. */
	z.strictObject({
		type: z.literal('markRound'),
		id,
		name: z.optional(name),
		collapsed: z.optional(z.boolean()),
	}),
	/** Makes all of a round once more, as a round of its own; asked about first, with its cost. */
	z.strictObject({ type: z.literal('roundAgain'), id }),
	/** The browser could not decode the image, though its header is that of one. */
	z.strictObject({ type: z.literal('undecodable'), id }),
]);

/** What the page of the studio and the extension say to each other. */
export const studioProtocol = {
	request: requestSchema,
	answers: { describe: descriptionSchema },
	event: eventSchema,
} satisfies Protocol;
export type StudioRequest = RequestOf<typeof studioProtocol>;
export type StudioEvent = EventOf<typeof studioProtocol>;

/** Asks the extension for something. Rejects with a `ChannelError`. */
export type Ask = <Request extends StudioRequest>(
	request: Request,
) => Promise<AnswerTo<typeof studioProtocol, Request['type']>>;

// --- What the page keeps with the editor

export const savedStateSchema = z.strictObject({
	draft: z.strictObject({
		prompt,
		size: z.optional(size),
		quality: z.optional(quality),
		count,
		/** What the setting was when a person chose another size, or quality; missing where none did. */
		sizeOver: z.optional(size),
		qualityOver: z.optional(quality),
	}),
	query: querySchema,
	/** The image of the detail view. */
	shown: z.optional(id),
	/** The images that are compared. */
	compared: z.optional(z.array(id).check(z.minLength(2), z.maxLength(mostCompared))),
});
export type SavedState = z.infer<typeof savedStateSchema>;
