import path from 'node:path';
import type * as vscode from 'vscode';
import { Log } from './editor/log.js';
import { Memory } from './editor/memory.js';
import { RunningImages } from './editor/runningImages.js';
import { ApiKeys } from './editor/secrets.js';
import { registerCompare } from './features/compare/index.js';
import { registerGenerate } from './features/generate/index.js';
import { registerSetup } from './features/setup/index.js';
import { Claims } from './jobs/claim.js';
import { Journal } from './jobs/journal.js';

/** Makes the parts and registers the features; what each does stands in its own folder. */
export function activate(context: vscode.ExtensionContext): void {
	const log = new Log();
	const keys = new ApiKeys(context.secrets, log);
	const memory = new Memory(context.globalState);
	const running = new RunningImages();
	const journal = new Journal(path.join(context.globalStorageUri.fsPath, 'jobs'));
	const claims = new Claims();
	const worker = path.join(context.extensionPath, 'dist', 'worker.js');

	context.subscriptions.push(
		log,
		running,
		{ dispose: () => void claims.dispose() },
		registerSetup({ keys, log }),
		registerGenerate({ keys, log, memory, running, journal, claims, worker }),
		registerCompare({ log, extensionUri: context.extensionUri }),
	);
}
