import * as vscode from 'vscode';
import { ageWords } from '../../editor/age.js';
import type { ValueItem } from '../../editor/quickInput.js';
import type { KnownRounds } from '../../generation/knownRounds.js';
import { nameOfOriginal } from '../../generation/galleryLookup.js';
import { oneLine } from '../../generation/questions.js';
import { readableDimensions } from '../../images/readableSize.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import { madeFrom, type Lineage, type Slot } from '../../generation/rounds.js';
import { searchMatcher } from '../../generation/searchMatcher.js';
import type { ShownHistory } from './shownHistory.js';
import { historyMessages } from '../messages.js';
import { labels } from '../../generation/messages.js';
import { commandTitles } from '../../editor/commandTable.js';

/** What can be done with an image of the list. */
export type Action = 'show' | 'open' | 'insert' | 'copyPrompt';

interface ItemAction {
	readonly action: Action;
	readonly button: vscode.QuickInputButton;
}

export interface HistoryItem extends ValueItem {
	/** What Enter does with it. */
	readonly taken?:
		{ readonly action: Action; readonly image: GalleryImage } | { readonly action: 'generate' };
	readonly image?: GalleryImage;
	/** What its buttons do. */
	readonly actions?: readonly ItemAction[];
}

/** So many are listed; whoever wants others searches. */
const maxListed = 100;

/** The images that have all the words, newest rounds first. */
export function itemsOf(
	shown: ShownHistory,
	text: string,
	isKeptOnly: boolean,
): readonly HistoryItem[] {
	const { rounds, marks, ages, total } = shown.known;
	if (total === 0) {
		return shown.isBusy() ? [] : [nothingItem];
	}
	const hasWords = searchMatcher(text);
	const found = rounds
		.flatMap(({ slots }) => slots)
		.filter(isSaved)
		.filter(({ id, image }) => {
			const mark = marks.ofImage(id);
			const { prompt, style } = image;
			const isOlder = () => ages.of(image) === 'older';
			return (
				(!isKeptOnly || mark.kept === true) && hasWords({ prompt, image, mark, style, isOlder })
			);
		});
	const listed = found.slice(0, maxListed);
	const isGone = shown.areGone(listed.map(({ image }) => image));
	const items = listed.map((slot) => itemOf(slot, shown.known, isGone(slot.image)));
	const more = found.length - listed.length;
	if (more > 0) {
		return [...items, noteItem(historyMessages.more(more))];
	}
	return items.length > 0 ? items : [noteItem(noneWords(text, isKeptOnly))];
}

function noneWords(text: string, isKeptOnly: boolean): string {
	if (text.trim() === '') {
		return isKeptOnly ? historyMessages.noneStarred : historyMessages.none;
	}
	return isKeptOnly ? historyMessages.noneStarredFound : historyMessages.noneFound;
}

function noteItem(label: string): HistoryItem {
	return { label, alwaysShow: true };
}

/** An image with its place among the rounds. */
type SavedSlot = Slot & { readonly image: GalleryImage };

function isSaved(slot: Slot): slot is SavedSlot {
	return slot.image !== undefined;
}

const nothingItem: HistoryItem = {
	label: commandTitles['easel.generateImage'],
	detail: historyMessages.nothing,
	alwaysShow: true,
	taken: { action: 'generate' },
};

function itemOf(
	slot: SavedSlot,
	{ marks, lineage, ages }: KnownRounds,
	isGone: boolean,
): HistoryItem {
	const { image, label } = slot;
	const { kept = false, title = '', note = '' } = marks.ofImage(slot.id);
	const style = ages.words(image);
	const uri = vscode.Uri.parse(image.target, true);
	const from = fromWords(slot, lineage);
	const actions = isGone ? [showAction, copyAction] : allActions;
	return {
		...(kept ? { icon: 'star-full' } : {}),
		label: oneLine(title === '' ? image.prompt : `${title}: ${image.prompt}`, 80),
		description: [label, ...from, ageWords(new Date(image.savedAt))].join(' · '),
		detail: [
			vscode.workspace.asRelativePath(uri),
			isGone ? historyMessages.missing : readableDimensions(image),
			...(style === undefined ? [] : [style]),
			...(note === '' ? [] : [oneLine(note, 80)]),
		].join(' · '),
		...(isGone ? {} : { iconPath: uri }),
		// What is found is not to be filtered once more.
		alwaysShow: true,
		buttons: actions.map(({ button }) => button),
		taken: { action: 'show', image },
		image,
		actions,
	};
}

function fromWords(slot: SavedSlot, lineage: Lineage): string[] {
	const parent = lineage.parentOf(slot);
	const edited = madeFrom(slot)?.edited;
	if (parent !== undefined) {
		return [historyMessages.from(parent.label)];
	}
	return edited === undefined
		? []
		: [historyMessages.from(nameOfOriginal(vscode.Uri.parse(edited, true)))];
}

function actionOf(action: Action, icon: string, tooltip: string): ItemAction {
	return { action, button: { iconPath: new vscode.ThemeIcon(icon), tooltip } };
}

const showAction = actionOf('show', 'layout', historyMessages.showInStudio);
const copyAction = actionOf('copyPrompt', 'copy', historyMessages.copyPrompt);
const allActions: readonly ItemAction[] = [
	actionOf('open', 'go-to-file', labels.openFile),
	showAction,
	actionOf('insert', 'insert', labels.insert),
	copyAction,
];
