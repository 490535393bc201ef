import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { EaselError } from '../../easelError.js';
import { wordsOf } from '../../editor/errorTexts.js';
import { assertInside } from '../../editor/files.js';
import { inspectUri } from '../../editor/images.js';
import { safeText } from '../../editor/untrustedText.js';
import { codeOf, isNotFound } from '../../files/fsErrors.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import type { Image, SheetPicture } from '../../protocol/studio.js';
import { studioMessages } from '../messages.js';
import { describeImage, describeRound, type DescribedImage } from './images.js';
import { Coalescer, updateDetached, type Asked, type StudioContext } from './deps.js';
import type { Sources } from './sources.js';

/** A file of the contact sheet. */
export interface SheetFile {
	readonly id: string;
	readonly uri: vscode.Uri;
	/** The workspace folder that it must not leave. */
	readonly root: vscode.Uri;
}

type Looked = Pick<Asked<'look'>, 'rounds' | 'images'> & { readonly files: readonly SheetFile[] };

const nothing: Looked = { rounds: [], images: [], files: [] };

/** In bytes. A GIF has no thumbnail: the page shows the file itself, as long as it is no film. */
const maxGifBytes = 4 * 1024 * 1024;
/** As many as the user scrolls to and fro between. */
const maxKnown = 2000;
/** What comes within this time is sent together, in milliseconds. */
const togetherMs = 40;

/**
 * Says what the rounds, images and files on the screen are, now and whenever they change. Thumbnails,
 * and what has to be read of a file, follow as they come.
 */
export class Describer implements vscode.Disposable {
	/** Ends what the page does not want to see any more. */
	#looking = new AbortController();
	#looked = nothing;
	/** Of files, by their identifier. */
	readonly #known = new Map<string, { readonly version: string; readonly picture: SheetPicture }>();
	/** A few files are read at a time. */
	readonly #reading = new PQueue({ concurrency: 8 });
	/** What was said last of the images on the screen, by their identifiers. */
	readonly #described = new Map<string, Image>();
	/** Thumbnails that are not sent yet, by the identifiers of their images. */
	readonly #thumbnails = new Map<string, string>();
	#files: SheetPicture[] = [];
	readonly #sending = new Coalescer(togetherMs, () => {
		// With what is known of the image by now.
		const images = [...this.#thumbnails].flatMap(([id, thumbnail]) => {
			const image = this.#described.get(id);
			return image === undefined ? [] : [{ ...image, thumbnail }];
		});
		const files = this.#files;
		this.#thumbnails.clear();
		this.#files = [];
		if (images.length + files.length > 0) {
			this.context.send({ type: 'described', rounds: [], images, files });
		}
	});

	constructor(private readonly context: StudioContext) {}

	dispose(): void {
		this.#looking.abort();
		this.#sending.dispose();
	}

	/** Says what is on the screen now. What was to be read of anything before is given up. */
	async describe(looked: Looked): Promise<void> {
		this.#looking.abort();
		this.#looking = new AbortController();
		this.#looked = looked;
		this.#described.clear();
		this.#thumbnails.clear();
		await this.update();
	}

	/** No file is on the screen any more. */
	async forgetFiles(): Promise<void> {
		this.#known.clear();
		this.#files = [];
		await this.describe({ ...this.#looked, files: [] });
	}

	/** Says what a file is now, where it is on the screen. */
	readonly updateFile = (uri: vscode.Uri): void => {
		const files = this.#looked.files.filter((file) => file.uri.toString() === uri.toString());
		updateDetached(this.update({ ...nothing, files }));
	};

	/** Says what these are now, by default all on the screen. */
	async update({ rounds, images, files }: Partial<Looked> = this.#looked): Promise<void> {
		const { signal } = this.#looking;
		for (const file of files ?? []) {
			updateDetached(this.#reading.add(() => this.#sendFile(file, signal)));
		}
		await this.#sendImages(rounds ?? [], images ?? [], signal);
	}

	async #sendImages(
		rounds: readonly string[],
		images: readonly string[],
		signal: AbortSignal,
	): Promise<void> {
		if (rounds.length + images.length === 0) {
			return;
		}
		const known = await this.context.rounds.read();
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
			files: [],
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
		if (thumbnail !== undefined && !signal.aborted) {
			this.#thumbnails.set(shown.id, thumbnail);
			this.#sending.schedule();
		}
	}

	async #sendFile(file: SheetFile, signal: AbortSignal): Promise<void> {
		const picture = signal.aborted ? undefined : await this.#pictureOf(file, signal);
		if (picture !== undefined && !signal.aborted) {
			this.#files.push(picture);
			this.#sending.schedule();
		}
	}

	async #pictureOf({ id, uri, root }: SheetFile, signal: AbortSignal): Promise<SheetPicture> {
		const picture: SheetPicture = { id, details: '' };
		try {
			await assertInside(root, uri);
			const { mtime, size } = await vscode.workspace.fs.stat(uri);
			const version = `${String(mtime)} ${String(size)}`;
			const known = this.#known.get(id);
			if (known?.version === version) {
				return known.picture;
			}
			picture.details = readableSize(size);
			await addPicture(picture, { uri, mtime, size }, this.context.sources, signal);
			if (this.#known.size >= maxKnown) {
				this.#known.clear();
			}
			this.#known.set(id, { version, picture });
		} catch (error) {
			picture.problem = unreadable('file', error);
		}
		return picture;
	}
}

async function addPicture(
	picture: SheetPicture,
	{ uri, mtime, size }: { uri: vscode.Uri; mtime: number; size: number },
	sources: Sources,
	signal: AbortSignal,
): Promise<void> {
	const isGif = /\.gif$/i.test(uri.path);
	if (isGif && size > maxGifBytes) {
		picture.problem = studioMessages.largeGif(readableSize(maxGifBytes));
	} else if (isGif || uri.scheme !== 'file') {
		// One of a virtual file system would have to be fetched as a whole.
		picture.thumbnail = sources.of(uri, mtime);
	} else {
		const dimensions = readableDimensions(await inspectUri(uri));
		picture.details = `${dimensions} · ${picture.details}`;
		picture.thumbnail = await sources.madeThumbnail(uri, signal);
	}
}

/** Why something of the contact sheet is not shown. */
export function unreadable(what: 'file' | 'folder', error: unknown): string {
	if (error instanceof EaselError) {
		return safeText(wordsOf(error), 1000);
	}
	return isNotFound(error)
		? studioMessages.missing[what]
		: studioMessages.unreadable[what](codeOf(error) || studioMessages.unknownError);
}
