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
	readonly #watchers: Partial<Record<Side, vscode.Disposable>> = {};
	/** Number of the last look at the images: an earlier one that takes longer is not shown. */
	#look = 0;
	/** The decision that is being carried out. */
	#decision: Decision | undefined;

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

	override dispose(): void {
		vscode.Disposable.from(...Object.values(this.#watchers)).dispose();
		super.dispose();
	}

	/** Shows another image on the right. */
	#put(right: vscode.Uri): void {
		// What was looked at before is of another pair.
		this.#look += 1;
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

	async #drop(uri: string): Promise<void> {
		const image = vscode.Uri.parse(uri, true);
		// A page can name any file, with `..` in its path, too.
		const plain = image.with({ path: path.posix.normalize(image.path) });
		if (vscode.workspace.getWorkspaceFolder(plain) === undefined) {
			await notify('error', compareMessages.outsideWorkspace(safeName(image)));
		} else {
			this.#put(plain);
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
		if (image === undefined) {
			this.#sayOutdated(compareMessages.notRelated);
			return;
		}
		await runRequestCommand('mark', 'edit', image);
	}

	/** Says why what the page offers cannot be done any more, and has it show what is there now. */
	#sayOutdated(words: string): void {
		runDetached(notify('info', words));
		runDetached(this.#show());
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
		if (concept === undefined) {
			this.#sayOutdated(compareMessages.noConcept);
			return;
		}
		const { image, built } = concept;
		await runRequestCommand('writeBrief', image.operation, image, [], { uri: built, ...overlay });
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
			paste: ({ bytes }) => {
				runDetached(this.#paste(bytes));
			},
			drop: ({ uri }) => {
				runDetached(this.#drop(uri));
			},
			save: () => {
				runDetached(this.#save());
			},
			undecodable: ({ side }) => {
				log.warn(`${label(this.images[side])} could not be decoded.`);
			},
		};
	}

	/** Carries out a decision about the image that was made from the other one. */
	async decide(decision: Decision): Promise<void> {
		if (this.#decision !== undefined) {
			// A second click on the same button means the same.
			if (this.#decision !== decision) {
				await notify('info', compareMessages.deciding);
			}
			return;
		}
		this.#decision = decision;
		try {
			const pair = await madePair(this.images, this.deps);
			if (pair === undefined) {
				this.#sayOutdated(compareMessages.notRelated);
				return;
			}
			if (decision === 'replace') {
				// The text has the keyboard while its links are looked for.
				this.close();
			}
			const isDone = await carryOut(decision, pair, this.deps);
			if (decision === 'replace' && !isDone) {
				const { left, right } = this.images;
				await runCommand('easel.compareImages', left, right);
			} else if (decision !== 'replace' && isDone) {
				this.close();
			}
		} finally {
			this.#decision = undefined;
		}
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
		this.#watchers[side]?.dispose();
		this.#watchers[side] = vscode.Disposable.from(
			watcher,
			watcher.onDidChange(changed),
			watcher.onDidCreate(changed),
			watcher.onDidDelete(changed),
		);
	}

	async #show(): Promise<void> {
		const look = ++this.#look;
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
		const isThere = left.type === 'image' && right.type === 'image';
		const hasConcept = isThere && (await this.#concept()) !== undefined;
		// What has changed meanwhile is on its way already, and must not be overtaken.
		if (look === this.#look) {
			const uris = { left: this.images.left.toString(), right: this.images.right.toString() };
			const asks = made !== undefined && isThere ? { made } : {};
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
