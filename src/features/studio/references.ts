import path from 'node:path';
import PQueue from 'p-queue';
import * as vscode from 'vscode';
import * as z from 'zod';
import { WordedError, wordsOf } from '../../editor/errorTexts.js';
import { mayExist } from '../../editor/files.js';
import { readService } from '../../editor/service.js';
import { settingOr } from '../../editor/settings.js';
import { safeText } from '../../editor/untrustedText.js';
import { nameOfOriginal } from '../../library/galleryLookup.js';
import type { Services } from '../../services.js';
import { inspectUri } from '../../editor/images.js';
import { ImageError, type ImageFacts } from '../../images/inspect.js';
import type { StudioEvent } from '../../protocol/studio.js';
import { maxReferences } from '../../protocol/studioModel.js';
import { studioMessages } from '../messages.js';
import { PastedImages } from './pastedImages.js';

const placeName = z.enum(['tab', 'view']);
/** Place in which a studio is shown. */
export type PlaceName = z.infer<typeof placeName>;

/** A reference image of the draft. The page knows it by its identifier, never by its path. */
export interface DraftReference {
	readonly id: string;
	readonly uri: vscode.Uri;
	readonly name: string;
	/** True where it is the image that is edited: the first of them, and the only one. */
	readonly edited: boolean;
	/** Place in which it is in view and therefore edited, not because the user has chosen it. */
	readonly fromView: PlaceName | undefined;
	/** Facts of the image, or why it cannot be used. */
	readonly facts: ImageFacts | ImageError;
}

/** Content of the event `compose`: all that the composer begins with but its reference images. */
export type ComposeContent = Omit<Extract<StudioEvent, { readonly type: 'compose' }>, 'references'>;

/** A draft that comes together with a change of the references, for the composer that asked for it. */
export interface ComposerDraft {
	readonly place: PlaceName;
	readonly draft: ComposeContent;
}

const savedSchema = z.array(
	z.object({
		id: z.uuid(),
		uri: z.string(),
		name: z.string(),
		edited: z.boolean().optional(),
		fromView: placeName.optional(),
	}),
);

const stateKey = 'studio.references';
const sentKey = 'studio.sentReferences';

/** The last prompt that was sent, with the references that went with it. */
const sentSchema = z.object({ prompt: z.string(), references: savedSchema });
type Sent = z.infer<typeof sentSchema>;

/** Why something did not become a reference, in words for the person who tried. */
export class RefusedReference extends WordedError {
	override readonly name = 'RefusedReference';
}

/**
 * The reference images of the draft, in the order in which they are sent; where one of them is
 * edited, it is the first. They are kept with the workspace; what came as bytes lies in our own
 * storage until it is removed, or the message behind the one that it went with is sent; then as long as
 * an image was made from it.
 */
export class DraftReferences implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<ComposerDraft | undefined>();
	/** Fires with the draft that the change belongs to, if any. */
	readonly onDidChange = this.#changed.event;
	#references: readonly DraftReference[] | undefined;
	/** Those that came back with the prompt of the last message. */
	#recalled: readonly DraftReference[] | undefined;
	/** One change after the other: several files that are dropped keep their order. */
	readonly #queue = new PQueue({ concurrency: 1 });

	readonly pasted: PastedImages;
	private readonly state: vscode.Memento;

	/**
	 * @param context a window without a folder has no storage of its own
	 * @param made what images were made from, which stays as long as these
	 */
	constructor(
		context: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'storageUri' | 'workspaceState'>,
		private readonly made: Pick<Services, 'gallery' | 'jobs'>,
	) {
		this.state = context.workspaceState;
		this.pasted = new PastedImages(context);
	}

	dispose(): void {
		this.#changed.dispose();
	}

	/** Returns all references; only the first call reads their files. */
	async list(): Promise<readonly DraftReference[]> {
		if (this.#references === undefined) {
			const references = await savedReferences(this.state.get(stateKey));
			this.#references ??= references;
		}
		return this.#references;
	}

	/** Returns the same as {@link list}, when all changes that were asked for before are done. */
	async settled(): Promise<readonly DraftReference[]> {
		return this.#queue.add(() => this.list());
	}

	/** Returns what was sent last; before the first time, its prompt is empty. */
	get sent(): Sent {
		return sentSchema.catch({ prompt: '', references: [] }).parse(this.state.get(sentKey));
	}

	/**
	 * Adds images that the user has pointed at, wherever they lie; those that are there already stay
	 * where they are.
	 *
	 * @throws {RefusedReference} naming what is no image; the others are added
	 */
	async add(uris: readonly vscode.Uri[], name?: string): Promise<void> {
		await this.#queue.add(() => this.#add(uris, name));
	}

	async #add(uris: readonly vscode.Uri[], name?: string): Promise<void> {
		// The image in view that is added is a reference image then, as the user says.
		const known = (await this.list()).filter(
			(reference) =>
				!(reference.fromView !== undefined && uris.some((uri) => isOf(reference, uri))),
		);
		const fresh = uris.filter((uri) => !known.some((reference) => isOf(reference, uri)));
		const max = settingOr(readService)?.maxReferences ?? maxReferences;
		if (known.length + fresh.length > max) {
			throw new RefusedReference(studioMessages.tooManyReferences(max));
		}
		const added = await Promise.all(fresh.map((uri) => newReference(uri, name)));
		await this.#set([...known, ...added.filter(({ facts }) => !(facts instanceof ImageError))]);
		const refused = added.flatMap(({ facts }) => (facts instanceof ImageError ? [facts] : []));
		if (refused.length > 0) {
			throw new RefusedReference(refused.map(wordsOf).join(' '));
		}
	}

	/**
	 * Makes an image the one that is edited, in the place of the one before. The others stay; where it
	 * was one of them, it goes to the front.
	 *
	 * @param draft what one composer begins with then
	 * @throws {RefusedReference} where it cannot be used; everything stays as it was then
	 */
	async edit(uri: vscode.Uri, draft?: ComposerDraft): Promise<void> {
		await this.#queue.add(async () => {
			const known = (await this.list()).find((reference) => isOf(reference, uri));
			const meant = { ...(known ?? (await newReference(uri))), facts: await factsOf(uri) };
			if (meant.facts instanceof ImageError) {
				throw new RefusedReference(wordsOf(meant.facts));
			}
			const others = (await this.list()).filter(
				(reference) => !reference.edited && reference !== known,
			);
			const references = [{ ...meant, edited: true, fromView: undefined }, ...others];
			await this.#replace(references, { draft });
		});
	}

	/**
	 * Makes the image in view the one that is edited, unless the user has chosen another one for that,
	 * or this one as a reference image. What was in view before is not edited any more.
	 *
	 * @param place where it is in view; with nothing in view there, what is in view elsewhere stays
	 * @param find resolves to the image in view; to `undefined` where there is none
	 */
	async followView(place: PlaceName, find: () => Promise<vscode.Uri | undefined>): Promise<void> {
		await this.#queue.add(async () => {
			const before = await this.list();
			const uri = await find();
			const isNewer = (from: PlaceName | undefined) => from === place || uri !== undefined;
			const others = before.filter(({ fromView }) => !fromView || !isNewer(fromView));
			const isTaken = (one: vscode.Uri) =>
				others.some((reference) => reference.edited || isOf(reference, one));
			const viewed = uri && !isTaken(uri) ? await newReference(uri) : undefined;
			if (viewed !== undefined && !(viewed.facts instanceof ImageError)) {
				await this.#replace([{ ...viewed, edited: true, fromView: place }, ...others]);
			} else if (others.length < before.length) {
				await this.#replace(others);
			}
		});
	}

	/**
	 * Takes away what has been sent with a message. It can be recalled until the next one is sent.
	 *
	 * @param ids those that were sent: what was attached meanwhile stays
	 */
	async takeSent(prompt: string, ids: readonly string[]): Promise<void> {
		await this.#queue.add(async () => {
			const [sent, others] = partition(await this.list(), ({ id }) => ids.includes(id));
			await this.#replace(others, { sent: { prompt, references: saved(sent) } });
		});
	}

	/**
	 * Brings back what was attached to the last message, where this is its prompt and nothing is
	 * attached now; with another prompt, takes away what has come back so.
	 *
	 * @returns the names of those that are not there any more, which are left out
	 */
	async recall(prompt: string, place: PlaceName): Promise<string[]> {
		return this.#queue.add(async () => {
			const now = await this.list();
			const { sent } = this;
			const isLast = prompt === sent.prompt;
			if (isLast && now.length === 0) {
				const { there, gone } = await whereThere(await savedReferences(sent.references));
				this.#recalled = there.map((reference) => ({ ...reference, fromView: undefined }));
				const draft = { place, draft: { type: 'compose' as const } };
				await this.#set(this.#recalled, gone.length === 0 ? undefined : withGone(draft, gone));
				return gone;
			}
			if (!isLast && now.length > 0 && now === this.#recalled) {
				await this.#set([]);
			}
			return [];
		});
	}

	/**
	 * Puts those of a request in the place of all that are there.
	 *
	 * @param uris in the order in which they were sent
	 * @param edits whether the first of them was edited
	 * @param draft what one composer begins with then
	 * @returns the names of those that are not there any more, which are left out
	 */
	async restore(
		uris: readonly vscode.Uri[],
		edits: boolean,
		draft?: ComposerDraft,
	): Promise<string[]> {
		return this.#queue.add(async () => {
			const before = await this.list();
			const found = await Promise.all(
				uris.map(async (uri, index) => {
					const known = before.find((reference) => isOf(reference, uri));
					const reference = await newReference(uri, known?.name ?? nameOfOriginal(uri));
					return { ...reference, edited: edits && index === 0 };
				}),
			);
			const { there, gone } = await whereThere(found);
			await this.#replace(there, { draft: draft && withGone(draft, gone) });
			return gone;
		});
	}

	/**
	 * Adds an image that came as bytes.
	 *
	 * @param name that of the file, or what the user would call it
	 * @throws {RefusedReference} where it is no image
	 */
	async addBytes(name: string, bytes: Uint8Array): Promise<void> {
		const uri = this.pasted.fileFor(bytes);
		const hash = path.posix.basename(uri.path);
		const shown = path.posix.basename(name.replaceAll('\\', '/')) || 'image';
		await this.#queue.add(async () => {
			await this.pasted.write(uri, bytes);
			try {
				await this.#add([uri], shown);
			} catch (error) {
				await this.pasted.remove(uri);
				throw error instanceof RefusedReference
					? new RefusedReference(error.message.replaceAll(hash, shown))
					: error;
			}
		});
	}

	async remove(id: string): Promise<void> {
		await this.#queue.add(async () => {
			await this.#replace((await this.list()).filter((reference) => reference.id !== id));
		});
	}

	/**
	 * Moves one; not before the one that is edited, which stays where it is.
	 *
	 * @param to its place among the others, from 0
	 */
	async move(id: string, to: number): Promise<void> {
		await this.#queue.add(async () => {
			const [moved, others] = partition(await this.list(), (reference) => reference.id === id);
			const [edited, rest] = partition(others, (reference) => reference.edited);
			if (moved[0]?.edited !== true) {
				const at = Math.max(to - edited.length, 0);
				await this.#set([...edited, ...rest.slice(0, at), ...moved, ...rest.slice(at)]);
			}
		});
	}

	/** Replaces the references; deletes pasted files that nothing needs any more. */
	async #replace(
		references: readonly DraftReference[],
		{ sent, draft }: { sent?: Sent; draft?: ComposerDraft | undefined } = {},
	): Promise<void> {
		const urisOf = (message: Sent) =>
			message.references.map(({ uri }) => vscode.Uri.parse(uri, true));
		const before = [...(await this.list()).map(({ uri }) => uri), ...urisOf(this.sent)];
		if (sent !== undefined) {
			await this.state.update(sentKey, sent);
		}
		await this.#set(references, draft);
		const stored = await this.pasted.removable(before);
		if (stored.length === 0) {
			return;
		}
		const { gallery, jobs } = this.made;
		const needed = new Set([
			...[...references.map(({ uri }) => uri), ...urisOf(this.sent)].map(String),
			...(await gallery.list()).flatMap((image) => image.references),
			...jobs.requests.flatMap((request) => request.references.map(({ source }) => source)),
		]);
		for (const uri of stored) {
			if (!needed.has(uri.toString())) {
				await this.pasted.remove(uri);
			}
		}
	}

	async #set(references: readonly DraftReference[], draft?: ComposerDraft): Promise<void> {
		this.#references = references;
		// At once: what is shown in between has them with their draft.
		this.#changed.fire(draft);
		await this.state.update(stateKey, saved(references));
	}
}

/** Tells the user which reference images have been left out. */
function withGone({ place, draft }: ComposerDraft, gone: readonly string[]): ComposerDraft {
	const names = gone.map((name) => safeText(name, 60));
	const words = names.length === 0 ? {} : { words: studioMessages.removedReferences(names) };
	return { place, draft: { ...draft, ...words } };
}

/** Divides references into those whose files are there and the names of the others. */
async function whereThere(
	references: readonly DraftReference[],
): Promise<{ readonly there: DraftReference[]; readonly gone: string[] }> {
	const are = await Promise.all(references.map(({ uri }) => mayExist(uri)));
	const [there, gone] = partition([...references.entries()], ([index]) => are[index] === true);
	return {
		there: there.map(([, reference]) => reference),
		gone: gone.map(([, { name }]) => name),
	};
}

function partition<T>(all: readonly T[], test: (one: T) => boolean): [T[], T[]] {
	return [all.filter(test), all.filter((one) => !test(one))];
}

/** Returns the references that were saved with the workspace, as their files are now. */
async function savedReferences(state: unknown): Promise<DraftReference[]> {
	return Promise.all(
		savedSchema
			.catch([])
			.parse(state)
			.map(async ({ id, uri, name, edited = false, fromView }, index) => {
				const parsed = vscode.Uri.parse(uri, true);
				const facts = await factsOf(parsed);
				return { id, uri: parsed, name, edited: edited && index === 0, fromView, facts };
			}),
	);
}

/** Returns their saved form. */
function saved(references: readonly DraftReference[]): z.infer<typeof savedSchema> {
	return references.map(({ id, uri, name, edited, fromView }) => ({
		id,
		uri: uri.toString(),
		name,
		...(edited ? { edited } : {}),
		...(fromView === undefined ? {} : { fromView }),
	}));
}

async function newReference(
	uri: vscode.Uri,
	name = path.posix.basename(uri.path),
): Promise<DraftReference> {
	const id = crypto.randomUUID();
	return { id, uri, name, edited: false, fromView: undefined, facts: await factsOf(uri) };
}

function isOf(reference: DraftReference, uri: vscode.Uri): boolean {
	return reference.uri.toString() === uri.toString();
}

async function factsOf(uri: vscode.Uri): Promise<ImageFacts | ImageError> {
	try {
		return await inspectUri(uri);
	} catch (error) {
		return error instanceof ImageError ? error : new ImageError('unreadable', uri.path, error);
	}
}
