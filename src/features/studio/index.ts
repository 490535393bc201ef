import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { registerHandler } from '../../editor/lazyHandlers.js';
import { runDetached, withErrorMessage } from '../../editor/messages.js';
import { tabIcon } from '../../editor/page.js';
import { studioType, studioView } from '../../protocol/panels.js';
import { everything, type Query } from '../../protocol/studio.js';
import type { StudioDeps } from './deps.js';
import type { PlaceName } from './draftReference.js';
import { selectOutdated } from './olderStyle.js';
import { followRenames } from './renames.js';
import { sheetFolder } from './sheetFolder.js';
import type { DraftReferences } from './references.js';
import type { Studio, StudioPlace } from './studio.js';
import { studioMessages } from '../messages.js';

const olderStyle: Query = { text: '', among: 'older' };

/**
 * The image studio, to try, compare and choose: a tab, of which there is one in a window, and a view
 * that stands in any side bar or panel.
 */
export function registerStudio(
	deps: StudioDeps,
	context: vscode.ExtensionContext,
): vscode.Disposable {
	// Known before the studio itself is loaded: a command and a reload may come at the same moment.
	let tab: vscode.WebviewPanel | undefined;
	let ofTab: Studio | undefined;
	let ofView: Studio | undefined;
	let references: DraftReferences | undefined;
	const load = async (place: StudioPlace) => {
		const [studio, draft] = await Promise.all([import('./studio.js'), import('./references.js')]);
		references ??= new draft.DraftReferences(context, deps);
		return { start: () => new studio.Studio(place, deps, context, references!) };
	};
	/** What was in view in a place that is gone is not edited any more. */
	const leave = (place: PlaceName) => {
		if (references !== undefined) {
			runDetached(references.followView(place, () => Promise.resolve(undefined)));
		}
	};
	const showTab = async (panel: vscode.WebviewPanel) => {
		tab = panel;
		panel.iconPath = tabIcon(context.extensionUri, 'studio');
		panel.onDidDispose(() => {
			ofTab?.dispose();
			ofTab = undefined;
			tab = undefined;
			leave('tab');
		});
		const { start } = await load({
			name: 'tab',
			webview: panel.webview,
			get visible() {
				return panel.visible;
			},
			onDidChangeVisibility: panel.onDidChangeViewState,
		});
		if (tab === panel) {
			ofTab = start();
		}
	};
	const open = async () => {
		if (tab === undefined) {
			const { title } = studioMessages;
			await showTab(vscode.window.createWebviewPanel(studioType, title, vscode.ViewColumn.Beside));
		} else {
			tab.reveal();
		}
		return ofTab;
	};
	let view: vscode.WebviewView | undefined;
	const showView = async (shown: vscode.WebviewView) => {
		view = shown;
		shown.onDidDispose(() => {
			ofView?.dispose();
			ofView = undefined;
			view = undefined;
			leave('view');
		});
		const { webview, onDidChangeVisibility } = shown;
		const { start } = await load({
			...{ name: 'view', webview, onDidChangeVisibility },
			get visible() {
				return shown.visible;
			},
		});
		if (view === shown) {
			ofView = start();
		}
	};
	/** Where the studio is looked at: the tab, unless the view alone is there. */
	const openWhereShown = async () => {
		if (tab === undefined && view?.visible === true) {
			view.show();
			return ofView;
		}
		return open();
	};
	return vscode.Disposable.from(
		registerCommand('easel.openStudio', async () => {
			await open();
		}),
		registerCommand('easel.showHistory', async () => {
			(await openWhereShown())?.lookFor(everything);
		}),
		registerCommand('easel.showOlderStyle', async () => {
			const selected = await withErrorMessage(() => selectOutdated(deps));
			if (selected !== undefined) {
				(await openWhereShown())?.lookFor(olderStyle, selected);
			}
		}),
		registerCommand('easel.showStyleSheet', async (target) => {
			const folder = await sheetFolder(target);
			if (folder !== undefined) {
				await (await openWhereShown())?.showSheet(folder);
			}
		}),
		registerHandler(`webview ${studioType}`, async (panel: vscode.WebviewPanel) => {
			if (tab === undefined) {
				await showTab(panel);
			} else {
				panel.dispose();
			}
		}),
		registerHandler(`view ${studioView}`, showView),
		followRenames(deps.gallery),
		{
			dispose: () => {
				ofTab?.dispose();
				ofView?.dispose();
				references?.dispose();
			},
		},
	);
}
