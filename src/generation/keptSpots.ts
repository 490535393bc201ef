import * as vscode from 'vscode';
import * as z from 'zod';
import { extensibleObject } from '../files/fileFormat.js';
import type { Insertions } from './insertions.js';
import type { JobList } from './jobList.js';
import { hashOf } from './leftSpots.js';

/** How long a person has to pause before the spots are kept, in milliseconds. */
const pauseMs = 250;
/** How many commands are remembered, and how many spots of one: cursors can be thousands. */
const mostCommands = 50;
const mostSpots = 100;

const key = 'spots';

const keptSchema = extensibleObject({
	/** Missing in those of the first versions; a higher one is of a newer Easel. */
	format: z.literal(1).optional(),
	/** Its URI: it may have got another name since the command was given. */
	document: z.string().optional(),
	sha256: z.string(),
	spots: z.array(z.object({ start: z.number(), end: z.number(), behind: z.boolean().optional() })),
});

type Kept = z.infer<typeof keptSchema>;

/**
 * Keeps where in documents images belong that are being made, so that their spots are known after
 * the window was reloaded, and where a document is opened later.
 */
export class KeptSpots implements vscode.Disposable {
	readonly #known = new Set<string>();
	readonly #listeners: readonly vscode.Disposable[];
	#pause: NodeJS.Timeout | undefined;

	/** @param state that of the workspace: a window is reloaded with what it has open */
	constructor(
		private readonly jobs: Pick<JobList, 'running' | 'onDidChange'>,
		private readonly insertions: Pick<
			Insertions,
			'resume' | 'spotsOf' | 'documentOf' | 'onDidChange'
		>,
		private readonly state: vscode.Memento,
	) {
		this.#listeners = [
			jobs.onDidChange(() => {
				this.#resume();
			}),
			insertions.onDidChange(() => {
				this.#keepSoon();
			}),
		];
	}

	dispose(): void {
		clearTimeout(this.#pause);
		vscode.Disposable.from(...this.#listeners).dispose();
	}

	/** Takes up the spots of images that have come since. */
	#resume(): void {
		for (const { request } of this.jobs.running) {
			const { insertion, document } = request;
			if (insertion !== undefined && document !== undefined && !this.#known.has(request.id)) {
				this.#known.add(request.id);
				const kept = keptSchema.safeParse(this.#read()[insertion.id]).data;
				const uri = vscode.Uri.parse(kept?.document ?? document, true);
				this.insertions.resume(insertion, uri, kept);
				// They may have moved while the prompt was typed.
				this.#keepSoon();
			}
		}
	}

	#keepSoon(): void {
		clearTimeout(this.#pause);
		this.#pause = setTimeout(() => {
			this.#keep();
		}, pauseMs);
	}

	#keep(): void {
		const kept = this.#read();
		const hashes = new Map<vscode.TextDocument, string>();
		const now = this.jobs.running.flatMap(({ request: { insertion } }): [string, Kept][] => {
			if (insertion === undefined || isNewerFormat(kept[insertion.id])) {
				return [];
			}
			const { id } = insertion;
			const followed = this.insertions.spotsOf(insertion);
			if (followed === undefined) {
				// A document that is closed can only get another name.
				const last = keptSchema.safeParse(kept[id]).data;
				const uri = this.insertions.documentOf({ document: undefined, insertion });
				return last && uri ? [[id, { ...last, document: uri.toString() }]] : [];
			}
			const { document, spots } = followed;
			const sha256 = hashes.get(document) ?? hashOf(document.getText());
			hashes.set(document, sha256);
			return spots.length > mostSpots
				? []
				: [[id, { format: 1, document: document.uri.toString(), sha256, spots: [...spots] }]];
		});
		if (now.length > 0) {
			// As they stand there: a newer Easel may have kept some in a way of its own.
			const before = Object.entries(kept).filter(([id]) => !now.some(([one]) => one === id));
			const all = Object.fromEntries([...before, ...now].slice(-mostCommands));
			// What cannot be kept is known as long as this window stands.
			this.state.update(key, all).then(undefined, () => undefined);
		}
	}

	#read(): Record<string, unknown> {
		return z.record(z.string(), z.unknown()).catch({}).parse(this.state.get(key));
	}
}

/** Whether a newer Easel has kept these, in a way of its own. */
function isNewerFormat(kept: unknown): boolean {
	return kept !== undefined && !keptSchema.safeParse(kept).success;
}
