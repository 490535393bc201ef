import path from 'node:path';
import * as vscode from 'vscode';
import { ageWords } from '../../editor/expectation.js';
import { readService } from '../../editor/service.js';
import { settingOr } from '../../editor/settings.js';
import { safeText, shortened } from '../../editor/untrustedText.js';
import { isNotFound } from '../../files/fsErrors.js';
import { lacksRest, nameOfOriginal, originalOf } from '../../library/galleryLookup.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import { madeFrom, type Round, type RoundSlot } from '../../library/rounds.js';
import { originLabels } from '../../generation/requestOrigin.js';
import {
	maxNameLength,
	maxNoteLength,
	type Image,
	type StudioRound as ShownRound,
} from '../../protocol/studioModel.js';
import type { KnownRounds } from '../../library/knownRounds.js';
import { messages } from '../../messages.js';
import { studioMessages } from '../messages.js';
import type { Sources } from './sources.js';

/** Longest prompt that goes to the page, in UTF-16 code units; the whole one is kept here. */
const maxShownLength = 20_000;
/** Longest beginning of a prompt, as the title of a round shows it. */
const maxBeginningLength = 300;

export interface DescribedImage {
	readonly shown: Image;
	readonly uri: vscode.Uri;
}

/**
 * Returns the description of an image, as its file is now.
 *
 * @param slot that of the image
 * @param sources where the page loads files from
 */
export async function describeImage(
	slot: RoundSlot & { readonly image: GalleryImage },
	known: Pick<KnownRounds, 'lineage' | 'marks' | 'images'> & {
		readonly ages: Pick<KnownRounds['ages'], 'words'>;
	},
	sources: Pick<Sources, 'of' | 'ofWorkbench'>,
): Promise<DescribedImage> {
	const { image, label } = slot;
	const uri = vscode.Uri.parse(image.target, true);
	const found = await lookAt(uri);
	const source = typeof found === 'object' ? sources.of(uri, found.mtime) : undefined;
	const relative = vscode.workspace.asRelativePath(uri);
	const name = path.posix.basename(uri.path);
	const { width, height, quality, references, style } = image;
	const ofStyle = known.ages.words(image);
	const service = settingOr(readService);
	const offersHigh = service?.qualities.includes('high') ?? true;
	const sent = references.length + (style?.references.length ?? 0);
	const chain = chainOf(slot, known.lineage);
	const { isFavorite = false, title = '', note = '' } = known.marks.ofImage(image.id);
	const shown = {
		id: image.id,
		prompt: shownPrompt(image.prompt),
		name: safeText(name),
		// A path outside of the workspace is none of the page's business.
		path: safeText(relative === uri.fsPath ? name : relative, 2000),
		details: [
			readableDimensions(image),
			readableSize(typeof found === 'object' ? found.size : image.bytes),
			ageWords(new Date(image.savedAt)),
			...(ofStyle === undefined ? [] : [ofStyle]),
			...originLabels(image.origin),
			...(image.keptRest === undefined ? [] : [messages.restored(image.keptRest)]),
		].join(' · '),
		width,
		height,
		final:
			['high', 'xhigh', 'max'].includes(quality ?? '') ||
			!offersHigh ||
			(sent > 0 && service?.editsTakeQuality !== true),
		label,
		isFavorite,
		...(title === '' ? {} : { title: title.slice(0, maxNameLength) }),
		...(note === '' ? {} : { note: note.slice(0, maxNoteLength) }),
		chain,
		...markedIn(image, chain),
		hasOriginal: isBesideOriginal(image),
		...((await lacksRest(image, known.images)) && { lacksRest: true }),
		exists: found !== 'not there',
		...(source === undefined ? {} : { source, uri: sources.ofWorkbench(uri) }),
	};
	return { shown, uri };
}

/** A file that is not in the gallery, before anything of it is read. */
export function unlistedImage(id: string, uri: vscode.Uri): Image {
	return {
		...{ id, isUnlisted: true, prompt: '', label: '', details: '', chain: [] },
		name: safeText(path.posix.basename(uri.path)),
		path: safeText(vscode.workspace.asRelativePath(uri), 2000),
		// Where they are unknown, it is shown as a square.
		...{ width: 1, height: 1 },
		...{ final: true, isFavorite: false, exists: true },
	};
}

/** Returns the description of a round. */
export function describeRound(
	{ id, number, slots }: Round,
	{ lineage, marks }: Pick<KnownRounds, 'lineage' | 'marks'>,
): ShownRound {
	const prompts = new Set(slots.map(({ image, request }) => (image ?? request)?.prompt ?? ''));
	const [first] = slots;
	const at = first?.image?.savedAt ?? first?.request?.createdAt;
	const from = first && chainOf(first, lineage).at(-1);
	const { name = '', collapsed = false } = marks.ofRound(id);
	const [origin] = originLabels((first?.image ?? first?.request)?.origin);
	return {
		id,
		title: studioMessages.round(number),
		...(name === '' ? {} : { name: name.slice(0, maxNameLength) }),
		prompt: shortened([...prompts][0] ?? '', maxBeginningLength),
		prompts: prompts.size,
		...(from === undefined ? {} : { from }),
		collapsed,
		age: ageWords(at === undefined ? new Date() : new Date(at)),
		...(origin === undefined ? {} : { origin }),
	};
}

/** Returns the sources of an image; it may have begun with one that is none of the studio's. */
function chainOf(slot: RoundSlot, lineage: KnownRounds['lineage']): Image['chain'] {
	const known = lineage.chainOf(slot);
	const made = madeFrom(known[0] ?? slot)?.edited;
	const outside =
		made === undefined
			? []
			: [{ label: safeText(nameOfOriginal(vscode.Uri.parse(made, true)), 100) }];
	return [...outside, ...known.map(({ id, label }) => ({ id, label }))];
}

/** Returns the marks of an image, on what was edited: before the answer where its rest was kept. */
function markedIn(
	{ marks = [], keptRest }: GalleryImage,
	chain: Image['chain'],
): Pick<Image, 'marked'> {
	const on = chain.at(keptRest === undefined ? -1 : -2)?.id;
	return marks.length === 0 ? {} : { marked: { marks, ...(on !== undefined && { on }) } };
}

/** Not where it has taken that place already. */
function isBesideOriginal(image: GalleryImage): boolean {
	const original = originalOf(image)?.toString();
	return original !== undefined && original !== image.target;
}

/** A prompt that fits into a message. */
export function shownPrompt(prompt: string): string {
	return shortened(prompt, maxShownLength);
}

async function lookAt(uri: vscode.Uri): Promise<vscode.FileStat | 'not there' | 'not known'> {
	try {
		return await vscode.workspace.fs.stat(uri);
	} catch (error) {
		return isNotFound(error) ? 'not there' : 'not known';
	}
}
