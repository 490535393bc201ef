import type * as vscode from 'vscode';
import type { ValueItem } from '../editor/quickInput.js';
import { askedReferences, type GalleryImage } from '../jobs/gallery.js';
import {
	ownReferences,
	type GenerationRequest,
	type ImageRequest,
	type RequestReference,
} from '../jobs/request.js';
import { besideImage, type Target } from '../editor/imageRequest.js';

/** A request that a user is about to make. A change makes another draft. */
export interface Draft extends Readonly<
	Pick<
		GenerationRequest,
		| 'operation'
		| 'prompt'
		| 'size'
		| 'quality'
		| 'background'
		| 'marks'
		| 'withoutStyle'
		| 'document'
		| 'insertion'
		| 'workspaceFolder'
		| 'regeneratedFrom'
		| 'publish'
		| 'darkOf'
	>
> {
	/** Without those of the style. */
	readonly references: readonly RequestReference[];
	/** Number of images, each a request of its own. */
	readonly count: number;
	/** As the command's argument names it. */
	readonly output?: vscode.Uri | string | undefined;
	/** Place of the image, if that is decided already. */
	readonly target?: Target | undefined;
}

/** A row that changes the draft when it is chosen; `undefined` cancels everything. */
export interface DraftItem extends ValueItem {
	readonly run?: (draft: Draft) => Promise<Draft | undefined>;
}

/** Returns the fields that a draft and its requests have in common, and no other. */
function commonOf(asked: Omit<ImageRequest, 'target'>): Omit<Draft, 'count' | 'output' | 'target'> {
	const { operation, prompt, size, quality, background, references } = asked;
	const { withoutStyle, regeneratedFrom, document, insertion, workspaceFolder } = asked;
	const { publish, darkOf, marks } = asked;
	return {
		operation,
		prompt,
		size,
		quality,
		background,
		references: references.map(({ source }) => ({ source })),
		marks,
		withoutStyle,
		document,
		insertion,
		workspaceFolder,
		regeneratedFrom,
		publish,
		darkOf,
	};
}

/** Returns the requests of a draft, one for each image. */
export function requestsOf(draft: Draft, target: Target): ImageRequest[] {
	const request = { ...commonOf(draft), target };
	return Array.from({ length: draft.count }, () => request);
}

/** Returns a draft with other references; its marks belong to the first one, and go with it. */
export function withOtherReferences(draft: Draft, references: readonly RequestReference[]): Draft {
	const isMarked = references[0]?.source === draft.references[0]?.source;
	return { ...draft, references, marks: isMarked ? draft.marks : undefined };
}

/** Returns the draft of a request, to ask for it again; its place is looked for anew. */
export function draftOf(request: ImageRequest, count = 1): Draft {
	return { ...commonOf({ ...request, references: ownReferences(request) }), count };
}

/** Returns the request of an image as it was, for a place beside the file that it is now. */
export function requestToRegenerate(uri: vscode.Uri, image: GalleryImage): ImageRequest {
	const references = askedReferences(image).map((source) => ({ source }));
	return {
		...commonOf({ ...image, references }),
		...besideImage(uri),
		regeneratedFrom: uri.toString(),
		// Documents show it already.
		darkOf: undefined,
	};
}
