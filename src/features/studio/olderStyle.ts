import * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { commandTitles } from '../../editor/commandTable.js';
import { isUnknownImage, mayExist } from '../../editor/files.js';
import { notify, runDetached, showError } from '../../editor/messages.js';
import { askPick, searchWithProgress, type ValueItem } from '../../editor/quickInput.js';
import { ensureReady, sentQuality, withOfferedChoices } from '../../editor/service.js';
import { safeText } from '../../editor/untrustedText.js';
import { isNotFound } from '../../files/fsErrors.js';
import { costOf, maxUnasked } from '../../generation/confirmations.js';
import { requestToRegenerate } from '../../asking/draft.js';
import { RoundReader, type KnownRounds } from '../../library/knownRounds.js';
import { galleryImageAt, nameOfOriginal } from '../../library/galleryLookup.js';
import { labels } from '../../messages.js';
import { oneLine, separator } from '../../asking/questions.js';
import { previewButton } from '../../style/requestPreview.js';
import type { Services } from '../../services.js';
import { openStyleGuide } from '../../style/styles.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import type { ImageRequest } from '../../jobs/request.js';
import { olderStyleMessages } from '../messages.js';
import type { StudioDeps } from './deps.js';

/** An image that does not have the style of now, and was not made again with it. */
export interface Outdated {
	readonly image: GalleryImage;
	/** The file that it is now. */
	readonly uri: vscode.Uri;
	readonly age: 'older' | 'without';
}

/** Number of files that are looked at side by side. */
const atOnce = 50;

/**
 * Finds the images that do not have the style of now, newest first. The one that lies in a place now
 * counts, whatever was saved there; what is gone is left out, and so is what was made again with the
 * style of now, or is being made: nothing is to be bought that exists.
 *
 * @throws the system's error where the gallery cannot be read
 */
export async function findOutdated(
	known: KnownRounds,
	{ history, jobs }: Pick<Services, 'history' | 'jobs'>,
	signal?: AbortSignal,
): Promise<readonly Outdated[]> {
	const { ages } = known;
	const remade = await remadePlaces(known, jobs);
	const images = await history.list();
	const places = [...new Set(imagesOf(known).map(({ target }) => target))];
	const found: Outdated[] = [];
	for (let at = 0; at < places.length && signal?.aborted !== true; at += atOnce) {
		const some = places.slice(at, at + atOnce).map(async (place): Promise<Outdated[]> => {
			const uri = vscode.Uri.parse(place, true);
			const image = remade.has(place) ? undefined : await imageIn(uri, known, images);
			const age = image && ages.of(image);
			// What was made of an answer comes again with that.
			const isAlone = image !== undefined && image.keptRest === undefined;
			return isAlone && (age === 'older' || age === 'without') ? [{ image, uri, age }] : [];
		});
		found.push(...(await Promise.all(some)).flat());
	}
	return found;
}

/**
 * Finds out what there is to bring up to date, which takes a while in a large workspace. Where there
 * is nothing, a message says so, with the next step.
 *
 * @returns the images to select: those with an older style that can be made again, unless they are
 *   more than may be asked for without a question; `undefined` where there is nothing to show
 */
export async function selectOutdated(deps: StudioDeps): Promise<string[] | undefined> {
	const { history } = deps;
	const reader = new RoundReader(deps);
	const { ages } = await reader.read();
	const [guide] = ages.all;
	if (guide === undefined) {
		if (ages.problem === undefined) {
			const label = commandTitles['easel.createStyleGuide'];
			const create = { label, run: () => runCommand('easel.createStyleGuide') };
			runDetached(notify('info', olderStyleMessages.noGuide, [create]));
		} else {
			showError(ages.problem);
		}
		return undefined;
	}
	const { title, searchFor } = olderStyleMessages;
	return searchWithProgress(title, searchFor, async (_, signal) => {
		await history.untilKnown();
		const known = await reader.read();
		const all = await findOutdated(known, deps, signal);
		if (all.length === 0 && !signal.aborted) {
			const open = { label: labels.openStyleGuide, run: () => openStyleGuide(guide.uri) };
			runDetached(notify('info', olderStyleMessages.allCurrent, [open]));
			return undefined;
		}
		const older = all.filter(({ age }) => age === 'older');
		const { possible } = await requestsFor(older, known);
		return possible.length > maxUnasked() ? [] : possible.map(({ image }) => image.id);
	});
}

/**
 * Asks whether images are made again with the style of now, with what that costs.
 *
 * @param ids those of the images; what has the style of now is left out
 * @returns the requests, with their style; `undefined` where nothing is to be sent
 */
export async function requestsInCurrentStyle(
	ids: readonly string[],
	known: KnownRounds,
	deps: StudioDeps,
): Promise<readonly ImageRequest[] | undefined> {
	const { keys, styles } = deps;
	if (!(await ensureReady(keys))) {
		return undefined;
	}
	const wanted = new Set(ids);
	const all = await findOutdated(known, deps);
	const meant = await requestsFor(
		all.filter(({ image }) => wanted.has(image.id)),
		known,
	);
	if (!(await agrees(meant, known, deps))) {
		return undefined;
	}
	const styled = await styles.apply(meant.possible.map(({ request }) => request));
	if (styled?.some(({ style }) => style === undefined)) {
		// They would be paid for, and be no nearer to it.
		runDetached(notify('info', olderStyleMessages.leftOut));
		return undefined;
	}
	return styled;
}

/** Images with what asks for them again; those whose reference images are gone cannot be. */
interface Meant {
	/** Words on sizes and qualities that the service does not offer. */
	readonly words: string | undefined;
	readonly possible: readonly (Outdated & { readonly request: ImageRequest })[];
	readonly impossible: readonly (Outdated & { readonly missing: readonly string[] })[];
}

async function agrees(
	{ possible, impossible, words }: Meant,
	{ ages }: KnownRounds,
	{ preferences, styles }: StudioDeps,
): Promise<boolean> {
	const { length } = possible;
	const costly = possible.map(({ image, request: { size, quality, references } }) => {
		const ofStyle = ages.guideOf(image)?.references ?? [];
		return { size, quality: sentQuality(quality, references.length + ofStyle.length) };
	});
	const go: ValueItem = {
		icon: 'sync',
		label: olderStyleMessages.regenerate(length),
		detail: [words, olderStyleMessages.beside].filter(Boolean).join(' '),
		value: 'go',
	};
	const rows = impossible.map(({ image, uri, missing }) => ({
		label: oneLine(image.prompt, 80),
		detail: `${vscode.workspace.asRelativePath(uri)} · ${olderStyleMessages.missing(missing)}`,
	}));
	for (;;) {
		const answer = await askPick<ValueItem>({
			title:
				length === 0
					? olderStyleMessages.title
					: olderStyleMessages.cost(length, costOf(costly, preferences)),
			placeholder: olderStyleMessages.placeholder(length),
			items: [
				...(length === 0 ? [] : [go]),
				...(rows.length === 0 ? [] : [separator(olderStyleMessages.impossible), ...rows]),
			],
			acceptable: ({ value }) => value !== undefined,
			buttons: length === 0 ? [] : [previewButton],
		});
		if (answer?.type !== 'button') {
			return answer?.type === 'value';
		}
		await styles.preview.show(possible.map(({ request, image }) => [request, ages.guideOf(image)]));
	}
}

function imagesOf({ rounds }: KnownRounds): readonly GalleryImage[] {
	return rounds.flatMap(({ slots }) => slots.flatMap(({ image }) => image ?? []));
}

/**
 * The image that lies in a place: of all that were saved there the last one, unless another one was
 * put there since, which is known by its bytes.
 */
async function imageIn(
	uri: vscode.Uri,
	known: KnownRounds,
	images: readonly GalleryImage[],
): Promise<GalleryImage | undefined> {
	const image = known.imageAt(uri)?.image;
	try {
		const { size } = await vscode.workspace.fs.stat(uri);
		return size === image?.bytes
			? image
			: await galleryImageAt(uri, { list: () => Promise.resolve(images) });
	} catch (error) {
		// What cannot be looked at now may well be there.
		return isNotFound(error) ? undefined : image;
	}
}

/** The places of images that there are other tries of with the style of now, or will be. */
async function remadePlaces(
	known: KnownRounds,
	jobs: Services['jobs'],
): Promise<ReadonlySet<string>> {
	const coming = jobs.running.map(({ request }) => ({ ...request, target: undefined }));
	const tries = [...imagesOf(known), ...coming].filter(
		({ regeneratedFrom: original, ...one }) =>
			original !== undefined && known.ages.of({ ...one, target: one.target ?? '' }) === 'now',
	);
	const places = tries.map(async ({ regeneratedFrom: original, target }) =>
		target === undefined || (await mayExist(vscode.Uri.parse(target, true))) ? original : undefined,
	);
	return new Set((await Promise.all(places)).filter((place) => place !== undefined));
}

/**
 * The requests as they were, but for the style and what the service does not offer. A reference image that was moved is known by its
 * bytes, where it is one of this workspace.
 */
async function requestsFor(outdated: readonly Outdated[], known: KnownRounds): Promise<Meant> {
	const placesByHash = new Map(
		imagesOf(known).flatMap(({ sha256, target }) =>
			sha256 === undefined ? [] : [[sha256, target]],
		),
	);
	const possible: Meant['possible'][number][] = [];
	const impossible: Meant['impossible'][number][] = [];
	for (const one of outdated) {
		const request = requestToRegenerate(one.uri, one.image);
		const references: { readonly source: string }[] = [];
		const missing: string[] = [];
		for (const [index, { source }] of request.references.entries()) {
			const moved = placesByHash.get(one.image.referenceHashes[index] ?? '');
			const found = await firstThere(moved === undefined ? [source] : [source, moved]);
			if (found === undefined) {
				missing.push(nameOfOriginal(vscode.Uri.parse(source, true)));
			} else {
				references.push({ source: found });
			}
		}
		if (missing.length > 0) {
			impossible.push({ ...one, missing: missing.map((name) => safeText(name, 60)) });
		} else {
			possible.push({ ...one, request: { ...request, references, withoutStyle: undefined } });
		}
	}
	const { offered, words } = withOfferedChoices(possible.map(({ request }) => request));
	return {
		possible: possible.map((one, index) => ({ ...one, request: offered[index]! })),
		...{ impossible, words },
	};
}

async function firstThere(places: readonly string[]): Promise<string | undefined> {
	for (const place of places) {
		const uri = vscode.Uri.parse(place, true);
		if (!isUnknownImage(uri) && (await mayExist(uri))) {
			return place;
		}
	}
	return undefined;
}
