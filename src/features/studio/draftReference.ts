import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { inspectUri } from '../../editor/images.js';
import { ImageError, type ImageFacts } from '../../images/inspect.js';

const placeName = z.enum(['tab', 'view']);
/** Where a studio is shown. */
export type PlaceName = z.infer<typeof placeName>;

/** A reference image of the draft. The page knows it by its identifier, never by its path. */
export interface DraftReference {
	readonly id: string;
	readonly uri: vscode.Uri;
	readonly name: string;
	/** Whether it is the image that is edited: the first of them, and the only one. */
	readonly edited: boolean;
	/** Where it is the image in view, and is edited for that, not because the user has chosen it. */
	readonly fromView: PlaceName | undefined;
	/** What it is, or why it cannot be used. */
	readonly facts: ImageFacts | ImageError;
}

export const savedSchema = z.array(
	z.object({
		id: z.uuid(),
		uri: z.string(),
		name: z.string(),
		// Earlier versions did not note it.
		edited: z.boolean().optional(),
		// Earlier versions had the tab only.
		fromView: z.union([placeName, z.boolean()]).optional(),
	}),
);

/** Those that were kept with the workspace, as their files are now. */
export async function savedReferences(state: unknown): Promise<DraftReference[]> {
	return Promise.all(
		savedSchema
			.catch([])
			.parse(state)
			.map(async ({ id, uri, name, edited = false, fromView = false }, index) => {
				const parsed = vscode.Uri.parse(uri, true);
				const facts = await factsOf(parsed);
				const place = fromView === true ? 'tab' : fromView || undefined;
				return { id, uri: parsed, name, edited: edited && index === 0, fromView: place, facts };
			}),
	);
}

/** What is kept of them. */
export function saved(references: readonly DraftReference[]): z.infer<typeof savedSchema> {
	return references.map(({ id, uri, name, edited, fromView }) => ({
		id,
		uri: uri.toString(),
		name,
		...(edited ? { edited } : {}),
		...(fromView === undefined ? {} : { fromView }),
	}));
}

export async function newReference(
	uri: vscode.Uri,
	name = path.posix.basename(uri.path),
): Promise<DraftReference> {
	const id = crypto.randomUUID();
	return { id, uri, name, edited: false, fromView: undefined, facts: await factsOf(uri) };
}

export function isOf(reference: DraftReference, uri: vscode.Uri): boolean {
	return reference.uri.toString() === uri.toString();
}

export async function factsOf(uri: vscode.Uri): Promise<ImageFacts | ImageError> {
	try {
		return await inspectUri(uri);
	} catch (error) {
		return error instanceof ImageError ? error : new ImageError('unreadable', uri.path, error);
	}
}
