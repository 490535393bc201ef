import * as vscode from 'vscode';
import type { GenerationRequest } from '../../jobs/request.js';
import type { Quality, Size } from '../../service/contract.js';
import type { Origin } from './origin.js';
import type { Target } from './target.js';

/** What a person decides about an image. */
export interface Choices {
	prompt: string;
	size: Size;
	quality: Quality | 'unset';
	count: number;
	references: readonly vscode.Uri[];
}

/** What the user has asked for: an image, or a change of the first of the reference images. */
export type Operation = GenerationRequest['operation'];

/** What a series of images has in common, so that one of them can be asked for again. */
export interface Order {
	readonly operation: Operation;
	readonly choices: Choices;
	readonly origin: Origin;
	readonly target: Target;
}

/** The order behind a request that the journal has kept. */
export function orderOf(request: GenerationRequest): Order {
	const uri = (text: string | undefined) =>
		text === undefined ? undefined : vscode.Uri.parse(text, true);
	return {
		operation: request.operation,
		choices: {
			prompt: request.prompt,
			size: request.size,
			quality: request.quality ?? 'unset',
			count: 1,
			references: request.references.map((reference) => vscode.Uri.parse(reference.source, true)),
		},
		origin: {
			document: uri(request.document),
			workspaceFolder: uri(request.workspaceFolder),
			insertion: request.insertion,
			selectedText: '',
		},
		target: {
			folder: vscode.Uri.parse(request.target.folder, true),
			root: uri(request.target.root),
			stem: request.target.stem,
		},
	};
}
