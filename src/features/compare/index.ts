import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { registerHandler } from '../../editor/lazyHandlers.js';
import { asUri } from '../../generation/argument.js';
import { imagesOfWorkspace } from '../../editor/images.js';
import type { Services } from '../../generation/services.js';
import { runDetached, notify } from '../../editor/messages.js';
import { askPick } from '../../editor/quickInput.js';
import { savedStateSchema } from '../../protocol/compare.js';
import { comparisonType } from '../../protocol/panels.js';
import { comparisonFor } from './arrivals.js';
import { Comparison, type Images, type Place } from './panel.js';
import { replaceImage } from './replaceImage.js';
import { compareMessages } from '../messages.js';
import { log } from '../../log.js';

type Deps = Pick<Services, 'extensionUri' | 'history' | 'generator' | 'deletedImages'>;

/** "Compare Images": two images in one panel, which comes back after a reload of the window. */
export function registerCompare(deps: Deps): vscode.Disposable {
	const open = new Set<Comparison>();
	const keep = (panel: vscode.WebviewPanel, images: Images) => {
		const comparison = new Comparison(panel, images, deps);
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
					runDetached(notify('info', compareMessages.notRelated));
				}
			} else {
				await replaceImage(target, deps.history, (made) => {
					// What they show is gone now.
					[...open].filter((one) => one.showsOne(made)).forEach((one) => one.close());
				});
			}
		}),
		deps.generator.onArrived((arrival) => {
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
				log.warn('A comparison of an earlier window cannot be restored: no valid state.');
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
			runDetached(notify('info', compareMessages.selectTwo));
			return undefined;
	}
}

async function askForImages(given: vscode.Uri | undefined): Promise<Images | undefined> {
	const items = await imagesOfWorkspace();
	if (items.length < 2) {
		runDetached(notify('info', compareMessages.needTwo));
		return undefined;
	}
	const asksBoth = given === undefined;
	let left = given;
	for (;;) {
		const first = left === undefined;
		const answer = await askPick({
			title: compareMessages.title,
			step: asksBoth ? (first ? 1 : 2) : undefined,
			totalSteps: asksBoth ? 2 : undefined,
			canGoBack: asksBoth && !first,
			placeholder: first ? compareMessages.left : compareMessages.right,
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
