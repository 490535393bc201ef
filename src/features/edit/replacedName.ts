import { posix } from 'node:path';
import * as vscode from 'vscode';
import { uriExists } from '../../editor/files.js';
import { inspectUri } from '../../editor/images.js';
import { foreignText } from '../../editor/untrustedText.js';
import type { notify } from '../../editor/messages.js';
import { candidateNames } from '../../images/fileName.js';
import { replaceMessages } from '../messages.js';

/** Extensions that fit the content, in lower case. */
const extensionsOf = {
	png: ['.png'],
	jpeg: ['.jpg', '.jpeg'],
	webp: ['.webp'],
};

/**
 * The place that the edited image gets: that of the original, or, where its name would say something
 * else than the content is, what the user decides. `undefined` where the user would rather leave it.
 *
 * @throws {ImageError} where the edited image cannot be read
 */
export async function chooseName(
	original: vscode.Uri,
	edited: vscode.Uri,
	ask: typeof notify,
): Promise<vscode.Uri | undefined> {
	const { format, extension } = await inspectUri(edited);
	const old = posix.basename(original.path);
	const oldExtension = posix.extname(old);
	if (extensionsOf[format].includes(oldExtension.toLowerCase())) {
		return original;
	}
	const renamed = await freeName(
		vscode.Uri.joinPath(original, '..', old.slice(0, -oldExtension.length) + extension),
	);
	const name = foreignText(posix.basename(renamed.path));
	return ask<vscode.Uri>(
		'warning',
		replaceMessages.wrongExtension(format.toUpperCase(), foreignText(old), name),
		[
			{ label: replaceMessages.rename, run: () => renamed },
			{ label: replaceMessages.keepName, run: () => original },
		],
	);
}

/** This place, or one beside it with a number in its name: the first where nothing is. */
export async function freeName(wanted: vscode.Uri): Promise<vscode.Uri> {
	for (const name of candidateNames(posix.basename(wanted.path))) {
		const candidate = vscode.Uri.joinPath(wanted, '..', name);
		if (!(await uriExists(candidate))) {
			return candidate;
		}
	}
	return wanted;
}
