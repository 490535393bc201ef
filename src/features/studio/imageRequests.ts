import * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { knownQuality } from '../../editor/imageRequest.js';
import { offeredChoices, readService } from '../../editor/service.js';
import { withSeriesProgress } from '../../editor/progress.js';
import { safeName } from '../../editor/untrustedText.js';
import { runRequestCommand } from '../../asking/requestCommands.js';
import { askedReferences, type GalleryImage } from '../../jobs/gallery.js';
import type { BackgroundChoice, ImageAction, QualityChoice } from '../../protocol/studioModel.js';
import { openImage, revealImage } from '../../generation/savedImage.js';
import { act, isPlain, saveCopy } from './actions.js';
import type { PageRequest, StudioContext } from './deps.js';
import type { StudioView } from './view.js';
import { studioMessages } from '../messages.js';

/** An image or a request that is put back into the composer. */
type Repeated = Pick<
	GalleryImage,
	'operation' | 'prompt' | 'size' | 'references' | 'keptRest' | 'marks' | 'withoutStyle'
> & {
	readonly quality?: QualityChoice | undefined;
	readonly background?: BackgroundChoice | undefined;
};

/** Does what the page asks for about images and rounds. */
export class ImageRequests {
	#lastRemoved: { readonly images: readonly GalleryImage[]; readonly at: number } | undefined;

	constructor(
		private readonly context: StudioContext,
		private readonly view: StudioView,
	) {}

	/**
	 * Returns the file of an image; `undefined` where it is not known.
	 *
	 * @throws {OutsideWorkspaceError} where a file of the folder has come to lead out of the workspace
	 */
	async uriOf(id: string): Promise<vscode.Uri | undefined> {
		const image = (await this.context.rounds.read()).slot(id)?.image;
		return image === undefined
			? this.context.files.uriOf(id)
			: vscode.Uri.parse(image.target, true);
	}

	/** Does what the user has chosen for an image; nothing where it is not known. */
	async act(id: string, action: ImageAction): Promise<void> {
		const image = (await this.context.rounds.read()).slot(id)?.image;
		const uri = await this.uriOf(id);
		if (uri === undefined) {
			return;
		}
		if (isPlain(action) && image !== undefined) {
			await act(action, image, this.context.deps);
			return;
		}
		const actions: { readonly [action in ImageAction]?: () => unknown } = {
			open: () => openImage(uri),
			reveal: () => revealImage(uri),
			saveAs: () => saveCopy(uri),
			useAsStyle: () => runCommand('easel.useAsStyle', uri.toString()),
			showProvenance: () => runCommand('easel.showProvenance', uri),
			export: () => runCommand('easel.exportImage', uri),
			keepRest: () => runCommand('easel.keepRest', uri.toString()),
			makeDark: () => runCommand('easel.makeDarkVariant', uri),
			usePrompt: () => image && this.repeat(image),
			useInHighQuality: () => image && this.#repeatInHighQuality(image),
			replace: () => image && runCommand('easel.replaceImage', image.target),
		};
		await actions[action]?.();
	}

	/**
	 * Makes an image, or a reference image of the draft, the one that is edited. The prompt stays: it may be
	 * about it.
	 *
	 * @throws {RefusedReference} where its file cannot be used
	 */
	async edit({ id, how }: PageRequest<'edit'>): Promise<void> {
		const { beside, place, references } = this.context;
		if (how === 'inView') {
			await references.followView(place, async () =>
				id === undefined ? undefined : this.uriOf(id),
			);
			return;
		}
		const known = (await references.list()).find((reference) => reference.id === id);
		const image = known === undefined && id !== undefined ? await this.uriOf(id) : undefined;
		if (image !== undefined) {
			beside.turnTo(image);
		}
		const uri = known?.uri ?? image;
		if (uri !== undefined) {
			const draft = { place, draft: { type: 'compose' } } as const;
			await references.edit(uri, how === 'alone' ? draft : undefined);
		}
	}

	/** Fills the composer with a request exactly as it was, with its reference images. */
	async repeat(request: Repeated, note?: string): Promise<void> {
		const { operation, prompt, background = 'auto', withoutStyle, marks } = request;
		const asked = { size: request.size, quality: knownQuality(request.quality ?? 'unset') };
		const { size, quality = 'unset', words = note } = offeredChoices(asked);
		const { place, references } = this.context;
		const uris = askedReferences(request).map((source) => vscode.Uri.parse(source, true));
		const draft = {
			...({ type: 'compose', prompt, size, quality, ...(words && { words }) } as const),
			...(marks && { marks }),
			background,
			withoutStyle: withoutStyle === true,
		};
		await references.restore(uris, operation === 'edit', { place, draft });
	}

	/** Fills the composer with the same in high quality; without reference images where these know none. */
	async #repeatInHighQuality(image: GalleryImage): Promise<void> {
		if (readService().editsTakeQuality) {
			return this.repeat({ ...image, quality: 'high' }, studioMessages.newPicture);
		}
		const { prompt, size, background, withoutStyle } = image;
		const { place, references } = this.context;
		const draft = {
			...({ type: 'compose', prompt, size, quality: 'high' } as const),
			...{ background: background ?? ('auto' as const), withoutStyle: withoutStyle === true },
			words: studioMessages.newPicture,
		};
		await references.restore([], false, { place, draft });
	}

	/** Does what the user has chosen for several images, or for one. */
	async actOnAll({ ids, action }: PageRequest<'images'>): Promise<void> {
		if (action === 'addReference' || action === 'compare') {
			const uris = (await Promise.all(ids.map((id) => this.uriOf(id)))).filter(
				(uri) => uri !== undefined,
			);
			const [one, other] = uris;
			if (action === 'addReference') {
				await this.context.references.add(uris);
			} else if (one !== undefined && other !== undefined) {
				await runCommand('easel.compareImages', one, other);
			}
			return;
		}
		const known = await this.context.rounds.read();
		const images = ids.flatMap((id) => known.slot(id)?.image ?? []);
		const [first, ...others] = images;
		if (first === undefined) {
			return;
		}
		if (action === 'writeBrief') {
			await runRequestCommand('writeBrief', first.operation, first, others);
		} else {
			await this.#remove(images);
		}
	}

	/**
	 * Deletes images one after the other. What was deleted before one that cannot be can be restored.
	 */
	async #remove(images: readonly GalleryImage[]): Promise<void> {
		const { deletedImages, history } = this.context.deps;
		const { length } = images;
		const removed: GalleryImage[] = [];
		const removeAll = async (done: () => void, signal?: AbortSignal) => {
			for (const image of images) {
				if (signal?.aborted === true) {
					return;
				}
				await deletedImages.remove(image);
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
	async undoRemove({ ids }: PageRequest<'undoRemove'>): Promise<void> {
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

	/** Writes what the user has decided about images, such as a star or a title. */
	async annotateImages({
		ids,
		isFavorite,
		title,
		note,
	}: PageRequest<'annotateImages'>): Promise<void> {
		const known = await this.context.rounds.read();
		const images = ids.flatMap((id) => known.slot(id)?.image ?? []);
		if (images.length > 0) {
			const mark = {
				...(isFavorite === undefined ? {} : { isFavorite }),
				...(title === undefined ? {} : { title: title.trim() }),
				...(note === undefined ? {} : { note: note.trim() }),
			};
			const uris = new Map(images.map(({ id, target }) => [id, vscode.Uri.parse(target, true)]));
			await this.context.deps.annotations.setImages([...uris.keys()], mark, uris);
			await this.view.showAnnotated({ rounds: [], images: [...uris.keys()] });
		}
	}

	/** Writes what the user has decided about a round. */
	async annotateRound({ id, name, collapsed }: PageRequest<'annotateRound'>): Promise<void> {
		if ((await this.context.rounds.read()).round(id) !== undefined) {
			await this.context.deps.annotations.setRound(id, {
				...(name === undefined ? {} : { name: name.trim() }),
				...(collapsed === undefined ? {} : { collapsed }),
			});
			await this.view.showAnnotated({ rounds: [id], images: [] });
		}
	}
}

/** Number of files from which their deletion shows progress. */
const worthProgress = 10;
/** Time in which the undo of a removal is offered to a page that comes back, in milliseconds. */
const maxOfferedMs = 10 * 60 * 1000;
