import * as vscode from 'vscode';
import * as z from 'zod';
import { extensibleObject } from '../files/fileFormat.js';
import type { Anchors } from './anchors.js';
import type { JobList } from './jobList.js';
import { hashOf } from './closedDocumentAnchors.js';

/** How long typing has to pause before the anchors are stored, in milliseconds. */
const pauseMs = 250;
/** How many commands are remembered, and how many anchors of one: cursors can be thousands. */
const maxCommands = 50;
const maxAnchors = 100;

const key = 'spots';

const storedSchema = extensibleObject({
	/** Missing in those of the first versions; a higher one is of a newer Easel. */
	format: z.literal(1).optional(),
	/** Its URI: it may have got another name since the command was given. */
	document: z.string().optional(),
	sha256: z.string(),
	spots: z.array(z.object({ start: z.number(), end: z.number(), behind: z.boolean().optional() })),
});

type Stored = z.infer<typeof storedSchema>;

/**
 * Stores where in documents images belong that are being made, so that their anchors are known after
 * the window was reloaded, and where a document is opened later.
 */
export class PersistedAnchors implements vscode.Disposable {
	readonly #known = new Set<string>();
	readonly #listeners: readonly vscode.Disposable[];
	#pause: NodeJS.Timeout | undefined;

	/** @param state that of the workspace: a window is reloaded with what it has open */
	constructor(
		private readonly jobs: Pick<JobList, 'running' | 'onDidChange'>,
		private readonly anchors: Pick<Anchors, 'resume' | 'find' | 'documentOf' | 'onDidChange'>,
		private readonly state: vscode.Memento,
	) {
		this.#listeners = [
			jobs.onDidChange(() => this.#resume()),
			anchors.onDidChange(() => this.#storeSoon()),
		];
	}

	dispose(): void {
		clearTimeout(this.#pause);
		vscode.Disposable.from(...this.#listeners).dispose();
	}

	/** Resumes the anchors of images that have come since. */
	#resume(): void {
		for (const { request } of this.jobs.running) {
			const { insertion, document } = request;
			if (insertion !== undefined && document !== undefined && !this.#known.has(request.id)) {
				this.#known.add(request.id);
				const stored = storedSchema.safeParse(this.#read()[insertion.id]).data;
				const uri = vscode.Uri.parse(stored?.document ?? document, true);
				const latest = stored && { anchors: stored.spots, sha256: stored.sha256 };
				this.anchors.resume(insertion, uri, latest);
				// They may have moved while the prompt was typed.
				this.#storeSoon();
			}
		}
	}

	#storeSoon(): void {
		clearTimeout(this.#pause);
		this.#pause = setTimeout(() => this.#store(), pauseMs);
	}

	#store(): void {
		const stored = this.#read();
		const hashes = new Map<vscode.TextDocument, string>();
		const now = this.jobs.running.flatMap(({ request: { insertion } }): [string, Stored][] => {
			if (insertion === undefined || isNewerFormat(stored[insertion.id])) {
				return [];
			}
			const { id } = insertion;
			const followed = this.anchors.find(insertion);
			if (followed === undefined) {
				// A document that is closed can only get another name.
				const last = storedSchema.safeParse(stored[id]).data;
				const uri = this.anchors.documentOf({ document: undefined, insertion });
				return last && uri ? [[id, { ...last, document: uri.toString() }]] : [];
			}
			const { document, anchors } = followed;
			const sha256 = hashes.get(document) ?? hashOf(document.getText());
			hashes.set(document, sha256);
			return anchors.length > maxAnchors
				? []
				: [[id, { format: 1, document: document.uri.toString(), sha256, spots: [...anchors] }]];
		});
		if (now.length > 0) {
			// As they are there: a newer Easel may have stored some in a way of its own.
			const before = Object.entries(stored).filter(([id]) => !now.some(([one]) => one === id));
			const all = Object.fromEntries([...before, ...now].slice(-maxCommands));
			// What cannot be stored is known as long as this window is open.
			this.state.update(key, all).then(undefined, () => undefined);
		}
	}

	#read(): Record<string, unknown> {
		return z.record(z.string(), z.unknown()).catch({}).parse(this.state.get(key));
	}
}

function isNewerFormat(stored: unknown): boolean {
	return stored !== undefined && !storedSchema.safeParse(stored).success;
}
