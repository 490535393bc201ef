import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { registerHandler } from '../../editor/lazyHandlers.js';
import type { StudioNeeds } from './needs.js';
import { studioType } from '../../protocol/panels.js';
import { followRenames } from './renames.js';
import { sheetFolder } from './sheetFolder.js';
import type { Studio } from './studio.js';

/** The image studio: a panel to try, compare and choose. There is one in a window. */
export function registerStudio(
	needs: StudioNeeds,
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
			studio = new Studio(panel, needs, context);
		}
	};
	const open = async () => {
		if (shown === undefined) {
			await show(
				vscode.window.createWebviewPanel(studioType, 'Image Studio', vscode.ViewColumn.Beside),
			);
		} else {
			shown.reveal();
		}
	};
	return vscode.Disposable.from(
		registerCommand('easel.openStudio', async (image) => {
			await open();
			if (typeof image === 'string') {
				await studio?.show(image);
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
		followRenames(needs.gallery),
		{ dispose: () => studio?.dispose() },
	);
}
