import type * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { RoundReader } from '../../generation/knownRounds.js';
import type { HistoryDeps } from './deps.js';
import { showHistory } from './showHistory.js';

/** "Show Image History": all images of the workspace, to be searched, and what was made of what. */
export function registerHistory(deps: HistoryDeps): vscode.Disposable {
	const rounds = new RoundReader(deps);
	return registerCommand('easel.showHistory', () => showHistory(rounds, deps));
}
