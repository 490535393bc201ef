import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { keptAtLeastMs } from '../../editor/keptFiles.js';
import { isNotThere } from '../../files/refusal.js';
import { privateFile, privateFolder } from '../../files/writeWhole.js';

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

/**
 * The replacements, each in a file of our own storage whose name ends with what is shown. VS Code
 * renames that file in the same step as the image, so its undo and redo, which name no step, tell
 * which one they take back or do again. They outlive the extension host, as VS Code's list of steps
 * does.
 */
export class ReplacementRecords {
	readonly #folder: string;

	/** @param storage our own, absolute */
	constructor(storage: string) {
		this.#folder = path.join(storage, 'replacements');
	}

	/** Notes down a replacement that has not been made yet. */
	async create(values: Omit<Replacement, 'id'>): Promise<Replacement> {
		const replacement = { ...values, id: randomUUID() };
		await mkdir(this.#folder, { recursive: true, mode: privateFolder });
		const { original, edited, target, originalSha256, editedSha256 } = values;
		const record: z.infer<typeof recordSchema> = {
			original: original.toString(),
			edited: edited.toString(),
			target: target.toString(),
			originalSha256,
			editedSha256,
		};
		await writeFile(this.uri(replacement, 'original').fsPath, JSON.stringify(record), {
			mode: privateFile,
		});
		return replacement;
	}

	/** The file of a replacement while this is shown. */
	uri({ id }: Pick<Replacement, 'id'>, shown: Shown): vscode.Uri {
		return vscode.Uri.file(path.join(this.#folder, `${id}.${shown}`));
	}

	/** What is shown, if VS Code has renamed the file of a replacement to this. */
	shownBy(uri: vscode.Uri): { readonly id: string; readonly shown: Shown } | undefined {
		const [, id, shown] =
			/^([\da-f-]{36})\.(original|edited)$/.exec(path.basename(uri.fsPath)) ?? [];
		return uri.scheme === 'file' &&
			path.dirname(uri.fsPath) === path.dirname(this.uri({ id: '' }, 'edited').fsPath) &&
			id !== undefined
			? { id, shown: shown as Shown }
			: undefined;
	}

	/** Whether VS Code's list of steps says that this is shown. */
	async isShown(replacement: Replacement, shown: Shown): Promise<boolean> {
		const names = await readdir(this.#folder);
		return names.includes(path.basename(this.uri(replacement, shown).fsPath));
	}

	/**
	 * Reads a replacement; `undefined` where something else is shown by now.
	 *
	 * @throws where the record is damaged or cannot be read
	 */
	async read(id: string, shown: Shown): Promise<Replacement | undefined> {
		let text: string;
		try {
			text = await readFile(this.uri({ id }, shown).fsPath, 'utf8');
		} catch (error) {
			if (isNotThere(error)) {
				return undefined;
			}
			throw error;
		}
		const { original, edited, target, ...hashes } = recordSchema.parse(JSON.parse(text));
		return {
			id,
			original: vscode.Uri.parse(original, true),
			edited: vscode.Uri.parse(edited, true),
			target: vscode.Uri.parse(target, true),
			...hashes,
		};
	}

	/**
	 * Forgets replacements of windows that are closed since long, as what they need may be.
	 *
	 * @param now in milliseconds since 1970
	 */
	async tidy(now = Date.now()): Promise<void> {
		for (const name of await readdir(this.#folder)) {
			const file = path.join(this.#folder, name);
			const found = await stat(file).catch(() => undefined);
			if (found !== undefined && now - found.mtimeMs > keptAtLeastMs) {
				await rm(file, { force: true });
			}
		}
	}
}
