import path from 'node:path';
import PQueue from 'p-queue';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { extensibleObject } from '../files/fileFormat.js';
import { JsonLines } from '../jobs/jsonLines.js';
import type { SharedAnnotations, SharedRead } from './sharedAnnotations.js';

const imageMarkSchema = extensibleObject({
	image: z.uuid(),
	/** Whether it is a favorite. */
	kept: z.boolean().optional(),
	title: z.string().optional(),
	note: z.string().optional(),
	/**
	 * Whether it was written into the file that the team shares, which counts then; `false` where that
	 * could not be written. Missing in what earlier versions have noted.
	 */
	shared: z.boolean().optional(),
});

const roundMarkSchema = extensibleObject({
	/** That of the round, or of its only image. */
	round: z.uuid(),
	name: z.string().optional(),
	collapsed: z.boolean().optional(),
});

/** What the user has decided about an image; what is missing was not decided. */
export type ImageAnnotation = Omit<z.infer<typeof imageMarkSchema>, 'image' | 'shared'>;
/** What the user has decided about a batch. */
export type RoundAnnotation = Omit<z.infer<typeof roundMarkSchema>, 'round'>;

const lineSchema = z.union([imageMarkSchema, roundMarkSchema]);
type Line = z.infer<typeof lineSchema>;
type ImageLine = z.infer<typeof imageMarkSchema>;

export interface ReadAnnotations {
	ofImage(id: string): ImageAnnotation;
	ofRound(id: string): RoundAnnotation;
}

/**
 * What the user has decided about images and batches: favorites, names, notes. It lies beside the
 * gallery and is the same in all windows. Methods throw the system's error.
 */
export class Annotations {
	readonly #file: JsonLines<Line>;
	/** One change after the other. */
	readonly #turns = new PQueue({ concurrency: 1 });

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
			maxLines: maxAnnotations,
			forget,
		});
	}

	async read(): Promise<ReadAnnotations> {
		const [lines, shared] = await Promise.all([this.#file.lines(), this.shared?.read()]);
		return readIn(lines, shared);
	}

	/**
	 * Notes what was decided about an image; what is given replaces what was decided before, the rest
	 * stays.
	 *
	 * @param uri of its file
	 */
	async setImage(image: string, mark: ImageAnnotation, uri?: vscode.Uri): Promise<void> {
		await this.#turns.add(async () => {
			const before = await this.shared?.read();
			const now = (lines: ReadonlyMap<string, Line>) => ({
				...readIn(lines, before).ofImage(image),
				...mark,
			});
			const shared = uri && (await this.shared?.write(image, uri, now(await this.#file.lines())));
			const noted = shared === undefined ? {} : { shared };
			await this.#file.change((lines) => [{ ...now(lines), image, ...noted }]);
		});
	}

	/** What is given replaces what was decided; the rest stays. */
	async setRound(round: string, mark: RoundAnnotation): Promise<void> {
		await this.#file.change((lines) => [{ ...readIn(lines).ofRound(round), ...mark, round }]);
	}
}

/** In the folder of our storage. All windows write it. */
export const marksFile = 'marks.jsonl';

/** More than there are images in the gallery. */
const maxAnnotations = 50_000;

function readIn(
	lines: ReadonlyMap<string, Line>,
	shared: SharedRead = { images: new Map(), isKnown: false },
): ReadAnnotations {
	const of = <Found extends Line>(key: string) => (lines.get(key) ?? {}) as Partial<Found>;
	return {
		ofImage: (id) => {
			const { shared: wasShared, ...own } = of<ImageLine>(keyOf({ image: id }));
			if (wasShared === false) {
				return own;
			}
			// What the team has taken away is gone here, too.
			const isGone = wasShared === true && shared.isKnown;
			return shared.images.get(id) ?? (isGone ? {} : own);
		},
		ofRound: (id) => of<z.infer<typeof roundMarkSchema>>(keyOf({ round: id })),
	};
}

function keyOf(line: Pick<z.infer<typeof imageMarkSchema>, 'image'> | { readonly round: string }) {
	return 'image' in line ? `image ${line.image}` : `round ${line.round}`;
}

/** The oldest, where there are too many: the images of these are not in the gallery any more. */
function forget(lines: Map<string, Line>): void {
	for (const key of [...lines.keys()].slice(0, Math.max(lines.size - maxAnnotations, 0))) {
		lines.delete(key);
	}
}
