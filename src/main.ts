import path from 'node:path';
import * as vscode from 'vscode';
import { Budget } from './generation/budget.js';
import { CallConfirmation } from './generation/confirmations.js';
import { changeRequests, linkPair } from './asking/requestCommands.js';
import { SmallerReferences } from './generation/referenceImages.js';
import { savedFileLookup } from './generation/destination.js';
import { LanguageModels } from './models/languageModels.js';
import { JobList } from './generation/jobList.js';
import { Exporter } from './generation/exporter.js';
import { Generator } from './generation/generator.js';
import { History } from './library/history.js';
import { followImageContext } from './features/imageContext/index.js';
import { recipeWriter } from './generation/recipeWriter.js';
import { Anchors, PersistedAnchors } from './generation/anchors.js';
import { BackupStore } from './editor/backupStore.js';
import { registerHandler, useHandlers, type LazyHandlers } from './editor/lazyHandlers.js';
import { registerSites } from './editor/documentSites.js';
import { Log } from './editor/log.js';
import type { McpServer } from './editor/mcpServer.js';
import { runDetached } from './editor/messages.js';
import { log, logTo } from './log.js';
import { Preferences } from './editor/preferences.js';
import { endWithoutNotification } from './editor/progress.js';
import { PromptEditor } from './asking/promptEditor.js';
import { DeletedImages } from './library/deletedImages.js';
import { ImagesStatus } from './generation/imagesStatus.js';
import { OpenQuestions } from './generation/openQuestions.js';
import { NewDrafts } from './library/newDrafts.js';
import { RequestPreview } from './style/requestPreview.js';
import { Styles } from './style/styles.js';
import { ApiKeys } from './editor/secrets.js';
import { registerAgents } from './features/agents/index.js';
import { registerMcp } from './features/agents/mcp.js';
import { registerCompare } from './features/compare/index.js';
import { registerEdit } from './features/edit/index.js';
import { registerExport } from './features/export/index.js';
import { registerGenerate } from './features/generate/index.js';
import { registerBrief } from './features/brief/index.js';
import { registerCheck } from './features/check/index.js';
import { registerMissing } from './features/missing/index.js';
import { registerProgress } from './features/progress/index.js';
import { recoverJobs } from './features/recovery/index.js';
import { registerKeepRest } from './features/keepRest/index.js';
import { registerImageLanguageFeatures } from './features/imageLanguageFeatures/index.js';
import { registerRecipes } from './features/recipes/index.js';
import { registerRegenerate } from './features/regenerate/index.js';
import { registerSetup } from './features/setup/index.js';
import { registerSpending } from './features/spending/index.js';
import { registerStudio } from './features/studio/index.js';
import { registerWords } from './features/words/index.js';
import { registerStyle } from './features/style/index.js';
import { Gallery } from './jobs/gallery.js';
import { FinishedJobs } from './jobs/finishedJobs.js';
import { windowLease } from './jobs/jobFolder.js';
import { Journal } from './jobs/journal.js';
import { Ledger } from './jobs/ledger.js';
import { Annotations } from './library/annotations.js';
import { SharedAnnotations } from './library/sharedAnnotations.js';
import { Leases } from './jobs/windowLeases.js';
import { Wishes } from './jobs/wishes.js';
import { Slots } from './jobs/slots.js';

/**
 * Makes the services and registers the features: what each is and needs stands in its own folder.
 *
 * @param handlers what the editor was given before this was loaded
 * @param mcp the MCP server as the window has offered it before
 * @returns releases the leases of the window; to be awaited, which VS Code does for no disposable
 */
export function start(
	context: vscode.ExtensionContext,
	handlers: LazyHandlers,
	mcp: McpServer,
): () => Promise<void> {
	useHandlers(handlers);
	if (context.extensionMode === vscode.ExtensionMode.Test) {
		endWithoutNotification();
	}
	const output = new Log();
	const keys = new ApiKeys(context.secrets, context.globalState);
	const preferences = new Preferences(context.globalState);
	const storage = context.globalStorageUri.fsPath;
	const journal = new Journal(path.join(storage, 'jobs'));
	const gallery = new Gallery(storage);
	const history = new History(
		gallery,
		path.join(context.extensionPath, 'dist', 'recipes.js'),
		context.storageUri && path.join(context.storageUri.fsPath, 'recipes.jsonl'),
	);
	const jobs = new JobList();
	const questions = new OpenQuestions();
	const newDrafts = new NewDrafts(history, context.workspaceState);
	const leases = new Leases();
	const slots = new Slots(path.join(storage, 'slots'), leases, journal);
	const anchors = new Anchors();
	const prompts = new PromptEditor(storage);
	const pixelWorker = path.join(context.extensionPath, 'dist', 'thumbnails.js');
	const smallerReferences = new SmallerReferences(path.join(storage, 'smaller'), pixelWorker);
	const requestPreview = new RequestPreview();
	const styles = new Styles(context.workspaceState, requestPreview);
	const ledger = new Ledger(storage);
	const services = {
		budget: new Budget(ledger),
		changeRequests,
		linkPair,
		ledger,
		callConfirmation: new CallConfirmation(styles),
		extensionUri: context.extensionUri,
		finished: new FinishedJobs({
			gallery,
			ledger,
			images: savedFileLookup,
			onRemoved: (folder) => {
				leases.release(folder, windowLease).catch((error: unknown) => {
					log.error('The lease of a job that was removed is still kept', error);
				});
			},
		}),
		gallery,
		history,
		newDrafts,
		questions,
		anchors,
		jobs,
		journal,
		keys,
		leases,
		annotations: new Annotations(storage, new SharedAnnotations()),
		models: new LanguageModels(
			keys,
			ledger,
			requestPreview,
			context.workspaceState,
			context.languageModelAccessInformation,
		),
		preferences,
		prompts,
		recipes: recipeWriter((context.extension.packageJSON as { version: string }).version),
		exporter: new Exporter(path.join(storage, 'exports'), pixelWorker),
		pixelWorker,
		deletedImages: new DeletedImages(gallery, new BackupStore(storage)),
		slots,
		smallerReferences,
		storage,
		styles,
		worker: path.join(context.extensionPath, 'dist', 'worker.js'),
	};
	const generator = new Generator(services);
	const deps = { ...services, generator };

	context.subscriptions.push(
		new vscode.Disposable(logTo(output)),
		registerSites(),
		registerHandler('openStorage', (error: unknown) => {
			log.error('A folder of the storage stays open to others', error);
		}),
		output,
		history,
		jobs,
		anchors,
		new PersistedAnchors(jobs, anchors, context.workspaceState),
		prompts,
		requestPreview,
		styles,
		smallerReferences,
		questions,
		newDrafts,
		new ImagesStatus(jobs, questions, newDrafts),
		generator.onArrived(({ id }) => {
			// What is seen arriving in the studio is decided there.
			if (!jobs.isShown) {
				runDetached(newDrafts.add({ id }));
			}
		}),
		registerAgents({ ...deps, wishes: new Wishes(storage) }, context),
		registerSetup(deps, context),
		registerGenerate(deps),
		registerProgress(deps),
		registerEdit(deps),
		registerExport(deps),
		registerMissing(deps),
		registerCheck(deps),
		registerImageLanguageFeatures(deps),
		registerBrief(deps),
		registerStudio(deps, context),
		registerCompare(deps),
		registerStyle(deps),
		registerRegenerate(deps),
		registerKeepRest(deps),
		registerRecipes(deps),
		registerWords(deps),
		registerMcp(mcp),
		registerSpending(deps),
		generator,
		recoverJobs(deps),
		followImageContext(history, generator),
	);
	return () => leases.dispose();
}
