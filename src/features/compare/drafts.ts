import * as vscode from 'vscode';
import { mayExist, uriExists } from '../../editor/files.js';
import { notify, runDetached, showError, withStatus } from '../../editor/messages.js';
import { safeName, safeText } from '../../editor/untrustedText.js';
import { asUri } from '../../asking/argument.js';
import { belongsHere } from '../../library/galleryLookup.js';
import { labels } from '../../messages.js';
import { runRequestCommand } from '../../asking/requestCommands.js';
import type { Services } from '../../services.js';
import type { UpdatedLinks } from '../../generation/generatorServices.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import { draftsProtocol, maxDrafts } from '../../protocol/drafts.js';
import type { Handlers } from '../../protocol/hostChannel.js';
import { comparisonType } from '../../protocol/panels.js';
import { compareMessages } from '../messages.js';
import { ImagePanel } from './imagePanel.js';

/**
 * "Choose Draft…": shows the images that were asked for together with this one, or the newest that
 * were asked for at once, so that one is used and the others are deleted.
 */
export async function chooseDraft(
	target: vscode.Uri | string | undefined,
	deps: Services,
	open: Set<DraftChoice>,
): Promise<void> {
	const drafts = await draftsWith(typeof target === 'string' ? asUri(target) : target, deps);
	if (drafts.length < 2) {
		await notify('info', compareMessages.noDrafts);
		return;
	}
	const files = drafts.map((image) => image.target);
	const shown = [...open].find((choice) => choice.files.join('\n') === files.join('\n'));
	if (shown !== undefined) {
		shown.panel.reveal();
		return;
	}
	const { all, activeTabGroup } = vscode.window.tabGroups;
	// In a group that is there, else before the text: nothing is split, so the text stays as it is.
	const other = all.find((group) => group !== activeTabGroup)?.viewColumn;
	const panel = vscode.window.createWebviewPanel(
		comparisonType,
		compareMessages.drafts,
		other ?? vscode.ViewColumn.Active,
	);
	connectDrafts(panel, files, deps, open);
}

/** Shows drafts in a panel that is new, or that VS Code gives back after a reload of the window. */
export function connectDrafts(
	panel: vscode.WebviewPanel,
	files: readonly string[],
	deps: Services,
	open: Set<DraftChoice>,
): void {
	const choice = new DraftChoice(panel, files, deps);
	open.add(choice);
	panel.onDidDispose(() => open.delete(choice));
}

async function draftsWith(
	file: vscode.Uri | undefined,
	{ history }: Services,
): Promise<GalleryImage[]> {
	const images = (await history.list()).filter(belongsHere);
	const isDraft = ({ operation, round, regeneratedFrom }: GalleryImage) =>
		operation === 'generate' && regeneratedFrom === undefined && (round?.count ?? 1) > 1;
	const first =
		file === undefined
			? images.find(isDraft)
			: images.find(({ target }) => target === file.toString());
	const id = first?.round?.id;
	const isAlike = ({ prompt, round }: GalleryImage) => round?.id === id && prompt === first?.prompt;
	const batch = id === undefined ? [] : images.filter(isAlike);
	const exist = await Promise.all(
		batch.map(({ target }) => mayExist(vscode.Uri.parse(target, true))),
	);
	return batch
		.filter((_image, index) => exist[index])
		.sort((a, b) => (a.round?.place ?? 0) - (b.round?.place ?? 0))
		.slice(0, maxDrafts);
}

/** One panel in which a draft is chosen. */
export class DraftChoice extends ImagePanel<typeof draftsProtocol> {
	#isChosen = false;

	/** @param files the drafts, as URIs */
	constructor(
		panel: vscode.WebviewPanel,
		readonly files: readonly string[],
		private readonly deps: Services,
	) {
		const uris = files.map((file) => vscode.Uri.parse(file, true));
		const { drafts: title } = compareMessages;
		super(panel, uris, deps, { title, protocol: draftsProtocol, page: 'drafts' });
	}

	protected override handlers(): Handlers<typeof draftsProtocol> {
		return {
			ready: () => this.#show(),
			use: ({ index }) => {
				const file = this.files[index];
				if (file !== undefined && !this.#isChosen) {
					// A second press would find the others gone.
					this.#isChosen = true;
					runDetached(
						this.#useIfThere(file).finally(() => {
							this.#isChosen = false;
						}),
					);
				}
			},
			keepAll: () => {
				this.close();
				runDetached(
					this.deps.newDrafts.keep(this.files.map((file) => vscode.Uri.parse(file, true))),
				);
			},
		};
	}

	async #show(): Promise<void> {
		const pictures = await Promise.all(this.files.map((_file, index) => this.picture(index)));
		this.send({ type: 'show', state: { drafts: [...this.files] }, pictures });
	}

	/** Uses a draft. In the place of one that has gone since, the page says so, and the others stay. */
	async #useIfThere(file: string): Promise<void> {
		if (!(await uriExists(vscode.Uri.parse(file, true)))) {
			await this.#show();
			return;
		}
		// The text has the keyboard while its links are looked for.
		this.close();
		await withStatus(compareMessages.usingDraft, this.#use(file));
	}

	/** Links the document to one draft and deletes the others; one Undo takes all of it back. */
	async #use(file: string): Promise<void> {
		const { deletedImages, history } = this.deps;
		const chosen = vscode.Uri.parse(file, true);
		const others = this.files.filter((other) => other !== file);
		const relinked = new Map<string, UpdatedLinks>();
		const notes: string[] = [];
		for (const other of others) {
			const change = { from: vscode.Uri.parse(other, true), to: chosen };
			const result = await runRequestCommand('updateLinks', 'edit', [change]);
			notes.push(...result.notes);
			// A draft whose link could not be changed stays: the document shows it.
			if (result.notes.length === 0) {
				relinked.set(other, result);
			}
		}
		const deleted: GalleryImage[] = [];
		for (const image of (await history.list()).filter(({ target }) => relinked.has(target))) {
			try {
				await deletedImages.remove(image);
				deleted.push(image);
			} catch (error) {
				showError(error);
			}
		}
		const undo = async () => {
			// The last one first: each set of links finds the documents as it left them.
			for (const [target, links] of [...relinked].toReversed()) {
				const image = deleted.find((one) => one.target === target);
				await this.#bringBack({ target, id: image?.id }, links, chosen).catch(showError);
			}
		};
		const words = compareMessages.draftUsed(safeName(chosen), deleted.length);
		await notify('info', [words, ...notes.map((note) => safeText(note))].join(' '), [
			{ label: labels.undo, run: undo },
		]);
	}

	/**
	 * Brings a draft back, with the links that it had.
	 *
	 * @param draft without an identifier where only its links were taken
	 */
	async #bringBack(
		{ target, id }: { readonly target: string; readonly id: string | undefined },
		links: UpdatedLinks,
		chosen: vscode.Uri,
	): Promise<void> {
		const { deletedImages, history } = this.deps;
		const note = id === undefined ? undefined : await deletedImages.restore(id);
		if (note !== undefined) {
			runDetached(notify('warning', note));
		}
		// It may have another name now.
		const back = (await history.list()).find((one) => one.id === id)?.target ?? target;
		const left = back === target ? await links.undo() : links.documents;
		if (left.length > 0) {
			// Documents that were changed since cannot say which links were those of this draft.
			const change = { from: chosen, to: vscode.Uri.parse(back, true) };
			await runRequestCommand('updateLinks', 'edit', [change], left);
		}
	}
}
