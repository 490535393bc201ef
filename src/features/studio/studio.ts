import path from 'node:path';
import * as vscode from 'vscode';
import { EaselError } from '../../easelError.js';
import { foreignText } from '../../editor/foreignText.js';
import { fitToLeave } from '../../editor/messages.js';
import { runCommand } from '../../editor/commands.js';
import type { Choices } from '../../generation/order.js';
import type { StudioNeeds } from './needs.js';
import { connectPage, pageHtml, type ConnectedPage } from '../../editor/page.js';
import { ImageError } from '../../images/inspect.js';
import { Thumbnails } from '../../images/thumbnails/thumbnails.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import type { Handlers } from '../../protocol/extensionEnd.js';
import { studioProtocol, type StudioRequest } from '../../protocol/studio.js';
import type { ImageAction } from '../../protocol/studioActions.js';
import { nearestSize, sizeSchema } from '../../service/contract.js';
import { act, generate, makeFinal } from './actions.js';
import { imagesHere } from '../../generation/madeImages.js';
import { shownPrompt } from './images.js';
import { actOnJob, type Composed } from './jobActions.js';
import { pickImages } from './pick.js';
import { DraftReferences, RefusedReference } from './references.js';
import { StudioView } from './view.js';

/** The extension's side of one studio panel: it does what the page asks for. It ends with the panel. */
export class Studio implements vscode.Disposable {
	readonly #subscriptions: vscode.Disposable[] = [];
	readonly #references: DraftReferences;
	readonly #page: ConnectedPage<typeof studioProtocol>;
	readonly #view: StudioView;
	#lastRemoved: { readonly image: GalleryImage; readonly at: number } | undefined;

	/** @param panel new, or given back by VS Code after a reload of the window */
	constructor(
		panel: vscode.WebviewPanel,
		private readonly needs: StudioNeeds,
		context: vscode.ExtensionContext,
	) {
		const { webview } = panel;
		const storage = context.globalStorageUri;
		const thumbnails = vscode.Uri.joinPath(storage, 'thumbnails');
		const dist = (file: string) => vscode.Uri.joinPath(context.extensionUri, 'dist', file);
		this.#references = new DraftReferences(
			context.workspaceState,
			vscode.Uri.joinPath(context.storageUri ?? storage, 'references'),
		);
		const made = new Thumbnails({
			folder: thumbnails.fsPath,
			script: dist('thumbnails.js').fsPath,
		});
		this.#page = connectPage(webview, {
			name: 'Image Studio',
			protocol: studioProtocol,
			handlers: this.#handlers,
			onFailed: (error) => this.#wordsOf(error),
			log: needs.log,
		});
		this.#view = new StudioView({
			webview,
			tell: (event) => {
				this.#page.tell(event);
			},
			needs,
			references: this.#references,
			thumbnails: made,
		});
		webview.options = {
			enableScripts: true,
			localResourceRoots: [
				dist(''),
				thumbnails,
				...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri),
			],
		};
		this.#subscriptions.push(
			this.#page,
			panel.onDidChangeViewState(() => {
				needs.jobs.setWatched(this, panel.visible);
			}),
			this.#view,
			this.#references,
			made,
		);
		needs.jobs.setWatched(this, panel.visible);
		webview.html = pageHtml(webview, {
			title: 'Image Studio',
			dist: dist(''),
			script: 'studio.js',
			icons: true,
		});
	}

	/** Lets go of the panel. It stays: the next extension host gets it back. */
	dispose(): void {
		this.needs.jobs.setWatched(this, false);
		vscode.Disposable.from(...this.#subscriptions).dispose();
	}

	readonly #handlers: Handlers<typeof studioProtocol> = {
		ready: async () => {
			await this.#view.showAll();
			this.#tellRemoved();
		},
		generate: (request) => this.#generate(request),
		setUp: ({ problem }) => {
			this.#begin(runCommand(problem === 'key' ? 'easel.setApiKey' : 'easel.setUp'));
		},
		pickReferences: () => {
			this.#begin(this.#pickReferences());
		},
		dropReferences: ({ uris }) => this.#references.addFromPage(uris),
		addReference: ({ name, bytes }) => this.#references.addBytes(name, bytes),
		removeReference: ({ id }) => this.#references.remove(id),
		moveReference: ({ id, to }) => this.#references.move(id, to),
		job: ({ id, action }) => {
			const { jobs } = this.needs;
			const compose = (request: Composed) => this.#compose(request);
			this.#begin(actOnJob(id, action, { jobs, generator: this.needs.generator, compose }));
		},
		search: ({ text }) => this.#view.showGallery(text),
		describe: ({ ids }) => this.#view.describe(ids),
		image: ({ id, action }) => {
			this.#begin(this.#actOnImage(id, action));
		},
		undecodable: ({ id }) => {
			this.needs.log.warn(`Image Studio: the image of ${id} could not be decoded.`);
		},
	};

	/**
	 * Begins what takes a person or the service its time, so that the page does not wait for it. If it
	 * fails, the page is told in a notice.
	 */
	#begin(task: PromiseLike<unknown>): void {
		task.then(undefined, (error: unknown) => {
			const text = this.#wordsOf(error);
			this.#page.tell({ type: 'notice', severity: 'error', text });
		});
	}

	/** Logs what has failed, and returns what is said about it. */
	#wordsOf(error: unknown): string {
		const { message } = fitToLeave(error);
		if (error instanceof EaselError) {
			this.needs.log.warn(`Image Studio: ${message}`);
		}
		return message;
	}

	async #generate({
		prompt,
		size,
		quality,
		count,
	}: Extract<StudioRequest, { readonly type: 'generate' }>): Promise<void> {
		const references = await this.#references.list();
		const unusable = references.find(({ facts }) => facts instanceof ImageError);
		if (unusable?.facts instanceof ImageError) {
			throw new RefusedReference(`${unusable.facts.message} Nothing was sent.`);
		}
		const choices: Choices = {
			prompt: prompt.trim(),
			size: sizeSchema.parse(size),
			quality,
			count,
			references: references.map(({ uri }) => uri),
		};
		this.#begin(generate(choices, this.#references, this.needs));
		await this.#view.showSetup();
	}

	async #pickReferences(): Promise<void> {
		const chosen = (await this.#references.list()).map(({ uri }) => uri);
		await this.#references.add(await pickImages(chosen));
	}

	async #actOnImage(id: string, action: ImageAction): Promise<void> {
		if (action === 'undoRemove') {
			const note = await this.needs.removedImages.restore(id);
			this.#lastRemoved = undefined;
			if (note !== undefined) {
				this.#page.tell({ type: 'notice', severity: 'warning', text: note });
			}
			await this.#view.showGallery();
			return;
		}
		const image = (await imagesHere(this.needs.gallery)).find((one) => one.id === id);
		if (image === undefined) {
			return;
		}
		switch (action) {
			case 'edit':
				await this.#references.add([vscode.Uri.parse(image.target, true)]);
				this.#page.tell({ type: 'compose', size: nearestSize(image) });
				return;
			case 'usePrompt':
				await this.#compose(image);
				return;
			case 'makeFinal':
				await makeFinal(image, this.#references, this.needs);
				return;
			case 'remove':
				if (await this.needs.removedImages.remove(image)) {
					this.#lastRemoved = { image, at: Date.now() };
					this.#tellRemoved();
					await this.#view.showGallery();
				}
				return;
			case 'replace':
				await runCommand('easel.replaceImage', image.target);
				return;
			case 'open':
			case 'reveal':
			case 'insert':
			case 'copyImageLink':
			case 'saveAs':
				await act(action, image, this.needs);
		}
	}

	/** Offers to undo; also to a page that comes back, when the panel was hidden for a moment. */
	#tellRemoved(): void {
		if (this.#lastRemoved !== undefined && Date.now() - this.#lastRemoved.at < longestOfferedMs) {
			const { id, target } = this.#lastRemoved.image;
			const name = path.posix.basename(vscode.Uri.parse(target, true).path);
			const text = `${foreignText(name)} was removed.`;
			this.#page.tell({ type: 'notice', severity: 'info', text, undo: id });
		}
	}

	/** Puts a request into Compose; of its reference images those that still exist. */
	async #compose({ prompt, size, quality = 'unset', references }: Composed): Promise<void> {
		this.#page.tell({ type: 'compose', prompt: shownPrompt(prompt), size, quality });
		if (references.length > 0) {
			await this.#references.add(references.map((uri) => vscode.Uri.parse(uri, true)));
		}
	}
}

/** How long a removal is offered to be undone to a page that comes back, in milliseconds. */
const longestOfferedMs = 10 * 60 * 1000;
