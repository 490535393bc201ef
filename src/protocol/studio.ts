import * as z from 'zod/mini';
import { mostImages } from '../service/mostImages.js';
import type { AnswerTo, EventOf, Protocol, RequestOf } from './channel.js';
import { imageAction, jobAction } from './studioActions.js';

/** In UTF-16 code units. More than anybody writes; a page that sends more means no good. */
export const longestPrompt = 1_000_000;
/** In bytes. What is larger can be picked: a message is copied several times on its way. */
export const largestReference = 50 * 1024 * 1024;
/** So many images are described in one message: more than a screen shows. */
export const mostDescribed = 200;

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
});
export type Reference = z.infer<typeof referenceSchema>;

const jobSchema = z.strictObject({
	id,
	prompt,
	/** `1024 × 1024 · high quality · 2 reference images`. */
	details: text,
	/** Width to height of the image that is to come; 1 where the service chooses. */
	ratio: z.number().check(z.gte(0.05), z.lte(20)),
	/**
	 * `asking`: a person has to decide whether it is sent again; `unsaved`: the image is here and
	 * could not be put where it belongs.
	 */
	state: z.enum(['running', 'asking', 'failed', 'unsaved']),
	/** What it is doing, with the time it takes, or why there is no image. Changes every second. */
	words: text,
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
	/** Whether it was asked for in high quality, or with reference images: nothing to make final. */
	final: z.boolean(),
	/** Whether it was made from another image, whose place it can take. */
	hasOriginal: z.optional(z.boolean()),
	/** Whether the file is where it was saved. Without it there is nothing but the prompt. */
	exists: z.boolean(),
	thumbnail: z.optional(source),
	/** The image itself; missing where it lies outside of what the page may load. */
	source: z.optional(source),
});
export type Image = z.infer<typeof imageSchema>;
const imagesSchema = z.array(imageSchema).check(z.maxLength(mostDescribed));

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
	/** What is given replaces what stands in Compose, which gets the focus. */
	z.strictObject({
		type: z.literal('compose'),
		prompt: z.optional(prompt),
		size: z.optional(size),
		quality: z.optional(quality),
	}),
	/** The jobs that run or have failed, newest first. */
	z.strictObject({ type: z.literal('jobs'), jobs: z.array(jobSchema).check(z.maxLength(1000)) }),
	/** Which images there are, newest first; what they are is asked for with `describe`. */
	z.strictObject({
		type: z.literal('gallery'),
		/** What was searched for; empty for all. */
		search: prompt,
		ids: z.array(id).check(z.maxLength(100_000)),
		/** How many there are without searching. */
		total: z.int().check(z.gte(0)),
	}),
	/** Images that have been described before, as they are now. */
	z.strictObject({ type: z.literal('images'), images: imagesSchema }),
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
	/** The reference images are those that the extension knows of. */
	z.strictObject({
		type: z.literal('generate'),
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
	z.strictObject({ type: z.literal('job'), id, action: jobAction }),
	/** What was found comes as `gallery`. */
	z.strictObject({ type: z.literal('search'), text: prompt }),
	/**
	 * The images that are on the screen now, in that order. They are the answer, which is empty where
	 * another such request has come meanwhile; their thumbnails come later, as `images`.
	 */
	z.strictObject({
		type: z.literal('describe'),
		ids: z.array(id).check(z.maxLength(mostDescribed)),
	}),
	z.strictObject({ type: z.literal('image'), id, action: imageAction }),
	/** The browser could not decode the image, though its header is that of one. */
	z.strictObject({ type: z.literal('undecodable'), id }),
]);

/** What the page of the studio and the extension say to each other. */
export const studioProtocol = {
	request: requestSchema,
	answers: { describe: imagesSchema },
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
	draft: z.strictObject({ prompt, size: z.optional(size), quality: z.optional(quality), count }),
	search: prompt,
	/** The image of the detail view, and the one that it is compared with. */
	shown: z.optional(id),
	compared: z.optional(id),
});
export type SavedState = z.infer<typeof savedStateSchema>;
