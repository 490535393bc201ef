import path from 'node:path';
import * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { safeText } from '../../editor/untrustedText.js';
import { runRequestCommand } from '../../generation/requestCommands.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import type { StudioEvent, StudioRequest } from '../../protocol/studio.js';
import type { ImageAction } from '../../protocol/studioActions.js';
import { act } from './actions.js';
import { toEdit, toMakeAgain, toMakeInHighQuality } from './composing.js';
import type { StudioDeps } from './deps.js';
import type { DraftReferences } from './references.js';
import type { StudioView } from './view.js';
import { studioMessages } from '../messages.js';

interface Options {
	/** Tells the page something. */
	readonly send: (event: StudioEvent) => void;
	readonly deps: StudioDeps;
	readonly references: DraftReferences;
	readonly view: StudioView;
}

type Asked<Type extends StudioRequest['type']> = Extract<StudioRequest, { readonly type: Type }>;

/** What the page asks for about images and rounds that are there. */
export class ImageRequests {
	#lastRemoved: { readonly image: GalleryImage; readonly at: number } | undefined;

	constructor(private readonly options: Options) {}

	/** Does what a person has chosen for an image; nothing where it is not there any more. */
	async act(id: string, action: ImageAction): Promise<void> {
		if (action === 'undoRemove') {
			const note = await this.options.deps.deletedImages.restore(id);
			this.#lastRemoved = undefined;
			if (note !== undefined) {
				this.options.send({ type: 'notice', severity: 'warning', text: note });
			}
			await this.options.view.showRounds();
			return;
		}
		const image = (await this.options.view.rounds.read()).slot(id)?.image;
		if (image === undefined) {
			return;
		}
		const uri = vscode.Uri.parse(image.target, true);
		switch (action) {
			case 'edit':
				this.options.view.beside.turnTo(uri);
				await this.options.view.compose((references) => toEdit(uri, references));
				return;
			case 'editInstead':
				this.options.view.beside.turnTo(uri);
				await this.options.view.compose(async (references) => {
					await references.edit(uri);
					return { type: 'compose' };
				});
				return;
			case 'addReference':
				await this.options.references.add([uri]);
				return;
			case 'useAsStyle':
				await runCommand('easel.useAsStyle', image.target);
				return;
			case 'usePrompt':
				await this.options.view.compose((references) => toMakeAgain(image, references));
				return;
			case 'useInHighQuality':
				await this.options.view.compose((references) => toMakeInHighQuality(image, references));
				return;
			case 'handOver':
				await runRequestCommand('handOver', image.operation, image);
				return;
			case 'remove':
				if (await this.options.deps.deletedImages.remove(image)) {
					this.#lastRemoved = { image, at: Date.now() };
					this.options.deps.history.forget(image);
					this.sendRemoved();
					await this.options.view.showRounds();
				}
				return;
			case 'replace':
				await runCommand('easel.replaceImage', image.target);
				return;
			case 'open':
			case 'reveal':
			case 'insert':
			case 'copyImageLink':
			case 'copyPrompt':
			case 'saveAs':
				await act(action, image, this.options.deps);
		}
	}

	/** Offers to undo; also to a page that comes back, when the panel was hidden for a moment. */
	sendRemoved(): void {
		if (this.#lastRemoved !== undefined && Date.now() - this.#lastRemoved.at < maxOfferedMs) {
			const { id, target } = this.#lastRemoved.image;
			const name = path.posix.basename(vscode.Uri.parse(target, true).path);
			const text = studioMessages.deleted(safeText(name));
			this.options.send({ type: 'notice', severity: 'info', text, undo: id });
		}
	}

	/** Notes what a person has decided about an image. */
	async mark({ id, kept, title, note }: Asked<'markImage'>): Promise<void> {
		if ((await this.options.view.rounds.read()).slot(id)?.image !== undefined) {
			await this.options.deps.marks.setImage(id, {
				...(kept === undefined ? {} : { kept }),
				...(title === undefined ? {} : { title: title.trim() }),
				...(note === undefined ? {} : { note: note.trim() }),
			});
			await this.options.view.showMarked({ rounds: [], images: [id] });
		}
	}

	/** Notes what a person has decided about a round. */
	async markRound({ id, name, collapsed }: Asked<'markRound'>): Promise<void> {
		if ((await this.options.view.rounds.read()).round(id) !== undefined) {
			await this.options.deps.marks.setRound(id, {
				...(name === undefined ? {} : { name: name.trim() }),
				...(collapsed === undefined ? {} : { collapsed }),
			});
			await this.options.view.showMarked({ rounds: [id], images: [] });
		}
	}
}

/** How long a removal is offered to be undone to a page that comes back, in milliseconds. */
const maxOfferedMs = 10 * 60 * 1000;
