import * as vscode from 'vscode';
import { extensionId } from './extensionId.js';

/**
 * Opens a page of the guide, which is part of the package, in the Markdown preview.
 *
 * @param page the name of a file in `docs/`, without extension; any other value opens the contents
 */
export async function openGuide(page?: unknown): Promise<void> {
	const name = typeof page === 'string' && /^[a-z-]+$/.test(page) ? page : 'README';
	const folder = vscode.extensions.getExtension(extensionId)?.extensionUri;
	if (folder !== undefined) {
		const uri = vscode.Uri.joinPath(folder, 'docs', `${name}.md`);
		await vscode.commands.executeCommand('markdown.showPreview', uri);
	}
}

/** The button of a message that leads to the page on failures. */
export const troubleshooting = {
	label: 'Troubleshooting',
	run: () => openGuide('troubleshooting'),
};
