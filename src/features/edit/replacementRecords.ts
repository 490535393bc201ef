import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { UndoRecords } from '../../editor/undoRecords.js';

/** Which of the two images stands in the place of the original. */
export type Shown = 'original' | 'edited';

/** An image that took the place of the one that it was made from. */
export interface Replacement {
	readonly id: string;
	/** Where the original was. */
	readonly original: vscode.Uri;
	/** Where the edited image was. */
	readonly edited: vscode.Uri;
	/** Where the edited image is now: in the place of the original, perhaps under another name. */
	readonly target: vscode.Uri;
	/** SHA-256 of both, hexadecimal. */
	readonly originalSha256: string;
	readonly editedSha256: string;
}

/** Whether the image has got another name with its content. */
export function isRenamed({ original, target }: Replacement): boolean {
	return original.toString() !== target.toString();
}

/** The name that the image has before a step to what is shown then, and after it. */
export function namesOf({ original, target }: Replacement, to: Shown): [vscode.Uri, vscode.Uri] {
	return to === 'edited' ? [original, target] : [target, original];
}

export function otherThan(shown: Shown): Shown {
	return shown === 'edited' ? 'original' : 'edited';
}

const sha256 = z.string().regex(/^[\da-f]{64}$/);
const recordSchema = z.object({
	original: z.string(),
	edited: z.string(),
	target: z.string(),
	originalSha256: sha256,
	editedSha256: sha256,
});

/** The replacements, as steps that can be undone. */
export class ReplacementRecords extends UndoRecords<Shown> {
	/** @param storage our own, absolute */
	constructor(storage: string) {
		super(path.join(storage, 'replacements'), ['original', 'edited']);
	}

	/** Notes down a replacement that has not been made yet. */
	async add(values: Omit<Replacement, 'id'>): Promise<Replacement> {
		const { original, edited, target, originalSha256, editedSha256 } = values;
		const record: z.infer<typeof recordSchema> = {
			original: original.toString(),
			edited: edited.toString(),
			target: target.toString(),
			originalSha256,
			editedSha256,
		};
		return { ...values, id: await this.create(record) };
	}

	/**
	 * Reads a replacement; `undefined` where something else is shown by now.
	 *
	 * @throws where the record is damaged or cannot be read
	 */
	async find(id: string, shown: Shown): Promise<Replacement | undefined> {
		const record = await this.read(id, shown);
		if (record === undefined) {
			return undefined;
		}
		const { original, edited, target, ...hashes } = recordSchema.parse(record);
		return {
			id,
			original: vscode.Uri.parse(original, true),
			edited: vscode.Uri.parse(edited, true),
			target: vscode.Uri.parse(target, true),
			...hashes,
		};
	}
}
