import * as vscode from 'vscode';
import { settingsOfSite, siteOfPage } from '../../documents/sites.js';
import { findSitesForWriting } from '../../editor/documentSites.js';
import { notify } from '../../editor/messages.js';
import type { Preferences } from '../../editor/preferences.js';
import { readSettingIfSet, writeWorkspaceSetting } from '../../editor/settings.js';
import { generateMessages } from '../messages.js';

/**
 * Offers to save images where the site of a document has them, and to link them as the site serves
 * them: once for each workspace folder, and only where no setting says anything else.
 *
 * @throws {SettingError} where a setting has a value that it cannot have
 */
export async function offerSite(
	document: vscode.Uri | undefined,
	preferences: Pick<Preferences, 'isFirst'>,
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
