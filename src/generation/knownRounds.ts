import PQueue from 'p-queue';
import * as vscode from 'vscode';
import type { GalleryImage } from '../jobs/gallery.js';
import type { ReadAnnotations } from './annotations.js';
import type { GenerationRequest } from '../jobs/request.js';
import { Lineage, roundsOf, type Round, type Slot } from './rounds.js';
import { belongsHere } from './galleryLookup.js';
import type { Services } from './services.js';
import { StyleAges } from './styleAges.js';

/** The rounds of this workspace, as they were when they were read. */
export interface KnownRounds {
	/** Newest first. */
	readonly rounds: readonly Round[];
	readonly lineage: Lineage;
	readonly marks: ReadAnnotations;
	readonly ages: Pick<StyleAges, 'all' | 'guideOf' | 'of' | 'problem' | 'words'>;
	/** How many images there are, and how many of them are favorites. */
	readonly total: number;
	readonly favorites: number;
	/** @param id of the round */
	round(id: string): Round | undefined;
	/** @param id of the image or the job */
	slot(id: string): Slot | undefined;
	/** The image whose file this is. */
	imageAt(uri: vscode.Uri): Slot | undefined;
}

/** Reads the rounds of this workspace; what has not changed is not worked out anew. */
export class RoundReader {
	#last: { readonly seen: Seen; readonly rounds: RoundsRead } | undefined;
	readonly #turns = new PQueue({ concurrency: 1 });

	constructor(private readonly deps: Pick<Services, 'history' | 'jobs' | 'marks' | 'styles'>) {}

	/**
	 * Answers in the order of the calls: otherwise an older state could be shown last.
	 *
	 * @throws the system's error where the gallery cannot be read
	 */
	async read(): Promise<KnownRounds> {
		return this.#turns.add(() => this.#read());
	}

	async #read(): Promise<KnownRounds> {
		const { history, jobs, marks: ofPerson, styles } = this.deps;
		// Read before the images: one that arrives meanwhile is known twice then, else not at all. A job
		// that has just failed is among those that run, too.
		const requests = new Map(jobs.requests.map((request) => [request.id, request]));
		const [images, marks, ages] = await Promise.all([
			history.list(),
			ofPerson.read(),
			StyleAges.read(styles),
		]);
		const numbers = [...requests].map(([id, { round }]) => [id, round?.number]);
		const seen = { images, about: JSON.stringify([numbers, folders()]) };
		if (this.#last?.seen.images !== images || this.#last.seen.about !== seen.about) {
			this.#last = { seen, rounds: read(images.filter(belongsHere), [...requests.values()]) };
		}
		const { rounds } = this.#last;
		const favorites = rounds.images.filter(({ id }) => marks.ofImage(id).kept === true).length;
		return {
			rounds: rounds.all,
			lineage: rounds.lineage,
			marks,
			ages,
			total: rounds.images.length,
			favorites,
			round: (id) => rounds.byId.get(id),
			slot: (id) => rounds.slots.get(id),
			imageAt: (uri) => rounds.byTarget.get(uri.toString()),
		};
	}
}

interface Seen {
	readonly images: readonly GalleryImage[];
	/** Requests with the numbers of their rounds, and workspace folders. */
	readonly about: string;
}

type RoundsRead = ReturnType<typeof read>;

function read(images: readonly GalleryImage[], requests: readonly GenerationRequest[]) {
	const all = roundsOf(images, requests);
	const slots = all.flatMap((round) => round.slots);
	return {
		all,
		images,
		lineage: new Lineage(all),
		byId: new Map(all.map((round) => [round.id, round])),
		slots: new Map(slots.map((slot) => [slot.id, slot])),
		byTarget: new Map(
			// The newest of them counts.
			[...slots].reverse().flatMap((slot) => (slot.image ? [[slot.image.target, slot]] : [])),
		),
	};
}

function folders(): readonly string[] {
	return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
}
