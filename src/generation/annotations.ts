import path from 'node:path';
import * as z from 'zod';
import { extensibleObject } from '../files/fileFormat.js';
import { JsonLines } from '../jobs/jsonLines.js';

const imageMarkSchema = extensibleObject({
	image: z.uuid(),
	/** Whether it is a favorite. */
	kept: z.boolean().optional(),
	title: z.string().optional(),
	note: z.string().optional(),
});

const roundMarkSchema = extensibleObject({
	/** That of the round, or of its only image. */
	round: z.uuid(),
	name: z.string().optional(),
	collapsed: z.boolean().optional(),
});

/** What the user has decided about an image; what is missing was not decided. */
export type ImageAnnotation = Omit<z.infer<typeof imageMarkSchema>, 'image'>;
/** What the user has decided about a batch. */
export type RoundAnnotation = Omit<z.infer<typeof roundMarkSchema>, 'round'>;

const lineSchema = z.union([imageMarkSchema, roundMarkSchema]);
type Line = z.infer<typeof lineSchema>;

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

	constructor(folder: string) {
		this.#file = new JsonLines({
			file: path.join(folder, marksFile),
			schema: lineSchema,
			keyOf,
			maxLines: maxAnnotations,
			forget,
		});
	}

	async read(): Promise<ReadAnnotations> {
		return readIn(await this.#file.lines());
	}

	/** What is given replaces what was decided; the rest stays. */
	async setImage(image: string, mark: ImageAnnotation): Promise<void> {
		await this.#file.change((lines) => [{ ...readIn(lines).ofImage(image), ...mark, image }]);
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

function readIn(lines: ReadonlyMap<string, Line>): ReadAnnotations {
	const of = (key: string) => lines.get(key) ?? {};
	return {
		ofImage: (id) => of(keyOf({ image: id })),
		ofRound: (id) => of(keyOf({ round: id })),
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
