import * as z from 'zod';
import { extensibleObject } from '../files/fileFormat.js';
import { marksSchema } from '../images/marks.js';
import { promptWithMarks } from '../images/marks/words.js';
import type { ImageCall } from '../service/requestBody.js';
import {
	backgroundSchema,
	qualitySchema,
	referenceContentTypes,
	sizeSchema,
} from '../service/contract.js';
import { marksManners, serviceIds } from '../service/services.js';

/** A reference image, copied into the job's own folder: what is sent cannot change any more. */
export const referenceSchema = extensibleObject({
	/** Absolute path of the copy. */
	path: z.string(),
	/** URI that it was copied from. */
	source: z.string(),
	/** The name that is sent to the service. */
	fileName: z.string(),
	contentType: z.enum(referenceContentTypes),
	/** In pixels. */
	width: z.number().int(),
	height: z.number().int(),
	bytes: z.number().int(),
	/** SHA-256 of the bytes, hexadecimal; identifies the image that an edit came from. */
	sha256: z.string(),
});

/** An agent, or another extension, that has asked for an image. */
export const originSchema = extensibleObject({
	/** The door that it came through: a language model tool, the MCP server or the exported API. */
	door: z.enum(['tool', 'mcp', 'api']),
	/** As it calls itself; text of a stranger. */
	name: z.string().optional(),
});

/**
 * Everything that one image needs, as data: the interface fills it, the job runs on it. One
 * request is one image ("Several images require several independent requests", specification,
 * "Text-to-image request", `n`).
 */
export const generationRequestSchema = extensibleObject({
	/** Our own identifier, made before the first byte is sent ("Errors", rule 4); it is not sent. */
	id: z.uuid(),
	/** Wall-clock time of the command, ISO 8601. */
	createdAt: z.iso.datetime(),
	/** Operation that the user has asked for; an edit changes the first of `references`. */
	operation: z.enum(['generate', 'edit']),
	/** The row of the table of services; missing where it is the specification's. */
	service: z.enum(serviceIds).optional(),
	/** Empty where none is named. */
	model: z.string(),
	/** Text of the user; it names the file and stands where the image is spoken of. */
	prompt: z.string().min(1),
	/** Text that is sent, where that differs: the prompt with the words of the style. */
	effectivePrompt: z.string().min(1).optional(),
	/** The style guide that was applied, as it was then. */
	style: extensibleObject({
		/** Path of the guide, relative to the workspace folder. */
		path: z.string(),
		/** SHA-256 of all that it applies, hexadecimal. */
		sha256: z.string(),
		/** SHA-256 of each of its images, hexadecimal, unscaled; they are the last of `references`. */
		references: z.array(z.string()),
	}).optional(),
	/** True where the user has left the style out. */
	withoutStyle: z.literal(true).optional(),
	size: sizeSchema,
	quality: qualitySchema.optional(),
	background: backgroundSchema.optional(),
	references: z.array(referenceSchema),
	/** Places on the first of `references` that alone shall change; missing where there are none. */
	marks: z.optional(marksSchema),
	/** The picture that the marks are sent in, drawn for this request. */
	markedImage: extensibleObject({
		manner: z.enum(marksManners),
		/** Absolute path, in the job's own folder. */
		path: z.string(),
		contentType: z.enum(referenceContentTypes),
	}).optional(),
	/** True where the references are scaled copies, because the service has refused larger ones. */
	smallerReferences: z.literal(true).optional(),
	/** The batch: what is asked for at once. A request that is sent again stands where the first stood. */
	round: extensibleObject({
		/** The same for all requests of the batch. */
		id: z.uuid(),
		/** Counts the batches of the workspace folder, from 1, as far as they were known then. */
		number: z.number().int().min(1),
		/** Its place in the batch, from 0. */
		place: z.number().int().min(0),
		/** Number of requests the batch has. */
		count: z.number().int().min(1),
		/** Wall-clock time of the command, ISO 8601. */
		askedAt: z.iso.datetime(),
	}),
	/** Who has asked for it, where that was not the user. */
	origin: originSchema.optional(),
	/** Place of the recipe. */
	provenance: z.enum(['inImage', 'besideImage', 'none']),
	/** Alt text by the caller. */
	altText: z.string().optional(),
	/** The image that this one was regenerated from, as a URI. */
	regeneratedFrom: z.string().optional(),
	/** The small file that documents show in place of the image, which is its master. */
	publish: extensibleObject({
		/** An export in words, such as `webp 1200 200kB`. */
		preset: z.string(),
		/** The folder that gets it, as a URI. */
		folder: z.string(),
	}).optional(),
	/** The image that documents show, as a URI, where this one is to be shown for it on dark pages. */
	darkOf: z.string().optional(),
	/** The workspace folder that the job belongs to, as a URI; its window delivers the image. */
	workspaceFolder: z.string().optional(),
	/** The document that the command came from, as a URI. */
	document: z.string().optional(),
	/** Place of the image link in that document, as it was when the command was given. */
	insertion: extensibleObject({
		/** Identifies the place in the window of the command, which follows it through edits. */
		id: z.uuid(),
		/** Offsets in the text, in UTF-16 code units. */
		places: z.array(extensibleObject({ start: z.number().int(), end: z.number().int() })).min(1),
		/** True where the image link becomes a paragraph of its own. */
		block: z.boolean(),
		/** SHA-256 of the document's text, hexadecimal: tells whether the offsets still hold. */
		sha256: z.string(),
	}).optional(),
	target: extensibleObject({
		/** The folder that gets the image, as a URI. */
		folder: z.string(),
		/** The folder that the target must not leave, as a URI. */
		root: z.string().optional(),
		/** The file name without its extension. */
		stem: z.string().min(1),
		/** Behind it, `stem-2`, where several of one name were asked for together. */
		number: z.int().min(1).optional(),
	}),
});

export type Reference = z.infer<typeof referenceSchema>;
/** A request that the journal has, with copies of its references. */
export type GenerationRequest = z.infer<typeof generationRequestSchema>;

/** A reference image that is asked for, by the URI of where it lies. */
export type RequestReference = Pick<Reference, 'source'>;

/**
 * Request for one image, with everything that it needs, as data. A request of the journal is one as
 * well, so that it can be asked for again as it is.
 */
export interface ImageRequest extends Readonly<
	Omit<
		GenerationRequest,
		'id' | 'createdAt' | 'service' | 'model' | 'provenance' | 'references' | 'round' | 'markedImage'
	>
> {
	/** Those of the user, then those of the style. */
	readonly references: readonly RequestReference[];
	/** Missing until it is journaled. */
	readonly round?: RoundPlace | undefined;
}

/** Returns the text that is sent: the prompt with the words of the style and of the marks. */
export function sentPromptOf(request: GenerationRequest): string {
	const { prompt, effectivePrompt = prompt, marks, markedImage, references } = request;
	return marks === undefined || markedImage === undefined
		? effectivePrompt
		: promptWithMarks(effectivePrompt, marks, markedImage.manner, references.length - 1);
}

/** Returns what a worker sends: the references, and what marks are sent in. */
export function callOf(request: GenerationRequest): ImageCall {
	const { references, markedImage } = request;
	const call = { ...request, prompt: sentPromptOf(request) };
	if (markedImage === undefined) {
		return call;
	}
	const { manner, path, contentType } = markedImage;
	const [first, ...others] = references;
	const file = { path, contentType, fileName: first!.fileName };
	return manner === 'copy'
		? { ...call, references: [first!, file, ...others] }
		: { ...call, overlay: { ...file, field: manner } };
}

/** Returns the references that the user has chosen; those of the style come behind them. */
export function ownReferences<R extends RequestReference>({
	references,
	style,
}: Pick<ImageRequest, 'style'> & { readonly references: readonly R[] }): readonly R[] {
	return references.slice(0, references.length - (style?.references.length ?? 0));
}

/** A request with its place in a batch. */
export interface PlacedRequest extends ImageRequest {
	readonly round: RoundPlace;
}

export type RequestOrigin = z.infer<typeof originSchema>;
export type Operation = ImageRequest['operation'];
/** The cursors where a command was given. */
export type Insertion = NonNullable<ImageRequest['insertion']>;
export type RoundPlace = GenerationRequest['round'];
