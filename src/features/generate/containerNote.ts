import * as vscode from 'vscode';
import { safeText } from '../../editor/untrustedText.js';
import { notify } from '../../editor/messages.js';
import type { Preferences } from '../../editor/preferences.js';
import { generateMessages } from '../messages.js';

/**
 * Says once for each workspace folder what is lost when its container is rebuilt: Easel's storage lies
 * in it, and so do images that are being made and backups.
 *
 * @param remoteName that of the window, `vscode.env.remoteName`
 * @param storage absolute path of Easel's storage
 */
export async function noteContainer(
	remoteName: string | undefined,
	{ storage, preferences }: { storage: string; preferences: Pick<Preferences, 'isFirst'> },
): Promise<void> {
	const isContainer = ['dev-container', 'attached-container', 'codespaces'].includes(
		remoteName ?? '',
	);
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	if (!isContainer || !(await preferences.isFirst('container', folder?.uri.toString()))) {
		return;
	}
	const copy = async () => {
		await vscode.env.clipboard.writeText(mountOf(storage));
	};
	await notify('info', generateMessages.container(safeText(storage)), [
		{ label: generateMessages.copyForDevcontainer, run: copy },
	]);
}

/** What `devcontainer.json` needs for the folder to outlive the container. */
function mountOf(folder: string): string {
	const mount = `source=easel-\${devcontainerId},target=${folder},type=volume`;
	return `"mounts": [${JSON.stringify(mount)}]`;
}
