import { runCommand } from '../editor/commands.js';
import { readServiceAddress } from '../editor/service.js';
import { removeAll } from '../jobs/deliver.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import type { ImageRequest } from '../jobs/request.js';
import { isJournaled, type Journaled } from './batchJournal.js';
import { confirmMany } from './confirmations.js';
import { defaultService, services } from '../service/services.js';
import type { GeneratorServices } from './generatorServices.js';
import { runAnswerAction, runLinkAction } from './storedAnswer.js';
import { maySendAgain, openSettings, type NextAction } from './report.js';
import type { ResultNotifier } from './resultNotifier.js';
import { RetryGuard, stateOf } from './retryGuard.js';

/** Action of the user on failures; `dismiss` puts them aside. */
export type FailureAction = NextAction | 'dismiss';

/** A batch that is under way. */
interface Begun {
	/** In the order of the requests. */
	readonly journaled: readonly Journaled[];
	/** Resolves when its end was reported. */
	readonly reported: Promise<void>;
}

/** Does what the user chooses about requests that have failed. */
export class FailureActions {
	readonly #guard: RetryGuard;

	constructor(
		private readonly services: GeneratorServices,
		private readonly notifier: Pick<ResultNotifier, 'forget' | 'recordSettled'>,
		private readonly make: (requests: readonly ImageRequest[]) => Promise<Begun>,
	) {
		this.#guard = new RetryGuard(services.leases, notifier);
	}

	/**
	 * Does what the user has chosen about requests that have failed. Those that were dealt with
	 * meanwhile are left out.
	 *
	 * @throws {EaselError} where a kept answer is gone or cannot be saved
	 */
	async act(action: FailureAction, entries: readonly JobEntry[]): Promise<void> {
		const [first] = entries;
		switch (action) {
			case 'again':
			case 'sendAgain':
			case 'sendSmaller':
				return this.#retry(action, entries);
			case 'setKey':
			case 'useAnotherKey':
				return (await runCommand('easel.setApiKey')) ? this.#retry('again', entries) : undefined;
			case 'setUp':
				return (await runCommand('easel.setUp', true)) ? this.#retry('again', entries) : undefined;
			case 'openSettings': {
				const failure = await this.#failureOf(first);
				const setting =
					failure?.kind === 'timeout'
						? 'easel.service.timeoutSeconds'
						: failure?.meaning === 'model'
							? 'easel.service.model'
							: failure?.field;
				return openSettings(setting);
			}
			case 'verify': {
				const page = services[first?.request.service ?? defaultService].accountPage;
				return page === undefined ? undefined : runLinkAction('openLink', page);
			}
			case 'showLog':
				await runCommand('easel.showLog');
				return;
			case 'change': {
				const open = await this.#guard.take(entries, (open) => Promise.resolve(open));
				return this.services.changeRequests(open?.map(({ entry }) => entry.request) ?? []);
			}
			case 'dismiss':
				await Promise.all(entries.map((entry) => this.#dismiss(entry)));
				return;
			case 'saveAnswer':
			case 'showAnswer':
			case 'discardAnswer':
				return first && this.#actOnAnswer(action, first);
			case 'openLink':
			case 'copyLink': {
				const link = (await this.#failureOf(first))?.link;
				return link === undefined ? undefined : runLinkAction(action, link);
			}
		}
	}

	/** Makes other images of failed jobs, which are forgotten; `sendAgain` without a question. */
	async #retry(
		action: 'again' | 'sendAgain' | 'sendSmaller',
		entries: readonly JobEntry[],
	): Promise<void> {
		const begun = await this.#guard.take(entries, async (open) => {
			const old = open.map(({ entry }) => entry.request);
			if (action !== 'sendAgain' && !(await maySendAgain(open))) {
				return undefined;
			}
			const requests =
				action === 'sendSmaller' ? await this.services.smallerReferences.withSmaller(old) : old;
			if (requests === undefined || !(await confirmMany(requests, this.services.preferences))) {
				return undefined;
			}
			// They take the places of the old ones at once, so that nothing moves where these are shown.
			const { journaled, reported } = await this.make(requests);
			// What could not even be journaled stays, so that it can be retried later.
			const replaced = open.filter((_failed, at) => isJournaled(journaled[at]!));
			await Promise.all(replaced.map(({ entry }) => this.#dismiss(entry)));
			return { reported };
		});
		await begun?.reported;
	}

	/** Puts a failure aside. A kept answer stays listed until it is saved or discarded. */
	async #dismiss({ folder, request }: JobEntry): Promise<void> {
		this.#guard.close(request.id);
		this.notifier.forget(request.id);
		const state = await stateOf(folder);
		if (state?.state === 'failed' && state.failure.answerFile !== undefined) {
			const failure = { ...state.failure, isDealtWith: true };
			const kept = { ...state, failure, notified: true };
			await this.notifier.recordSettled(folder, kept);
			this.services.jobs.addFailed({ folder, request, state: kept }, kept);
		} else if (state !== undefined) {
			await this.notifier.recordSettled(folder, { ...state, dismissed: true });
		}
	}

	/** Saves, shows or discards the kept answer of a failure, which stays listed by itself. */
	async #actOnAnswer(
		action: 'saveAnswer' | 'showAnswer' | 'discardAnswer',
		{ folder, request }: JobEntry,
	): Promise<void> {
		const state = await stateOf(folder);
		const file = state?.state === 'failed' ? state.failure.answerFile : undefined;
		if (state?.state !== 'failed' || file === undefined) {
			return;
		}
		const address = readServiceAddress();
		const key = address === undefined ? undefined : await this.services.keys.get(address);
		const used = key !== undefined && 'key' in key ? key.key : undefined;
		if (!(await runAnswerAction(action, file, used))) {
			return;
		}
		const { isDealtWith, ...failure } = state.failure;
		delete failure.answerFile;
		await removeAll([file]);
		const rest = { ...state, failure, notified: true, ...(isDealtWith && { dismissed: true }) };
		await this.notifier.recordSettled(folder, rest);
		if (isDealtWith) {
			this.notifier.forget(request.id);
		} else {
			this.services.jobs.addFailed({ folder, request, state: rest }, rest);
		}
	}

	async #failureOf(entry: JobEntry | undefined) {
		const state = entry && (await stateOf(entry.folder));
		return state?.state === 'failed' ? state.failure : undefined;
	}
}
