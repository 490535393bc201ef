import * as vscode from 'vscode';
import { formatOf } from '../documents/languages.js';
import { languageOf, mayShowImage } from './nearImage.js';
import { rawSetting } from './rawSetting.js';

/** Checks documents that are open, from the first one on that may have images and is to be checked. */
export function checkOpenDocuments(): vscode.Disposable {
	let showing: Promise<vscode.Disposable> | undefined;
	const look = () => {
		showing ??= vscode.window.visibleTextEditors.some(isToCheck)
			? import('./checkDiagnostics.js').then((module) => module.showCheckDiagnostics())
			: undefined;
	};
	const first = setTimeout(look, firstCheckMs);
	const listening = vscode.Disposable.from(
		vscode.window.onDidChangeVisibleTextEditors(look),
		vscode.workspace.onDidChangeConfiguration(look),
	);
	return new vscode.Disposable(() => {
		clearTimeout(first);
		listening.dispose();
		showing?.then(
			(shown) => {
				shown.dispose();
			},
			() => undefined,
		);
	});
}

/** Time until a document is checked that is open at the start, in milliseconds. */
const firstCheckMs = 2000;

function isToCheck({ document }: vscode.TextEditor): boolean {
	return (
		formatOf(languageOf(document)) !== undefined &&
		mayShowImage(document.getText()) &&
		rawSetting('check.onOpen', true, false, document.uri) === true
	);
}
