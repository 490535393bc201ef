import path from 'node:path';
import * as z from 'zod';
import { extensibleObject } from '../files/fileFormat.js';
import { qualitySchema, sizeSchema } from '../service/contract.js';
import type { Charge } from '../service/errors.js';
import type { JobEntry } from './jobFolder.js';
import { JsonLines } from './jsonLines.js';
import { chargeOf, type JobState } from './state.js';

const lineSchema = extensibleObject({
	/** Wall-clock time at which the job came to its end, ISO 8601. */
	time: z.iso.datetime(),
	/** Identifier of the request, which is that of its job. */
	request: z.uuid(),
	kind: z.enum(['image', 'edit', 'words']),
	/** Of an image. */
	size: sizeSchema.optional(),
	quality: qualitySchema.optional(),
	/** Who has asked for it. */
	origin: z.string(),
	/** How many attempts may have reached the service. */
	sent: z.number().int(),
	/** `charged`: the service has probably charged for an image that never arrived. */
	outcome: z.enum(['made', 'rejected', 'unknown', 'charged']),
});

type LedgerLine = z.infer<typeof lineSchema>;

/**
 * What may have cost money, when nothing else is left of a job: a line for each that has come to its
 * end, without its prompt, key or paths. Lines stay for five years. Methods throw the system's error.
 */
export class Ledger {
	readonly #file: JsonLines<LedgerLine>;

	/** @param folder that of our storage; all windows write the file in it */
	constructor(folder: string) {
		this.#file = new JsonLines({
			file: path.join(folder, 'ledger.jsonl'),
			schema: lineSchema,
			keyOf: ({ request }) => request,
			maxLines: 10_000,
			forget: (lines) => {
				for (const [request, { time }] of lines) {
					if (Date.now() - Date.parse(time) > maxAgeMs) {
						lines.delete(request);
					}
				}
			},
		});
	}

	/** Notes jobs that have ended, each once. Resolves when that is flushed. */
	async add(entries: readonly JobEntry[]): Promise<void> {
		await this.#file.change((known) =>
			entries.map(lineOf).filter((line) => !known.has(line.request)),
		);
	}

	/** Notes a call of a language model that has ended. Resolves when that is flushed. */
	async addWords(end: Charge | 'made'): Promise<void> {
		const time = new Date().toISOString();
		const request = crypto.randomUUID();
		const sent = end === 'notSent' ? 0 : 1;
		const outcome = end === 'notSent' ? 'rejected' : end;
		await this.#file.append([{ time, request, kind: 'words', origin: 'user', sent, outcome }]);
	}
}

const maxAgeMs = 5 * 366 * 24 * 60 * 60 * 1000;

function lineOf({ request, state }: JobEntry): LedgerLine {
	const { id, operation, size, quality } = request;
	return {
		time: state.changedAt,
		request: id,
		kind: operation === 'edit' ? 'edit' : 'image',
		size,
		quality,
		// Whatever runs the command, the user has agreed to it; requests say no more yet.
		origin: 'user',
		sent: state.attempts.filter(({ failure }) => failure?.charge !== 'notSent').length,
		outcome: outcomeOf(state),
	};
}

function outcomeOf(state: JobState): LedgerLine['outcome'] {
	if (state.state === 'saved' || state.state === 'discarded') {
		return 'made';
	}
	const charge = chargeOf(state);
	return charge === 'notSent' ? 'rejected' : charge;
}
