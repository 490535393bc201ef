import * as z from 'zod/mini';
import { marksSchema } from '../images/marks.js';
import type { EventOf, Protocol, RequestOf } from './channel.js';
import {
	id,
	text,
	prompt,
	size,
	quality,
	background,
	imageCount,
	name,
	note,
	setupProblem,
	sizeOptionSchema,
	sizeRuleSchema,
	hash,
	studioReferenceSchema,
	styleSchema,
	jobSchema,
	descriptionSchema,
	querySchema,
	maxReferenceBytes,
	modelTask,
	maxReferences,
	maxSelected,
	maxWaitingRows,
	waitingSchema,
	maxDescribed,
	imageAction,
	imagesAction,
	jobAction,
	roundsSchema,
	priceListSchema,
} from './studioModel.js';

// --- What the extension tells the page

const eventSchema = z.discriminatedUnion('type', [
	/** Comes first, once, and again whenever one of it changes. */
	z.strictObject({
		type: z.literal('setup'),
		sizes: z.array(sizeOptionSchema).check(z.minLength(1), z.maxLength(50)),
		/** Missing where the service has no other sizes. */
		sizeRule: z.optional(sizeRuleSchema),
		/** Those that the service offers; `unset` alone where it takes none. */
		qualities: z.array(quality).check(z.minLength(1)),
		/** True where it takes one with reference images, too. */
		editsTakeQuality: z.boolean(),
		/** True where it makes transparent backgrounds. */
		offersTransparency: z.optional(z.boolean()),
		/** Limit of reference images, those of the style among them; missing where none is known. */
		maxReferences: z.optional(z.int().check(z.gte(1))),
		/** Choices that a new draft begins with. */
		defaults: z.strictObject({ size, quality }),
		missing: z.array(setupProblem),
		/** Limit of images that are made at the same time, in all windows together. */
		concurrency: z.int().check(z.gte(1)),
		/** Prices of images, where the user has set them. */
		prices: z.optional(priceListSchema),
		/** The last prompts, newest first. */
		history: z.array(prompt).check(z.maxLength(100)),
		/** The style guide of the workspace; missing where there is none. */
		style: z.optional(styleSchema),
	}),
	/** The reference images, all of them. */
	z.strictObject({
		type: z.literal('references'),
		references: z.array(studioReferenceSchema).check(z.maxLength(maxReferences)),
	}),
	/** Replaces the given parts of the composer, which gets the focus. */
	z.strictObject({
		type: z.literal('compose'),
		references: z.array(studioReferenceSchema).check(z.maxLength(maxReferences)),
		prompt: z.optional(prompt),
		size: z.optional(size),
		quality: z.optional(quality),
		background: z.optional(background),
		withoutStyle: z.optional(z.boolean()),
		/** Marks on the image that is edited. */
		marks: z.optional(marksSchema),
		/** Words for the user about it: a reference image that is not there any more. */
		words: z.optional(text),
	}),
	/** The size that the user has entered: see `askSize`. */
	z.strictObject({ type: z.literal('sized'), size }),
	/** Tasks that a language model can be given here. */
	z.strictObject({ type: z.literal('modelTasks'), tasks: z.array(modelTask) }),
	/** Questions and choices that wait for the user, the most urgent first. */
	z.strictObject({
		type: z.literal('waiting'),
		waiting: z.array(waitingSchema).check(z.maxLength(maxWaitingRows)),
	}),
	/**
	 * Text that a language model has written; only where the prompt still is the one that it was
	 * asked with.
	 */
	z.strictObject({ type: z.literal('drafted'), instead: prompt, prompt }),
	/** The jobs that run or have failed, newest first. */
	z.strictObject({ type: z.literal('jobs'), jobs: z.array(jobSchema).check(z.maxLength(1000)) }),
	/** Which rounds there are, newest first; what they are is asked for with `describe`. */
	z.strictObject({
		type: z.literal('rounds'),
		/** Query of the search. */
		query: querySchema,
		rounds: roundsSchema,
		/**
		 * Number of all images, of `files` in the folder, whatever is looked for; `favorites` of them
		 * are starred.
		 */
		total: z.int().check(z.gte(0)),
		favorites: z.int().check(z.gte(0)),
		/** True where there is a style guide that images can be older than. */
		hasStyle: z.boolean(),
		/** The name of the folder that `folder` or `files` stands for; missing where there is none. */
		folder: z.optional(text),
		/** Why images of the folder are left out, or it cannot be read. */
		leftOut: z.optional(text),
	}),
	/** Query from now on, with the focus in its field; these images are selected. */
	z.strictObject({
		type: z.literal('search'),
		query: querySchema,
		selected: z.array(id).check(z.maxLength(maxSelected)),
	}),
	/** Opens an image large, to be marked. */
	z.strictObject({ type: z.literal('mark'), id }),
	/** Descriptions of what is on the screen, as it is now; thumbnails come later than the rest. */
	z.strictObject({ type: z.literal('described'), ...descriptionSchema.shape }),
	/**
	 * Result of `generate`: whether all that was asked for is in the journal, so that nothing of it
	 * can be lost. Else the draft is still needed.
	 */
	z.strictObject({ type: z.literal('asked'), accepted: z.boolean() }),
	/** Something happened that no other part of the page shows. */
	z.strictObject({
		type: z.literal('notice'),
		severity: z.enum(['info', 'warning', 'error']),
		text,
		/** The deleted images that can be restored. */
		undo: z.optional(z.array(id).check(z.minLength(1), z.maxLength(maxSelected))),
	}),
]);

// --- What the page asks the extension for

/**
 * Requests; one that takes the user or the service its time is answered when it has begun, and a
 * failure after that comes as a `notice`. Everything else is answered when it is done.
 */
const requestSchema = z.discriminatedUnion('type', [
	/** The page stands and asks for everything; it has been when this is answered. */
	z.strictObject({ type: z.literal('ready') }),
	/**
	 * Makes images, or edits the image that is named. Where the reference images are others than
	 * those that the page shows, that is an error and nothing is sent.
	 */
	z.strictObject({
		type: z.literal('generate'),
		/** The reference images that are shown, in order. */
		references: z.array(id).check(z.maxLength(1000)),
		/** The one of them that is edited. */
		edited: z.optional(id),
		prompt: prompt.check(z.regex(/\S/)),
		size,
		quality,
		background: z.optional(background),
		count: imageCount,
		/** The hash of the style guide that is shown; missing where there is none, or it is left out. */
		style: z.optional(hash),
		withoutStyle: z.optional(z.boolean()),
		/** Marks on the image that is edited; missing where there are none. */
		marks: z.optional(marksSchema),
	}),
	/** Shows in a document what `generate` would send, with the reference images as they are now. */
	z.strictObject({
		type: z.literal('showSent'),
		prompt,
		size,
		quality,
		background: z.optional(background),
		count: imageCount,
		withoutStyle: z.boolean(),
		marks: z.optional(marksSchema),
	}),
	/** Asks a language model; its words come as `drafted`. */
	z.strictObject({ type: z.literal('askModel'), task: modelTask, prompt }),
	/** Has the user enter a size, which comes as `sized`. */
	z.strictObject({ type: z.literal('askSize'), size }),
	/** Opens the style guide. */
	z.strictObject({ type: z.literal('openStyle') }),
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
			.check(z.refine((bytes) => bytes.length > 0 && bytes.length <= maxReferenceBytes)),
	}),
	z.strictObject({ type: z.literal('removeReference'), id }),
	/** @param to counts from 0, without the one that moves */
	z.strictObject({
		type: z.literal('moveReference'),
		id,
		to: z.int().check(z.gte(0), z.lte(1000)),
	}),
	/**
	 * Sets the image that is edited: an image, a file of the folder, or a reference image of the draft.
	 * `alone`: one edit of it, with the focus in the composer; `instead`: in the place of the one before,
	 * and nothing else changes; `inView`: as long as it is open large, unless the user has chosen another
	 * one. Without an id, none is open.
	 */
	z.strictObject({
		type: z.literal('edit'),
		id: z.optional(id),
		how: z.enum(['alone', 'instead', 'inView']),
	}),
	/**
	 * The user has taken an earlier prompt. What was attached to the last message comes back with the
	 * prompt of that message, where nothing else is attached, and goes again with any other prompt.
	 */
	z.strictObject({ type: z.literal('recallReferences'), prompt }),
	z.strictObject({ type: z.literal('job'), id, action: jobAction }),
	/** The same for all of a round that have failed, or all with one cause. */
	z.strictObject({
		type: z.literal('jobs'),
		ids: z.array(id).check(z.minLength(1), z.maxLength(1000)),
		action: z.enum(['again', 'dismiss']),
	}),
	/** Searches; the result comes as `rounds`. */
	z.strictObject({ type: z.literal('search'), query: querySchema }),
	/**
	 * The rounds and images that are on the screen now, first those that are seen. What they are comes as
	 * `described`, now and whenever it changes.
	 */
	z.strictObject({
		type: z.literal('describe'),
		rounds: z.array(id).check(z.maxLength(maxDescribed)),
		images: z.array(id).check(z.maxLength(maxDescribed)),
	}),
	z.strictObject({ type: z.literal('image'), id, action: imageAction }),
	/** In the order in which they were selected. */
	z.strictObject({
		type: z.literal('images'),
		ids: z.array(id).check(z.minLength(1), z.maxLength(maxSelected)),
		action: imagesAction,
	}),
	/** Restores images that were deleted. */
	z.strictObject({
		type: z.literal('undoRemove'),
		ids: z.array(id).check(z.minLength(1), z.maxLength(maxSelected)),
	}),
	/** Has the user choose a folder, and shows its images. */
	z.strictObject({ type: z.literal('chooseFolder') }),
	/** Decisions of the user about images; what is not given stays. An empty text takes it away. */
	z.strictObject({
		type: z.literal('annotateImages'),
		ids: z.array(id).check(z.minLength(1), z.maxLength(maxSelected)),
		isFavorite: z.optional(z.boolean()),
		title: z.optional(name),
		note: z.optional(note),
	}),
	/** The same about a round. */
	z.strictObject({
		type: z.literal('annotateRound'),
		id,
		name: z.optional(name),
		collapsed: z.optional(z.boolean()),
	}),
	/** Opens what waits for the user. */
	z.strictObject({ type: z.literal('decide'), id }),
	/** Makes all of a round once more, as a round of its own; asked about first, with its cost. */
	z.strictObject({ type: z.literal('roundAgain'), id }),
	/** Makes images again with the style of now; asked about first, with their cost. */
	z.strictObject({
		type: z.literal('restyle'),
		images: z.array(id).check(z.minLength(1), z.maxLength(maxSelected)),
	}),
	/** The browser could not decode the image, though its header is that of one. */
	z.strictObject({ type: z.literal('undecodable'), id }),
]);

/** Messages between the page of the studio and the extension. */
export const studioProtocol = {
	request: requestSchema,
	event: eventSchema,
} satisfies Protocol;
export type StudioRequest = RequestOf<typeof studioProtocol>;
export type StudioEvent = EventOf<typeof studioProtocol>;

/** Asks the extension for something. Rejects with a `ChannelError`. */
export type Ask = (request: StudioRequest) => Promise<void>;
