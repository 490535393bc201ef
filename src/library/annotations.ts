import path from 'node:path';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { extensibleObject } from '../files/fileFormat.js';
import { Serial } from '../files/serial.js';
import { JsonLines } from '../jobs/jsonLines.js';
import type { SharedAnnotations, SharedRead } from './sharedAnnotations.js';

const decided = {
	/** True where it is a favorite. */
	isFavorite: z.boolean().optional(),
	title: z.string().optional(),
	note: z.string().optional(),
};

const imageLineSchema = extensibleObject({
	image: z.uuid(),
	...decided,
	/** URI of the workspace folder in whose file the team has it; missing where it is in none. */
	sharedIn: z.string().optional(),
	/** Decisions since, which could not be written into that file; it counts before the file. */
	unshared: z.object(decided).optional(),
});

const roundLineSchema = extensibleObject({
	/** The round’s identifier, or that of its only image. */
	round: z.uuid(),
	name: z.string().optional(),
	collapsed: z.boolean().optional(),
});

/** Decisions of the user about an image; what is missing was not decided. */
export type ImageAnnotation = Omit<
	z.infer<typeof imageLineSchema>,
	'image' | 'sharedIn' | 'unshared'
>;
/** Decisions of the user about a batch. */
export type RoundAnnotation = Omit<z.infer<typeof roundLineSchema>, 'round'>;

const lineSchema = z.union([imageLineSchema, roundLineSchema]);
type Line = z.infer<typeof lineSchema>;
type ImageLine = z.infer<typeof imageLineSchema>;

export interface ReadAnnotations {
	ofImage(id: string): ImageAnnotation;
	ofRound(id: string): RoundAnnotation;
}

/**
 * Decisions of the user about images and batches: favorites, names, notes. It lies beside the
 * gallery and is the same in all windows. Methods throw the system's error.
 */
export class Annotations {
	readonly #file: JsonLines<Line>;
	readonly #turns = new Serial();

	/**
	 * @param folder absolute path
	 * @param shared what the team has decided about images of the workspace
	 */
	constructor(
		folder: string,
		private readonly shared?: SharedAnnotations,
	) {
		this.#file = new JsonLines({
			file: path.join(folder, marksFile),
			schema: lineSchema,
			keyOf,
		});
	}

	async read(): Promise<ReadAnnotations> {
		const [lines, shared] = await Promise.all([this.#file.lines(), this.shared?.read()]);
		return readIn(lines, shared);
	}

	/**
	 * Notes what was decided about images; what is not given stays.
	 *
	 * @param uris of the images' files, by the id; only with one an image is shared with the team
	 */
	async setImages(
		ids: readonly string[],
		mark: ImageAnnotation,
		uris: ReadonlyMap<string, vscode.Uri> = new Map(),
	): Promise<void> {
		await this.#turns.run(async () => {
			const [lines, team] = await Promise.all([this.#file.lines(), this.shared?.read()]);
			const known = readIn(lines, team);
			const changes = ids.flatMap((id) => {
				const uri = uris.get(id);
				const { sharedIn, unshared } = imageLine(lines, id);
				// A colleague may have decided otherwise about the rest since.
				const others = sharedIn === undefined ? known.ofImage(id) : unshared;
				return uri === undefined ? [] : [{ id, uri, mark: { ...others, ...mark } }];
			});
			const written = await this.shared?.write(changes, (folder) => sharedLines(lines, folder));
			await this.#file.change((now) =>
				ids.map((image) => {
					const before = imageLine(now, image);
					const sharedIn = written?.get(image) ?? before.sharedIn;
					const isLeft = written?.has(image) === false && uris.has(image);
					return {
						...{ ...readIn(now, team).ofImage(image), ...mark, image },
						...(sharedIn === undefined ? {} : { sharedIn }),
						...(isLeft ? { unshared: { ...before.unshared, ...mark } } : {}),
					};
				}),
			);
		});
	}

	/** Replaces the decisions that are given; the rest stays. */
	async setRound(round: string, mark: RoundAnnotation): Promise<void> {
		await this.#file.change((lines) => [{ ...readIn(lines).ofRound(round), ...mark, round }]);
	}
}

/** In the folder of our storage. All windows write it. */
export const marksFile = 'marks.jsonl';

function imageLine(lines: ReadonlyMap<string, Line>, id: string): Partial<ImageLine> {
	return (lines.get(keyOf({ image: id })) ?? {}) as Partial<ImageLine>;
}

function sharedLines(lines: ReadonlyMap<string, Line>, folder: string): ImageLine[] {
	return [...lines.values()].filter(
		(line): line is ImageLine => 'image' in line && line.sharedIn === folder,
	);
}

function readIn(
	lines: ReadonlyMap<string, Line>,
	team: SharedRead = { images: new Map(), folders: new Set() },
) {
	return {
		ofImage(id: string): ImageAnnotation {
			const { isFavorite, title, note, sharedIn, unshared, ...own } = imageLine(lines, id);
			const shared = team.images.get(id);
			// What the team has taken away is gone here, too.
			const isOurs = shared === undefined ? !team.folders.has(sharedIn ?? '') : !sharedIn;
			return {
				...own,
				...(isOurs ? defined({ isFavorite, title, note }) : {}),
				...defined(shared ?? {}),
				...unshared,
			};
		},
		ofRound: (id: string) => (lines.get(keyOf({ round: id })) ?? {}) as RoundAnnotation,
	};
}

/** Without what is not given, so that it can be laid over something else. */
function defined<Given extends object>(given: Given): Partial<Given> {
	return Object.fromEntries(
		Object.entries(given).filter(([, value]) => value !== undefined),
	) as Partial<Given>;
}

function keyOf(line: { readonly image: string } | { readonly round: string }) {
	return 'image' in line ? `image ${line.image}` : `round ${line.round}`;
}
