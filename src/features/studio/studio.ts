import * as vscode from 'vscode';
import { EaselError } from '../../easelError.js';
import { toSafeError, runDetached, notify } from '../../editor/messages.js';
import { runCommand } from '../../editor/commands.js';
import { connectPage, pageHtml, type ConnectedPage } from '../../editor/page.js';
import type { FailedJob } from '../../generation/failures.js';
import { waitingForUser } from '../../asking/waiting.js';
import { RoundReader } from '../../library/knownRounds.js';
import { Thumbnails } from '../../images/thumbnails/thumbnails.js';
import type { Handlers } from '../../protocol/hostChannel.js';
import { studioProtocol } from '../../protocol/studio.js';
import { everything, type Query } from '../../protocol/studioModel.js';
import { ownReferences } from '../../jobs/request.js';
import { FolderBeside } from './besideStudio.js';
import { ComposeRequests } from './composeRequests.js';
import { droppedFiles } from './droppedFiles.js';
import { FolderFiles } from './folderFiles.js';
import { askFolder } from './imageFolder.js';
import { ImageRequests } from './imageRequests.js';
import type { PageRequest, StudioContext, StudioDeps } from './deps.js';
import { requestsInCurrentStyle } from './olderStyle.js';
import { Outbox } from './outbox.js';
import type { DraftReferences, PlaceName } from './references.js';
import { roundAgain } from './roundAgain.js';
import { Sources } from './sources.js';
import { StudioView } from './view.js';
import { studioMessages } from '../messages.js';
import { log } from '../../log.js';

/** Place of a studio, as far as it has to know it. */
export interface StudioPlace {
	readonly name: PlaceName;
	readonly webview: vscode.Webview;
	readonly visible: boolean;
	readonly onDidChangeVisibility: vscode.Event<unknown>;
}

/** The extension's side of one page of the studio: it does what that asks for, and ends with it. */
export class Studio implements vscode.Disposable {
	readonly #subscriptions: vscode.Disposable;
	readonly #page: ConnectedPage<typeof studioProtocol>;
	readonly #context: StudioContext;
	readonly #view: StudioView;
	readonly #images: ImageRequests;
	readonly #compose: ComposeRequests;
	readonly #outbox = new Outbox((event) => {
		this.#page.send(event);
	});

	/**
	 * @param place a tab or a view; new, or given back by VS Code after a reload of the window
	 * @param references of the draft, the same in all places of the window
	 */
	constructor(
		private readonly place: StudioPlace,
		private readonly deps: StudioDeps,
		context: vscode.ExtensionContext,
		private readonly references: DraftReferences,
	) {
		const { webview } = place;
		const thumbnails = vscode.Uri.joinPath(context.globalStorageUri, 'thumbnails');
		const dist = (file: string) => vscode.Uri.joinPath(context.extensionUri, 'dist', file);
		const made = new Thumbnails({
			folder: thumbnails.fsPath,
			script: dist('thumbnails.js').fsPath,
		});
		this.#page = connectPage(webview, {
			name: studioMessages.title,
			protocol: studioProtocol,
			handlers: this.#handlers,
			onFailed: (error) => this.#wordsOf(error),
		});
		this.#context = {
			deps,
			place: place.name,
			references,
			rounds: new RoundReader(deps),
			sources: new Sources(webview, made),
			beside: new FolderBeside(),
			files: new FolderFiles(context.workspaceState),
			send: (event) => {
				this.#page.send(event);
			},
			begin: (task) => {
				this.#begin(task);
			},
		};
		this.#view = new StudioView(this.#context);
		this.#images = new ImageRequests(this.#context, this.#view);
		this.#compose = new ComposeRequests(this.#context, this.#view, this.#outbox);
		const allow = () => {
			webview.options = {
				enableScripts: true,
				localResourceRoots: [
					dist(''),
					thumbnails,
					...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri),
				],
			};
		};
		allow();
		this.#subscriptions = vscode.Disposable.from(
			this.#page,
			place.onDidChangeVisibility(() => {
				deps.jobs.setShown(this, place.visible);
				this.#outbox.isReady &&= place.visible;
			}),
			vscode.workspace.onDidChangeWorkspaceFolders(({ added }) => {
				if (added.length > 0) {
					// VS Code loads the page anew then; until it stands again, no message arrives.
					this.#outbox.isReady = false;
					allow();
				}
			}),
			this.#view,
			this.#context.beside,
			this.#context.files,
			made,
		);
		deps.jobs.setShown(this, place.visible);
		webview.html = pageHtml(webview, {
			title: studioMessages.title,
			dist: dist(''),
			script: 'studio.js',
		});
	}

	/**
	 * Searches, with the focus in the search field, as soon as the page stands.
	 *
	 * @param selected images to select among what is found
	 */
	search(query: Query, selected: string[] = []): void {
		this.#outbox.sendWhenReady({ type: 'search', query, selected });
	}

	/** Shows an image large, to be marked, as soon as the page stands. */
	mark(id: string): void {
		this.#outbox.sendWhenReady({ type: 'mark', id });
	}

	/**
	 * Shows all images of a folder side by side.
	 *
	 * @throws {OutsideWorkspaceError} where it does not lie in the workspace
	 */
	async showFolder(folder: vscode.Uri): Promise<void> {
		await this.#context.files.open(folder);
		this.search({ text: '', among: 'files' });
	}

	/** Lets go of the page. It stays: the next extension host gets it back. */
	dispose(): void {
		this.deps.jobs.setShown(this, false);
		this.#subscriptions.dispose();
	}

	readonly #handlers: Handlers<typeof studioProtocol> = {
		ready: async () => {
			await this.#view.showAll();
			this.#images.sendRemoved();
			this.#outbox.open();
		},
		generate: (request) => this.#compose.generate(request),
		showSent: (request) => this.#begun(this.#compose.showSent(request)),
		askModel: (request) => this.#begun(this.#compose.askModel(request)),
		askSize: ({ size }) => this.#begun(this.#compose.askSize(size)),
		openStyle: () => this.#begun(this.#compose.openStyle()),
		setUp: ({ problem }) =>
			this.#begun(runCommand(problem === 'key' ? 'easel.setApiKey' : 'easel.setUp')),
		pickReferences: () => this.#begun(this.#compose.pickReferences()),
		dropReferences: async ({ uris }) => this.references.add(await droppedFiles(uris)),
		addReference: ({ name, bytes }) => this.references.addBytes(name, bytes),
		removeReference: ({ id }) => this.references.remove(id),
		moveReference: ({ id, to }) => this.references.move(id, to),
		edit: (request) =>
			request.how === 'inView'
				? this.#images.edit(request)
				: this.#begun(this.#images.edit(request)),
		recallReferences: async ({ prompt }) => {
			await this.references.recall(prompt.trim(), this.place.name);
		},
		job: (request) => this.#begun(this.#actOnJob(request)),
		jobs: ({ ids, action }) => {
			const failed = this.deps.jobs.failed.map(({ entry }) => entry);
			const meant = failed.filter(({ request }) => ids.includes(request.id));
			return this.#begun(this.deps.generator.act(action, meant));
		},
		search: ({ query }) => this.#view.search(query),
		describe: (onScreen) => this.#view.describer.describe(onScreen),
		image: ({ id, action }) => this.#begun(this.#images.act(id, action)),
		images: (request) => this.#begun(this.#images.actOnAll(request)),
		undoRemove: (request) => this.#begun(this.#images.undoRemove(request)),
		chooseFolder: () => this.#begun(this.#chooseFolder()),
		annotateImages: (request) => this.#images.annotateImages(request),
		annotateRound: (request) => this.#images.annotateRound(request),
		decide: async ({ id }) => {
			const waiting = waitingForUser(this.deps).find((one) => one.id === id);
			// It may have been decided elsewhere since.
			await (waiting && this.#begun(waiting.run()));
		},
		roundAgain: ({ id }) => this.#begun(this.#roundAgain(id)),
		restyle: ({ images }) => this.#begun(this.#restyle(images)),
		undecodable: ({ id }) => {
			log.warn(`Image Studio: the image of ${id} could not be decoded.`);
		},
	};

	/** Answers at once, as the user or the service may take its time. */
	#begun(task: PromiseLike<unknown>): Promise<void> {
		this.#begin(task);
		return Promise.resolve();
	}

	/**
	 * Begins what takes the user or the service its time, so that the page does not wait for it. If it
	 * fails, the page shows a notice; one that is hidden hears nothing.
	 */
	#begin(task: PromiseLike<unknown>): void {
		task.then(undefined, (error: unknown) => {
			const text = this.#wordsOf(error);
			if (this.#outbox.isReady) {
				this.#page.send({ type: 'notice', severity: 'error', text });
			} else {
				runDetached(notify('error', text));
			}
		});
	}

	/** Logs what has failed, and returns what is said about it. */
	#wordsOf(error: unknown): string {
		const { message } = toSafeError(error);
		if (error instanceof EaselError) {
			log.warn(`Image Studio: ${message}`);
		}
		return message;
	}

	async #roundAgain(id: string): Promise<void> {
		const round = (await this.#context.rounds.read()).round(id);
		if (round !== undefined) {
			await roundAgain(round, this.references.pasted, this.deps);
		}
	}

	/** Makes images again with the style of now, and shows them where they arrive. */
	async #restyle(images: readonly string[]): Promise<void> {
		const known = await this.#context.rounds.read();
		const requests = await requestsInCurrentStyle(images, known, this.deps);
		if (requests !== undefined) {
			this.search(everything);
			await this.deps.generator.makeSeries(requests);
		}
	}

	async #chooseFolder(): Promise<void> {
		const folder = await askFolder();
		await (folder && this.showFolder(folder));
	}

	/**
	 * Does what the user has chosen on the card of a job. Nothing where there is no such job any more,
	 * or it has come so far that this cannot be done: its card is on its way.
	 */
	async #actOnJob({ id, action }: PageRequest<'job'>): Promise<void> {
		const { jobs, generator } = this.deps;
		const running = jobs.running.find((job) => job.request.id === id);
		const failed = jobs.failed.find((job) => job.entry.request.id === id)?.entry;
		const unsaved = jobs.unsaved.find((job) => job.entry.request.id === id);
		if (action === 'cancel') {
			running?.cancel();
		} else if (action === 'stop') {
			running?.answer(false);
		} else if (action === 'saveAs' || action === 'saveAgain' || action === 'discard') {
			await (unsaved && generator.actOnUnsaved(action, unsaved));
		} else if (action === 'change') {
			await (failed && this.#change(failed));
		} else if (action === 'sendAgain' && running !== undefined) {
			running.answer(true);
		} else {
			await generator.act(action, failed ? [failed] : []);
		}
	}

	/** Puts a request back into the composer. */
	async #change(entry: FailedJob['entry']): Promise<void> {
		const references = ownReferences(entry.request).map(({ source }) => source);
		await this.#images.repeat({ ...entry.request, references });
		await this.deps.generator.act('dismiss', [entry]);
	}
}
