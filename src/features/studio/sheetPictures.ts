import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { assertInside } from '../../editor/files.js';
import { inspectUri } from '../../editor/images.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import type { SheetPicture, StudioEvent } from '../../protocol/studio.js';
import type { Sources } from './sources.js';
import { unreadable } from './unreadable.js';
import { studioMessages } from '../messages.js';

/** A file that is looked at. */
export interface LookedAt {
	readonly id: string;
	readonly uri: vscode.Uri;
	/** The workspace folder that it must not leave. */
	readonly root: vscode.Uri;
}

interface Options {
	readonly sources: Pick<Sources, 'of' | 'madeThumbnail'>;
	readonly send: (event: StudioEvent) => void;
	/** What is shown again in a moment is not worth a message. */
	readonly runDetached: (task: PromiseLike<unknown>) => void;
}

/** In bytes. A GIF has no thumbnail: the page shows the file itself, as long as it is no film. */
const maxGifBytes = 4 * 1024 * 1024;
/** As many as a person scrolls to and fro between. */
const maxKnown = 2000;
/** What comes within this time is told together, in milliseconds. */
const togetherMs = 40;

/** Says what the files on the screen are, with thumbnails, and again when one of them changes. */
export class SheetPictures implements vscode.Disposable {
	/** Ends what nobody wants to see any more. */
	#looking = new AbortController();
	#looked: readonly LookedAt[] = [];
	/** By the file's identifier, those that were told last at the end. */
	readonly #known = new Map<string, { readonly version: string; readonly picture: SheetPicture }>();
	/** A few headers are read at a time; thumbnails have a line of their own. */
	readonly #reading = new PQueue({ concurrency: 8 });
	#unsent: SheetPicture[] = [];
	#sending: NodeJS.Timeout | undefined;

	constructor(private readonly options: Options) {}

	dispose(): void {
		this.forget();
	}

	/** Tells what these files are, little by little. What was looked at before is given up. */
	look(files: readonly LookedAt[]): void {
		this.#giveUp();
		this.#looking = new AbortController();
		this.#looked = files;
		// Of the thumbnails the one that was asked for last is made first.
		for (const file of files.toReversed()) {
			this.options.runDetached(this.#sendFor(file, this.#looking.signal));
		}
	}

	/** A file has changed; it is told where it is looked at. */
	changed(uri: vscode.Uri): void {
		const file = this.#looked.find((one) => one.uri.toString() === uri.toString());
		if (file !== undefined) {
			this.options.runDetached(this.#sendFor(file, this.#looking.signal));
		}
	}

	/** Nothing is looked at any more. */
	forget(): void {
		this.#giveUp();
		clearTimeout(this.#sending);
		this.#sending = undefined;
		this.#looked = [];
		this.#unsent = [];
		this.#known.clear();
	}

	/** What waits to be read is not even begun. */
	#giveUp(): void {
		this.#looking.abort();
		this.#reading.clear();
	}

	async #sendFor(file: LookedAt, signal: AbortSignal): Promise<void> {
		const found = await this.#reading.add(async () =>
			signal.aborted ? undefined : this.#read(file),
		);
		if (found === undefined) {
			return;
		}
		const picture = await this.#withThumbnail(file, found, signal);
		if (!signal.aborted) {
			this.#remember(file.id, found.version, picture);
			this.#send(picture);
		}
	}

	async #read({ id, uri, root }: LookedAt): Promise<Read> {
		let version = '';
		try {
			await assertInside(root, uri);
			const { mtime, size } = await vscode.workspace.fs.stat(uri);
			version = `${String(mtime)} ${String(size)}`;
			const known = this.#known.get(id);
			if (known?.version === version) {
				return { version, mtime, picture: known.picture, needsThumbnail: false };
			}
			if (isGif(uri)) {
				const isFilm = size > maxGifBytes;
				const problem = studioMessages.largeGif(readableSize(maxGifBytes));
				const picture = { id, details: readableSize(size), ...(isFilm ? { problem } : {}) };
				return { version, mtime, picture, needsThumbnail: !isFilm };
			}
			// One of a virtual file system would have to be fetched as a whole.
			const facts = uri.scheme === 'file' ? await inspectUri(uri) : undefined;
			const details = [...(facts ? [readableDimensions(facts)] : []), readableSize(size)];
			return {
				version,
				mtime,
				picture: { id, details: details.join(' · ') },
				needsThumbnail: true,
			};
		} catch (error) {
			const picture = { id, details: '', problem: unreadable('file', error) };
			return { version, mtime: 0, picture, needsThumbnail: false };
		}
	}

	async #withThumbnail(
		{ uri }: LookedAt,
		{ picture, mtime, needsThumbnail }: Read,
		signal: AbortSignal,
	): Promise<SheetPicture> {
		if (!needsThumbnail) {
			return picture;
		}
		const { sources } = this.options;
		try {
			const isShownItself = isGif(uri) || uri.scheme !== 'file';
			const thumbnail = isShownItself
				? sources.of(uri, mtime)
				: await sources.madeThumbnail(uri, signal);
			return thumbnail === undefined ? picture : { ...picture, thumbnail };
		} catch (error) {
			return { ...picture, problem: unreadable('file', error) };
		}
	}

	#remember(id: string, version: string, picture: SheetPicture): void {
		this.#known.delete(id);
		this.#known.set(id, { version, picture });
		const [oldest] = this.#known.keys();
		if (this.#known.size > maxKnown && oldest !== undefined) {
			this.#known.delete(oldest);
		}
	}

	#send(picture: SheetPicture): void {
		this.#unsent.push(picture);
		this.#sending ??= setTimeout(() => {
			this.#sending = undefined;
			const pictures = this.#unsent;
			this.#unsent = [];
			this.options.send({ type: 'sheetPictures', pictures });
		}, togetherMs);
	}
}

interface Read {
	/** Another one for another content; empty where it cannot be told. */
	readonly version: string;
	readonly mtime: number;
	readonly picture: SheetPicture;
	readonly needsThumbnail: boolean;
}

function isGif({ path }: vscode.Uri): boolean {
	return /\.gif$/i.test(path);
}
