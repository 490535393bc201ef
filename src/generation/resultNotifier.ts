import * as vscode from 'vscode';
import { runDetached, notify } from '../editor/messages.js';
import { ping } from '../editor/windowHealth.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import { persistState } from '../jobs/persistState.js';
import { isFinished, isOver, type JobState, type RecipePlace } from '../jobs/state.js';
import { type BatchEnds, countsText, mayCost } from './outcome.js';
import { reportBatch, type NextAction, openSettings } from './report.js';
import type { GeneratorServices } from './generatorServices.js';
import type { Preferences } from '../editor/preferences.js';
import { budgetLeft, labels, messages, phrases } from '../messages.js';
import { moneyOfJobs } from '../editor/money.js';
import { callerWords } from './requestOrigin.js';
import { safeText } from '../editor/untrustedText.js';
import { log } from '../log.js';
import { readSetting } from '../editor/settings.js';
import { showSystemNotification } from '../editor/systemNotification.js';

/**
 * Time after which a notification counts as seen. A window that is reloaded earlier reports the end
 * once more; so does one that does not respond, whose page may be gone.
 */
const seenAfterMs = 1500;

/** Notifies of the ends of images, each once, and notes in the journal that it did. */
export class ResultNotifier implements vscode.Disposable {
	readonly #pending = new Map<string, NodeJS.Timeout>();

	constructor(
		private readonly services: Pick<
			GeneratorServices,
			'budget' | 'finished' | 'jobs' | 'preferences'
		>,
	) {}

	dispose(): void {
		for (const timer of this.#pending.values()) {
			clearTimeout(timer);
		}
		this.#pending.clear();
	}

	/**
	 * Notifies of the end of a batch, unless a page shows it; returns what was chosen about its
	 * failures.
	 */
	async notify(ends: BatchEnds): Promise<NextAction | undefined> {
		const { jobs, preferences } = this.services;
		const { arrived, cancelled, failures } = ends;
		// An image that is seen arriving needs no message, except for what is left to do in the document.
		const isNews =
			!jobs.isShown ||
			mayCost(cancelled) ||
			// How much of the picture was restored, or why it was not, is seen nowhere else.
			arrived.some(({ entry }) => entry.request.marks !== undefined) ||
			arrived.some(({ entry }) => entry.request.insertion !== undefined);
		runDetached(notifyOutside(ends));
		const recipes = arrived.flatMap(({ state }) => state.recipe ?? []);
		// Over the studio it would hide where the next prompt is typed.
		runDetached(jobs.whenHidden().then(() => notifyOfRecipes(recipes, preferences)));
		for (const { entry, state } of [...arrived, ...failures]) {
			this.#markNotifiedLater(entry, state);
		}
		const unasked = await this.#unaskedWords(ends);
		return isNews || unasked !== undefined ? reportBatch(ends, unasked) : undefined;
	}

	/** Returns words on what an agent has spent without a question; they are shown wherever its images are. */
	async #unaskedWords({ asked, arrived }: BatchEnds): Promise<string | undefined> {
		const { budget } = this.services;
		const [first] = arrived;
		const { origin } = first?.entry.request ?? {};
		if (first === undefined || origin === undefined) {
			return undefined;
		}
		try {
			if (!(await budget.isReserved(first.entry.request.round.id))) {
				return undefined;
			}
		} catch (error) {
			log.error('Whether the budget was used cannot be known', error);
			return undefined;
		}
		const state = await budget.stateOrProblem();
		return phrases.agentMade({
			...{ caller: callerWords(origin), made: arrived.length, asked },
			money: moneyOfJobs(arrived.map(({ entry, state }) => ({ ...entry, state }))),
			paths: arrived.map(({ saved }) => safeText(vscode.workspace.asRelativePath(saved.uri), 80)),
			left: state.problem === undefined ? budgetLeft(state) : [],
		});
	}

	forget(id: string): void {
		this.services.jobs.forget(id);
		clearTimeout(this.#pending.get(id));
		this.#pending.delete(id);
	}

	/** Writes a state as one that the user knows of; removes the job where nothing of it is needed any more. */
	async recordSettled(folder: string, state: JobState): Promise<void> {
		const notified = { ...state, notified: true };
		const { finished } = this.services;
		if ((await persistState(folder, notified)) && isOver(notified)) {
			runDetached(isFinished(notified) ? finished.remove(folder) : finished.note(folder));
		}
	}

	#markNotifiedLater({ folder, request: { id } }: JobEntry, state: JobState): void {
		clearTimeout(this.#pending.get(id));
		const timer = setTimeout(() => {
			runDetached(
				ping().then(async () => {
					// Meanwhile it may have been reported anew, or put aside.
					if (this.#pending.get(id) === timer) {
						this.#pending.delete(id);
						await this.recordSettled(folder, state);
					}
				}),
			);
		}, seenAfterMs);
		this.#pending.set(id, timer);
	}
}

/** Notifies once on this machine that prompts are in the files, and once of a signed image. */
export async function notifyOfRecipes(
	recipes: readonly RecipePlace[],
	preferences: Preferences,
): Promise<void> {
	const signed = recipes.some(({ isSigned }) => isSigned);
	const [first] = recipes;
	const notes = [
		...(signed && (await preferences.isFirst('signedImages')) ? [messages.signed] : []),
		...(first !== undefined && (await preferences.isFirst('recipes'))
			? [first.where === 'inImage' ? messages.promptInImage : messages.promptBeside]
			: []),
	];
	if (notes.length > 0) {
		await notify('info', notes.join(' '), [
			{ label: labels.ok, run: () => undefined },
			{ label: labels.change, run: () => openSettings('easel.output.provenance') },
		]);
	}
}

/**
 * Returns facts of the window: a system notification is shown on the desktop where this code runs.
 */
function readWindow() {
	const { remoteName, uiKind } = vscode.env;
	const isInFront = vscode.window.state.focused;
	return { isInFront, isOfThisDesktop: uiKind === vscode.UIKind.Desktop && !remoteName };
}

let hasSystemFailed = false;

/**
 * Notifies by the system, in numbers alone because others may see the screen, where the window is
 * not in front and the user wants that. That a system cannot do it is logged once.
 *
 * @throws {SettingError}
 */
export async function notifyOutside(
	ends: BatchEnds,
	window = readWindow(),
	show: (text: string) => Promise<void> = showSystemNotification,
): Promise<void> {
	const isWanted =
		readSetting('output.afterSaving') === 'notifySystem' &&
		!window.isInFront &&
		window.isOfThisDesktop;
	if (!isWanted || ends.arrived.length + ends.failures.length === 0) {
		return;
	}
	try {
		await show(countsText(ends));
	} catch (error) {
		if (!hasSystemFailed) {
			hasSystemFailed = true;
			log.error('The system could not show a notification', error);
		}
	}
}
