import * as vscode from 'vscode';
import { OutsideWorkspaceError, SaveError } from '../editor/files.js';
import { foreignText } from '../editor/foreignText.js';
import type { Log } from '../editor/log.js';
import { inBackground, mention, notify, tellFailure } from '../editor/messages.js';
import { factsOf } from '../jobs/failure.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import { noteState } from '../jobs/noteState.js';
import type { JobState, StateNamed } from '../jobs/state.js';
import { CancelledError, RequestError, type Charge } from '../service/errors.js';
import { aboutWhich, byCause, type FailedJob } from './failures.js';
import type { Insertions } from './insertions.js';
import type { JobList } from './jobList.js';
import { linkImage, type FollowUp } from './linkImage.js';
import { orderOf, type Order } from './order.js';
import { reportFailure, reportInterrupted, reportSaved } from './report.js';
import { runRequestCommand } from './requestCommands.js';

/**
 * How long a notification stands before it counts as seen. A window that is reloaded within this
 * time tells of the end once more, because nobody can know whether it was on the screen.
 */
const seenAfterMs = 1500;

/** Tells the ends of images, each once, and notes in the journal that it was told. */
export class Announcer implements vscode.Disposable {
	readonly #telling = new Map<string, NodeJS.Timeout>();

	constructor(
		private readonly needs: {
			readonly log: Log;
			readonly jobs: JobList;
			readonly insertions: Insertions;
		},
		/** Asks for other images of the requests of these jobs. */
		private readonly again: (...entries: readonly JobEntry[]) => Promise<void>,
	) {}

	dispose(): void {
		for (const timer of this.#telling.values()) {
			clearTimeout(timer);
		}
	}

	/** The image is saved, whatever happens from here on; only its link may fail. */
	async saved(entry: JobEntry, state: StateNamed<'saved'>): Promise<void> {
		const { jobs, insertions, log } = this.needs;
		const order = orderOf(entry.request);
		const saved = {
			uri: vscode.Uri.parse(state.target, true),
			prompt: order.choices.prompt,
			image: state.result,
		};
		let followUp: FollowUp;
		try {
			followUp = await linkImage(saved, order, insertions);
		} catch (error) {
			log.error('A saved image could not be used', error);
			const words = error instanceof Error ? error.message : String(error);
			followUp = { note: foreignText(words), buttons: [] };
		}
		// Who sees it arrive need not be told, except of what is left to do.
		if (!jobs.watched || order.context.insertion !== undefined) {
			inBackground(reportSaved(saved, followUp.buttons, followUp.note));
		}
		this.#noteToldLater(entry, state);
	}

	/** Lists a failure where failures are seen; it is told with the others of its round. */
	failed({ entry, state }: FailedJob): void {
		this.needs.jobs.fail(entry, state);
		this.#noteToldLater(entry, state);
	}

	/**
	 * Tells of failures, those of one cause once; not where they are seen, and stay.
	 *
	 * @param asked how many images were asked for together
	 */
	tellFailures(failures: readonly FailedJob[], asked = failures.length): void {
		if (this.needs.jobs.watched) {
			return;
		}
		for (const group of byCause(failures)) {
			const [first] = group;
			if (first === undefined) {
				continue;
			}
			const { entry, state } = first;
			const again = () => inBackground(this.again(...group.map((one) => one.entry)));
			inBackground(
				state.state === 'interrupted'
					? reportInterrupted(entry.request.prompt, state, again)
					: reportFailure(
							state.failure,
							{ again, change: () => change(orderOf(entry.request)) },
							aboutWhich(group, asked),
						),
			);
		}
	}

	/** Tells why there is not even a request, with what to do about it. */
	notAsked(order: Order, error: unknown, again: () => Promise<unknown>): void {
		if (error instanceof RequestError) {
			inBackground(
				reportFailure(factsOf(error, { elapsedMs: 0 }, false), {
					again: () => inBackground(again()),
					change: () => change(order),
				}),
			);
		} else {
			tellFailure(
				error instanceof OutsideWorkspaceError
					? new SaveError(order.target.folder, `${error.message} Nothing was sent.`, error)
					: error,
			);
		}
	}

	/** Nobody need be told any more. */
	forget(id: string): void {
		this.needs.jobs.forget(id);
		clearTimeout(this.#telling.get(id));
		this.#telling.delete(id);
	}

	cancelled(charge: Charge): void {
		const { message } = new CancelledError(charge);
		this.needs.log.info(message);
		if (charge === 'notSent' || charge === 'rejected') {
			mention(`Easel: ${message}`);
		} else {
			inBackground(notify('info', message));
		}
	}

	/** Notes what has become of a job, and that it was told. */
	async noteTold(folder: string, state: JobState): Promise<void> {
		await noteState(folder, { ...state, told: true }, (what, error) =>
			this.needs.log.error(what, error),
		);
	}

	#noteToldLater({ folder, request: { id } }: JobEntry, state: JobState): void {
		clearTimeout(this.#telling.get(id));
		const timer = setTimeout(() => {
			this.#telling.delete(id);
			inBackground(this.noteTold(folder, state));
		}, seenAfterMs);
		this.#telling.set(id, timer);
	}
}

/** Lets the user change a request that has failed. */
function change(order: Order): void {
	inBackground(runRequestCommand('change', order.operation, order));
}
