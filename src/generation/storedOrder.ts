import * as vscode from 'vscode';
import { ownReferences, type GenerationRequest } from '../jobs/request.js';
import type { CommandContext, Order, OrderStyle, Target } from './order.js';

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
			references: ownReferences(request).map(({ source }) => vscode.Uri.parse(source, true)),
			withoutStyle: request.withoutStyle,
		},
		style: styleOf(request) ?? 'none',
		context: contextOf(request),
		target: targetOf(request.target),
		round: request.round,
		together: request.together,
		anotherTryOf: storedUri(request.anotherTryOf),
		smallerReferences: request.smallerReferences,
	};
}

/** The style as it was, whatever the guide says now. */
function styleOf({
	prompt,
	effectivePrompt = prompt,
	references,
	style,
}: GenerationRequest): OrderStyle | undefined {
	return (
		style && {
			path: style.path,
			sha256: style.sha256,
			effectivePrompt,
			references: references
				.slice(references.length - style.references.length)
				.map(({ source }, index) => ({
					uri: vscode.Uri.parse(source, true),
					sha256: style.references[index] ?? '',
				})),
		}
	);
}

/** The style of an order, as it lies on the disk. */
export function storedStyle({
	choices: { prompt, withoutStyle },
	style,
}: Order): Pick<GenerationRequest, 'effectivePrompt' | 'style' | 'withoutStyle'> {
	if (style === undefined || style === 'none') {
		return withoutStyle ? { withoutStyle } : {};
	}
	const { path, sha256, effectivePrompt, references } = style;
	return {
		...(effectivePrompt === prompt ? {} : { effectivePrompt }),
		style: { path, sha256, references: references.map((one) => one.sha256) },
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
