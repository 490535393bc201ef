import * as vscode from 'vscode';
import { ageWords } from '../../editor/age.js';
import { safeText } from '../../editor/untrustedText.js';
import { askPickMany } from '../../editor/pickMany.js';
import type { Preferences } from '../../editor/preferences.js';
import type { PickItem } from '../../editor/shownItems.js';
import { costOf, maxUnasked } from '../../generation/confirmations.js';
import { draftOf } from '../../generation/draft.js';
import type { ImageRequest } from '../../jobs/request.js';
import { oneLine, separator, sizeWords } from '../../generation/questions.js';
import { openImage } from '../../generation/savedImage.js';
import { previewButton, type RequestPreview } from '../../generation/requestPreview.js';
import type { StyleAges } from '../../generation/styleAges.js';
import type { Outdated } from './find.js';
import { restyleMessages } from '../messages.js';
import { labels } from '../../generation/messages.js';

const { title } = restyleMessages;

/** A row of the list: an image that can be made again, one that cannot, or a heading. */
interface Row extends PickItem {
	readonly outdated?: Outdated;
	readonly request?: ImageRequest;
}

interface Question {
	readonly ages: StyleAges;
	readonly preferences: Preferences;
	readonly preview: RequestPreview;
}

const openButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('go-to-file'),
	tooltip: labels.openFile,
};

/**
 * Lets the user choose which images are made again. The title says what that comes to, in requests
 * and in time. Those with an older style are ticked, but for what has been made again already, and
 * where that would be more than may be asked for without a question, none is.
 *
 * @returns one request at least; `undefined` where that was cancelled
 */
export async function chooseOutdated(
	all: readonly Outdated[],
	{ ages, preferences, preview }: Question,
): Promise<readonly ImageRequest[] | undefined> {
	const rows = rowsOf(all, ages);
	const older = rows.filter(
		({ outdated, request }) =>
			request !== undefined && outdated?.age === 'older' && outdated.remade === undefined,
	);
	const isFew = older.length <= maxUnasked();
	let ticked = new Set(isFew ? older : []);
	for (;;) {
		const answer = await askPickMany<Row>({
			title,
			titleFor: (selected) => titleFor(requestsOf(selected), preferences),
			placeholder: restyleMessages.select(isFew ? undefined : all.length),
			emptyText: '',
			items: Promise.resolve(rows),
			selected: (row) => ticked.has(row),
			selectable: ({ request }) => request !== undefined,
			buttons: [previewButton],
		});
		if (answer === undefined || answer.type === 'back' || answer.type === 'button') {
			return undefined;
		}
		if (answer.type === 'value') {
			return requestsOf(answer.value);
		}
		ticked = new Set(answer.selected);
		if (answer.type === 'item') {
			await (answer.item.outdated && openImage(answer.item.outdated.uri));
		} else {
			await preview.show(
				answer.selected.flatMap(({ request, outdated }) =>
					request && outdated ? [[draftOf(request).choices, ages.guideOf(outdated.image)]] : [],
				),
			);
		}
	}
}

function titleFor(requests: readonly ImageRequest[], preferences: Preferences): string {
	if (requests.length === 0) {
		return restyleMessages.noneSelected;
	}
	const sizes = requests.map(({ size }) => size);
	return restyleMessages.cost(sizes.length, costOf(sizes, preferences));
}

function requestsOf(rows: readonly Row[]): ImageRequest[] {
	return rows.flatMap(({ request }) => request ?? []);
}

function rowsOf(all: readonly Outdated[], ages: StyleAges): Row[] {
	const rows = all.map((one) => rowOf(one, ages.guideOf(one.image)?.path));
	const possible = (age: Outdated['age']) =>
		rows.filter(({ request, outdated }) => request !== undefined && outdated?.age === age);
	const groups = [
		[restyleMessages.older, possible('older')],
		[restyleMessages.without, possible('without')],
		[restyleMessages.impossible, rows.filter(({ request }) => request === undefined)],
	] as const;
	return groups.flatMap(([heading, some]) =>
		some.length === 0 ? [] : [separator(heading), ...some],
	);
}

/** @param guide that counts now; another one is named */
function rowOf(outdated: Outdated, guide: string | undefined): Row {
	const { image, uri, label, request, remade } = outdated;
	const { prompt, savedAt, size, style } = image;
	const isGone = Array.isArray(request);
	return {
		iconPath: uri,
		label: oneLine(prompt, 80),
		description: [
			label,
			ageWords(new Date(savedAt)),
			...(remade === undefined ? [] : [restyleMessages.regeneratedAs(remade)]),
		].join(' · '),
		detail: [
			vscode.workspace.asRelativePath(uri),
			isGone ? goneWords(request as readonly string[]) : sizeWords(size),
			...(isGone || style === undefined || style.path === guide ? [] : [style.path]),
		].join(' · '),
		buttons: [openButton],
		outdated,
		request: isGone ? undefined : (request as ImageRequest),
	};
}

function goneWords(names: readonly string[]): string {
	return restyleMessages.missing(names.map((name) => safeText(name, 60)));
}
