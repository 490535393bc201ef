import path from 'node:path';
import * as vscode from 'vscode';
import { BackupStore } from '../../src/editor/backupStore.js';
import { Preferences } from '../../src/editor/preferences.js';
import { ApiKeys } from '../../src/editor/secrets.js';
import { DraftReferences } from '../../src/features/studio/references.js';
import { Studio } from '../../src/features/studio/studio.js';
import { CallConfirmation } from '../../src/generation/confirmations.js';
import { recipeWriter } from '../../src/generation/recipeWriter.js';
import { Exporter } from '../../src/generation/exporter.js';
import { Generator } from '../../src/generation/generator.js';
import { History } from '../../src/library/history.js';
import { NewDrafts } from '../../src/library/newDrafts.js';
import { Anchors } from '../../src/generation/anchors.js';
import { LanguageModels } from '../../src/models/languageModels.js';
import { JobList } from '../../src/generation/jobList.js';
import { OpenQuestions } from '../../src/generation/openQuestions.js';
import { PromptEditor } from '../../src/asking/promptEditor.js';
import { DeletedImages } from '../../src/library/deletedImages.js';
import { SmallerReferences } from '../../src/generation/referenceImages.js';
import { RequestPreview } from '../../src/style/requestPreview.js';
import { Styles } from '../../src/style/styles.js';
import { Gallery } from '../../src/jobs/gallery.js';
import { changeRequests, linkPair } from '../../src/asking/requestCommands.js';
import { Budget } from '../../src/generation/budget.js';
import { Ledger } from '../../src/jobs/ledger.js';
import { Journal } from '../../src/jobs/journal.js';
import { Annotations } from '../../src/library/annotations.js';
import { Slots } from '../../src/jobs/slots.js';
import { Leases } from '../../src/jobs/windowLeases.js';
import { PageChannel } from '../../src/protocol/pageChannel.js';
import { studioProtocol, type StudioEvent, type StudioRequest } from '../../src/protocol/studio.js';
import { until } from '../host/until.js';
import { finishedJobs } from './finishedJobs.js';

/** A workspace's memory as VS Code gives it to an extension, without the extension. */
export class Memory implements vscode.Memento {
	readonly #values = new Map<string, string>();

	keys(): readonly string[] {
		return [...this.#values.keys()];
	}

	get<T>(key: string, otherwise?: T): T | undefined {
		const text = this.#values.get(key);
		return text === undefined ? otherwise : (JSON.parse(text) as T);
	}

	update(key: string, value: unknown): Thenable<void> {
		if (value === undefined) {
			this.#values.delete(key);
		} else {
			this.#values.set(key, JSON.stringify(value));
		}
		return Promise.resolve();
	}
}

type EventOfType<Type extends StudioEvent['type']> = Extract<StudioEvent, { readonly type: Type }>;

/**
 * Returns a webview whose page is no browser, but has the real channel. Messages are copied on their way.
 *
 * @param fromPage fires what the page sends
 */
export function webviewOf(
	channel: { receive(message: unknown): void },
	fromPage: vscode.EventEmitter<unknown>,
) {
	return {
		options: {},
		html: '',
		cspSource: 'https://csp.example',
		asWebviewUri: (uri: vscode.Uri) => uri.with({ scheme: 'https', authority: 'page.example' }),
		postMessage: (message: unknown) => {
			channel.receive(structuredClone(message));
			return Promise.resolve(true);
		},
		onDidReceiveMessage: fromPage.event,
	};
}

/** The studio with a page that is no browser: it says what a test says, over the real channel. */
export class StudioPage implements vscode.Disposable {
	readonly #events: StudioEvent[] = [];
	readonly #refused: string[] = [];
	readonly #fromPage = new vscode.EventEmitter<unknown>();
	readonly #end: PageChannel<typeof studioProtocol>;
	readonly #studio: Studio;
	readonly #references: DraftReferences;
	readonly #panel: { visible: boolean };
	readonly #onViewState = new vscode.EventEmitter<unknown>();

	constructor(parts: ConstructorParameters<typeof Studio>[1], context: vscode.ExtensionContext) {
		this.#end = new PageChannel(studioProtocol, {
			// Messages are copied on their way.
			post: (message) => {
				this.#fromPage.fire(structuredClone(message));
			},
			onEvent: (event) => this.#events.push(event),
			onRefused: (problem) => this.#refused.push(problem),
		});
		const webview = webviewOf(this.#end, this.#fromPage);
		this.#panel = { visible: true };
		const onDidChangeVisibility = this.#onViewState.event;
		const place = Object.assign(this.#panel, {
			name: 'tab' as const,
			webview,
			onDidChangeVisibility,
		});
		this.#references = new DraftReferences(context, parts);
		this.#studio = new Studio(place, parts, context, this.#references);
	}

	dispose(): void {
		this.#studio.dispose();
		this.#references.dispose();
		this.#fromPage.dispose();
	}

	/** Events that the page could not read: none, in a test that passes. */
	get refused(): readonly string[] {
		return this.#refused;
	}

	/** Another tab is in front of it, or not any more. */
	setVisible(visible: boolean): void {
		this.#panel.visible = visible;
		this.#onViewState.fire({});
	}

	/** Shows all images of a folder, as the command does. */
	showFolder(folder: vscode.Uri): Promise<void> {
		return this.#studio.showFolder(folder);
	}

	/** Has something looked for, as commands do. */
	lookFor(...looked: Parameters<Studio['search']>): void {
		this.#studio.search(...looked);
	}

	ask(request: StudioRequest): Promise<void> {
		return this.#end.ask(request);
	}

	/** Looks at rounds and images, and returns what comes of them at once. */
	async described({ rounds = [], images = [] }: { rounds?: string[]; images?: string[] }) {
		const before = this.#events.length;
		await this.ask({ type: 'describe', rounds, images });
		const now = this.#events.slice(before).find((event) => event.type === 'described');
		return { rounds: now?.rounds ?? [], images: now?.images ?? [] };
	}

	/** The last event of this type that is as it should be; waits for one. */
	async reported<Type extends StudioEvent['type']>(
		type: Type,
		isMeant: (event: EventOfType<Type>) => boolean = () => true,
	): Promise<EventOfType<Type>> {
		const find = () =>
			this.#events.findLast(
				(event): event is EventOfType<Type> =>
					event.type === type && isMeant(event as EventOfType<Type>),
			);
		await until(() => find() !== undefined, `the event ${type} of the studio`).catch((error) => {
			const cause = `${JSON.stringify(this.all(type).at(-1))} ${this.#refused.join(' ')}`;
			throw new Error(cause, { cause: error });
		});
		return find()!;
	}

	/** All events so far, in the order in which they came. */
	get heard(): readonly StudioEvent[] {
		return this.#events;
	}

	/** All events of this type so far. */
	all<Type extends StudioEvent['type']>(type: Type): readonly EventOfType<Type>[] {
		return this.#events.filter((event): event is EventOfType<Type> => event.type === type);
	}
}

/** The parts as the extension makes them, with a storage of their own. */
export function partsIn(storage: string, memory: vscode.Memento) {
	const jobs = new JobList();
	const leases = new Leases();
	const journal = new Journal(path.join(storage, 'jobs'));
	const gallery = new Gallery(storage);
	const anchors = new Anchors();
	const preferences = new Preferences(memory);
	const pixelWorker = path.join(extensionUri().fsPath, 'dist/thumbnails.js');
	const smallerReferences = new SmallerReferences(path.join(storage, 'smaller'), pixelWorker);
	const history = new History(
		gallery,
		path.join(extensionUri().fsPath, 'dist/recipes.js'),
		path.join(storage, 'recipes.jsonl'),
	);
	const prompts = new PromptEditor(storage);
	const preview = new RequestPreview();
	const styles = new Styles(memory, preview);
	const keys = new ApiKeys(noSecrets, memory);
	const ledger = new Ledger(storage);
	const newDrafts = new NewDrafts(history, memory);
	const questions = new OpenQuestions();
	const exporter = new Exporter(path.join(storage, 'exports'), pixelWorker);
	const parts = {
		...{
			exporter,
			jobs,
			leases,
			journal,
			gallery,
			anchors,
			preferences,
			newDrafts,
			pixelWorker,
			prompts,
			questions,
			smallerReferences,
			storage,
		},
		budget: new Budget(ledger),
		changeRequests,
		linkPair,
		ledger,
		callConfirmation: new CallConfirmation(styles),
		extensionUri: extensionUri(),
		finished: finishedJobs(storage, gallery, leases),
		history,
		keys,
		annotations: new Annotations(storage),
		models: new LanguageModels(keys, ledger, preview, memory, {
			canSendRequest: () => undefined,
		}),
		deletedImages: new DeletedImages(gallery, new BackupStore(storage)),
		recipes: recipeWriter('1.2.3'),
		slots: new Slots(path.join(storage, 'slots'), leases, journal),
		styles,
		worker: path.join(extensionUri().fsPath, 'dist/worker.js'),
	};
	const generator = new Generator(parts);
	return {
		...parts,
		generator,
		dispose: () => {
			vscode.Disposable.from(
				...[newDrafts, questions, history, generator, anchors, jobs, leases],
				...[preview, prompts, smallerReferences, styles],
			).dispose();
		},
	};
}

/** Returns a context of the extension with all that the studio needs of it. */
export function contextIn(storage: string, memory: vscode.Memento): vscode.ExtensionContext {
	return {
		workspaceState: memory,
		globalStorageUri: vscode.Uri.file(storage),
		storageUri: vscode.Uri.file(path.join(storage, 'workspace')),
		extensionUri: extensionUri(),
	} as vscode.ExtensionContext;
}

function extensionUri(): vscode.Uri {
	const extension = vscode.extensions.getExtension('easel.easel');
	if (extension === undefined) {
		throw new Error('The extension is not there.');
	}
	return extension.extensionUri;
}

/** A machine that keeps no secrets: the key comes from the environment. */
export const noSecrets: vscode.SecretStorage = {
	get: () => Promise.resolve(undefined),
	keys: () => Promise.resolve([]),
	store: () => Promise.resolve(),
	delete: () => Promise.resolve(),
	onDidChange: () => new vscode.Disposable(() => undefined),
};
