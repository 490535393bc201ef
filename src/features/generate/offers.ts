import * as vscode from 'vscode';
import { settingsOfSite, siteOfPage } from '../../documents/sites.js';
import { findSitesForWriting } from '../../editor/documentSites.js';
import { notify } from '../../editor/messages.js';
import { readSettingIfSet, writeWorkspaceSetting } from '../../editor/settings.js';
import { safeText } from '../../editor/untrustedText.js';
import type { Services } from '../../services.js';
import { generateMessages } from '../messages.js';

/**
 * Offers to save images where the site of a document has them, and to link them as the site serves
 * them: once for each workspace folder, and only where no setting says anything else.
 *
 * @throws {SettingError} where a setting has a value that it cannot have
 */
export async function offerSite(
	document: vscode.Uri | undefined,
	{ preferences }: Services,
): Promise<void> {
	const folder = document && vscode.workspace.getWorkspaceFolder(document);
	const isSet =
		readSettingIfSet('documents.publicFolder', document) !== undefined ||
		readSettingIfSet('output.folder', document) !== undefined;
	if (document === undefined || folder === undefined || isSet || !vscode.workspace.isTrusted) {
		return;
	}
	const site = siteOfPage(document.path, await findSitesForWriting(document));
	const offered = site && settingsOfSite(site, folder.uri.path);
	if (
		site === undefined ||
		offered === undefined ||
		!(await preferences.isFirst('site', folder.uri.toString()))
	) {
		return;
	}
	const { outputFolder, publicFolder, served } = offered;
	const write = async () => {
		await writeWorkspaceSetting('output.folder', outputFolder, folder);
		await writeWorkspaceSetting('documents.publicFolder', publicFolder, folder);
	};
	await notify('info', generateMessages.site(site.generator, outputFolder, served), [
		{ label: generateMessages.useSite, run: write },
		{ label: generateMessages.notNow, run: () => Promise.resolve() },
	]);
}

/**
 * Says once for each workspace folder what is lost when its container is rebuilt: Easel's storage lies
 * in it, and so do images that are being made and backups.
 *
 * @param remoteName that of the window, `vscode.env.remoteName`
 */
export async function noteContainer(
	remoteName: string | undefined,
	{ storage, preferences }: Services,
): Promise<void> {
	const containers = ['dev-container', 'attached-container', 'codespaces'];
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
	if (!containers.includes(remoteName ?? '') || !(await preferences.isFirst('container', folder))) {
		return;
	}
	const mount = `source=easel-\${devcontainerId},target=${storage},type=volume`;
	const copy = async () => {
		await vscode.env.clipboard.writeText(`"mounts": [${JSON.stringify(mount)}]`);
	};
	await notify('info', generateMessages.container(safeText(storage)), [
		{ label: generateMessages.copyForDevcontainer, run: copy },
	]);
}
