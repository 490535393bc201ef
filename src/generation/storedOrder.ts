import * as vscode from 'vscode';
import type { GenerationRequest } from '../jobs/request.js';
import type { CommandContext, Order, Target } from './order.js';

type StoredContext = Pick<GenerationRequest, 'document' | 'insertion' | 'workspaceFolder'>;
type StoredTarget = GenerationRequest['target'];

/** The order behind a request that the journal has kept. */
export function orderOf(request: GenerationRequest): Order {
	return {
		operation: request.operation,
		choices: {
			prompt: request.prompt,
			size: request.size,
			quality: request.quality ?? 'unset',
			count: 1,
			references: request.references.map((reference) => vscode.Uri.parse(reference.source, true)),
		},
		context: contextOf(request),
		target: targetOf(request.target),
		round: request.round,
		anotherTryOf: storedUri(request.anotherTryOf),
		smallerReferences: request.smallerReferences,
	};
}

/** Where a command was given, as it lies on the disk. */
export function storedContext({
	document,
	insertion,
	workspaceFolder,
}: CommandContext): StoredContext {
	return {
		document: document?.toString(),
		insertion,
		workspaceFolder: workspaceFolder?.toString(),
	};
}

export function contextOf({ document, insertion, workspaceFolder }: StoredContext): CommandContext {
	return {
		document: storedUri(document),
		insertion,
		workspaceFolder: storedUri(workspaceFolder),
	};
}

/** Where an image goes, as it lies on the disk. */
export function storedTarget({ folder, root, stem }: Target): StoredTarget {
	return { folder: folder.toString(), root: root?.toString(), stem };
}

export function targetOf({ folder, root, stem }: StoredTarget): Target {
	return { folder: vscode.Uri.parse(folder, true), root: storedUri(root), stem };
}

export function storedUri(text: string | undefined): vscode.Uri | undefined {
	return text === undefined ? undefined : vscode.Uri.parse(text, true);
}
