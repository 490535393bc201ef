import * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { mention } from '../../editor/messages.js';
import { askPick } from '../../editor/quickInput.js';
import { findCommandContext } from '../../generation/commandContext.js';
import { insertAtCursor } from '../../generation/insertAtCursor.js';
import type { RoundReader } from '../../generation/knownRounds.js';
import { openImage, savedImageOf } from '../../generation/savedImage.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import { itemsOf, type Action, type HistoryItem } from './items.js';
import type { HistoryNeeds } from './needs.js';
import { ShownHistory } from './shownHistory.js';

/**
 * Lists the images until one of them is chosen, or the list is left.
 *
 * @throws the system's error where the gallery cannot be read
 */
export async function showHistory(rounds: RoundReader, needs: HistoryNeeds): Promise<void> {
	const shown = await ShownHistory.begin(rounds, needs);
	try {
		for (let search = { text: '', isKeptOnly: false }; ;) {
			const chosen = await ask(shown, search.text, search.isKeptOnly);
			if (chosen === undefined) {
				return;
			}
			if ('text' in chosen) {
				search = { text: chosen.text, isKeptOnly: !search.isKeptOnly };
				continue;
			}
			await act(chosen, needs);
			return;
		}
	} finally {
		shown.dispose();
	}
}

type Chosen =
	| { readonly action: Action; readonly image: GalleryImage }
	| { readonly action: 'generate' }
	/** The other list is wanted, of all images or of those that are kept. */
	| { readonly text: string };

async function ask(
	shown: ShownHistory,
	text: string,
	isKeptOnly: boolean,
): Promise<Chosen | undefined> {
	let chosen: Chosen | undefined;
	const answer = await askPick<HistoryItem>({
		title: isKeptOnly ? 'Image History: Kept Images' : 'Image History',
		placeholder:
			'Search by prompt, name, title, note or style; Enter shows the image in the studio',
		text,
		items: [],
		itemsFor: (typed) => itemsOf(shown, typed, isKeptOnly),
		buttons: [isKeptOnly ? allButton : keptButton],
		coming: shown,
		acceptable: ({ taken }) => taken !== undefined,
		onItemButton: ({ image, actions = [] }, button) => {
			const action = actions.find((one) => one.button === button)?.action;
			if (image !== undefined && action !== undefined) {
				chosen = { action, image };
			}
			return '';
		},
	});
	if (answer?.type === 'button') {
		return chosen ?? { text: answer.text };
	}
	return answer?.type === 'value' ? answer.value.taken : undefined;
}

const keptButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('star-empty'),
	tooltip: 'Show Kept Images Only',
};

const allButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('star-full'),
	tooltip: 'Show All Images',
};

async function act(chosen: Exclude<Chosen, { readonly text: string }>, needs: HistoryNeeds) {
	switch (chosen.action) {
		case 'generate':
			await runCommand('easel.generateImage');
			return;
		case 'show':
			await runCommand('easel.openStudio', chosen.image.id);
			return;
		case 'open':
			await openImage(vscode.Uri.parse(chosen.image.target, true));
			return;
		case 'insert':
			await insert(chosen.image, needs);
			return;
		case 'copyPrompt':
			await vscode.env.clipboard.writeText(chosen.image.prompt);
			mention('Easel: the prompt is copied', 'check');
	}
}

async function insert(image: GalleryImage, { history, marks }: HistoryNeeds): Promise<void> {
	const context = await findCommandContext();
	if (context !== undefined) {
		await insertAtCursor(await savedImageOf(image, await history.list(), marks), context);
	}
}
