import * as vscode from 'vscode';
import { imagesOfWorkspace } from '../../editor/images.js';
import { askPickMany } from '../../editor/pickMany.js';
import { studioMessages } from '../messages.js';

const browseButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('folder-opened'),
	tooltip: studioMessages.browse,
};

/** Lets the user choose images of the workspace, or, by a button, from anywhere. */
export async function pickImages(chosen: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
	const known = new Set(chosen.map(String));
	const images = await imagesOfWorkspace();
	const items = images.filter(({ uri }) => !known.has(uri.toString()));
	if (items.length === 0) {
		return browse();
	}
	const answer = await askPickMany({
		title: studioMessages.references,
		placeholder: studioMessages.referencesPlaceholder,
		emptyText: '',
		items: Promise.resolve(items.map((item) => ({ ...item, iconPath: item.uri }))),
		selected: () => false,
		buttons: [browseButton],
	});
	if (answer?.type === 'button') {
		return browse();
	}
	return answer?.type === 'value' ? answer.value.map(({ uri }) => uri) : [];
}

async function browse(): Promise<readonly vscode.Uri[]> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	return (
		(await vscode.window.showOpenDialog({
			title: studioMessages.references,
			openLabel: studioMessages.add,
			canSelectMany: true,
			filters: { Images: ['png', 'jpg', 'jpeg', 'webp'] },
			defaultUri: folder,
		})) ?? []
	);
}
