import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { galleryFile } from '../../jobs/gallery.js';
import { marksFile } from '../../generation/annotations.js';
import { sharedFile } from '../../generation/sharedAnnotations.js';
import { everything, type Query, type StudioEvent } from '../../protocol/studio.js';
import { FolderBeside } from './besideStudio.js';
import { folderHere } from './actions.js';
import { cardsOf } from './cards.js';
import type { SentDraft } from './composing.js';
import { Describer, type Asked } from './describer.js';
import { RoundReader, type KnownRounds } from '../../generation/knownRounds.js';
import type { StudioDeps } from './deps.js';
import { findOutdated } from './olderStyle.js';
import type { DraftReferences } from './references.js';
import { roundsFound } from './search.js';
import { setupOf } from './setup.js';
import { ShownReferences } from './shownReferences.js';
import type { Sources } from './sources.js';
import { watchStorage } from './watchStorage.js';
import { log } from '../../log.js';

interface Options {
	/** Tells the page something. */
	readonly send: (event: StudioEvent) => void;
	readonly deps: StudioDeps;
	readonly references: DraftReferences;
	readonly sources: Sources;
}

/** What a studio's page is told: at its beginning everything, later what has changed. */
export class StudioView implements vscode.Disposable {
	readonly rounds: RoundReader;
	readonly describer: Describer;
	/** Where a person is at in the workspace. */
	readonly beside = new FolderBeside();
	readonly #references: ShownReferences;
	readonly #subscriptions: vscode.Disposable;
	#query = everything;
	/** What the page was told last of the rounds. */
	#shown = '';
	readonly #turns = new PQueue({ concurrency: 1 });
	/** The rounds as they were read last. */
	#known: KnownRounds | undefined;
	/** The jobs that there were when the page was told last, with the numbers of their rounds. */
	#jobs: readonly string[] = [];
	#ticking: NodeJS.Timeout | undefined;
	#updating: NodeJS.Timeout | undefined;
	#showing: NodeJS.Timeout | undefined;

	constructor(private readonly options: Options) {
		const { deps, references, sources, send } = options;
		this.rounds = new RoundReader(deps);
		const runDetached = (task: PromiseLike<unknown>) => {
			this.#runDetached(task);
		};
		const shown = { rounds: this.rounds, sources, send, runDetached };
		this.describer = new Describer(shown);
		this.#references = new ShownReferences({ ...shown, references });
		const showSetup = () => {
			runDetached(this.showSetup());
		};
		/** Where there are several, what is composed belongs to another one now. */
		const showSetupOfFolder = () => {
			if ((vscode.workspace.workspaceFolders ?? []).length > 1) {
				showSetup();
			}
		};
		this.#subscriptions = vscode.Disposable.from(
			this.describer,
			this.beside,
			deps.jobs.onDidChange(() => {
				this.#updateSoon();
			}),
			references.onDidChange(() => {
				runDetached(this.#references.show());
				showSetupOfFolder();
			}),
			vscode.workspace.onDidChangeConfiguration((event) => {
				if (event.affectsConfiguration('easel')) {
					showSetup();
				}
			}),
			deps.keys.onDidChange(showSetup),
			deps.styles.onDidChange(() => {
				showSetup();
				// What is older than the style of now is shown and found as such.
				runDetached(this.#showWritten());
			}),
			this.beside.onDidChange(() => {
				runDetached(this.showRounds());
				showSetupOfFolder();
			}),
			deps.history.follow(),
			deps.history.onDidChange(() => {
				this.#showWrittenSoon();
			}),
			watchStorage(
				deps.storage,
				[galleryFile, marksFile],
				() => {
					this.#showWrittenSoon();
				},
				(error) => {
					log.error('What other windows save is not seen', error);
				},
			),
			...this.#watchShared(),
			...[
				vscode.workspace.onDidCreateFiles,
				vscode.workspace.onDidDeleteFiles,
				vscode.workspace.onDidRenameFiles,
			].map((onDidChange) =>
				onDidChange(() => {
					runDetached(this.describer.describeAgain());
				}),
			),
		);
	}

	dispose(): void {
		clearInterval(this.#ticking);
		clearTimeout(this.#updating);
		clearTimeout(this.#showing);
		this.#subscriptions.dispose();
	}

	/** What a colleague has decided comes with the next pull. */
	#watchShared(): vscode.Disposable[] {
		const watcher = vscode.workspace.createFileSystemWatcher(`**/${sharedFile}`);
		const events = [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete];
		const show = () => {
			this.#showWrittenSoon();
		};
		return [watcher, ...events.map((event) => event(show))];
	}

	async showAll(): Promise<void> {
		this.#shown = '';
		await this.showSetup();
		await Promise.all([this.#references.show(), this.#showRoundsAndJobs()]);
	}

	async showSetup(): Promise<void> {
		const { folder } = this.beside;
		const [first] = await this.options.references.list();
		const { setup, mistakes } = await setupOf(
			this.options.deps,
			folder,
			folderHere(first?.uri)?.uri,
			this.options.references.sent.prompt,
		);
		for (const text of mistakes) {
			this.options.send({ type: 'notice', severity: 'warning', text });
		}
		this.options.send({ type: 'setup', ...setup });
	}

	/** @param query what is looked for from now on */
	async showRounds(query: Query = this.#query): Promise<void> {
		this.#query = query;
		// One after the other: otherwise an older state could be shown last.
		await this.#turns.add(() => this.#showRounds(query));
	}

	async #showRounds(query: Query): Promise<void> {
		const known = await this.rounds.read();
		this.#known = known;
		const isOlder = query.among === 'older';
		const outdated = isOlder ? await findOutdated(known, this.options.deps) : [];
		if (query !== this.#query) {
			return;
		}
		const { folder, name } = this.beside;
		const { total, favorites: kept, ages } = known;
		const event: StudioEvent = {
			type: 'rounds',
			query,
			rounds: roundsFound(known, query, folder, new Set(outdated.map(({ image }) => image.id))),
			total,
			kept,
			hasStyle: ages.all.length > 0,
			...(name === undefined ? {} : { folder: name }),
		};
		const shown = JSON.stringify(event);
		if (shown !== this.#shown) {
			this.#shown = shown;
			this.options.send(event);
		}
	}

	/** A person has decided about these. */
	async showMarked(asked: Asked): Promise<void> {
		await this.describer.send(asked);
		await this.showRounds();
	}

	/** Shows what the composer begins with. */
	async compose(fill: (references: DraftReferences) => Promise<SentDraft>): Promise<void> {
		await this.#references.showWith(() => fill(this.options.references));
	}

	/** This window, or another one, has saved an image or decided about one. */
	async #showWritten(): Promise<void> {
		await this.showRounds();
		await this.describer.describeAgain();
	}

	/** Files come and go by the hundred; the page is told once. */
	#showWrittenSoon(): void {
		this.#showing ??= setTimeout(() => {
			this.#showing = undefined;
			this.#runDetached(this.#showWritten());
		}, soonMs);
	}

	/** What is shown again in a moment is not worth a message. */
	#runDetached(task: PromiseLike<unknown>): void {
		task.then(undefined, (error: unknown) => {
			log.error('Image Studio could not be brought up to date', error);
		});
	}

	/** Many things happen at once when an image arrives; the page is told once. */
	#updateSoon(): void {
		this.#updating ??= setTimeout(() => {
			this.#updating = undefined;
			const jobs = this.options.deps.jobs.requests.map(
				({ id, round }) => `${id} ${String(round?.number)}`,
			);
			const hasEnded = this.#jobs.some((id) => !jobs.includes(id));
			const isOther = hasEnded || jobs.length !== this.#jobs.length;
			this.#jobs = jobs;
			if (isOther) {
				this.#runDetached(this.#showRoundsAndJobs());
			} else {
				this.#showJobs();
			}
			if (hasEnded) {
				this.#runDetached(this.showSetup());
			}
		}, soonMs);
	}

	/** In this order: a place whose job has ended has an image when its job is gone. */
	async #showRoundsAndJobs(): Promise<void> {
		try {
			await this.showRounds();
		} finally {
			this.#showJobs();
		}
	}

	#showJobs(): void {
		const { jobs } = this.options.deps;
		const labelOf = (id: string) => this.#known?.slot(id)?.label ?? '';
		this.options.send({ type: 'jobs', jobs: cardsOf(jobs, labelOf) });
		const isRunning = jobs.running.length > 0;
		if (isRunning) {
			this.#ticking ??= setInterval(() => {
				this.#showJobs();
			}, 1000);
		} else {
			clearInterval(this.#ticking);
			this.#ticking = undefined;
		}
	}
}

/** In milliseconds; nobody sees it. */
const soonMs = 50;
