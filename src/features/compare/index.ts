import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { imagesOfWorkspace } from '../../editor/images.js';
import { registerHandler } from '../../editor/lazyHandlers.js';
import { notify, runDetached } from '../../editor/messages.js';
import { askPick, pickLoop } from '../../editor/quickInput.js';
import { asUri } from '../../asking/argument.js';
import type { Services } from '../../services.js';
import { log } from '../../log.js';
import { comparisonStateSchema } from '../../protocol/compare.js';
import { draftsStateSchema } from '../../protocol/drafts.js';
import { comparisonType } from '../../protocol/panels.js';
import { compareMessages } from '../messages.js';
import { replaceImage } from './decisions.js';
import { chooseDraft, connectDrafts, type DraftChoice } from './drafts.js';
import { ComparisonPanel, type Images } from './panel.js';
import { placeToPaste } from './pasted.js';

/** "Compare Images": two images in one panel, which comes back after a reload of the window. */
export function registerCompare(deps: Services): vscode.Disposable {
	const open = new Set<ComparisonPanel>();
	const connect = (panel: vscode.WebviewPanel, images: Images) => {
		const comparison = new ComparisonPanel(panel, images, deps);
		open.add(comparison);
		panel.onDidDispose(() => open.delete(comparison));
	};
	const show = (images: Images) => {
		const shown = [...open].find((comparison) => comparison.shows(images));
		if (shown === undefined) {
			// Among the active editor's tabs: nothing is split.
			const column = vscode.ViewColumn.Active;
			const { title } = compareMessages;
			connect(vscode.window.createWebviewPanel(comparisonType, title, column), images);
		} else {
			shown.panel.reveal();
		}
	};
	const choices = new Set<DraftChoice>();
	return vscode.Disposable.from(
		registerCommand('easel.chooseDraft', (target) => chooseDraft(target, deps, choices)),
		registerCommand('easel.compareImages', async (...given) => {
			const images = await chooseImages(deps, ...given);
			if (images !== undefined) {
				show(images);
			}
		}),
		registerCommand('easel.replaceImage', async (target) => {
			const inFront = [...open].find(({ panel }) => panel.active);
			if (target === undefined && inFront !== undefined) {
				await inFront.decide('replace');
				return;
			}
			const made = await replaceImage(target, deps);
			// What these show is gone now.
			for (const { panel } of [...open].filter((one) => one.showsOne(made))) {
				panel.dispose();
			}
		}),
		registerHandler(`webview ${comparisonType}`, (panel: vscode.WebviewPanel, state: unknown) => {
			const saved = comparisonStateSchema.safeParse(state);
			const drafts = draftsStateSchema.safeParse(state);
			if (drafts.success) {
				connectDrafts(panel, drafts.data.drafts, deps, choices);
			} else if (saved.success) {
				const { left, right } = saved.data.pair;
				connect(panel, { left: vscode.Uri.parse(left), right: vscode.Uri.parse(right) });
			} else {
				log.warn('A comparison of an earlier window cannot be restored: no valid state.');
				panel.dispose();
			}
		}),
		{ dispose: () => [...open, ...choices].forEach((panel) => panel.dispose()) },
	);
}

/** Takes the images that the caller names, and asks for what is missing; `undefined` for cancel. */
async function chooseImages(
	deps: Services,
	left?: vscode.Uri | string,
	right?: vscode.Uri | string | readonly vscode.Uri[],
): Promise<Images | undefined> {
	const given = Array.isArray(right) ? (right as readonly unknown[]) : [left, right];
	const [first, second, ...others] = given
		.map((one) => (typeof one === 'string' ? asUri(one) : one))
		.filter((uri) => uri instanceof vscode.Uri);
	if (others.length > 0) {
		runDetached(notify('info', compareMessages.selectTwo));
		return undefined;
	}
	return first !== undefined && second !== undefined
		? { left: first, right: second }
		: askForImages(deps, first);
}

async function askForImages(
	deps: Services,
	given: vscode.Uri | undefined,
): Promise<Images | undefined> {
	const items = await imagesOfWorkspace();
	if (items.length === 0) {
		runDetached(notify('info', compareMessages.noImages));
		return undefined;
	}
	const totalSteps = given === undefined ? 2 : undefined;
	let left = given;
	// Only the page can read the clipboard.
	const paste = { icon: 'clippy', label: compareMessages.paste, uri: placeToPaste(deps) };
	const ask = () =>
		askPick({
			title: compareMessages.title,
			step: totalSteps && (left === undefined ? 1 : 2),
			totalSteps,
			canGoBack: totalSteps !== undefined && left !== undefined,
			placeholder: left === undefined ? compareMessages.left : compareMessages.right,
			items: [
				...items.filter(({ uri }) => uri.toString() !== left?.toString()),
				...(left === undefined ? [] : [paste]),
			],
			matchOnDescription: true,
		});
	return pickLoop(ask, (answer) => {
		if (left !== undefined && answer.type === 'value') {
			return { done: { left, right: answer.value.uri } };
		}
		left = answer.type === 'value' ? answer.value.uri : undefined;
		return 'again';
	});
}
