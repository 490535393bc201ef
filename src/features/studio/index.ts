import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import type { Parts, Runner } from '../../editor/generation/runner.js';
import { studioType } from '../../protocol/studio.js';
import type { Studio } from './studio.js';

/** The image studio: a panel to try, compare and choose. There is one in a window. */
export function registerStudio(
	runner: Runner,
	parts: Parts,
	context: vscode.ExtensionContext,
): vscode.Disposable {
	let studio: Studio | undefined;
	const show = async (panel: vscode.WebviewPanel) => {
		const { Studio } = await import('./studio.js');
		const shown = new Studio(panel, runner, parts, context);
		studio = shown;
		panel.onDidDispose(() => {
			shown.dispose();
			studio = studio === shown ? undefined : studio;
		});
	};
	return vscode.Disposable.from(
		registerCommand('easel.openStudio', async () => {
			if (studio !== undefined) {
				studio.reveal();
				return;
			}
			await show(
				vscode.window.createWebviewPanel(studioType, 'Image Studio', vscode.ViewColumn.Beside),
			);
		}),
		vscode.window.registerWebviewPanelSerializer(studioType, {
			async deserializeWebviewPanel(panel) {
				if (studio === undefined) {
					await show(panel);
				} else {
					panel.dispose();
				}
			},
		}),
		{ dispose: () => studio?.dispose() },
	);
}
