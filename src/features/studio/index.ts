import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { registerHandler } from '../../editor/lazyHandlers.js';
import { withErrorMessage } from '../../editor/messages.js';
import { studioType } from '../../protocol/panels.js';
import { everything, type Query } from '../../protocol/studio.js';
import type { StudioDeps } from './deps.js';
import { selectOutdated } from './olderStyle.js';
import { followRenames } from './renames.js';
import { sheetFolder } from './sheetFolder.js';
import type { Studio } from './studio.js';
import { studioMessages } from '../messages.js';

const olderStyle: Query = { text: '', among: 'older' };

/** The image studio: a panel to try, compare and choose. There is one in a window. */
export function registerStudio(
	deps: StudioDeps,
	context: vscode.ExtensionContext,
): vscode.Disposable {
	// Known before the studio itself is loaded: a command and a reload may come at the same moment.
	let shown: vscode.WebviewPanel | undefined;
	let studio: Studio | undefined;
	const show = async (panel: vscode.WebviewPanel) => {
		shown = panel;
		panel.onDidDispose(() => {
			studio?.dispose();
			studio = undefined;
			shown = undefined;
		});
		const { Studio } = await import('./studio.js');
		if (shown === panel) {
			studio = new Studio(panel, deps, context);
		}
	};
	const open = async () => {
		if (shown === undefined) {
			await show(
				vscode.window.createWebviewPanel(
					studioType,
					studioMessages.title,
					vscode.ViewColumn.Beside,
				),
			);
		} else {
			shown.reveal();
		}
	};
	return vscode.Disposable.from(
		registerCommand('easel.openStudio', open),
		registerCommand('easel.showHistory', async () => {
			await open();
			studio?.lookFor(everything);
		}),
		registerCommand('easel.showOlderStyle', async () => {
			const selected = await withErrorMessage(() => selectOutdated(deps));
			if (selected !== undefined) {
				await open();
				studio?.lookFor(olderStyle, selected);
			}
		}),
		registerCommand('easel.showStyleSheet', async (target) => {
			const folder = await sheetFolder(target);
			if (folder !== undefined) {
				await open();
				await studio?.showSheet(folder);
			}
		}),
		registerHandler(`webview ${studioType}`, async (panel: vscode.WebviewPanel) => {
			if (shown === undefined) {
				await show(panel);
			} else {
				panel.dispose();
			}
		}),
		followRenames(deps.gallery),
		{ dispose: () => studio?.dispose() },
	);
}
