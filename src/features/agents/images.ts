import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { collectMissingImages } from '../../documents/missing/collect.js';
import { verdictOn } from '../../documents/missing/decide.js';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import { readerScript } from '../../editor/documentReader.js';
import { wordsOf } from '../../editor/errorTexts.js';
import { uriExists } from '../../editor/files.js';
import { inspectUri, withImageFile } from '../../editor/images.js';
import { foldersOnDisk, scanRoots } from '../../editor/searchExcludes.js';
import { shortened } from '../../editor/untrustedText.js';
import { readBounded } from '../../files/boundedRead.js';
import { belongsHere, galleryImageAt, originalOf } from '../../library/galleryLookup.js';
import { provenanceOf } from '../../library/imageRecipes.js';
import { searchMatcher } from '../../library/searchMatcher.js';
import type { Services } from '../../services.js';
import { ImageError } from '../../images/inspect.js';
import { firstClause } from '../../images/altText.js';
import type { Mark } from '../../images/marks.js';
import { rangeOfMark } from '../../images/marks/areas.js';
import { ThumbnailError } from '../../images/thumbnails/thumbnailError.js';
import { Thumbnails } from '../../images/thumbnails/thumbnails.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import { log } from '../../log.js';
import {
	maxAnswerBytes,
	maxAnswerMs,
	type AgentAnswer,
	type AgentArguments,
	type AgentImage,
	type AgentListedImage,
	type AgentMark,
	type AgentMissingImage,
} from '../../protocol/agents.js';
import { agentMessages, missingMessages } from '../messages.js';
import { AgentError, pathFor, placeOfText } from './paths.js';

/** Length of a prompt or alt text in a list, in UTF-16 code units. */
const maxListedPrompt = 200;
/** Limit of images that are looked at for a list: files may have gone. */
const maxLookedAt = 500;
/** Length of the entries of a page as JSON, in bytes; the rest of an answer has the remainder. */
const maxPageBytes = maxAnswerBytes - 1000;
/** Limit of the parts of one object or list in a recipe. */
const maxParts = 50;
/** Time for the search for missing images, in milliseconds. */
const maxMissingMs = maxAnswerMs - 5000;
/** Time for the search for images before those that are known are listed, in milliseconds. */
const maxLookingMs = 10_000;
/** Number of files that are named as those that a link may mean. */
const maxNear = 3;
/** Length of a link or an alt text, in UTF-16 code units. */
const maxNameLength = 1000;
/** Length of a prompt, in UTF-16 code units. */
const maxPromptLength = 4000;
/** Size of the recipe of a file, as JSON, in bytes. */
const maxRecipeBytes = maxAnswerBytes - 2000;

/** Returns what agents learn of an image of the gallery. */
export function agentImage(image: GalleryImage): AgentImage {
	const uri = vscode.Uri.parse(image.target, true);
	const proposed = image.operation === 'generate' ? firstClause(image.prompt) : undefined;
	return {
		path: pathFor(uri),
		uri: image.target,
		width: image.width,
		height: image.height,
		prompt: image.prompt.slice(0, maxPromptLength),
		alt_text: (image.altText ?? proposed)?.slice(0, maxNameLength),
		made_at: image.savedAt,
	};
}

/** Lists the images of this workspace, newest first. */
export async function listImages(
	{ query = '', from = 0 }: AgentArguments<'list_images'>,
	{ history, annotations }: Services,
	base?: vscode.Uri,
): Promise<AgentAnswer> {
	const ending = new AbortController();
	await Promise.race([
		history.untilKnown(),
		delay(maxLookingMs, undefined, { signal: ending.signal }).catch(() => undefined),
	]);
	ending.abort();
	const isFound = searchMatcher(query);
	const read = await annotations.read();
	const found = (await history.list()).filter(
		(image) =>
			belongsHere(image) && isFound({ prompt: image.prompt, image, mark: read.ofImage(image.id) }),
	);
	const page = new AnswerPage<AgentListedImage>();
	let at = from;
	for (; at < Math.min(found.length, from + maxLookedAt); at += 1) {
		const image = found[at]!;
		const uri = vscode.Uri.parse(image.target, true);
		const altText = image.altText ?? read.ofImage(image.id).title;
		const exists = await uriExists(uri).catch(() => false);
		const listed = {
			path: pathFor(uri, base),
			width: image.width,
			height: image.height,
			prompt: shortened(image.prompt, maxListedPrompt),
			...(altText && { alt_text: shortened(altText, maxListedPrompt) }),
			made_at: image.savedAt,
		};
		if (exists && !page.takes(listed)) {
			break;
		}
	}
	return { result: { images: page.entries, ...(at < found.length && { next: at }) } };
}

/** Entries of an answer, as many as no client cuts. */
export class AnswerPage<Entry> {
	readonly entries: Entry[] = [];
	#bytes = 0;

	/** Adds an entry if there is room for it; for the first one there always is. */
	takes(entry: Entry): boolean {
		this.#bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
		const hasRoom = this.#bytes <= maxPageBytes || this.entries.length === 0;
		if (hasRoom) {
			this.entries.push(entry);
		}
		return hasRoom;
	}
}

/** Makes pictures of images that are as small as a model needs them: at most 768 px and 200 kB. */
export class Previews implements vscode.Disposable {
	/** Makers of pictures; the second one where a picture of the first has too many bytes. */
	readonly #makers: readonly Thumbnails[];

	/**
	 * @param folder for the pictures alone, absolute
	 * @param script the bundle of the workers, absolute
	 */
	constructor(folder: string, script: string) {
		this.#makers = [
			{ maxSide: 768, quality: 80 },
			{ maxSide: 512, quality: 60 },
			// GitHub Copilot CLI shows a model JPEG and PNG alone.
		].map((options) => new Thumbnails({ folder, script, ending: '.jpg', ...options }));
	}

	dispose(): void {
		for (const maker of this.#makers) {
			maker.dispose().catch((error: unknown) => {
				log.error('The previews of agents did not end', error);
			});
		}
	}

	/** Returns the picture of an image; where none can be made of one of print, a note that says so. */
	async of(uri: vscode.Uri): Promise<Pick<AgentAnswer, 'preview'> & { readonly note?: string }> {
		try {
			const preview = await withImageFile(uri, (file) => this.#make(file));
			return preview === undefined ? {} : { preview };
		} catch (error) {
			log.error('No preview could be made for an agent', error);
			return error instanceof ThumbnailError && error.kind === 'cmyk'
				? { note: agentMessages.notAnImage(pathFor(uri), wordsOf(error)) }
				: {};
		}
	}

	async #make(image: string): Promise<AgentAnswer['preview']> {
		for (const maker of this.#makers) {
			const { file } = await maker.get({ path: image });
			if ((await stat(file)).size <= maxPreviewBytes) {
				const bytes = await readBounded(file, { maxBytes: maxPreviewBytes });
				return { mimeType: 'image/jpeg', data: Buffer.from(bytes).toString('base64') };
			}
		}
		return undefined;
	}
}

const maxPreviewBytes = 200_000;

/** Returns what is known of an image of the workspace. @throws {AgentError} where it is none */
export async function getImage(
	{ path: named }: AgentArguments<'get_image'>,
	previews: Previews,
	{ history }: Services,
): Promise<AgentAnswer> {
	const uri = placeOfText(named);
	const { width, height } = await inspectUri(uri).catch((error: unknown) => {
		throw error instanceof ImageError
			? new AgentError(
					agentMessages.refused(agentMessages.notAnImage(pathFor(uri), wordsOf(error))),
				)
			: error;
	});
	const made = await galleryImageAt(uri, history).catch(() => undefined);
	// What cannot be read says nothing of itself.
	const provenance = await provenanceOf(uri).catch(() => undefined);
	const image: AgentImage = {
		...(made && agentImage(made)),
		...{ path: pathFor(uri), uri: uri.toString(), width, height },
	};
	const marks = provenance?.recipe?.marks ?? made?.marks;
	const recipe = provenance?.recipe
		? { ...provenance.recipe, marks: undefined }
		: provenance?.foreign[0];
	const edited = made && originalOf(made);
	const facts = {
		...(recipe && { recipe }),
		...(marks && { marks: marks.map(agentMark) }),
		...(marks && edited && { marks_on: pathFor(edited) }),
	};
	const { note, ...preview } = await previews.of(uri);
	return {
		result: { image, ...bounded(facts), ...(note && { note }) },
		...preview,
	};
}

function agentMark(mark: Mark, index: number): AgentMark {
	return { number: index + 1, shape: mark.shape, note: mark.note, ...rangeOfMark(mark) };
}

/** Cuts the recipe of a file, the more the longer it is as a whole: it may come from a stranger. */
function bounded(recipe: object): Record<string, unknown> {
	for (let maxText = maxPromptLength, limit = maxParts; ; maxText /= 4, limit /= 2) {
		const json = JSON.stringify(recipe, (_name, value: unknown) => cut(value, maxText, limit));
		if (Buffer.byteLength(json) <= maxRecipeBytes) {
			return JSON.parse(json) as Record<string, unknown>;
		}
	}
}

function cut(value: unknown, maxText: number, limit: number): unknown {
	if (typeof value === 'string') {
		return value.slice(0, maxText);
	}
	if (Array.isArray(value)) {
		return (value as unknown[]).slice(0, limit);
	}
	return typeof value === 'object' && value !== null
		? Object.fromEntries(
				Object.entries(value)
					.slice(0, limit)
					.map(([name, part]) => [name.slice(0, maxText), part]),
			)
		: value;
}

/** Lists missing images below a folder, or of the whole workspace. */
export async function findMissing(
	{ folder, from = 0 }: AgentArguments<'find_missing_images'>,
	base?: vscode.Uri,
): Promise<AgentAnswer> {
	const roots =
		folder === undefined
			? (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)
			: [placeOfText(folder)];
	if (roots.length === 0) {
		throw new AgentError(agentMessages.noFolder);
	}
	if (roots.some(({ scheme }) => scheme !== 'file')) {
		throw new AgentError(missingMessages.needsLocalFolder);
	}
	const signal = AbortSignal.timeout(maxMissingMs);
	const { images, problems, complete } = await collectMissingImages(
		readerScript(),
		scanRoots(roots),
		{ folders: foldersOnDisk(), signal },
	).catch((error: unknown) => {
		throw signal.aborted ? new AgentError(agentMessages.missingTakesLong) : error;
	});
	const lines = new Lines();
	const page = new AnswerPage<AgentMissingImage>();
	// Those that are missing for sure come first.
	const isUnsure = (image: MissingImage) => verdictOn(image) === 'unknown';
	const ordered = [...images.filter((one) => !isUnsure(one)), ...images.filter(isUnsure)];
	for (const image of ordered.slice(from)) {
		if (!page.takes(agentMissing(image, await lines.of(image), base))) {
			break;
		}
	}
	const missing = page.entries;
	const end = from + missing.length;
	const isWhole = end >= ordered.length;
	const notes = [
		missing.length < ordered.length ? agentMessages.listed(from + 1, end, ordered.length) : '',
		problems.length > 0 ? missingMessages.unreadableFiles(problems.length) : '',
		complete ? '' : missingMessages.incomplete,
	];
	const note = notes.filter(Boolean).join(' ');
	return {
		result: { missing, ...(isWhole ? {} : { next: end }), ...(note !== '' && { note }) },
	};
}

/** Finds the lines of images, which come in the order of their documents. */
class Lines {
	#document: string | undefined;
	#text = '';

	/** Returns the line, from 1; 1 where the document cannot be read any more. */
	async of({ document, reference }: MissingImage): Promise<number> {
		if (document !== this.#document) {
			this.#document = document;
			const bytes = await readBounded(document, { maxBytes: maxDocumentBytes }).catch(() => '');
			this.#text = typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
		}
		return this.#text.slice(0, reference.span.start).split('\n').length;
	}
}

/** Size up to which a document is searched for images, in bytes. */
const maxDocumentBytes = 16 * 1024 * 1024;

function agentMissing(image: MissingImage, line: number, base?: vscode.Uri): AgentMissingImage {
	const { document, reference, candidates } = image;
	const relative = (file: string) => pathFor(vscode.Uri.file(file), base);
	const verdict = verdictOn(image);
	const note = noteOn(image);
	return {
		document: relative(document),
		line,
		link: reference.href.slice(0, maxNameLength),
		...((verdict === 'missing' || verdict === 'doubtful') && { target: relative(image.path) }),
		alt_text: reference.alt.slice(0, maxNameLength),
		near: candidates.slice(0, maxNear).map(relative),
		...(note === undefined ? {} : { note }),
	};
}

function noteOn(image: MissingImage): string | undefined {
	const { unknown, obstacle, doubt, reference, document } = image;
	if (unknown !== undefined) {
		return missingMessages.whyUnknown[unknown];
	}
	if (obstacle !== undefined) {
		const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(document));
		return missingMessages.obstacle(obstacle, folder !== undefined);
	}
	const { alt } = reference;
	switch (doubt) {
		case 'example':
			return missingMessages.looksLikeExample;
		case 'alt':
			return alt === ''
				? missingMessages.noAltText
				: missingMessages.genericAltText(alt.slice(0, 100));
		case undefined:
			return undefined;
	}
}

/** Returns the folder of previews within our storage. */
export function previewFolder(storage: string): string {
	return path.join(storage, 'previews');
}
