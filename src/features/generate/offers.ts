import * as vscode from 'vscode';
import { notify } from '../../editor/messages.js';
import { safeText } from '../../editor/untrustedText.js';
import type { Services } from '../../services.js';
import { generateMessages } from '../messages.js';

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
