import * as vscode from 'vscode';
import { resultForAgent, type AgentAnswer } from '../../protocol/agents.js';

/** Returns an answer as a language model tool gives it: JSON, and the preview as an image. */
export function toolResult(answer: AgentAnswer): vscode.LanguageModelToolResult {
	const { preview } = answer;
	const { LanguageModelDataPart: data, LanguageModelTextPart: Text } = vscode;
	return new vscode.LanguageModelToolResult([
		new Text(JSON.stringify(resultForAgent(answer))),
		...(preview === undefined
			? []
			: [data.image(Buffer.from(preview.data, 'base64'), preview.mimeType)]),
	]);
}
