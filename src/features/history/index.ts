import type * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { RoundReader } from '../../generation/knownRounds.js';
import type { HistoryNeeds } from './needs.js';
import { showHistory } from './showHistory.js';

/** "Show Image History": all images of the workspace, to be searched, and what was made of what. */
export function registerHistory(needs: HistoryNeeds): vscode.Disposable {
	const rounds = new RoundReader(needs);
	return registerCommand('easel.showHistory', () => showHistory(rounds, needs));
}
