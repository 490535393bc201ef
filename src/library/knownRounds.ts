import { posix } from 'node:path';
import * as vscode from 'vscode';
import { Serial } from '../files/serial.js';
import { EaselError } from '../easelError.js';
import { safeText } from '../editor/untrustedText.js';
import type { GalleryImage } from '../jobs/gallery.js';
import type { GenerationRequest } from '../jobs/request.js';
import { Lineage, roundsOf, type Round } from './rounds.js';
import { belongsHere } from './galleryLookup.js';
import type { Annotations } from './annotations.js';
import type { History } from './history.js';
import type { ReadStyle } from '../style/styleFile.js';
import type { Styles } from '../style/styles.js';
import { phrases } from '../messages.js';

/** The rounds of this workspace, as they were when they were read. */
export type KnownRounds = Awaited<ReturnType<RoundReader['read']>>;

/** Reads the rounds of this workspace; what has not changed is not worked out anew. */
export class RoundReader {
	#last:
		| { readonly images: readonly GalleryImage[]; about: string; rounds: ReturnType<typeof read> }
		| undefined;
	readonly #turns = new Serial();

	constructor(
		private readonly deps: {
			readonly history: History;
			/** Images in progress. */
			readonly jobs: { readonly requests: readonly GenerationRequest[] };
			readonly annotations: Annotations;
			readonly styles: Styles;
		},
	) {}

	/**
	 * Answers in the order of the calls. @throws the system's error where the gallery cannot be read
	 */
	async read() {
		return this.#turns.run(() => this.#read());
	}

	async #read() {
		const { history, jobs, annotations, styles } = this.deps;
		// Read before the images: one that arrives meanwhile is known twice then, else not at all. A job
		// that has just failed is among those that run, too.
		const requests = new Map(jobs.requests.map((request) => [request.id, request]));
		const [images, marks, ages] = await Promise.all([
			history.list(),
			annotations.read(),
			StyleAges.read(styles),
		]);
		const numbers = [...requests].map(([id, { round }]) => [id, round?.number]);
		const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
		const about = JSON.stringify([numbers, folders]);
		if (this.#last?.images !== images || this.#last.about !== about) {
			const rounds = read(images.filter(belongsHere), [...requests.values()]);
			this.#last = { images, about, rounds };
		}
		const { rounds } = this.#last;
		const favorites = rounds.images.filter(
			({ id }) => marks.ofImage(id).isFavorite === true,
		).length;
		return {
			/** Newest first. */
			rounds: rounds.all as readonly Round[],
			images: rounds.images,
			lineage: rounds.lineage,
			marks,
			ages,
			/** Number of images; `favorites` are among them. */
			total: rounds.images.length,
			favorites,
			round: (id: string) => rounds.byId.get(id),
			/** @param id of the image or the job */
			slot: (id: string) => rounds.slots.get(id),
			/** The image whose file this is. */
			imageAt: (uri: vscode.Uri) => rounds.byTarget.get(uri.toString()),
		};
	}
}

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

/**
 * Relation of an image's style to the guide of its workspace folder now; `without` where none was
 * applied.
 */
type StyleAge = 'now' | 'older' | 'without';

type Styled = Pick<GalleryImage, 'style' | 'target' | 'workspaceFolder'>;

/** The style guides of the workspace folders as they were when they were read, beside the images. */
class StyleAges {
	private constructor(
		/** Those that can be used, by the URI of the workspace folder. */
		private readonly guides: ReadonlyMap<string, ReadStyle>,
		/** Why another one cannot be used. */
		readonly problem: unknown,
	) {}

	static async read(styles: Pick<Styles, 'look'>): Promise<StyleAges> {
		const guides = new Map<string, ReadStyle>();
		let problem: unknown;
		for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
			const style = await styles.look(uri).catch((error: unknown) => {
				problem = error;
			});
			if (style instanceof EaselError) {
				problem = style;
			} else if (style) {
				guides.set(uri.toString(), style);
			}
		}
		return new StyleAges(guides, problem);
	}

	get all(): readonly ReadStyle[] {
		return [...this.guides.values()];
	}

	/** `undefined` where no guide can be used in its workspace folder. */
	of(image: Styled): StyleAge | undefined {
		const guide = this.guideOf(image);
		const { style } = image;
		return guide && (!style ? 'without' : style.sha256 === guide.sha256 ? 'now' : 'older');
	}

	/** The style of an image, in a few words; `undefined` where it has none, and there is none now. */
	words(image: Styled): string | undefined {
		const name = image.style && safeText(posix.basename(image.style.path), 40);
		const age = this.of(image);
		if (name === undefined) {
			return age === 'without' ? phrases.withoutStyle : undefined;
		}
		return age === 'older' ? `${name}, ${phrases.olderStyle}` : name;
	}

	/** The guide of the folder that an image lies in, else of the one that it was made in. */
	guideOf({ target, workspaceFolder }: Styled): ReadStyle | undefined {
		const around = [...this.guides.keys()].filter((folder) => target.startsWith(`${folder}/`));
		// Of folders within one another the inner one counts.
		const [inner] = around.sort((a, b) => b.length - a.length);
		return this.guides.get(inner ?? workspaceFolder ?? '');
	}
}
