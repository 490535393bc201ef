import * as vscode from 'vscode';
import { editable, imageOn } from '../../editor/targetImage.js';
import { readSetting } from '../../editor/settings.js';
import { parseUri } from '../../generation/draft.js';
import type { Arrival } from '../../generation/generator.js';
import { comparisonType } from '../../protocol/panels.js';
import type { Images, Place } from './panel.js';

interface ArrivalComparison {
	readonly images: Images;
	readonly place: Required<Place>;
}

/**
 * The comparison for an image that has arrived: for another try, which was asked for to be compared,
 * and for an edit of an image that is on the screen, which would stay unseen behind it. `undefined`
 * where the message is enough, or the user wants nothing to happen after saving.
 *
 * The keyboard stays where it is, because minutes have gone by and the user may be typing. What is
 * read or written is not hidden either: only an image or a comparison in front gives way.
 */
export function comparisonFor({ request, image }: Arrival): ArrivalComparison | undefined {
	const { operation, references, regeneratedFrom, round } = request;
	const original = parseUri(
		regeneratedFrom ?? (operation === 'edit' ? references[0]?.source : undefined),
	);
	const after = readSetting('output.afterSaving');
	// A batch has one message instead of a panel for each of its images.
	const isAlone = (round?.count ?? 1) === 1;
	if (original === undefined || after === 'nothing' || !isAlone) {
		return undefined;
	}
	const shown = groupShowing(original);
	// An edit that opens by itself is seen.
	const isUnseen = shown !== undefined && after === 'notify';
	if (regeneratedFrom === undefined && !isUnseen) {
		return undefined;
	}
	const viewColumn = shown?.viewColumn ?? besideText();
	return { images: { left: original, right: image }, place: { viewColumn, preserveFocus: true } };
}

/** The group of editors that has an image in front, if one has; the active one before others. */
function groupShowing(image: vscode.Uri): vscode.TabGroup | undefined {
	const { all, activeTabGroup } = vscode.window.tabGroups;
	return [activeTabGroup, ...all].find(
		({ activeTab }) => imageOn(activeTab)?.toString() === image.toString(),
	);
}

/** The active group, where an image or a comparison is in front there, or nothing; else that beside. */
function besideText(): vscode.ViewColumn {
	const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
	const input = tab?.input;
	// VS Code puts its own words before the type of a webview.
	const isComparison =
		input instanceof vscode.TabInputWebview && input.viewType.endsWith(comparisonType);
	return tab === undefined || isComparison || editable(imageOn(tab)) !== undefined
		? vscode.ViewColumn.Active
		: vscode.ViewColumn.Beside;
}
