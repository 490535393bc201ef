import type * as vscode from 'vscode';
import type { ImageAnnotation } from '../../library/annotations.js';
import type { RoundSlot } from '../../library/rounds.js';
import { searchMatcher } from '../../library/searchMatcher.js';
import type { StudioEvent } from '../../protocol/studio.js';
import { maxInRound, maxRatio, minRatio, type Query } from '../../protocol/studioModel.js';
import type { KnownRounds } from '../../library/knownRounds.js';
import type { ImageFolder } from './folderFiles.js';

/** The rounds as they are sent to the page. */
type SentRounds = Extract<StudioEvent, { readonly type: 'rounds' }>['rounds'];

/** Rounds and annotations that are searched. */
type Searchable = Pick<KnownRounds, 'rounds' | 'marks'> & {
	readonly ages: Pick<KnownRounds['ages'], 'of'>;
};

/**
 * The rounds that have what is looked for, with those of their images that are it.
 *
 * @param folder the one that is meant where only those of a folder are looked for
 * @param outdated the images that are meant where only those of an older style are looked for
 */
export function roundsFound(
	{ rounds, marks, ages }: Searchable,
	query: Query,
	folder: vscode.Uri | undefined,
	outdated: ReadonlySet<string> = new Set(),
): SentRounds {
	const isFound = finder(query, folder, outdated, ages);
	return rounds.flatMap(({ id, slots }) => {
		const found = slots.filter((slot) => isFound(slot, marks.ofImage(slot.id)));
		const { collapsed } = marks.ofRound(id);
		return found.length === 0
			? []
			: [
					{
						id,
						slots: found.slice(0, maxInRound).map(summarizeSlot),
						...(collapsed === true ? { collapsed } : {}),
					},
				];
	});
}

/** The images of a folder that have what is looked for, by name, as one round. */
export function filesFound(
	known: Searchable & Pick<KnownRounds, 'imageAt'>,
	query: Query,
	{ id: folder, files }: ImageFolder,
): SentRounds {
	const isFound = finder(query, undefined, new Set(), known.ages);
	const hasWords = searchMatcher(query.text);
	const slots = files.flatMap(({ id, uri }) => {
		const slot = known.imageAt(uri);
		const isMeant =
			slot === undefined
				? query.size === undefined &&
					hasWords({ prompt: '', image: { target: uri.path }, mark: {} })
				: isFound(slot, known.marks.ofImage(slot.id));
		// All have places of one size.
		return isMeant ? [{ id: slot?.id ?? id, kind: 'image' as const, ratio: 1 }] : [];
	});
	return slots.length === 0 ? [] : [{ id: folder, slots }];
}

function finder(
	{ text, among, size }: Query,
	folder: vscode.Uri | undefined,
	outdated: ReadonlySet<string>,
	ages: Searchable['ages'],
): (slot: RoundSlot, mark: ImageAnnotation) => boolean {
	const hasWords = searchMatcher(text);
	const inFolder = folder && `${folder.toString().replace(/\/$/, '')}/`;
	return ({ id, image, request }, mark) => {
		const asked = image ?? request;
		if (asked === undefined || (size !== undefined && asked.size !== size)) {
			return false;
		}
		if (among === 'favorites' && mark.isFavorite !== true) {
			return false;
		}
		if (among === 'older' && !outdated.has(id)) {
			return false;
		}
		const place = image?.target ?? `${request?.target.folder ?? ''}/`;
		if (among === 'folder' && (inFolder === undefined || !place.startsWith(inFolder))) {
			return false;
		}
		const { prompt, style } = asked;
		const isOlder = () => image !== undefined && ages.of(image) === 'older';
		return hasWords({ prompt, image, mark, style, isOlder });
	};
}

function summarizeSlot(slot: RoundSlot): SentRounds[number]['slots'][number] {
	const { id, image, request, restores } = slot;
	if (image === undefined) {
		return { id, kind: 'job', ratio: ratioAsked(request?.size ?? 'auto') };
	}
	const ratio = within(image.width / image.height);
	return { id, kind: 'image', ratio, ...(restores !== undefined && { restores }) };
}

/** Width to height of a size; 1 where the service chooses. */
function ratioAsked(size: string): number {
	const [width, height] = size.split('x').map(Number);
	return width === undefined || height === undefined ? 1 : within(width / height);
}

/** A picture that is longer than that has edges. */
function within(ratio: number): number {
	return Math.min(Math.max(ratio, minRatio), maxRatio);
}
