import * as vscode from 'vscode';
import type { ReadAnnotations } from '../../generation/annotations.js';
import { imagesHere, nameOfOriginal } from '../../generation/galleryLookup.js';
import { Lineage, madeFrom, roundsOf, type Slot } from '../../generation/rounds.js';
import type { Services } from '../../generation/services.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import type { Step } from './brief.js';

/** An image with its place among the rounds. */
export type SavedSlot = Slot & { readonly image: GalleryImage };

interface ImageLineage {
	readonly marks: ReadAnnotations;
	readonly slot: SavedSlot;
	/** The first one first; that of the image itself is the last. */
	readonly steps: readonly Step[];
	/** Other images that were selected, or have a star and are of its round or those that it comes from. */
	readonly alternatives: readonly SavedSlot[];
}

/** @throws the system's error where the gallery cannot be read */
export async function lineageOf(
	image: GalleryImage,
	others: readonly GalleryImage[],
	{ history, jobs, marks: annotations }: Services,
): Promise<ImageLineage> {
	const [images, marks] = await Promise.all([imagesHere(history), annotations.read()]);
	const rounds = roundsOf(images, jobs.requests);
	const slots = rounds.flatMap((round) => round.slots);
	const selected = new Set(others.map(({ id }) => id));
	const slot = slots.find(({ id }) => id === image.id) ?? { ...unknown, id: image.id, image };
	const lineage = new Lineage(rounds);
	const way = [...lineage.chainOf(slot), slot].filter(isSaved);
	const ofWay = rounds.filter((round) =>
		round.slots.some(({ id }) => way.some((one) => one.id === id)),
	);
	return {
		marks,
		slot: { ...slot, image },
		steps: way.map((step) => ({
			label: step.label,
			prompt: step.image.prompt,
			from: lineage.parentOf(step)?.label ?? nameOf(madeFrom(step)?.edited),
		})),
		alternatives: (selected.size > 0 ? rounds : ofWay)
			.flatMap((round) => round.slots)
			.filter(isSaved)
			.filter(({ id }) => {
				const isMeant = selected.size > 0 ? selected.has(id) : marks.ofImage(id).kept === true;
				return id !== image.id && isMeant;
			}),
	};
}

/** Of an image that the gallery has just forgotten. */
const unknown = { label: 'This picture', request: undefined };

function isSaved(slot: Slot): slot is SavedSlot {
	return slot.image !== undefined;
}

function nameOf(edited: string | undefined): string | undefined {
	return edited === undefined ? undefined : nameOfOriginal(vscode.Uri.parse(edited, true));
}
