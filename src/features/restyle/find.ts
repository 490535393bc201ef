import * as vscode from 'vscode';
import { isUnknownImage } from '../../editor/unknownImage.js';
import { uriExists } from '../../editor/files.js';
import { isNotFound } from '../../files/fsErrors.js';
import { requestToRegenerate } from '../../generation/draft.js';
import { RoundReader, type KnownRounds } from '../../generation/knownRounds.js';
import { galleryImageAt, nameOfOriginal } from '../../generation/galleryLookup.js';
import type { Services } from '../../generation/services.js';
import type { StyleAges } from '../../generation/styleAges.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import type { ImageRequest } from '../../jobs/request.js';
import type { Round } from '../../generation/rounds.js';

/** An image that does not have the style of now. */
export interface Outdated {
	readonly image: GalleryImage;
	readonly uri: vscode.Uri;
	/** Its place among the rounds: `3a`. */
	readonly label: string;
	readonly age: 'older' | 'without';
	/** The place of another try with the style of now, where there is one, or one is being made. */
	readonly remade: string | undefined;
	/** What asks for it again, with the style of now; or the names of the references that are gone. */
	readonly request: ImageRequest | readonly string[];
}

type Deps = Pick<Services, 'history' | 'jobs' | 'marks' | 'styles'>;

/** So many files are looked at side by side. */
const atOnce = 50;

/**
 * Finds the images of this workspace that do not have the style of now, newest first, and what asks
 * for them again. The one that lies in a place now counts, whatever was saved there; what is gone is
 * left out.
 *
 * @throws the system's error where the gallery cannot be read
 */
export async function findOutdated(
	ages: StyleAges,
	{ history, ...others }: Deps,
	signal: AbortSignal,
): Promise<readonly Outdated[]> {
	await history.untilKnown();
	const known = await new RoundReader({ history, ...others }).read();
	const remade = remadeOf(known, ages, others.jobs);
	const byHash = new Map(
		known.rounds.flatMap(({ slots }) =>
			slots.flatMap(({ image }) => (image?.sha256 === undefined ? [] : [[image.sha256, image]])),
		),
	);
	const images = await history.list();
	const places = [...new Set(known.rounds.flatMap(targetsOf))];
	const found: Outdated[] = [];
	for (let at = 0; at < places.length && !signal.aborted; at += atOnce) {
		const some = places.slice(at, at + atOnce).map(async (place): Promise<Outdated[]> => {
			const uri = vscode.Uri.parse(place, true);
			const image = await imageIn(uri, known, images);
			const age = image && ages.of(image);
			return image === undefined || (age !== 'older' && age !== 'without')
				? []
				: [
						{
							image,
							uri,
							age,
							label: known.slot(image.id)?.label ?? '',
							remade: remade.get(place),
							request: await requestOf(uri, image, byHash),
						},
					];
		});
		found.push(...(await Promise.all(some)).flat());
	}
	return found;
}

function targetsOf({ slots }: Round): readonly string[] {
	return slots.flatMap(({ image }) => image?.target ?? []);
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

/** The places of tries that have the style of now, by the images that they are other tries of. */
function remadeOf(
	known: KnownRounds,
	ages: StyleAges,
	jobs: Deps['jobs'],
): ReadonlyMap<string, string> {
	const running = new Set(jobs.running.map(({ request }) => request.id));
	return new Map(
		known.rounds.flatMap(({ slots }) =>
			slots.flatMap(({ id, label, image, request }) => {
				const made = image ?? (request && running.has(id) ? { ...request, target: '' } : undefined);
				return made?.regeneratedFrom !== undefined && ages.of(made) === 'now'
					? [[made.regeneratedFrom, label]]
					: [];
			}),
		),
	);
}

/**
 * The request as it was, but for the style. A reference image that was moved is known by its bytes,
 * where it is one of this workspace.
 */
async function requestOf(
	uri: vscode.Uri,
	image: GalleryImage,
	byHash: ReadonlyMap<string, GalleryImage>,
): Promise<Outdated['request']> {
	const request = requestToRegenerate(uri, image);
	const references: { readonly source: string }[] = [];
	const gone: string[] = [];
	for (const [index, { source }] of request.references.entries()) {
		const reference = vscode.Uri.parse(source, true);
		const moved = byHash.get(image.referenceHashes?.[index] ?? '')?.target;
		const places = [reference, ...(moved === undefined ? [] : [vscode.Uri.parse(moved, true)])];
		const found = await firstThere(places);
		if (found === undefined) {
			gone.push(nameOfOriginal(reference));
		} else {
			references.push({ source: found.toString() });
		}
	}
	return gone.length > 0 ? gone : { ...request, references, withoutStyle: undefined };
}

async function firstThere(places: readonly vscode.Uri[]): Promise<vscode.Uri | undefined> {
	for (const uri of places) {
		if (!isUnknownImage(uri) && (await uriExists(uri).catch(() => true))) {
			return uri;
		}
	}
	return undefined;
}
