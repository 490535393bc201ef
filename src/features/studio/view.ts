import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Serial } from '../../files/serial.js';
import { privateFolder } from '../../files/writeWhole.js';
import { galleryFile } from '../../jobs/gallery.js';
import { marksFile } from '../../library/annotations.js';
import type { KnownRounds } from '../../library/knownRounds.js';
import { sharedFile } from '../../library/sharedAnnotations.js';
import { log } from '../../log.js';
import type { StudioEvent } from '../../protocol/studio.js';
import { everything, maxWaitingRows, type Query } from '../../protocol/studioModel.js';
import { waitingForUser } from '../../asking/waiting.js';
import { folderHere } from './actions.js';
import { cardsOf } from './cards.js';
import { possibleModelTasks, ShownReferences } from './composing.js';
import type { StudioContext } from './deps.js';
import { Coalescer, updateDetached } from './updates.js';
import { Describer } from './describer.js';
import { findOutdated } from './olderStyle.js';
import { filesFound, roundsFound } from './search.js';
import { setupOf } from './setup.js';

/** Sends a studio's page its state: at its beginning everything, later what has changed. */
export class StudioView implements vscode.Disposable {
	readonly describer: Describer;
	readonly #references: ShownReferences;
	readonly #subscriptions: vscode.Disposable;
	#query = everything;
	/** Rounds that were last sent to the page. */
	#shown = '';
	/** Tasks of language models that were last sent to the page. */
	#modelTasks = '';
	readonly #turns = new Serial();
	/** The rounds as they were read last. */
	#known: KnownRounds | undefined;
	/** The jobs that there were when they were last sent to the page, with the numbers of their rounds. */
	#jobs: readonly string[] = [];
	#ticking: NodeJS.Timeout | undefined;

	constructor(private readonly context: StudioContext) {
		const { beside, deps, files, references } = context;
		this.describer = new Describer(context);
		this.#references = new ShownReferences(context);
		/** Many things happen at once when an image arrives. */
		const jobs = new Coalescer(50, () => {
			this.#updateJobs();
		});
		/** Files come and go by the hundred, and several lines are written one after the other. */
		const written = new Coalescer(100, () => {
			updateDetached(this.#showWritten());
		});
		const showSetup = () => {
			updateDetached(this.showSetup());
		};
		/** Sends the setup again where another of several folders counts now. */
		const showSetupOfFolder = () => {
			if ((vscode.workspace.workspaceFolders ?? []).length > 1) {
				showSetup();
			}
		};
		const describe = () => {
			updateDetached(this.describer.update());
		};
		// What a colleague has decided comes with the next pull.
		const shared = vscode.workspace.createFileSystemWatcher(`**/${sharedFile}`);
		this.#subscriptions = vscode.Disposable.from(
			this.describer,
			files.onDidChange(() => {
				updateDetached(this.showRounds());
			}),
			files.onDidChangeFile((id) => {
				this.describer.updateFile(id);
			}),
			jobs,
			written,
			deps.jobs.onDidChange(jobs.schedule),
			references.onDidChange((filled) => {
				const isHere = filled?.place === context.place;
				updateDetached(this.#references.show(isHere ? filled?.draft : undefined));
				showSetupOfFolder();
			}),
			vscode.workspace.onDidChangeConfiguration((event) => {
				if (event.affectsConfiguration('easel')) {
					showSetup();
					this.#showModelTasks();
				}
			}),
			vscode.window.onDidChangeVisibleTextEditors(() => {
				this.#showModelTasks();
			}),
			vscode.window.onDidChangeActiveTextEditor(() => {
				this.#showModelTasks();
			}),
			deps.questions.onDidChange(() => showWaiting(context)),
			deps.newDrafts.onDidChange(() => showWaiting(context)),
			deps.keys.onDidChange(showSetup),
			deps.styles.onDidChange(() => {
				showSetup();
				// What is older than the style of now is shown and found as such.
				updateDetached(this.#showWritten());
			}),
			beside.onDidChange(() => {
				updateDetached(this.showRounds());
				showSetupOfFolder();
			}),
			deps.history.follow(),
			deps.history.onDidChange(written.schedule),
			watchStorage(deps.storage, [galleryFile, marksFile], written.schedule),
			shared,
			shared.onDidChange(written.schedule),
			shared.onDidCreate(written.schedule),
			shared.onDidDelete(written.schedule),
			vscode.workspace.onDidCreateFiles(describe),
			vscode.workspace.onDidDeleteFiles(describe),
			vscode.workspace.onDidRenameFiles(describe),
		);
	}

	dispose(): void {
		clearInterval(this.#ticking);
		this.#subscriptions.dispose();
	}

	async showAll(): Promise<void> {
		this.#shown = '';
		this.#modelTasks = '';
		await this.showSetup();
		this.#showModelTasks();
		showWaiting(this.context);
		await Promise.all([this.#references.show(), this.#showRoundsAndJobs()]);
	}

	async showSetup(): Promise<void> {
		const { folder } = this.context.beside;
		const [first] = await this.context.references.list();
		const { setup, mistakes } = await setupOf(
			this.context.deps,
			folder,
			folderHere(first?.uri)?.uri,
			this.context.references.sent.prompt,
		);
		for (const text of mistakes) {
			this.context.send({ type: 'notice', severity: 'warning', text });
		}
		this.context.send({ type: 'setup', ...setup });
	}

	#showModelTasks(): void {
		const tasks = possibleModelTasks();
		if (tasks.join() !== this.#modelTasks) {
			this.#modelTasks = tasks.join();
			this.context.send({ type: 'modelTasks', tasks });
		}
	}

	/** Shows the results of a query from now on. */
	async search(query: Query): Promise<void> {
		const { files, begin } = this.context;
		if (query.among === 'files') {
			const resumed = files.resume();
			begin(resumed);
			await resumed.catch(() => undefined);
		} else {
			await files.leave();
		}
		await this.showRounds(query);
	}

	/** Sends the rounds that a query finds. @param query applies from now on; by default the last one */
	async showRounds(query: Query = this.#query): Promise<void> {
		this.#query = query;
		// One after the other: otherwise an older state could be shown last.
		await this.#turns.run(() => this.#showRounds(query));
	}

	async #showRounds(query: Query): Promise<void> {
		const known = await this.context.rounds.read();
		this.#known = known;
		const isOlder = query.among === 'older';
		const outdated = isOlder ? await findOutdated(known, this.context.deps) : [];
		if (query !== this.#query) {
			return;
		}
		const { favorites, ages } = known;
		const event: StudioEvent = {
			...{ type: 'rounds', query, favorites, hasStyle: ages.all.length > 0 },
			...(query.among === 'files'
				? this.#filesFound(known, query)
				: this.#roundsFound(known, query, new Set(outdated.map(({ image }) => image.id)))),
		};
		const shown = JSON.stringify(event);
		if (shown !== this.#shown) {
			this.#shown = shown;
			this.context.send(event);
		}
	}

	#roundsFound(known: KnownRounds, query: Query, outdated: ReadonlySet<string>) {
		const { folder, name } = this.context.beside;
		return {
			rounds: roundsFound(known, query, folder, outdated),
			total: known.total,
			...(name === undefined ? {} : { folder: name }),
		};
	}

	#filesFound(known: KnownRounds, query: Query) {
		const { shown } = this.context.files;
		return {
			rounds: shown === undefined ? [] : filesFound(known, query, shown),
			total: shown?.total ?? 0,
			...(shown === undefined ? {} : { folder: shown.name }),
			...(shown?.leftOut === undefined ? {} : { leftOut: shown.leftOut }),
		};
	}

	/** Shows rounds and images again that the user has decided about. */
	async showAnnotated(marked: {
		readonly rounds: string[];
		readonly images: string[];
	}): Promise<void> {
		await this.describer.update(marked);
		await this.showRounds();
	}

	/** Shows what this window, or another one, has saved or decided. */
	async #showWritten(): Promise<void> {
		await this.showRounds();
		await this.describer.update();
	}

	#updateJobs(): void {
		const before = this.#jobs;
		this.#jobs = this.context.deps.jobs.requests.map(
			({ id, round }) => `${id} ${String(round?.number)}`,
		);
		const hasEnded = before.some((id) => !this.#jobs.includes(id));
		if (hasEnded) {
			updateDetached(this.showSetup());
		}
		if (hasEnded || this.#jobs.length !== before.length) {
			updateDetached(this.#showRoundsAndJobs());
		} else {
			this.#showJobs();
		}
	}

	/** Sends both in this order: a place whose job has ended has an image when its job is gone. */
	async #showRoundsAndJobs(): Promise<void> {
		try {
			await this.showRounds();
		} finally {
			this.#showJobs();
		}
	}

	#showJobs(): void {
		const { jobs } = this.context.deps;
		const labelOf = (id: string) => this.#known?.slot(id)?.label ?? '';
		this.context.send({ type: 'jobs', jobs: cardsOf(jobs, labelOf) });
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

function showWaiting({ deps, send }: StudioContext): void {
	const waiting = waitingForUser(deps).slice(0, maxWaitingRows);
	send({ type: 'waiting', waiting: waiting.map(({ id, icon, label }) => ({ id, icon, label })) });
}

/**
 * Calls when a file of our storage was written, by this window or another one. Where the system
 * cannot watch, it never calls.
 *
 * @param folder absolute; it is made where it is missing
 * @param names of the files in it
 */
function watchStorage(
	folder: string,
	names: readonly string[],
	onWritten: () => void,
): vscode.Disposable {
	const ending = new AbortController();
	const { signal } = ending;
	const onTrouble = (error: unknown) => {
		log.error('What other windows save is not seen', error);
	};
	mkdir(folder, { recursive: true, mode: privateFolder })
		.then(() => {
			watch(folder, { persistent: false, signal }, (_event, name) => {
				// Some systems do not say which file it was.
				if (name === null || names.includes(name)) {
					onWritten();
				}
			}).on('error', onTrouble);
		})
		.catch(onTrouble);
	return {
		dispose: () => {
			ending.abort();
		},
	};
}
