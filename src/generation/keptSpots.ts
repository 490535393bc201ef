import * as vscode from 'vscode';
import * as z from 'zod';
import type { FollowedSpots, Insertions } from './insertions.js';
import type { JobList } from './jobList.js';
import { hashOf, type SpotsIn } from './leftSpots.js';
import type { Insertion } from './order.js';

/** How long a person has to pause before the spots are kept, in milliseconds. */
const pauseMs = 250;
/** How many commands are remembered, and how many spots of one: cursors can be thousands. */
const mostCommands = 50;
const mostSpots = 100;

const key = 'spots';

const keptSchema = z.record(
	z.string(),
	z.object({
		sha256: z.string(),
		spots: z.array(
			z.object({ start: z.number(), end: z.number(), behind: z.boolean().optional() }),
		),
	}),
);

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
		private readonly insertions: Pick<Insertions, 'resume' | 'spotsOf' | 'onDidChange'>,
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
				const kept = this.#read()[insertion.id];
				this.insertions.resume(insertion, vscode.Uri.parse(document, true), kept);
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
		const hashes = new Map<vscode.TextDocument, string>();
		const now = this.#waitedFor().flatMap(([{ id }, { document, spots }]): [string, SpotsIn][] => {
			const sha256 = hashes.get(document) ?? hashOf(document.getText());
			hashes.set(document, sha256);
			return spots.length > mostSpots ? [] : [[id, { sha256, spots }]];
		});
		if (now.length > 0) {
			const before = Object.entries(this.#read()).filter(
				([id]) => !now.some(([one]) => one === id),
			);
			const kept = Object.fromEntries([...before, ...now].slice(-mostCommands));
			// What cannot be kept is known as long as this window stands.
			this.state.update(key, kept).then(undefined, () => undefined);
		}
	}

	/** Each command for which an image is being made, and where it goes. */
	#waitedFor(): readonly [Insertion, FollowedSpots][] {
		return this.jobs.running.flatMap(({ request: { insertion } }): [Insertion, FollowedSpots][] => {
			const followed = insertion && this.insertions.spotsOf(insertion);
			return insertion === undefined || followed === undefined ? [] : [[insertion, followed]];
		});
	}

	#read(): z.infer<typeof keptSchema> {
		return keptSchema.catch({}).parse(this.state.get(key));
	}
}
