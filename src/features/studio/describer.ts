import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { inspectUri } from '../../editor/images.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import type { Image } from '../../protocol/studioModel.js';
import { studioMessages } from '../messages.js';
import { describeImage, describeRound, unlistedImage, type DescribedImage } from './images.js';
import type { PageRequest, StudioContext } from './deps.js';
import { Coalescer, updateDetached } from './updates.js';
import type { Sources } from './sources.js';
import { unreadable } from './imageFolder.js';

type OnScreen = Pick<PageRequest<'describe'>, 'rounds' | 'images'>;

/** In bytes. A GIF has no thumbnail: the page shows the file itself, as long as it is no film. */
const maxGifBytes = 4 * 1024 * 1024;
/** Limit of descriptions of files: as many as the user scrolls to and fro between. */
const maxKnown = 2000;
/** Time within which descriptions are sent together, in milliseconds. */
const togetherMs = 40;

/**
 * Describes the rounds and images on the screen, now and whenever they change. Thumbnails, and files of
 * a folder that have to be read, follow as they come.
 */
export class Describer implements vscode.Disposable {
	/** Ends what the page does not want to see any more. */
	#looking = new AbortController();
	#onScreen: OnScreen = { rounds: [], images: [] };
	/** Descriptions of files that are not in the gallery, by their identifier. */
	readonly #known = new Map<string, { readonly version: string; readonly image: Image }>();
	/** A few files are read at a time. */
	readonly #reading = new PQueue({ concurrency: 8 });
	/** The images on the screen as they are known now, by their identifiers. */
	readonly #described = new Map<string, Image>();
	/** The identifiers of those that have changed since they were sent. */
	readonly #unsent = new Set<string>();
	readonly #sending = new Coalescer(togetherMs, () => {
		const images = [...this.#unsent].flatMap((id) => this.#described.get(id) ?? []);
		this.#unsent.clear();
		if (images.length > 0) {
			this.context.send({ type: 'described', rounds: [], images });
		}
	});

	constructor(private readonly context: StudioContext) {}

	dispose(): void {
		this.#looking.abort();
		this.#sending.dispose();
	}

	/** Describes what is on the screen now. Reading what was there before is given up. */
	async describe(onScreen: OnScreen): Promise<void> {
		this.#looking.abort();
		this.#looking = new AbortController();
		this.#onScreen = onScreen;
		this.#described.clear();
		this.#unsent.clear();
		await this.update();
	}

	/** Describes a file of the folder anew, where it is on the screen. */
	updateFile(id: string): void {
		if (this.#onScreen.images.includes(id)) {
			updateDetached(this.update({ rounds: [], images: [id] }));
		}
	}

	/** Describes rounds and images anew, by default all on the screen. */
	async update({ rounds, images }: OnScreen = this.#onScreen): Promise<void> {
		const { signal } = this.#looking;
		if (rounds.length + images.length === 0) {
			return;
		}
		const known = await this.context.rounds.read();
		for (const id of images.filter((one) => known.slot(one) === undefined)) {
			updateDetached(this.#reading.add(() => this.#sendFile(id, signal)));
		}
		const described = await Promise.all(
			images.flatMap((id) => {
				const slot = known.slot(id);
				// A job has no picture yet.
				return slot?.image === undefined
					? []
					: [describeImage({ ...slot, image: slot.image }, known, this.context.sources)];
			}),
		);
		if (signal.aborted) {
			return;
		}
		this.context.send({
			type: 'described',
			rounds: rounds.flatMap((id) => {
				const round = known.round(id);
				return round === undefined ? [] : [describeRound(round, known)];
			}),
			images: described.map(({ shown }) => shown),
		});
		for (const image of described) {
			this.#described.set(image.shown.id, image.shown);
			updateDetached(this.#sendThumbnail(image, signal));
		}
	}

	async #sendThumbnail({ uri, shown }: DescribedImage, signal: AbortSignal): Promise<void> {
		const thumbnail = shown.exists
			? await this.context.sources.ofThumbnail(uri, signal)
			: undefined;
		const image = this.#described.get(shown.id);
		if (thumbnail !== undefined && image !== undefined && !signal.aborted) {
			this.#send({ ...image, thumbnail });
		}
	}

	#send(image: Image): void {
		this.#described.set(image.id, image);
		this.#unsent.add(image.id);
		this.#sending.schedule();
	}

	async #sendFile(id: string, signal: AbortSignal): Promise<void> {
		const image = signal.aborted ? undefined : await this.#readFile(id, signal);
		if (image !== undefined && !signal.aborted) {
			this.#send(image);
		}
	}

	/** Reads a file of the folder; `undefined` where it is not listed. */
	async #readFile(id: string, signal: AbortSignal): Promise<Image | undefined> {
		const uri = this.context.files.listed(id);
		if (uri === undefined) {
			return undefined;
		}
		let image = unlistedImage(id, uri);
		try {
			await this.context.files.uriOf(id);
			const { mtime, size } = await vscode.workspace.fs.stat(uri);
			const version = `${String(mtime)} ${String(size)}`;
			const known = this.#known.get(id);
			if (known?.version === version) {
				return known.image;
			}
			image = { ...image, details: readableSize(size) };
			image = await withPicture(image, { uri, mtime, size }, this.context.sources, signal);
			if (this.#known.size >= maxKnown) {
				this.#known.clear();
			}
			this.#known.set(id, { version, image });
		} catch (error) {
			image = { ...image, problem: unreadable('file', error) };
		}
		return image;
	}
}

/** Adds the dimensions and the picture of a file, or why there is none. */
async function withPicture(
	image: Image,
	{ uri, mtime, size }: { uri: vscode.Uri; mtime: number; size: number },
	sources: Sources,
	signal: AbortSignal,
): Promise<Image> {
	const isGif = /\.gif$/i.test(uri.path);
	if (isGif && size > maxGifBytes) {
		return { ...image, problem: studioMessages.largeGif(readableSize(maxGifBytes)) };
	}
	const source = sources.of(uri, mtime);
	const loadable = source === undefined ? {} : { source, uri: sources.ofWorkbench(uri) };
	if (isGif || uri.scheme !== 'file') {
		// One of a virtual file system would have to be fetched as a whole.
		return { ...image, ...loadable, thumbnail: source };
	}
	const { width, height } = await inspectUri(uri);
	const details = `${readableDimensions({ width, height })} · ${image.details}`;
	const thumbnail = await sources.madeThumbnail(uri, signal);
	return { ...image, ...loadable, details, width, height, thumbnail };
}
