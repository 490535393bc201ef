import * as vscode from 'vscode';
import { safeText } from '../../editor/untrustedText.js';
import { runDetached, showStatus, notify } from '../../editor/messages.js';
import { briefMessages } from '../messages.js';

interface WrittenBrief {
	readonly brief: vscode.Uri;
	/** What a chat gets: by the ending of its name, chats take it for a format. */
	readonly image: vscode.Uri;
	/** The text with links that are relative to the workspace folder, for wherever it is pasted. */
	readonly copied: string;
}

/** Says where the brief is, and offers what can be done with it. Does not wait for the answer. */
export async function offerBrief({ brief, image, copied }: WrittenBrief): Promise<void> {
	const hasChat = (await vscode.commands.getCommands(true)).includes(openChat);
	const name = safeText(vscode.workspace.asRelativePath(brief));
	runDetached(
		notify('info', briefMessages.written(name), [
			{ label: briefMessages.open, run: () => open(brief) },
			{ label: briefMessages.copy, run: () => copy(copied) },
			...(hasChat ? [{ label: briefMessages.openInChat, run: () => chatAbout(brief, image) }] : []),
		]),
	);
}

/** It is no public command: editors without a chat, and some others, do not have it. */
const openChat = 'workbench.action.chat.open';

async function open(brief: vscode.Uri): Promise<void> {
	await vscode.commands.executeCommand('vscode.open', brief);
}

async function copy(text: string): Promise<void> {
	await vscode.env.clipboard.writeText(text);
	showStatus(briefMessages.copied, 'check');
}

/** Nothing is sent: the person says what is to be done. */
async function chatAbout(brief: vscode.Uri, image: vscode.Uri): Promise<void> {
	await vscode.commands.executeCommand(openChat, {
		query: '',
		isPartialQuery: true,
		attachFiles: [brief, image],
	});
}
