import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { EaselError } from '../../easelError.js';
import { wordsOf } from '../../editor/errorTexts.js';
import { assertInside } from '../../editor/files.js';
import { inspectUri } from '../../editor/images.js';
import { safeText } from '../../editor/untrustedText.js';
import { codeOf, isNotFound } from '../../files/fsErrors.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import type { SheetPicture } from '../../protocol/studio.js';
import { Coalescer, updateDetached, type StudioContext } from './deps.js';
import { studioMessages } from '../messages.js';

/** A file that is looked at. */
export interface LookedAt {
	readonly id: string;
	readonly uri: vscode.Uri;
	/** The workspace folder that it must not leave. */
	readonly root: vscode.Uri;
}

/** In bytes. A GIF has no thumbnail: the page shows the file itself, as long as it is no film. */
const maxGifBytes = 4 * 1024 * 1024;
/** As many as a person scrolls to and fro between. */
const maxKnown = 2000;
/** What comes within this time is told together, in milliseconds. */
const togetherMs = 40;

/** Says what the files on the screen are, with thumbnails, and again when one of them changes. */
export class SheetPictures {
	/** Ends what nobody wants to see any more. */
	#looking = new AbortController();
	#looked: readonly LookedAt[] = [];
	/** By the file's identifier. */
	readonly #known = new Map<string, { readonly version: string; readonly picture: SheetPicture }>();
	/** A few headers are read at a time; thumbnails have a line of their own. */
	readonly #reading = new PQueue({ concurrency: 8 });
	readonly #unsent: SheetPicture[] = [];
	readonly #sending = new Coalescer(togetherMs, () => {
		const files = this.#unsent.splice(0);
		this.context.send({ type: 'described', rounds: [], images: [], files });
	});

	constructor(private readonly context: Pick<StudioContext, 'sources' | 'send'>) {}

	/** Tells what these files are, little by little. What was looked at before is given up. */
	look(files: readonly LookedAt[]): void {
		this.#giveUp();
		this.#looking = new AbortController();
		this.#looked = files;
		// Of the thumbnails the one that was asked for last is made first.
		for (const file of files.toReversed()) {
			updateDetached(this.#sendFor(file, this.#looking.signal));
		}
	}

	/** A file has changed; it is told where it is looked at. */
	readonly changed = (uri: vscode.Uri): void => {
		const file = this.#looked.find((one) => one.uri.toString() === uri.toString());
		if (file !== undefined) {
			updateDetached(this.#sendFor(file, this.#looking.signal));
		}
	};

	/** Nothing is looked at any more. */
	forget(): void {
		this.#giveUp();
		this.#sending.dispose();
		this.#looked = [];
		this.#unsent.length = 0;
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
		let { picture } = found;
		try {
			const thumbnail = await found.makeThumbnail?.(signal);
			picture = thumbnail === undefined ? picture : { ...picture, thumbnail };
		} catch (error) {
			picture = { ...picture, problem: unreadable('file', error) };
		}
		if (!signal.aborted) {
			if (this.#known.size >= maxKnown) {
				this.#known.clear();
			}
			this.#known.set(file.id, { version: found.version, picture });
			this.#unsent.push(picture);
			this.#sending.schedule();
		}
	}

	async #read({ id, uri, root }: LookedAt): Promise<Read> {
		const { sources } = this.context;
		let version = '';
		try {
			await assertInside(root, uri);
			const { mtime, size } = await vscode.workspace.fs.stat(uri);
			version = `${String(mtime)} ${String(size)}`;
			const known = this.#known.get(id);
			if (known?.version === version) {
				return { version, picture: known.picture };
			}
			const isGif = /\.gif$/i.test(uri.path);
			if (isGif && size > maxGifBytes) {
				const problem = studioMessages.largeGif(readableSize(maxGifBytes));
				return { version, picture: { id, details: readableSize(size), problem } };
			}
			// One of a virtual file system would have to be fetched as a whole.
			const isShownItself = isGif || uri.scheme !== 'file';
			const facts = isShownItself ? undefined : await inspectUri(uri);
			const details = [...(facts ? [readableDimensions(facts)] : []), readableSize(size)];
			return {
				version,
				picture: { id, details: details.join(' · ') },
				makeThumbnail: async (signal) =>
					isShownItself ? sources.of(uri, mtime) : sources.madeThumbnail(uri, signal),
			};
		} catch (error) {
			return { version, picture: { id, details: '', problem: unreadable('file', error) } };
		}
	}
}

interface Read {
	/** Another one for another content; empty where it cannot be told. */
	readonly version: string;
	readonly picture: SheetPicture;
	/** Missing where there is none, or the picture has it already. */
	readonly makeThumbnail?: (signal: AbortSignal) => Promise<string | undefined>;
}

/** Why something of the style sheet is not shown. */
export function unreadable(what: 'file' | 'folder', error: unknown): string {
	if (error instanceof EaselError) {
		return safeText(wordsOf(error), 1000);
	}
	return isNotFound(error)
		? studioMessages.missing[what]
		: studioMessages.unreadable[what](codeOf(error) || studioMessages.unknownError);
}
