import * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { withSeriesProgress } from '../../editor/progress.js';
import { safeName } from '../../editor/untrustedText.js';
import { runRequestCommand } from '../../asking/requestCommands.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import type { ImageAction } from '../../protocol/studio.js';
import { act, isPlain } from './actions.js';
import { toEdit, toMakeAgain, toMakeInHighQuality } from './composing.js';
import type { Asked, StudioContext } from './deps.js';
import type { StudioView } from './view.js';
import { studioMessages } from '../messages.js';

/** What the page asks for about images and rounds that are there. */
export class ImageRequests {
	#lastRemoved: { readonly images: readonly GalleryImage[]; readonly at: number } | undefined;

	constructor(
		private readonly context: StudioContext,
		private readonly view: StudioView,
	) {}

	/** Does what the user has chosen for an image; nothing where it is not there any more. */
	async act(id: string, action: ImageAction): Promise<void> {
		const image = (await this.context.rounds.read()).slot(id)?.image;
		if (image === undefined) {
			return;
		}
		if (isPlain(action)) {
			await act(action, image, this.context.deps);
			return;
		}
		const uri = vscode.Uri.parse(image.target, true);
		const { view } = this;
		const edit = (fill: Parameters<StudioView['compose']>[0]) => {
			view.beside.turnTo(uri);
			return view.compose(fill);
		};
		const actions: Readonly<Record<typeof action, () => unknown>> = {
			edit: () => edit((references) => toEdit(uri, references)),
			editInstead: () =>
				edit(async (references) => {
					await references.edit(uri);
					return { type: 'compose' };
				}),
			useAsStyle: () => runCommand('easel.useAsStyle', image.target),
			usePrompt: () => view.compose((references) => toMakeAgain(image, references)),
			useInHighQuality: () => view.compose((references) => toMakeInHighQuality(image, references)),
			replace: () => runCommand('easel.replaceImage', image.target),
		};
		await actions[action]();
	}

	/** Does what the user has chosen for several images, or for one. */
	async actOnAll({ ids, action }: Asked<'images'>): Promise<void> {
		const known = await this.context.rounds.read();
		const images = ids.flatMap((id) => known.slot(id)?.image ?? []);
		const [first, ...others] = images;
		if (first === undefined) {
			return;
		}
		switch (action) {
			case 'addReference':
				await this.context.references.add(
					images.map(({ target }) => vscode.Uri.parse(target, true)),
				);
				return;
			case 'handOver':
				await runRequestCommand('handOver', first.operation, first, others);
				return;
			case 'remove':
				await this.#remove(images);
		}
	}

	/**
	 * Deletes images one after the other, after one question where there is no recycle bin. What was
	 * deleted before one that cannot be can be restored.
	 */
	async #remove(images: readonly GalleryImage[]): Promise<void> {
		const { deletedImages, history } = this.context.deps;
		const { length } = images;
		const ask = deletedImages.askOnce(length);
		const removed: GalleryImage[] = [];
		const removeAll = async (done: () => void, signal?: AbortSignal) => {
			for (const image of images) {
				if (signal?.aborted === true || !(await deletedImages.remove(image, ask))) {
					return;
				}
				history.forget(image);
				removed.push(image);
				done();
			}
		};
		try {
			await (length < worthProgress
				? removeAll(() => undefined)
				: withSeriesProgress(studioMessages.deleting, length, removeAll));
		} finally {
			if (removed.length > 0) {
				this.#lastRemoved = { images: removed, at: Date.now() };
				this.sendRemoved();
				await this.view.showRounds();
			}
		}
	}

	/** Restores images that were deleted; those that cannot be are offered again. */
	async undoRemove({ ids }: Asked<'undoRemove'>): Promise<void> {
		const before = this.#lastRemoved;
		this.#lastRemoved = undefined;
		const failed: unknown[] = [];
		const left: string[] = [];
		for (const id of ids) {
			try {
				const note = await this.context.deps.deletedImages.restore(id);
				if (note !== undefined) {
					this.context.send({ type: 'notice', severity: 'warning', text: note });
				}
			} catch (error) {
				failed.push(error);
				left.push(id);
			}
		}
		if (before !== undefined && left.length > 0) {
			const images = before.images.filter(({ id }) => left.includes(id));
			this.#lastRemoved = { images, at: Date.now() };
			this.sendRemoved();
		}
		await this.view.showRounds();
		if (failed.length > 0) {
			throw failed[0];
		}
	}

	/** Offers to undo; also to a page that comes back, when the panel was hidden for a moment. */
	sendRemoved(): void {
		if (this.#lastRemoved !== undefined && Date.now() - this.#lastRemoved.at < maxOfferedMs) {
			const { images } = this.#lastRemoved;
			const [{ target }] = images as [GalleryImage];
			const text =
				images.length === 1
					? studioMessages.deleted(safeName(vscode.Uri.parse(target, true)))
					: studioMessages.deletedAll(images.length);
			this.context.send({
				type: 'notice',
				severity: 'info',
				text,
				undo: images.map(({ id }) => id),
			});
		}
	}

	/** Notes what the user has decided about images. */
	async mark({ ids, kept, title, note }: Asked<'markImages'>): Promise<void> {
		const known = await this.context.rounds.read();
		const images = ids.flatMap((id) => known.slot(id)?.image ?? []);
		if (images.length > 0) {
			const mark = {
				...(kept === undefined ? {} : { kept }),
				...(title === undefined ? {} : { title: title.trim() }),
				...(note === undefined ? {} : { note: note.trim() }),
			};
			const uris = new Map(images.map(({ id, target }) => [id, vscode.Uri.parse(target, true)]));
			await this.context.deps.marks.setImages([...uris.keys()], mark, uris);
			await this.view.showMarked({ rounds: [], images: [...uris.keys()] });
		}
	}

	/** Notes what the user has decided about a round. */
	async markRound({ id, name, collapsed }: Asked<'markRound'>): Promise<void> {
		if ((await this.context.rounds.read()).round(id) !== undefined) {
			await this.context.deps.marks.setRound(id, {
				...(name === undefined ? {} : { name: name.trim() }),
				...(collapsed === undefined ? {} : { collapsed }),
			});
			await this.view.showMarked({ rounds: [id], images: [] });
		}
	}
}

/** So many files are not deleted in a moment. */
const worthProgress = 10;
/** How long a removal is offered to be undone to a page that comes back, in milliseconds. */
const maxOfferedMs = 10 * 60 * 1000;
