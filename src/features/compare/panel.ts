import path from 'node:path';
import * as vscode from 'vscode';
import { runRequestCommand, type Overlay } from '../../asking/requestCommands.js';
import { runCommand } from '../../editor/commands.js';
import { saveAs } from '../../editor/files.js';
import { notify, runDetached } from '../../editor/messages.js';
import { safeName } from '../../editor/untrustedText.js';
import type { Services } from '../../services.js';
import { log } from '../../log.js';
import { compareProtocol, type Decision, type Side } from '../../protocol/compare.js';
import type { Handlers } from '../../protocol/hostChannel.js';
import { galleryImageAt } from '../../library/galleryLookup.js';
import { compareMessages } from '../messages.js';
import { carryOut, madePair } from './decisions.js';
import { ImagePanel } from './imagePanel.js';
import { isPasted, writePasted } from './pasted.js';
import { titleOfPair } from './titles.js';

export type Images = Readonly<Record<Side, vscode.Uri>>;

/** Content of one panel: two images. */
export class ComparisonPanel extends ImagePanel<typeof compareProtocol> {
	/** Counts the versions of each file, so that the page does not show an old one. */
	readonly #versions: Record<Side, number> = { left: Date.now(), right: Date.now() };
	#isClosing = false;

	constructor(
		panel: vscode.WebviewPanel,
		public images: Images,
		private readonly deps: Services,
	) {
		const { title } = compareMessages;
		super(panel, [images.left, images.right], deps, { title, protocol: compareProtocol });
		panel.title = titleOf(images);
		this.#follow('left');
		this.#follow('right');
	}

	/** Shows another image on the right. */
	#put(right: vscode.Uri): void {
		this.images = { ...this.images, right };
		this.panel.title = titleOf(this.images);
		this.#follow('right');
		this.showOthers([this.images.left, right]);
	}

	async #paste(bytes: Uint8Array): Promise<void> {
		const pasted = await writePasted(bytes, this.deps);
		if (pasted === undefined) {
			await notify('error', compareMessages.notPasted);
		} else {
			this.#put(pasted);
		}
	}

	async #save(): Promise<void> {
		const { right, left } = this.images;
		const target = await vscode.window.showSaveDialog({
			title: compareMessages.savePasted,
			defaultUri: vscode.Uri.joinPath(left, '..', path.posix.basename(right.path)),
			filters: { Images: [path.posix.extname(right.path).slice(1)] },
		});
		if (target !== undefined && isPasted(right, this.deps)) {
			await saveAs(right, target);
			this.#put(target);
		}
	}

	/** Has the image that was made from the other one marked. */
	async #mark(): Promise<void> {
		const pair = await madePair(this.images, this.deps);
		const image = pair && (await galleryImageAt(pair.made, this.deps.history));
		await (image && runRequestCommand('mark', 'edit', image));
	}

	/** Returns the image that Easel has made, the left one where it has made both, and the other one. */
	async #concept() {
		const { left, right } = this.images;
		for (const [uri, built] of [
			[left, right],
			[right, left],
		] as const) {
			const image = await galleryImageAt(uri, this.deps.history);
			if (image !== undefined) {
				return { image: { ...image, target: uri.toString() }, built };
			}
		}
		return undefined;
	}

	async #writeBrief(overlay: Omit<Overlay, 'uri'>): Promise<void> {
		const concept = await this.#concept();
		if (concept !== undefined) {
			const { image, built } = concept;
			await runRequestCommand('writeBrief', image.operation, image, [], { uri: built, ...overlay });
		}
	}

	protected override handlers(): Handlers<typeof compareProtocol> {
		return {
			ready: () => this.#show(),
			decide: ({ decision }) => {
				runDetached(this.decide(decision));
			},
			mark: () => {
				runDetached(this.#mark());
			},
			brief: ({ part, threshold }) => {
				runDetached(this.#writeBrief({ part, threshold }));
			},
			paste: ({ bytes }) => this.#paste(bytes),
			drop: ({ uri }) => {
				const image = vscode.Uri.parse(uri, true);
				// A page can name any file.
				if (vscode.workspace.getWorkspaceFolder(image) !== undefined) {
					this.#put(image);
				} else {
					runDetached(notify('error', compareMessages.outsideWorkspace(safeName(image))));
				}
			},
			save: () => {
				runDetached(this.#save());
			},
			undecodable: ({ side }) => {
				log.warn(`${label(this.images[side])} could not be decoded.`);
			},
		};
	}

	/** Decides about the image that was made from the other one; returns `false` where none was. */
	async decide(decision: Decision): Promise<boolean> {
		const pair = await madePair(this.images, this.deps);
		if (pair !== undefined && !this.#isClosing) {
			// A second click would find the image gone.
			this.#isClosing = decision === 'discard';
			if (decision === 'replace') {
				// The text has the keyboard while its links are looked for.
				this.close();
			}
			try {
				const isDone = await carryOut(decision, pair, this.deps);
				if (decision === 'replace' && !isDone) {
					const { left, right } = this.images;
					await runCommand('easel.compareImages', left, right);
				} else if (decision !== 'replace' && isDone) {
					this.close();
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

	/** Shows a file anew when it changes, goes or comes back. */
	#follow(side: Side): void {
		const image = this.images[side];
		// A pattern for the name alone would have to escape what is special in patterns.
		const folder = vscode.Uri.joinPath(image, '..').with({ query: '', fragment: '' });
		const watcher = vscode.workspace.createFileSystemWatcher(
			new vscode.RelativePattern(folder, '*'),
		);
		const changed = (uri: vscode.Uri) => {
			if (uri.toString() === this.images[side].toString()) {
				this.#versions[side] += 1;
				runDetached(this.#show());
			}
		};
		this.subscriptions.push(
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
		const rolesOf = (side: Side) =>
			made === undefined ? [] : [compareMessages[side === made ? 'new' : 'original']];
		const [left, right] = await Promise.all([
			this.picture(0, rolesOf('left'), versions.left),
			this.picture(1, rolesOf('right'), versions.right),
		]);
		const pasted = isPasted(this.images.right, this.deps) ? { isPasted: true } : {};
		const isEmpty = pasted.isPasted && right.type === 'problem';
		const shown = isEmpty ? { ...right, message: compareMessages.pasteHere } : right;
		// A file that has changed meanwhile is on its way already, and must not be overtaken.
		const newest = versions.left === this.#versions.left && versions.right === this.#versions.right;
		if (newest) {
			const uris = { left: this.images.left.toString(), right: this.images.right.toString() };
			const isThere = left.type === 'image' && right.type === 'image';
			const asks = made !== undefined && isThere ? { made } : {};
			const hasConcept = isThere && (await this.#concept()) !== undefined;
			// Two drafts have nothing in common for a slider to lie between.
			const mode = pair?.isRegenerated ? { mode: 'side' as const } : {};
			this.send({
				type: 'show',
				pair: uris,
				left,
				right: shown,
				...asks,
				...pasted,
				...mode,
				hasConcept,
			});
		}
	}
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
