import * as vscode from 'vscode';
import type { StudioNeeds } from './needs.js';
import { ImageError } from '../../images/inspect.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import type { Thumbnails } from '../../images/thumbnails/thumbnails.js';
import type { Image, StudioEvent } from '../../protocol/studio.js';
import { cardsOf } from './cards.js';
import { imagesHere } from '../../generation/madeImages.js';
import { describe, search, type Description } from './images.js';
import type { DraftReferences } from './references.js';
import { setupOf } from './setup.js';

interface Options {
	readonly webview: Pick<vscode.Webview, 'asWebviewUri'>;
	/** Tells the page something. */
	readonly tell: (event: StudioEvent) => void;
	readonly needs: StudioNeeds;
	readonly references: DraftReferences;
	readonly thumbnails: Thumbnails;
}

/** What a studio's page is told: at its beginning everything, later what has changed. */
export class StudioView implements vscode.Disposable {
	readonly #subscriptions: vscode.Disposable;
	/** Ends what the page has asked for and does not want to see any more. */
	#describing = new AbortController();
	/** The images that are on the screen. */
	#described: readonly string[] = [];
	#search = '';
	/** What the page was told last of the gallery. */
	#shown = '';
	/** The jobs that ran when the page was told last. */
	#running: readonly string[] = [];
	#ticking: NodeJS.Timeout | undefined;
	#updating: NodeJS.Timeout | undefined;

	constructor(private readonly options: Options) {
		const { needs, references } = options;
		this.#subscriptions = vscode.Disposable.from(
			needs.jobs.onDidChange(() => {
				this.#updateSoon();
			}),
			references.onDidChange(() => {
				this.#inBackground(this.#showReferences());
			}),
			vscode.workspace.onDidChangeConfiguration((event) => {
				if (event.affectsConfiguration('easel')) {
					this.#inBackground(this.showSetup());
				}
			}),
			needs.keys.onDidChange(() => {
				this.#inBackground(this.showSetup());
			}),
			...[
				vscode.workspace.onDidCreateFiles,
				vscode.workspace.onDidDeleteFiles,
				vscode.workspace.onDidRenameFiles,
			].map((onDidChange) =>
				onDidChange(() => {
					this.#inBackground(this.#describeAgain());
				}),
			),
		);
	}

	dispose(): void {
		this.#describing.abort();
		clearInterval(this.#ticking);
		clearTimeout(this.#updating);
		this.#subscriptions.dispose();
	}

	async showAll(): Promise<void> {
		this.#shown = '';
		await this.showSetup();
		this.#showJobs();
		await Promise.all([this.#showReferences(), this.showGallery()]);
	}

	async showSetup(): Promise<void> {
		const { setup, mistakes } = await setupOf(this.options.needs);
		for (const text of mistakes) {
			this.options.tell({ type: 'notice', severity: 'warning', text });
		}
		this.options.tell({ type: 'setup', ...setup });
	}

	async #showReferences(): Promise<void> {
		const references = await this.options.references.list();
		const message = (thumbnails: ReadonlyMap<string, string>): StudioEvent => ({
			type: 'references',
			references: references.map(({ id, name, facts }) => ({
				id,
				name: name.slice(0, 300),
				...(facts instanceof ImageError
					? { details: facts.message, problem: true }
					: {
							details: `${readableDimensions(facts)} · ${readableSize(facts.bytes)}`,
							problem: false,
						}),
				...(thumbnails.has(id) ? { thumbnail: thumbnails.get(id) } : {}),
			})),
		});
		this.options.tell(message(new Map()));
		const thumbnails = new Map<string, string>();
		await Promise.all(
			references.map(async ({ id, uri, facts }) => {
				const thumbnail = facts instanceof ImageError ? undefined : await this.#thumbnail(uri);
				if (thumbnail !== undefined) {
					thumbnails.set(id, thumbnail);
				}
			}),
		);
		if (thumbnails.size > 0 && references === (await this.options.references.list())) {
			this.options.tell(message(thumbnails));
		}
	}

	/** What is shown again in a moment is not worth a message. */
	#inBackground(task: PromiseLike<unknown>): void {
		task.then(undefined, (error: unknown) => {
			this.options.needs.log.error('Image Studio could not be brought up to date', error);
		});
	}

	/** Many things happen at once when an image arrives; the page is told once. */
	#updateSoon(): void {
		this.#updating ??= setTimeout(() => {
			this.#updating = undefined;
			const running = this.options.needs.jobs.running.map(({ request }) => request.id);
			const hasEnded = this.#running.some((id) => !running.includes(id));
			this.#running = running;
			this.#showJobs();
			if (hasEnded) {
				this.#inBackground(this.showGallery());
				this.#inBackground(this.showSetup());
			}
		}, 50);
	}

	#showJobs(): void {
		this.options.tell({ type: 'jobs', jobs: cardsOf(this.options.needs.jobs) });
		const isRunning = this.options.needs.jobs.running.length > 0;
		if (isRunning) {
			this.#ticking ??= setInterval(() => {
				this.#showJobs();
			}, 1000);
		} else {
			clearInterval(this.#ticking);
			this.#ticking = undefined;
		}
	}

	/** @param text what is searched for from now on */
	async showGallery(text = this.#search): Promise<void> {
		this.#search = text;
		const all = await imagesHere(this.options.needs.gallery);
		const ids = search(all, text).map(({ id }) => id);
		const shown = JSON.stringify([text, all.length, ids]);
		if (shown !== this.#shown && text === this.#search) {
			this.#shown = shown;
			this.options.tell({ type: 'gallery', search: text, ids, total: all.length });
		}
	}

	/**
	 * Returns what the images on the screen are, and has the page told of their thumbnails as they
	 * come. Nothing where others are on the screen meanwhile.
	 */
	async describe(ids: readonly string[]): Promise<Image[]> {
		this.#describing.abort();
		this.#described = ids;
		const { signal } = (this.#describing = new AbortController());
		const wanted = new Set(ids);
		const byId = new Map(
			(await imagesHere(this.options.needs.gallery))
				.filter(({ id }) => wanted.has(id))
				.map((image) => [image.id, image]),
		);
		const found = ids.flatMap((id) => byId.get(id) ?? []);
		const described = await Promise.all(
			found.map(async (image) => ({
				uri: vscode.Uri.parse(image.target, true),
				...(await describe(image, (uri, version) => this.#sourceOf(uri, version))),
			})),
		);
		if (signal.aborted) {
			return [];
		}
		// When what is returned has been sent: it would take away thumbnails that came before it.
		setImmediate(() => {
			for (const image of described) {
				this.#inBackground(this.#showThumbnail(image, signal));
			}
		});
		return described.map(({ shown }) => shown);
	}

	/** Files have come, gone or got other names. */
	async #describeAgain(): Promise<void> {
		this.options.tell({ type: 'images', images: await this.describe(this.#described) });
	}

	async #showThumbnail(
		{ uri, shown, sha256 }: Description & { readonly uri: vscode.Uri },
		signal: AbortSignal,
	): Promise<void> {
		const thumbnail = shown.exists ? await this.#thumbnail(uri, signal, sha256) : undefined;
		if (thumbnail !== undefined && !signal.aborted) {
			this.options.tell({ type: 'images', images: [{ ...shown, thumbnail }] });
		}
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
			const { file } = await this.options.thumbnails.get(image, signal);
			return this.options.webview.asWebviewUri(vscode.Uri.file(file)).toString();
		} catch (error) {
			if (signal?.aborted !== true) {
				this.options.needs.log.warn(`No thumbnail: ${error instanceof Error ? error.message : ''}`);
			}
			return undefined;
		}
	}

	/** The page may load what lies in the workspace. */
	#sourceOf(uri: vscode.Uri, version: number): string | undefined {
		return vscode.workspace.getWorkspaceFolder(uri) === undefined
			? undefined
			: this.options.webview
					.asWebviewUri(uri)
					.with({ query: `v=${String(version)}` })
					.toString();
	}
}
