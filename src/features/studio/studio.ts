import path from 'node:path';
import * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { SaveError } from '../../editor/files.js';
import { ArgumentError } from '../../generation/argument.js';
import type { FailedJob } from '../../generation/failures.js';
import type { UnsavedImage } from '../../generation/jobList.js';
import type { Choices } from '../../generation/order.js';
import { openSettings, withNewKey, withSetUp } from '../../generation/report.js';
import type { StudioNeeds } from './needs.js';
import { inBackground } from '../../editor/messages.js';
import { KeptFiles } from '../../editor/keptFiles.js';
import { SettingError } from '../../editor/settings.js';
import { ImageError } from '../../images/inspect.js';
import { Thumbnails } from '../../images/thumbnails/thumbnails.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import {
	receiveFromPage,
	type ImageAction,
	type JobAction,
	type PageMessage,
} from '../../protocol/studio.js';
import { nearestSize, sizeSchema } from '../../service/contract.js';
import { act, generate } from './actions.js';
import { shortened } from './images.js';
import { studioPage } from './page.js';
import { pickImages } from './pick.js';
import { DraftReferences, RefusedReference } from './references.js';
import { RemovedImages } from './removed.js';
import { imagesHere, StudioView } from './view.js';

type Message<Type extends PageMessage['type']> = PageMessage & { readonly type: Type };

/** The extension's side of one studio panel: it does what the page asks for. It ends with the panel. */
export class Studio implements vscode.Disposable {
	readonly #subscriptions: vscode.Disposable[] = [];
	readonly #references: DraftReferences;
	readonly #removed: RemovedImages;
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
		this.#removed = new RemovedImages(needs.gallery, new KeptFiles(storage.fsPath), needs.log);
		const made = new Thumbnails({
			folder: thumbnails.fsPath,
			script: dist('thumbnails.js').fsPath,
		});
		this.#view = new StudioView({
			webview,
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
			// Before the page stands: it says so at once.
			webview.onDidReceiveMessage((data: unknown) => inBackground(this.#receive(data))),
			panel.onDidChangeViewState(() => {
				needs.jobs.setWatched(this, panel.visible);
			}),
			this.#view,
			this.#references,
			made,
		);
		needs.jobs.setWatched(this, panel.visible);
		webview.html = studioPage(webview, dist);
	}

	/** Lets go of the panel. It stays: the next extension host gets it back. */
	dispose(): void {
		this.needs.jobs.setWatched(this, false);
		vscode.Disposable.from(...this.#subscriptions).dispose();
	}

	async #receive(data: unknown): Promise<void> {
		const { log } = this.needs;
		const received = receiveFromPage(data);
		if (!received.success) {
			log.warn(`Image Studio refused a message of its page: ${received.problem}`);
			return;
		}
		try {
			await this.#handle(received.message);
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			if (isForPeople(error)) {
				log.warn(`Image Studio: ${message}`);
			} else {
				log.error('Image Studio could not do what it was asked for', error);
			}
			this.#view.tell({ type: 'notice', severity: 'error', text: message.slice(0, 2000) });
		}
	}

	async #handle(message: PageMessage): Promise<void> {
		switch (message.type) {
			case 'ready':
				await this.#view.showAll();
				this.#tellRemoved();
				return;
			case 'generate':
				await this.#generate(message);
				return;
			case 'setUp':
				await runCommand(message.problem === 'key' ? 'easel.setApiKey' : 'easel.setUp');
				return;
			case 'pickReferences':
				await this.#references.add(await pickImages(await this.#referenceUris()));
				return;
			case 'dropReferences':
				await this.#references.addFromPage(message.uris);
				return;
			case 'addReference':
				await this.#references.addBytes(message.name, message.bytes);
				return;
			case 'removeReference':
				await this.#references.remove(message.id);
				return;
			case 'moveReference':
				await this.#references.move(message.id, message.to);
				return;
			case 'job':
				await this.#actOnJob(message.id, message.action);
				return;
			case 'search':
				await this.#view.showGallery(message.text);
				return;
			case 'describe':
				await this.#view.describe(message.ids);
				return;
			case 'image':
				await this.#actOnImage(message.id, message.action);
				return;
			case 'undecodable':
				this.needs.log.warn(`Image Studio: the image of ${message.id} could not be decoded.`);
		}
	}

	async #generate({ prompt, size, quality, count }: Message<'generate'>): Promise<void> {
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
		const making = generate(choices, this.#references, this.needs);
		await this.#view.showSetup();
		await making;
	}

	async #actOnJob(id: string, action: JobAction): Promise<void> {
		const { jobs } = this.needs;
		if (action === 'showLog') {
			await runCommand('easel.showLog');
			return;
		}
		const running = jobs.running.find((job) => job.request.id === id);
		if (running !== undefined) {
			switch (action) {
				case 'cancel':
					running.cancel();
					return;
				case 'sendAgain':
				case 'stop':
					running.answer(action === 'sendAgain');
					return;
				default:
					return;
			}
		}
		const failed = jobs.failed.find((job) => job.entry.request.id === id);
		if (failed !== undefined) {
			await this.#actOnFailure(failed, action);
			return;
		}
		const unsaved = jobs.unsaved.find(({ entry }) => entry.request.id === id);
		if (unsaved !== undefined) {
			await this.#actOnUnsaved(unsaved, action);
		}
	}

	async #actOnUnsaved(image: UnsavedImage, action: JobAction): Promise<void> {
		switch (action) {
			case 'saveAs':
				await this.needs.generator.unsaved.saveAs(image);
				return;
			case 'saveAgain':
				await this.needs.generator.unsaved.saveAgain(image);
				return;
			case 'discard':
				await this.needs.generator.unsaved.discard(image);
				return;
			default:
		}
	}

	async #actOnFailure({ entry, state }: FailedJob, action: JobAction): Promise<void> {
		switch (action) {
			case 'again':
			case 'sendAgain':
				await this.needs.generator.again(entry);
				return;
			case 'setKey':
			case 'useAnotherKey':
				await withNewKey(() => inBackground(this.needs.generator.again(entry)));
				return;
			case 'setUp':
				await withSetUp(() => inBackground(this.needs.generator.again(entry)));
				return;
			case 'openSettings':
				await openSettings(state.state === 'failed' ? state.failure.field : undefined);
				return;
			case 'change': {
				const { prompt, size, quality, references } = entry.request;
				await this.#compose({
					prompt,
					size,
					quality,
					references: references.map(({ source }) => source),
				});
				await this.needs.generator.dismiss(entry);
				return;
			}
			case 'dismiss':
				await this.needs.generator.dismiss(entry);
				return;
			default:
		}
	}

	async #actOnImage(id: string, action: ImageAction): Promise<void> {
		if (action === 'undoRemove') {
			const note = await this.#removed.restore(id);
			this.#lastRemoved = undefined;
			if (note !== undefined) {
				this.#view.tell({ type: 'notice', severity: 'warning', text: note });
			}
			await this.#view.showGallery();
			return;
		}
		const image = (await imagesHere(this.needs)).find((one) => one.id === id);
		if (image === undefined) {
			return;
		}
		switch (action) {
			case 'edit':
				await this.#references.add([vscode.Uri.parse(image.target, true)]);
				this.#view.tell({ type: 'compose', size: nearestSize(image) });
				return;
			case 'usePrompt':
				await this.#compose(image);
				return;
			case 'makeFinal': {
				const { prompt, size } = image;
				const choices = { prompt, size, quality: 'high', count: 1, references: [] } as const;
				await generate(choices, this.#references, this.needs);
				return;
			}
			case 'remove':
				if (await this.#removed.remove(image)) {
					this.#lastRemoved = { image, at: Date.now() };
					this.#tellRemoved();
					await this.#view.showGallery();
				}
				return;
			default:
				await act(action, image);
		}
	}

	/** Offers to undo; also to a page that comes back, when the panel was hidden for a moment. */
	#tellRemoved(): void {
		if (this.#lastRemoved !== undefined && Date.now() - this.#lastRemoved.at < longestOfferedMs) {
			const { id, target } = this.#lastRemoved.image;
			const name = path.posix.basename(vscode.Uri.parse(target, true).path);
			const text = `${name.slice(0, 300)} was removed.`;
			this.#view.tell({ type: 'notice', severity: 'info', text, undo: id });
		}
	}

	/** Puts a request into Compose; of its reference images those that still exist. */
	async #compose({
		prompt,
		size,
		quality = 'unset',
		references,
	}: Pick<GalleryImage, 'prompt' | 'size' | 'references'> & {
		readonly quality?: 'high' | 'low' | undefined | 'unset';
	}): Promise<void> {
		this.#view.tell({ type: 'compose', prompt: shortened(prompt), size, quality });
		if (references.length > 0) {
			await this.#references.add(references.map((uri) => vscode.Uri.parse(uri, true)));
		}
	}

	async #referenceUris(): Promise<vscode.Uri[]> {
		return (await this.#references.list()).map(({ uri }) => uri);
	}
}

/** How long a removal is offered to be undone to a page that comes back, in milliseconds. */
const longestOfferedMs = 10 * 60 * 1000;

/** Errors whose message says what is wrong and what to do. */
function isForPeople(error: unknown): boolean {
	return [RefusedReference, SettingError, ArgumentError, SaveError, ImageError].some(
		(kind) => error instanceof kind,
	);
}
