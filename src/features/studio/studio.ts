import path from 'node:path';
import * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { SaveError } from '../../editor/files.js';
import { ArgumentError } from '../../editor/generation/argument.js';
import type { FailedJob } from '../../editor/generation/board.js';
import type { Choices } from '../../editor/generation/order.js';
import { withNewKey } from '../../editor/generation/report.js';
import type { Parts, Runner } from '../../editor/generation/runner.js';
import { readServiceAddress } from '../../editor/service.js';
import { readSetting, SettingError } from '../../editor/settings.js';
import { ImageError } from '../../images/inspect.js';
import { readableSize } from '../../images/readableSize.js';
import { Thumbnails } from '../../images/thumbnails/thumbnails.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import {
	receiveFromPage,
	type HostMessage,
	type ImageAction,
	type JobAction,
	type PageMessage,
	type SetupProblem,
} from '../../protocol/studio.js';
import { nearestSize, sizeSchema, sizeTable } from '../../service/contract.js';
import { act, generate } from './actions.js';
import { cardsOf } from './cards.js';
import { belongsHere, describe, search, shortened } from './images.js';
import { studioPage } from './page.js';
import { pickImages } from './pick.js';
import { DraftReferences, RefusedReference } from './references.js';
import { RemovedImages } from './removed.js';

type Message<Type extends PageMessage['type']> = PageMessage & { readonly type: Type };

/** The extension's side of one studio panel. It ends with the panel. */
export class Studio implements vscode.Disposable {
	readonly #subscriptions: vscode.Disposable[] = [];
	readonly #references: DraftReferences;
	readonly #removed: RemovedImages;
	readonly #thumbnails: Thumbnails;
	readonly #dist: (file: string) => vscode.Uri;
	/** Ends what the page has asked for and does not want to see any more. */
	#describing = new AbortController();
	#search = '';
	/** What the page was told last of the gallery. */
	#shown = '';
	#running = 0;
	#ticking: NodeJS.Timeout | undefined;
	#updating: NodeJS.Timeout | undefined;
	#ended = false;

	/** @param panel new, or given back by VS Code after a reload of the window */
	constructor(
		private readonly panel: vscode.WebviewPanel,
		private readonly runner: Runner,
		private readonly parts: Parts,
		context: vscode.ExtensionContext,
	) {
		const { webview } = panel;
		const storage = context.globalStorageUri;
		const thumbnails = vscode.Uri.joinPath(storage, 'thumbnails');
		this.#dist = (file) => vscode.Uri.joinPath(context.extensionUri, 'dist', file);
		this.#references = new DraftReferences(
			context.workspaceState,
			vscode.Uri.joinPath(context.storageUri ?? storage, 'references'),
		);
		this.#removed = new RemovedImages(parts.gallery, path.join(storage.fsPath, 'removed'));
		this.#thumbnails = new Thumbnails({
			folder: thumbnails.fsPath,
			script: this.#dist('thumbnails.js').fsPath,
		});
		webview.options = {
			enableScripts: true,
			localResourceRoots: [
				this.#dist(''),
				thumbnails,
				...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri),
			],
		};
		this.#subscriptions.push(
			// Before the page stands: it says so at once.
			webview.onDidReceiveMessage((data: unknown) => void this.#receive(data)),
			panel.onDidChangeViewState(() => {
				parts.board.setWatched(this, panel.visible);
			}),
			parts.board.onDidChange(() => {
				this.#updateSoon();
			}),
			this.#references.onDidChange(() => void this.#showReferences()),
			this.#references,
			this.#thumbnails,
			vscode.workspace.onDidChangeConfiguration((event) => {
				if (event.affectsConfiguration('easel')) {
					void this.#showSetup();
				}
			}),
			parts.keys.onDidChange(() => void this.#showSetup()),
		);
		parts.board.setWatched(this, panel.visible);
		webview.html = studioPage(webview, this.#dist);
		void this.#removed.sweep().catch((error: unknown) => {
			parts.log.error('Removed images could not be forgotten', error);
		});
	}

	/** Lets go of the panel. It stays: the next extension host gets it back. */
	dispose(): void {
		this.#ended = true;
		this.#describing.abort();
		clearInterval(this.#ticking);
		clearTimeout(this.#updating);
		this.parts.board.setWatched(this, false);
		vscode.Disposable.from(...this.#subscriptions).dispose();
	}

	async #receive(data: unknown): Promise<void> {
		const { log } = this.parts;
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
			this.#tell({ type: 'notice', severity: 'error', text: message.slice(0, 2000) });
		}
	}

	async #handle(message: PageMessage): Promise<void> {
		switch (message.type) {
			case 'ready':
				await this.#showAll();
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
				this.#search = message.text;
				await this.#showGallery();
				return;
			case 'describe':
				await this.#describe(message.ids);
				return;
			case 'image':
				await this.#actOnImage(message.id, message.action);
				return;
			case 'undecodable':
				this.parts.log.warn(`Image Studio: the image of ${message.id} could not be decoded.`);
		}
	}

	// --- What the page is told

	async #showAll(): Promise<void> {
		this.#shown = '';
		await this.#showSetup();
		this.#showJobs();
		await Promise.all([this.#showReferences(), this.#showGallery()]);
	}

	async #showSetup(): Promise<void> {
		const { keys, memory } = this.parts;
		const setting = readSetting('image.size');
		this.#tell({
			type: 'setup',
			sizes: sizeTable.map((row) => ({ ...row })),
			defaults: { size: memory.lastSize ?? setting, quality: readSetting('image.quality') },
			missing: await missingSetup(keys),
			concurrency: readSetting('service.concurrency'),
			history: [...new Set([...memory.prompts('generate'), ...memory.prompts('edit')])].slice(
				0,
				100,
			),
		});
	}

	async #showReferences(): Promise<void> {
		const references = await this.#references.list();
		const message = (thumbnails: ReadonlyMap<string, string>): HostMessage => ({
			type: 'references',
			references: references.map(({ id, name, facts }) => ({
				id,
				name: name.slice(0, 300),
				...(facts instanceof ImageError
					? { details: facts.message, problem: true }
					: {
							details: `${String(facts.width)} × ${String(facts.height)} · ${readableSize(facts.bytes)}`,
							problem: false,
						}),
				...(thumbnails.has(id) ? { thumbnail: thumbnails.get(id) } : {}),
			})),
		});
		this.#tell(message(new Map()));
		const thumbnails = new Map<string, string>();
		await Promise.all(
			references.map(async ({ id, uri, facts }) => {
				const thumbnail = facts instanceof ImageError ? undefined : await this.#thumbnail(uri);
				if (thumbnail !== undefined) {
					thumbnails.set(id, thumbnail);
				}
			}),
		);
		if (thumbnails.size > 0 && references === (await this.#references.list())) {
			this.#tell(message(thumbnails));
		}
	}

	/** Many things happen at once when an image arrives; the page is told once. */
	#updateSoon(): void {
		this.#updating ??= setTimeout(() => {
			this.#updating = undefined;
			const { running } = this.parts.board;
			const hasEnded = running.length < this.#running;
			this.#running = running.length;
			this.#showJobs();
			if (hasEnded) {
				void this.#showGallery();
				void this.#showSetup();
			}
		}, 50);
	}

	#showJobs(): void {
		this.#tell({ type: 'jobs', jobs: cardsOf(this.parts.board) });
		const isRunning = this.parts.board.running.length > 0;
		if (isRunning) {
			this.#ticking ??= setInterval(() => {
				this.#showJobs();
			}, 1000);
		} else {
			clearInterval(this.#ticking);
			this.#ticking = undefined;
		}
	}

	async #showGallery(): Promise<void> {
		const text = this.#search;
		const all = await this.#images();
		const ids = search(all, text).map(({ id }) => id);
		const shown = JSON.stringify([text, all.length, ids]);
		if (shown !== this.#shown && text === this.#search) {
			this.#shown = shown;
			this.#tell({ type: 'gallery', search: text, ids, total: all.length });
		}
	}

	/** Tells what the images on the screen are at once, and shows their thumbnails as they come. */
	async #describe(ids: readonly string[]): Promise<void> {
		this.#describing.abort();
		const { signal } = (this.#describing = new AbortController());
		const wanted = new Set(ids);
		const byId = new Map(
			(await this.#images()).filter(({ id }) => wanted.has(id)).map((image) => [image.id, image]),
		);
		const found = ids.flatMap((id) => byId.get(id) ?? []);
		const described = await Promise.all(
			found.map(async (image) => ({
				uri: vscode.Uri.parse(image.target, true),
				...(await describe(image, (uri, version) => this.#sourceOf(uri, version))),
			})),
		);
		if (signal.aborted) {
			return;
		}
		this.#tell({ type: 'images', images: described.map(({ shown }) => shown) });
		await Promise.all(
			described.map(async ({ uri, shown, sha256 }) => {
				const thumbnail = shown.exists ? await this.#thumbnail(uri, signal, sha256) : undefined;
				if (thumbnail !== undefined && !signal.aborted) {
					this.#tell({ type: 'images', images: [{ ...shown, thumbnail }] });
				}
			}),
		);
	}

	/** `undefined` where there is none: the page shows a placeholder. */
	async #thumbnail(
		uri: vscode.Uri,
		signal?: AbortSignal,
		sha256?: string,
	): Promise<string | undefined> {
		if (uri.scheme !== 'file') {
			// Fetching the whole of it for a small picture is what the page does as well.
			return this.#sourceOf(uri, 0);
		}
		try {
			const image = { path: uri.fsPath, ...(sha256 === undefined ? {} : { sha256 }) };
			const { file } = await this.#thumbnails.get(image, signal);
			return this.panel.webview.asWebviewUri(vscode.Uri.file(file)).toString();
		} catch (error) {
			if (signal?.aborted !== true) {
				this.parts.log.warn(`No thumbnail: ${error instanceof Error ? error.message : ''}`);
			}
			return undefined;
		}
	}

	/** The page may load what lies in the workspace. */
	#sourceOf(uri: vscode.Uri, version: number): string | undefined {
		return vscode.workspace.getWorkspaceFolder(uri) === undefined
			? undefined
			: this.panel.webview
					.asWebviewUri(uri)
					.with({ query: `v=${String(version)}` })
					.toString();
	}

	#tell(message: HostMessage): void {
		if (!this.#ended) {
			void this.panel.webview.postMessage(message);
		}
	}

	// --- What the user does

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
		const making = generate(choices, this.#references, this.runner, this.parts);
		await this.#showSetup();
		await making;
	}

	async #actOnJob(id: string, action: JobAction): Promise<void> {
		const { board } = this.parts;
		if (action === 'showLog') {
			await runCommand('easel.showLog');
			return;
		}
		const running = board.running.find((job) => job.request.id === id);
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
		const failed = board.failed.find((job) => job.entry.request.id === id);
		if (failed !== undefined) {
			await this.#actOnFailure(failed, action);
		}
	}

	async #actOnFailure({ entry }: FailedJob, action: JobAction): Promise<void> {
		switch (action) {
			case 'again':
			case 'sendAgain':
				await this.runner.again(entry);
				return;
			case 'setKey':
			case 'useAnotherKey':
				await withNewKey(() => void this.runner.again(entry));
				return;
			case 'change': {
				const { prompt, size, quality, references } = entry.request;
				await this.#compose({
					prompt,
					size,
					quality,
					references: references.map(({ source }) => source),
				});
				await this.runner.dismiss(entry);
				return;
			}
			case 'dismiss':
				await this.runner.dismiss(entry);
				return;
			default:
		}
	}

	async #actOnImage(id: string, action: ImageAction): Promise<void> {
		if (action === 'undoRemove') {
			const note = await this.#removed.restore(id);
			if (note !== undefined) {
				this.#tell({ type: 'notice', severity: 'warning', text: note });
			}
			await this.#showGallery();
			return;
		}
		const image = (await this.parts.gallery.list()).find((one) => one.id === id);
		if (image === undefined) {
			return;
		}
		switch (action) {
			case 'edit':
				await this.#references.add([vscode.Uri.parse(image.target, true)]);
				this.#tell({ type: 'compose', size: nearestSize(image) });
				return;
			case 'usePrompt':
				await this.#compose(image);
				return;
			case 'makeFinal': {
				const { prompt, size } = image;
				const choices = { prompt, size, quality: 'high', count: 1, references: [] } as const;
				await generate(choices, this.#references, this.runner, this.parts);
				return;
			}
			case 'remove':
				if (await this.#removed.remove(image)) {
					const name = path.posix.basename(image.target);
					this.#tell({
						type: 'notice',
						severity: 'info',
						text: `${decodeURIComponent(name)} was removed.`,
						undo: id,
					});
					await this.#showGallery();
				}
				return;
			default:
				await act(action, image);
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
		this.#tell({ type: 'compose', prompt: shortened(prompt), size, quality });
		if (references.length > 0) {
			await this.#references.add(references.map((uri) => vscode.Uri.parse(uri, true)));
		}
	}

	async #referenceUris(): Promise<vscode.Uri[]> {
		return (await this.#references.list()).map(({ uri }) => uri);
	}

	async #images(): Promise<readonly GalleryImage[]> {
		return (await this.parts.gallery.list()).filter(belongsHere);
	}
}

async function missingSetup(keys: Parts['keys']): Promise<SetupProblem[]> {
	try {
		const address = readServiceAddress();
		if (address === undefined) {
			return ['address'];
		}
		return (await keys.get(address)) === undefined ? ['key'] : [];
	} catch (error) {
		if (error instanceof SettingError) {
			return ['address'];
		}
		throw error;
	}
}

/** Errors whose message says what is wrong and what to do. */
function isForPeople(error: unknown): boolean {
	return [RefusedReference, SettingError, ArgumentError, SaveError, ImageError].some(
		(kind) => error instanceof kind,
	);
}
