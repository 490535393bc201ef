import * as vscode from 'vscode';
import * as z from 'zod';
import { besideName } from '../../recipes/beside.js';

/** Whether the recipes are there. */
export type State = 'whole' | 'stripped';

const hash = z.string().regex(/^[\da-f]{64}$/);
const changeSchema = z.object({
	/** As a URI. */
	file: z.string(),
	/** SHA-256 of the file with its recipe, hexadecimal. */
	whole: hash,
	/** The same without; missing where the file is nothing but a recipe, and goes. */
	stripped: hash.optional(),
});
/** A step, as it is kept for its undo. */
export const recordSchema = z.object({ changes: z.array(changeSchema) });

/** What becomes of a file. */
export type Change = z.infer<typeof changeSchema>;

/** What is in front where a change is undone: a file that comes and goes cannot be. */
export function imageOf({ file, stripped }: Change): vscode.Uri {
	const uri = vscode.Uri.parse(file, true);
	return stripped === undefined
		? uri.with({ path: uri.path.slice(0, -besideName('').length) })
		: uri;
}
