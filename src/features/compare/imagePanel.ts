import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { copyFlushed } from '../../files/copyFlushed.js';
import { rememberEditor } from '../../editor/column.js';
import { wordsOf } from '../../editor/errorTexts.js';
import { inspectUri } from '../../editor/images.js';
import { imageNamePattern } from '../../images/fileName.js';
import { connectPage, pageHtml, tabIcon, type ConnectedPage } from '../../editor/page.js';
import { safeName, safeText } from '../../editor/untrustedText.js';
import type { Services } from '../../services.js';
import { ImageError, maxImageBytes } from '../../images/inspect.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import { privateFile, privateFolder } from '../../files/writeWhole.js';
import { log } from '../../log.js';
import type { EventOf, Protocol } from '../../protocol/channel.js';
import type { ComparedPicture } from '../../protocol/compare.js';
import type { Handlers } from '../../protocol/hostChannel.js';
import { compareMessages } from '../messages.js';

/** A panel whose page shows images as their files are now. It ends with the panel. */
export abstract class ImagePanel<P extends Protocol> implements vscode.Disposable {
	protected readonly subscriptions: vscode.Disposable[] = [];
	#readable: readonly Readable[];
	readonly #page: ConnectedPage<P>;
	readonly #dist: vscode.Uri;
	/** Has the keyboard again when something is decided. */
	readonly #goBack = rememberEditor();

	/** @param panel new, or given back by VS Code after a reload of the window */
	constructor(
		readonly panel: vscode.WebviewPanel,
		private uris: readonly vscode.Uri[],
		{ extensionUri }: Services,
		{ title, protocol, page }: { title: string; protocol: P; page?: 'drafts' },
	) {
		this.#dist = vscode.Uri.joinPath(extensionUri, 'dist');
		this.#readable = uris.map(makeReadable);
		panel.iconPath = tabIcon(extensionUri, 'compare');
		this.#allowImages();
		this.#page = connectPage(panel.webview, {
			name: title,
			protocol,
			handlers: this.handlers(),
			onFailed: (error) => {
				log.error(`${title} could not answer its page`, error);
				return wordsOf(error);
			},
		});
		this.subscriptions.push(this.#page, {
			dispose: () => this.#readable.forEach((readable) => readable.dispose()),
		});
		panel.onDidDispose(() => this.dispose(), undefined, this.subscriptions);
		panel.webview.html = pageHtml(panel.webview, {
			title,
			dist: this.#dist,
			script: 'compare.js',
			page,
			fillsPanel: true,
		});
	}

	/** Returns what answers the page; it is called before anything else of the panel is there. */
	protected abstract handlers(): Handlers<P>;

	/** Shows other images. The page starts anew, because it may read other folders then. */
	protected showOthers(uris: readonly vscode.Uri[]): void {
		const before = this.#readable;
		this.uris = uris;
		this.#readable = uris.map(makeReadable);
		this.#allowImages();
		before.forEach((readable) => readable.dispose());
	}

	#allowImages(): void {
		this.panel.webview.options = {
			enableScripts: true,
			localResourceRoots: [this.#dist, ...this.#readable.map(({ root }) => root)],
		};
	}

	protected send(event: EventOf<P>): void {
		this.#page.send(event);
	}

	/**
	 * Returns what the page shows of an image, or why it cannot.
	 *
	 * @param roles words before its dimensions
	 * @param version of the file, so that the page does not show an old one
	 */
	protected async picture(
		index: number,
		roles: readonly string[] = [],
		version?: number,
	): Promise<ComparedPicture> {
		const uri = this.uris[index]!;
		const name = safeName(uri);
		try {
			const facts = await inspectUri(uri);
			const readable = await this.#readable[index]!.source();
			const source = this.panel.webview.asWebviewUri(readable);
			// Where there is a query already, it says which content is meant, as in `git:`.
			const isPlain = version === undefined || readable.query !== '';
			return {
				type: 'image',
				name,
				source: (isPlain ? source : source.with({ query: `v=${String(version)}` })).toString(),
				width: facts.width,
				height: facts.height,
				details: [...roles, readableDimensions(facts), readableSize(facts.bytes)]
					// Where there is no room for one line it breaks at the dot.
					.map((part) => part.replaceAll(' ', '\u00a0'))
					.join(' · '),
			};
		} catch (error) {
			if (!(error instanceof ImageError)) {
				log.error(`${vscode.workspace.asRelativePath(uri)} could not be read`, error);
			}
			return { type: 'problem', name, message: problemOf(error, name) };
		}
	}

	protected close(): void {
		this.panel.dispose();
		this.#goBack();
	}

	/** Lets go of the panel. It stays: the next extension host gets it back. */
	dispose(): void {
		vscode.Disposable.from(...this.subscriptions).dispose();
	}
}

function problemOf(error: unknown, name: string): string {
	if (!(error instanceof ImageError)) {
		return compareMessages.unreadable(name);
	}
	return error.kind === 'missing' ? compareMessages.missing(name) : safeText(wordsOf(error));
}

/** Folder and file of one side that a page may read, as it was last looked at. */
interface Readable {
	/** The only folder that it needs for it. */
	readonly root: vscode.Uri;
	/** Returns what it loads for the image, as its file is now. */
	readonly source: () => Promise<vscode.Uri>;
	readonly dispose: () => void;
}

/**
 * Makes an image readable for a page. An image of the workspace is read from its own folder. Any
 * other file, which an argument or a restored state can name wherever it lies, is read from a copy:
 * the folder of `/x.png` would be the whole disk.
 */
export function makeReadable(image: vscode.Uri): Readable {
	// A workspace folder is found by the beginning of a path, whatever `..` stands behind.
	const plain = image.with({ path: path.posix.normalize(image.path) });
	return vscode.workspace.getWorkspaceFolder(plain) === undefined
		? copied(image)
		: {
				root: vscode.Uri.joinPath(plain, '..').with({ query: '', fragment: '' }),
				source: () => Promise.resolve(plain),
				dispose: () => undefined,
			};
}

function copied(image: vscode.Uri): Readable {
	const folder = path.join(tmpdir(), `easel-compare-${crypto.randomUUID()}`);
	const extension = imageNamePattern.exec(image.path)?.[0] ?? '';
	const copy = path.join(folder, `image${extension}`);
	let made: Promise<unknown> | undefined;
	return {
		root: vscode.Uri.file(folder),
		source: async () => {
			// Not `recursive`: a folder that is there already is not ours.
			await (made ??= mkdir(folder, { mode: privateFolder }));
			await rm(copy, { force: true });
			await (image.scheme === 'file'
				? copyFlushed(image.fsPath, copy, { mode: privateFile, maxBytes: maxImageBytes })
				: vscode.workspace.fs.copy(image, vscode.Uri.file(copy)));
			return vscode.Uri.file(copy);
		},
		dispose: () => {
			rm(folder, { recursive: true, force: true }).catch(() => undefined);
		},
	};
}
