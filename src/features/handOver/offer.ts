import * as vscode from 'vscode';
import { foreignText } from '../../editor/foreignText.js';
import { inBackground, mention, notify } from '../../editor/messages.js';

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
	const name = foreignText(vscode.workspace.asRelativePath(brief));
	inBackground(
		notify('info', `The brief is ${name}.`, [
			{ label: 'Open', run: () => open(brief) },
			{ label: 'Copy', run: () => copy(copied) },
			...(hasChat ? [{ label: 'Open in Chat', run: () => chatAbout(brief, image) }] : []),
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
	mention('Easel: the brief is copied', 'check');
}

/** Nothing is sent: the person says what is to be done. */
async function chatAbout(brief: vscode.Uri, image: vscode.Uri): Promise<void> {
	await vscode.commands.executeCommand(openChat, {
		query: '',
		isPartialQuery: true,
		attachFiles: [brief, image],
	});
}
