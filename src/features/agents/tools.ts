import * as vscode from 'vscode';
import type { AgentAnswer } from '../../protocol/agents.js';

/** Returns an answer as a language model tool gives it: JSON, and the preview as an image. */
export function toolResult({ result, preview }: AgentAnswer): vscode.LanguageModelToolResult {
	const { LanguageModelDataPart: data, LanguageModelTextPart: Text } = vscode;
	return new vscode.LanguageModelToolResult([
		new Text(JSON.stringify(result)),
		...(preview === undefined
			? []
			: [data.image(Buffer.from(preview.data, 'base64'), preview.mimeType)]),
	]);
}
