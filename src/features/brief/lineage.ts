import * as vscode from 'vscode';
import { imagesHere, nameOfOriginal } from '../../generation/galleryLookup.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import type { ReadAnnotations } from '../../generation/annotations.js';
import { Lineage, madeFrom, roundsOf, type Slot } from '../../generation/rounds.js';
import type { Step } from './brief.js';
import type { BriefDeps } from './deps.js';

/** An image with its place among the rounds. */
export type SavedSlot = Slot & { readonly image: GalleryImage };

/** Where an image comes from, and what else a person keeps of that. */
export interface ImageLineage {
	readonly marks: ReadAnnotations;
	readonly slot: SavedSlot;
	/** The first one first; that of the image itself is the last. */
	readonly steps: readonly Step[];
	/** Other images that are kept, of its round and those that it comes from. */
	readonly alternatives: readonly SavedSlot[];
}

/** @throws the system's error where the gallery cannot be read */
export async function lineageOf(
	image: GalleryImage,
	{ history, jobs, marks: ofPerson }: BriefDeps,
): Promise<ImageLineage> {
	const [images, marks] = await Promise.all([imagesHere(history), ofPerson.read()]);
	const rounds = roundsOf(images, jobs.requests);
	const slots = rounds.flatMap((round) => round.slots);
	const slot = slots.find(({ id }) => id === image.id) ?? { ...unknown, id: image.id, image };
	const lineage = new Lineage(rounds);
	const way = [...lineage.chainOf(slot), slot].filter(isSaved);
	const ofWay = rounds.filter((round) => round.slots.some(({ id }) => isAmong(id, way)));
	return {
		marks,
		slot: { ...slot, image },
		steps: way.map((step) => ({
			label: step.label,
			prompt: step.image.prompt,
			from: lineage.parentOf(step)?.label ?? nameOf(madeFrom(step)?.edited),
		})),
		alternatives: ofWay
			.flatMap((round) => round.slots)
			.filter(isSaved)
			.filter(({ id }) => id !== image.id && marks.ofImage(id).kept === true),
	};
}

/** Of an image that the gallery has just forgotten. */
const unknown = { label: 'This picture', request: undefined };

function isSaved(slot: Slot): slot is SavedSlot {
	return slot.image !== undefined;
}

function isAmong(id: string, slots: readonly Slot[]): boolean {
	return slots.some((slot) => slot.id === id);
}

function nameOf(edited: string | undefined): string | undefined {
	return edited === undefined ? undefined : nameOfOriginal(vscode.Uri.parse(edited, true));
}
