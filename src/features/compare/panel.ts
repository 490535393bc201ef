import path from 'node:path';
import * as vscode from 'vscode';
import { wordsOf } from '../../editor/errorTexts.js';
import { inspectUri } from '../../editor/images.js';
import type { Services } from '../../generation/services.js';
import { safeName, safeText } from '../../editor/untrustedText.js';
import { runDetached } from '../../editor/messages.js';
import { rememberEditor } from '../../editor/column.js';
import { connectPage, pageHtml, tabIcon, type ConnectedPage } from '../../editor/page.js';
import { ImageError } from '../../images/inspect.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import { compareProtocol, type Decision, type Picture, type Side } from '../../protocol/compare.js';
import { comparisonType } from '../../protocol/panels.js';
import { carryOut, madePair } from './decisions.js';
import { makeReadable, type Readable } from './readable.js';
import { titleOfPair } from './titles.js';
import { compareMessages } from '../messages.js';
import { log } from '../../log.js';

export type Images = Readonly<Record<Side, vscode.Uri>>;

/** What one panel shows: two images, as their files are now. It ends with the panel. */
export class Comparison implements vscode.Disposable {
	/** Returns an empty panel, among the active editor's tabs: nothing is split. */
	static createPanel(): vscode.WebviewPanel {
		const column = vscode.ViewColumn.Active;
		return vscode.window.createWebviewPanel(comparisonType, compareMessages.title, column);
	}

	readonly #subscriptions: vscode.Disposable[] = [];
	readonly #readable: Readonly<Record<Side, Readable>>;
	readonly #page: ConnectedPage<typeof compareProtocol>;
	/** Counts the versions of each file, so that the page does not show an old one. */
	readonly #versions: Record<Side, number> = { left: Date.now(), right: Date.now() };

	#isClosing = false;
	/** Has the keyboard again when a decision is made. */
	readonly #goBack = rememberEditor();

	/** @param panel new, or given back by VS Code after a reload of the window */
	constructor(
		readonly panel: vscode.WebviewPanel,
		readonly images: Images,
		private readonly deps: Services,
	) {
		const dist = vscode.Uri.joinPath(deps.extensionUri, 'dist');
		this.#readable = { left: makeReadable(images.left), right: makeReadable(images.right) };
		this.#subscriptions.push(this.#readable.left, this.#readable.right);
		panel.title = titleOf(images);
		panel.iconPath = tabIcon(deps.extensionUri, 'compare');
		panel.webview.options = {
			enableScripts: true,
			localResourceRoots: [dist, this.#readable.left.root, this.#readable.right.root],
		};
		this.#page = connectPage(panel.webview, {
			name: compareMessages.title,
			protocol: compareProtocol,
			handlers: {
				ready: () => this.#show(),
				decide: ({ decision }) => {
					runDetached(this.decide(decision));
				},
				undecodable: ({ side }) => {
					log.warn(`${label(images[side])} could not be decoded.`);
				},
			},
			onFailed: (error) => {
				log.error('Compare Images could not answer its page', error);
				return wordsOf(error);
			},
		});
		this.#subscriptions.push(this.#page);
		panel.onDidDispose(() => this.dispose(), undefined, this.#subscriptions);
		this.#follow('left');
		this.#follow('right');
		panel.webview.html = pageHtml(panel.webview, {
			title: compareMessages.title,
			dist,
			script: 'compare.js',
			fillsPanel: true,
		});
	}

	/** Decides about the image that was made from the other one; returns `false` where none was. */
	async decide(decision: Decision): Promise<boolean> {
		const pair = await madePair(this.images, this.deps);
		if (pair !== undefined && !this.#isClosing) {
			// A second click would find the image gone.
			this.#isClosing = decision === 'discard';
			try {
				if (await carryOut(decision, pair, this.deps)) {
					this.panel.dispose();
					this.#goBack();
				}
			} finally {
				this.#isClosing = false;
			}
		}
		return pair !== undefined;
	}

	showsOne(image: vscode.Uri | undefined): boolean {
		return Object.values(this.images).some((one) => one.toString() === image?.toString());
	}

	shows({ left, right }: Images): boolean {
		return (
			this.images.left.toString() === left.toString() &&
			this.images.right.toString() === right.toString()
		);
	}

	reveal(): void {
		this.panel.reveal();
	}

	/** Lets go of the panel. It stays: the next extension host gets it back. */
	dispose(): void {
		vscode.Disposable.from(...this.#subscriptions).dispose();
	}

	/** Shows a file anew when it changes, goes or comes back. */
	#follow(side: Side): void {
		const image = this.images[side];
		// A pattern for the name alone would have to escape what is special in patterns.
		const watcher = vscode.workspace.createFileSystemWatcher(
			new vscode.RelativePattern(folderOf(image), '*'),
		);
		const changed = (uri: vscode.Uri) => {
			if (uri.toString() === image.toString()) {
				this.#versions[side] += 1;
				runDetached(this.#show());
			}
		};
		this.#subscriptions.push(
			watcher,
			watcher.onDidChange(changed),
			watcher.onDidCreate(changed),
			watcher.onDidDelete(changed),
		);
	}

	async #show(): Promise<void> {
		const versions = { ...this.#versions };
		const pair = await madePair(this.images, this.deps);
		const made = pair?.side;
		const [left, right] = await Promise.all([
			this.#picture('left', made),
			this.#picture('right', made),
		]);
		// A file that has changed meanwhile is on its way already, and must not be overtaken.
		const newest = versions.left === this.#versions.left && versions.right === this.#versions.right;
		if (newest) {
			const uris = { left: this.images.left.toString(), right: this.images.right.toString() };
			const isThere = left.type === 'image' && right.type === 'image';
			const asks = made !== undefined && isThere ? { made } : {};
			// Two drafts have nothing in common for a slider to lie between.
			const mode = pair?.isRegenerated ? { mode: 'side' as const } : {};
			this.#page.send({ type: 'show', pair: uris, left, right, ...asks, ...mode });
		}
	}

	/** @param made the side that was made from the other, if one was */
	#picture(side: Side, made: Side | undefined): Promise<Picture> {
		const source = async () =>
			this.#sourceOf(await this.#readable[side].source(), this.#versions[side]);
		return describePicture(this.images[side], source, roleOf(side, made));
	}

	#sourceOf(uri: vscode.Uri, version: number): string {
		const source = this.panel.webview.asWebviewUri(uri);
		// Where there is a query already, it says which content is meant, as in `git:`.
		return (uri.query === '' ? source.with({ query: `v=${String(version)}` }) : source).toString();
	}
}

/**
 * Returns what a page shows of an image, or why it cannot.
 *
 * @param source returns where the page loads it from
 * @param roles words before its dimensions
 */
export async function describePicture(
	uri: vscode.Uri,
	source: () => Promise<string>,
	roles: readonly string[] = [],
): Promise<Picture> {
	const name = safeName(uri);
	try {
		const facts = await inspectUri(uri);
		return {
			type: 'image',
			name,
			source: await source(),
			width: facts.width,
			height: facts.height,
			details: [...roles, readableDimensions(facts), readableSize(facts.bytes)]
				// Where there is no room for one line it breaks at the dot.
				.map((part) => part.replaceAll(' ', '\u00a0'))
				.join(' · '),
		};
	} catch (error) {
		if (!(error instanceof ImageError)) {
			log.error(`${label(uri)} could not be read`, error);
		}
		return { type: 'problem', name, message: problemOf(error, name) };
	}
}

function problemOf(error: unknown, name: string): string {
	if (!(error instanceof ImageError)) {
		return compareMessages.unreadable(name);
	}
	return error.kind === 'missing' ? compareMessages.missing(name) : safeText(wordsOf(error));
}

function roleOf(side: Side, made: Side | undefined): string[] {
	return made === undefined ? [] : [side === made ? compareMessages.new : compareMessages.original];
}

function titleOf({ left, right }: Images): string {
	const name = ({ path: file }: vscode.Uri) => path.posix.basename(file);
	// In two folders, files often have one name.
	const words = name(left) === name(right) ? label : name;
	return titleOfPair(words(left), words(right));
}

function label(uri: vscode.Uri): string {
	return vscode.workspace.asRelativePath(uri);
}

function folderOf(uri: vscode.Uri): vscode.Uri {
	return vscode.Uri.joinPath(uri, '..').with({ query: '', fragment: '' });
}
