import type * as vscode from 'vscode';
import { Log } from './editor/log.js';
import { Memory } from './editor/memory.js';
import { RunningImages } from './editor/runningImages.js';
import { ApiKeys } from './editor/secrets.js';
import { registerGenerate } from './features/generate/index.js';
import { registerSetup } from './features/setup/index.js';

/** Makes the parts and registers the features; what each does stands in its own folder. */
export function activate(context: vscode.ExtensionContext): void {
	const log = new Log();
	const keys = new ApiKeys(context.secrets, log);
	const memory = new Memory(context.globalState);
	const running = new RunningImages();
	const storage = context.globalStorageUri;

	context.subscriptions.push(
		log,
		running,
		registerSetup({ keys, log }),
		registerGenerate({ keys, log, memory, running, storage }),
	);
}
