import { posix } from 'node:path';
import * as vscode from 'vscode';
import { uriExists } from '../../editor/files.js';
import { inspectUri } from '../../editor/images.js';
import type { notify } from '../../editor/messages.js';
import { askPick } from '../../editor/quickInput.js';
import type { PickItem } from '../../editor/shownItems.js';
import { isNamedByFormat } from '../../images/inspect.js';
import { candidateNames } from '../../images/fileName.js';
import { mentionsOf, type Mentions } from './references.js';
import { nameOf } from './replacementMessages.js';

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
	const facts = await inspectUri(edited);
	const { format, extension } = facts;
	const old = posix.basename(original.path);
	if (isNamedByFormat(old, facts)) {
		return original;
	}
	const oldExtension = posix.extname(old);
	const renamed = await freeName(
		vscode.Uri.joinPath(original, '..', old.slice(0, -oldExtension.length) + extension),
	);
	const mentions = await mentionsOf(original).catch(() => undefined);
	const name = nameOf(renamed);
	const text = `The new image is a ${format.toUpperCase()}, but the name ${nameOf(original)} says something else. It can become ${name}, ${mentions === undefined ? 'and documents are changed to show that.' : wordsOf(mentions, original)}`;
	const files = mentions === undefined ? [] : rowsOf(mentions);
	for (;;) {
		const answer = await ask<vscode.Uri | 'list'>('warning', text, [
			{ label: 'Rename and Update References', run: () => renamed },
			{ label: 'Keep the Name', run: () => original },
			...(files.length === 0 ? [] : [{ label: 'Show Files…', run: () => 'list' as const }]),
		]);
		if (answer !== 'list') {
			return answer;
		}
		await showFiles(`${nameOf(original)} → ${name}`, files);
	}
}

/** What a new name changes, and what it cannot, before anything is touched. */
function wordsOf({ shown, left }: Mentions, original: vscode.Uri): string {
	const changed =
		shown.length === 0
			? 'and no document has to be changed for that.'
			: `which changes ${namesOf(shown, 'document')}.`;
	return left.length === 0
		? changed
		: `${changed} ${namesOf(left, 'file')} ${left.length === 1 ? 'has' : 'have'} the name ${nameOf(original)} in another way and ${left.length === 1 ? 'stays' : 'stay'} as ${left.length === 1 ? 'it is' : 'they are'}.`;
}

/** How many files these are, with the names of the first. */
function namesOf(files: readonly vscode.Uri[], what: string): string {
	const first = files.slice(0, 3).map(nameOf).join(', ');
	return `${files.length.toLocaleString('en-US')} ${what}${files.length === 1 ? '' : 's'} (${first}${files.length > 3 ? ', …' : ''})`;
}

interface FileRow extends PickItem {
	readonly uri?: vscode.Uri;
}

function rowsOf({ shown, left }: Mentions): FileRow[] {
	const section = (label: string, icon: string, files: readonly vscode.Uri[]): FileRow[] =>
		files.length === 0
			? []
			: [
					{ label, kind: vscode.QuickPickItemKind.Separator },
					...files.map((uri) => ({
						icon,
						label: posix.basename(uri.path),
						description: vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, '..')),
						uri,
					})),
				];
	return [
		...section('changed, in one step to undo', 'edit', shown),
		...section('name it in another way, stay as they are', 'circle-slash', left),
	];
}

/** Lists the files, and opens the one that is chosen. */
async function showFiles(title: string, items: readonly FileRow[]): Promise<void> {
	const answer = await askPick<FileRow>({
		title,
		placeholder: 'Select a file to look at it; the question stays',
		items,
		matchOnDescription: true,
	});
	if (answer?.type === 'value' && answer.value.uri !== undefined) {
		await vscode.window.showTextDocument(answer.value.uri, { preview: true });
	}
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
