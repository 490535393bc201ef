import path from 'node:path';
import * as vscode from 'vscode';
import { WordedError } from '../../editor/errorTexts.js';
import { asUri, resolveField } from '../../generation/argument.js';
import type { Operation } from '../../jobs/request.js';
import { agentMessages } from '../messages.js';

/** A call that is not carried out; nothing was bought. The message says what to do. */
export class AgentError extends WordedError {
	override readonly name = 'AgentError';
}

/** Returns the workspace folder that paths of agents are relative to. @throws {AgentError} */
export function rootFolder(): vscode.Uri {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	if (folder === undefined) {
		throw new AgentError(agentMessages.noFolder);
	}
	return folder.uri;
}

/** Returns the folders that the keys of a call count in: paths, and URIs of those on no disk. */
export function callFolders(): string[] {
	return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) =>
		uri.scheme === 'file' ? uri.fsPath : uri.toString(),
	);
}

/**
 * Returns what a path of an agent names: the text of a URI, absolute, or relative to the workspace folder. Where several
 * are open, it begins with the name of one, else it is relative to the first. A path is returned, and
 * not a URI, where it is relative to the first.
 */
export function namedPlace(text: string): vscode.Uri | string {
	const uri = asUri(text);
	if (uri !== undefined || path.isAbsolute(text)) {
		return uri ?? vscode.Uri.file(text);
	}
	const folders = vscode.workspace.workspaceFolders ?? [];
	const [name = '', ...rest] = text.split(/[/\\]/);
	const folder = folders.length > 1 ? folders.find((one) => one.name === name) : undefined;
	return folder === undefined ? text : vscode.Uri.joinPath(folder.uri, ...rest);
}

/**
 * Resolves the path of a field by the same walls as commands.
 *
 * @throws {ArgumentError} where it lies outside of the workspace
 */
export async function resolvePath(
	operation: Operation,
	field: string,
	text: string,
): Promise<vscode.Uri> {
	return (await resolveField(operation, field, namedPlace(text), rootFolder())).uri;
}

/** Returns the path of a file as agents name it. */
export function pathFor(uri: vscode.Uri): string {
	return vscode.workspace.asRelativePath(uri);
}
