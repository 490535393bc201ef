import { posix } from 'node:path';
import * as vscode from 'vscode';
import { inspectUri } from '../../editor/images.js';
import type { notify } from '../../editor/messages.js';
import { askPick, pickLoop } from '../../editor/quickInput.js';
import { safeName, type PickItem } from '../../editor/untrustedText.js';
import { isNamedByFormat } from '../../images/inspect.js';
import { replaceMessages } from '../messages.js';
import { mentionsOf, type Mentions } from './references.js';
import { freeName } from './replacementMessages.js';

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
	const names = [format.toUpperCase(), safeName(original), safeName(renamed)] as const;
	const text = [
		replaceMessages.wrongExtension(...names),
		...(mentions === undefined ? [] : wordsOf(mentions, original)),
	].join(' ');
	const files = mentions === undefined ? [] : rowsOf(mentions);
	const askName = () =>
		ask<vscode.Uri | 'list'>('warning', text, [
			{ label: replaceMessages.rename, run: () => renamed },
			{ label: replaceMessages.keepName, run: () => original },
			...(files.length === 0
				? []
				: [{ label: replaceMessages.showFiles, run: () => 'list' as const }]),
		]);
	return pickLoop(askName, async (answer) => {
		if (answer !== 'list') {
			return { done: answer };
		}
		await showFiles(`${safeName(original)} → ${safeName(renamed)}`, files);
		return 'again';
	});
}

/** What a new name changes, and what it cannot, before anything is touched. */
function wordsOf({ shown, left }: Mentions, original: vscode.Uri): string[] {
	return [
		replaceMessages.changes(shown.map((uri) => safeName(uri))),
		...(left.length === 0
			? []
			: [
					replaceMessages.leaves(
						left.map((uri) => safeName(uri)),
						safeName(original),
					),
				]),
	];
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
		...section(replaceMessages.changedFiles, 'edit', shown),
		...section(replaceMessages.leftFiles, 'circle-slash', left),
	];
}

async function showFiles(title: string, items: readonly FileRow[]): Promise<void> {
	const answer = await askPick<FileRow>({
		title,
		placeholder: replaceMessages.lookAtFile,
		items,
		matchOnDescription: true,
	});
	if (answer?.type === 'value' && answer.value.uri !== undefined) {
		await vscode.window.showTextDocument(answer.value.uri, { preview: true });
	}
}
