import { randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { placeOf } from '../editor/filePlaces.js';
import { isUnknownImage, uriExists } from '../editor/files.js';
import { withImageFile } from '../editor/images.js';
import { safeName } from '../editor/untrustedText.js';
import { sha256Of } from '../images/hash.js';
import { keepRestInThread } from '../images/keepRest/restThread.js';
import type { GalleryImage } from '../jobs/gallery.js';
import { now } from '../jobs/jobFolder.js';
import {
	nameOfOriginal,
	restoredOf,
	type KnownImages,
	type Restored,
} from '../library/galleryLookup.js';
import { provenanceOf } from '../library/imageRecipes.js';
import { messages } from '../messages.js';
import { besideName, besideText } from '../recipes/beside.js';
import { recipeSchema, type Recipe } from '../recipes/recipe.js';
import { writeWithRecipe } from '../recipes/rewrite.js';
import { saveIn } from './exporter.js';
import type { GeneratorServices } from './generatorServices.js';

/** Result for the service's answer to an edit with marks. */
export type RestResult =
	/** The image that has the original's pixels outside of the marks. */
	| { readonly type: 'restored'; readonly image: Restored }
	/** Why the whole answer is all that there is; without words where all of it was marked. */
	| { readonly type: 'whole'; readonly note?: string };

/** By the answers' places: a second click gets the image that the first one makes. */
const underWay = new Map<string, Promise<RestResult>>();

/**
 * Makes the child of an answer that is the original outside of the marks, beside it and in the gallery;
 * one that is there already is taken. The answer stays.
 *
 * @param answer image of the gallery that was edited with marks, as the service has sent it
 * @param known where the original is looked for by its bytes, where it no longer lies in its place
 * @throws {ImageError} and {@link ThumbnailError} where one of the two cannot be read; the system's error
 */
export function restoreRest(
	answer: GalleryImage,
	services: RestServices,
	known: KnownImages = services.gallery,
): Promise<RestResult> {
	const running =
		underWay.get(answer.target) ??
		makeRest(answer, services, known).finally(() => underWay.delete(answer.target));
	underWay.set(answer.target, running);
	return running;
}

type RestServices = Pick<GeneratorServices, 'gallery' | 'pixelWorker'>;

async function makeRest(
	answer: GalleryImage,
	{ gallery, pixelWorker }: RestServices,
	known: KnownImages,
): Promise<RestResult> {
	const images = await known.list();
	const earlier = await restoredOf(answer, images);
	if (earlier !== undefined) {
		return { type: 'restored', image: earlier };
	}
	const original = await originalFile(answer, images);
	if (original === undefined) {
		const place = vscode.Uri.parse(answer.references[0] ?? '');
		return {
			type: 'whole',
			note: messages.originalChanged(safeName(place) || nameOfOriginal(place)),
		};
	}
	const folder = await mkdtemp(path.join(tmpdir(), 'easel-rest-'));
	try {
		const file = path.join(folder, 'image.png');
		const uri = vscode.Uri.parse(answer.target, true);
		const marks = answer.marks ?? [];
		const rest = await withImageFile(original, (one) =>
			withImageFile(uri, (other) =>
				keepRestInThread({ original: one, answer: other, marks, file }, pixelWorker),
			),
		);
		if (rest.type === 'reframed') {
			return { type: 'whole', note: messages.reframed };
		}
		const { figures: keptRest, width, height } = rest;
		if (keptRest.share < minShare) {
			return { type: 'whole' };
		}
		const sha256 = answer.sha256 ?? (await withImageFile(uri, (one) => sha256Of(one)));
		const image = {
			...{ ...answer, id: randomUUID(), savedAt: now(), keptRest, width, height },
			...{ references: [answer.target, ...answer.references], published: undefined },
			referenceHashes: [sha256, ...answer.referenceHashes],
		};
		return { type: 'restored', image: await save(image, answer, file, gallery) };
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Part of the picture below which nothing was restored that is worth a file. */
const minShare = 0.005;

/** Finds the file that was sent: in its place, or another one with its bytes. */
async function originalFile(
	{ references: [place], referenceHashes: [sha256], smallerReferences, ...answer }: GalleryImage,
	images: readonly GalleryImage[],
): Promise<vscode.Uri | undefined> {
	const others = images.filter((image) => image.sha256 === sha256 && sha256 !== undefined);
	for (const target of [
		...(place === undefined ? [] : [place]),
		...others.map((one) => one.target),
	]) {
		const uri = vscode.Uri.parse(target, true);
		const found = isUnknownImage(uri)
			? undefined
			: await placeOf(uri)
					.sha256()
					.catch(() => undefined);
		// The bytes of a smaller copy are no one's; the answer itself may have been put there since.
		const isOriginal = found === sha256 || (smallerReferences === true && found !== answer.sha256);
		if (found !== undefined && isOriginal) {
			return uri;
		}
	}
	return undefined;
}

/** Saves a file beside the answer, with a recipe where the answer has one, and adds it to the gallery. */
async function save(
	image: Restored,
	answer: GalleryImage,
	file: string,
	gallery: GeneratorServices['gallery'],
): Promise<Restored> {
	const uri = vscode.Uri.parse(answer.target, true);
	const {
		recipe,
		where,
		isOfOther = false,
	} = (await provenanceOf(uri).catch(() => undefined)) ?? {};
	const ours = recipe === undefined || isOfOther ? undefined : recipeOfRest(recipe, image, uri);
	if (ours !== undefined && where === 'inImage') {
		const bare = `${file}.bare`;
		await rename(file, bare);
		await writeWithRecipe(bare, file, ours);
	}
	const [sha256, { size: bytes }] = await Promise.all([sha256Of(file), stat(file)]);
	const name = `${path.posix.parse(uri.path).name}${suffix}.png`;
	const saved = await saveIn(vscode.Uri.joinPath(uri, '..'), name, file);
	if (ours !== undefined && where === 'besideImage') {
		const beside = saved.uri.with({ path: besideName(saved.uri.path) });
		if (!(await uriExists(beside))) {
			const text = Buffer.from(besideText(ours, sha256));
			await vscode.workspace.fs.writeFile(beside, text);
		}
	}
	const whole = { ...image, target: saved.uri.toString(), bytes, sha256 };
	await gallery.addMade(whole);
	return whole;
}

/** Suffix of the name of an answer with the rest of its original. */
const suffix = '-kept';

/** Returns the recipe of the answer as that of its child. */
function recipeOfRest(recipe: Recipe, image: Restored, answer: vscode.Uri): Recipe | undefined {
	const { id, savedAt, keptRest, referenceHashes } = image;
	const parsed = recipeSchema.safeParse({
		...{ ...recipe, id, createdAt: savedAt, keptRest },
		parents: [{ sha256: referenceHashes[0], path: path.posix.basename(answer.path) }],
		references: [...recipe.parents, ...recipe.references],
		image: undefined,
	});
	return parsed.success ? parsed.data : undefined;
}
