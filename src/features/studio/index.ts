import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { registerHandler } from '../../editor/lazyHandlers.js';
import { runDetached, withErrorMessage } from '../../editor/messages.js';
import { tabIcon } from '../../editor/page.js';
import { studioType, studioView } from '../../protocol/panels.js';
import type { Query } from '../../protocol/studioModel.js';
import { registerRequestCommand, runRequestCommand } from '../../asking/requestCommands.js';
import type { Gallery } from '../../jobs/gallery.js';
import type { StudioDeps } from './deps.js';
import { selectOutdated } from './olderStyle.js';
import { imageFolderFor } from './imageFolder.js';
import type { DraftReferences, PlaceName } from './references.js';
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
	/** Each is known before its studio is loaded: a command and a reload may come at the same moment. */
	const shown: Partial<Record<PlaceName, Shown>> = {};
	let references: DraftReferences | undefined;
	const show = async (name: PlaceName, panel: Shown['panel'], onDidShow: vscode.Event<unknown>) => {
		const here: Shown = (shown[name] = { panel, studio: undefined });
		panel.onDidDispose(() => {
			here.studio?.dispose();
			delete shown[name];
			// What was in view there is not edited any more.
			if (references !== undefined) {
				runDetached(references.followView(name, () => Promise.resolve(undefined)));
			}
		});
		const [studio, draft] = await Promise.all([import('./studio.js'), import('./references.js')]);
		references ??= new draft.DraftReferences(context, deps);
		if (shown[name] === here) {
			const place: StudioPlace = {
				name,
				webview: panel.webview,
				get visible() {
					return panel.visible;
				},
				onDidChangeVisibility: onDidShow,
			};
			here.studio = new studio.Studio(place, deps, context, references);
		}
	};
	const showTab = async (panel: vscode.WebviewPanel) => {
		panel.iconPath = tabIcon(context.extensionUri, 'studio');
		await show('tab', panel, panel.onDidChangeViewState);
	};
	const open = async () => {
		if (shown.tab === undefined) {
			const { title } = studioMessages;
			await showTab(vscode.window.createWebviewPanel(studioType, title, vscode.ViewColumn.Beside));
		} else {
			reveal(shown.tab.panel);
		}
		return shown.tab?.studio;
	};
	/** Opens the studio where it is looked at: the tab, unless the view alone is there. */
	const openWhereShown = async () => {
		const { tab, view } = shown;
		if (tab === undefined && view?.panel.visible === true) {
			reveal(view.panel);
			return view.studio;
		}
		return open();
	};
	return vscode.Disposable.from(
		registerCommand('easel.openStudio', async () => {
			await open();
		}),
		registerCommand('easel.showOlderStyle', async () => {
			const selected = await withErrorMessage(() => selectOutdated(deps));
			if (selected !== undefined) {
				(await openWhereShown())?.search(olderStyle, selected);
			}
		}),
		registerCommand('easel.showContactSheet', async (target) => {
			const folder = await imageFolderFor(target);
			if (folder !== undefined) {
				await (await openWhereShown())?.showFolder(folder);
			}
		}),
		registerRequestCommand('mark', 'edit', async ({ id }) => {
			(await openWhereShown())?.mark(id);
		}),
		registerHandler(`webview ${studioType}`, async (panel: vscode.WebviewPanel) => {
			if (shown.tab === undefined) {
				await showTab(panel);
			} else {
				panel.dispose();
			}
		}),
		registerHandler(`view ${studioView}`, (view: vscode.WebviewView) =>
			show('view', view, view.onDidChangeVisibility),
		),
		followRenames(deps.gallery),
		{
			dispose: () => {
				shown.tab?.studio?.dispose();
				shown.view?.studio?.dispose();
				references?.dispose();
			},
		},
	);
}

/** A place where a studio is shown. */
interface Shown {
	readonly panel: vscode.WebviewPanel | vscode.WebviewView;
	/** Missing until it is loaded. */
	studio: Studio | undefined;
}

function reveal(panel: Shown['panel']): void {
	if ('reveal' in panel) {
		panel.reveal();
	} else {
		panel.show();
	}
}

/**
 * Lets the gallery know where its images are when they, or folders above them, are renamed. Links to
 * an image that was renamed itself can be updated.
 */
export function followRenames(gallery: Gallery): vscode.Disposable {
	return registerHandler('renames', ({ files }: vscode.FileRenameEvent) => {
		runDetached(follow(gallery, files));
	});
}

async function follow(gallery: Gallery, files: vscode.FileRenameEvent['files']): Promise<void> {
	for (const { oldUri, newUri } of files) {
		const [from, to] = [oldUri.toString(), newUri.toString()];
		for (const image of await gallery.list()) {
			if (image.target === from || image.target.startsWith(`${from}/`)) {
				await gallery.restore({ ...image, target: to + image.target.slice(from.length) });
			}
			if (image.target === from) {
				runDetached(runRequestCommand('offerLinks', 'edit', oldUri, newUri));
			}
		}
	}
}
