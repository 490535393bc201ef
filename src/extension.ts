import path from 'node:path';
import type * as vscode from 'vscode';
import { JobList } from './editor/generation/jobList.js';
import { Runner } from './editor/generation/runner.js';
import { Log } from './editor/log.js';
import { Memory } from './editor/memory.js';
import { logFailuresTo } from './editor/messages.js';
import { RunningImages } from './editor/runningImages.js';
import { ApiKeys } from './editor/secrets.js';
import { registerCompare } from './features/compare/index.js';
import { registerEdit } from './features/edit/index.js';
import { registerGenerate } from './features/generate/index.js';
import { registerMissing } from './features/missing/index.js';
import { recoverJobs } from './features/recovery/index.js';
import { registerSeeing } from './features/seeing/index.js';
import { registerSetup } from './features/setup/index.js';
import { registerStudio } from './features/studio/index.js';
import { Gallery } from './jobs/gallery.js';
import { Journal } from './jobs/journal.js';
import { Leases } from './jobs/leases.js';
import { Slots } from './jobs/slots.js';

/** Makes the parts and registers the features; what each does stands in its own folder. */
export function activate(context: vscode.ExtensionContext): void {
	const log = new Log();
	const keys = new ApiKeys(context.secrets, log);
	const memory = new Memory(context.globalState);
	const storage = context.globalStorageUri.fsPath;
	const journal = new Journal(path.join(storage, 'jobs'));
	const gallery = new Gallery(storage, journal);
	const jobs = new JobList();
	const leases = new Leases();
	const slots = new Slots(path.join(storage, 'slots'), leases, journal);
	const worker = path.join(context.extensionPath, 'dist', 'worker.js');
	const parts = { keys, log, memory, jobs, journal, gallery, leases, slots, worker };
	const runner = new Runner(parts);

	context.subscriptions.push(
		logFailuresTo(log),
		log,
		jobs,
		new RunningImages(jobs),
		{ dispose: () => leases.dispose() },
		registerSetup({ keys, log }),
		registerGenerate(runner, parts),
		registerEdit(runner, parts, storage),
		registerMissing(runner, parts, path.join(context.extensionPath, 'dist', 'missingImages.js')),
		registerSeeing(parts),
		registerStudio(runner, parts, context),
		registerCompare({ log, extensionUri: context.extensionUri }),
		runner,
		recoverJobs(runner, parts),
	);
}
