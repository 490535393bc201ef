import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { registerHandler } from '../../editor/lazyHandlers.js';
import { asUri } from '../../generation/argument.js';
import { imagesOfWorkspace } from '../../editor/images.js';
import type { Parts } from '../../generation/parts.js';
import { inBackground, notify } from '../../editor/messages.js';
import { askPick } from '../../editor/quickInput.js';
import { savedStateSchema } from '../../protocol/compare.js';
import { comparisonType } from '../../protocol/panels.js';
import { comparisonFor } from './arrivals.js';
import { Comparison, type Images, type Place } from './panel.js';
import { replaceImage } from './replaceImage.js';

type Needs = Pick<Parts, 'extensionUri' | 'history' | 'generator' | 'log' | 'removedImages'>;

const noneMade =
	'Neither of the two images was made from the other, so there is no original to replace.';

/** "Compare Images": two images in one panel, which comes back after a reload of the window. */
export function registerCompare(needs: Needs): vscode.Disposable {
	const open = new Set<Comparison>();
	const keep = (panel: vscode.WebviewPanel, images: Images) => {
		const comparison = new Comparison(panel, images, needs);
		open.add(comparison);
		panel.onDidDispose(() => open.delete(comparison));
	};
	const show = (images: Images, place?: Place) => {
		const shown = [...open].find((comparison) => comparison.shows(images));
		if (shown === undefined) {
			keep(Comparison.createPanel(place), images);
		} else {
			shown.reveal(place);
		}
	};
	return vscode.Disposable.from(
		registerCommand('easel.compareImages', async (...given) => {
			const images = await chooseImages(...given);
			if (images !== undefined) {
				show(images);
			}
		}),
		registerCommand('easel.replaceImage', async (target) => {
			const inFront = [...open].find(({ isInFront }) => isInFront);
			if (target === undefined && inFront !== undefined) {
				if (!(await inFront.decide('replace'))) {
					inBackground(notify('info', noneMade));
				}
			} else {
				await replaceImage(target, needs.history, (made) => {
					// What they show is gone now.
					[...open].filter((one) => one.showsOne(made)).forEach((one) => one.close());
				});
			}
		}),
		needs.generator.onArrived((arrival) => {
			const comparison = comparisonFor(arrival);
			const original = comparison?.images.left.toString();
			// Of several at once the first is shown; each has a message that leads to it.
			const isCompared = [...open].some(({ isVisible, left }) => isVisible && left === original);
			if (comparison !== undefined && !isCompared) {
				show(comparison.images, comparison.place);
			}
		}),
		registerHandler(`webview ${comparisonType}`, (panel: vscode.WebviewPanel, state: unknown) => {
			const saved = savedStateSchema.safeParse(state);
			if (saved.success) {
				const { left, right } = saved.data.pair;
				keep(panel, { left: vscode.Uri.parse(left), right: vscode.Uri.parse(right) });
			} else {
				needs.log.warn('A comparison of an earlier window cannot be restored: no valid state.');
				panel.dispose();
			}
		}),
		{ dispose: () => open.forEach((comparison) => comparison.dispose()) },
	);
}

/** Sorts out who calls; asks for what is missing. `undefined` where the user cancelled. */
async function chooseImages(
	left?: vscode.Uri | string,
	right?: vscode.Uri | string | readonly vscode.Uri[],
): Promise<Images | undefined> {
	const given = Array.isArray(right) ? (right as readonly unknown[]) : [left, right];
	const images = given
		.map((one) => (typeof one === 'string' ? asUri(one) : one))
		.filter((uri) => uri instanceof vscode.Uri);
	switch (images.length) {
		case 0:
		case 1:
			return askForImages(images[0]);
		case 2:
			return { left: images[0]!, right: images[1]! };
		default:
			inBackground(notify('info', 'Two images can be compared at a time. Select exactly two.'));
			return undefined;
	}
}

async function askForImages(given: vscode.Uri | undefined): Promise<Images | undefined> {
	const items = await imagesOfWorkspace();
	if (items.length < 2) {
		inBackground(notify('info', 'There are not two PNG, JPEG or WebP images in this workspace.'));
		return undefined;
	}
	let left = given;
	for (;;) {
		const first = left === undefined;
		const answer = await askPick({
			title: 'Compare Images',
			...(given === undefined ? { step: first ? 1 : 2, totalSteps: 2, canGoBack: !first } : {}),
			placeholder: first ? 'The image on the left' : 'The image on the right',
			items: items.filter(({ uri }) => uri.toString() !== left?.toString()),
			matchOnDescription: true,
		});
		if (answer === undefined) {
			return undefined;
		}
		if (answer.type !== 'value') {
			left = undefined;
		} else if (left === undefined) {
			left = answer.value.uri;
		} else {
			return { left, right: answer.value.uri };
		}
	}
}
