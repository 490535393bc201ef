import * as vscode from 'vscode';
import { choose, notify, runDetached } from '../editor/messages.js';
import { phrases } from '../messages.js';

interface Question<T> {
	/** Subject, in a line. */
	readonly title: string;
	readonly text: string;
	/** Words for an answer that comes after the signal: the notification may still be there. */
	readonly late: string;
	readonly answers: readonly { readonly label: string; readonly value: T }[];
}

/** A question that waits for the user, wherever its notification is by now. */
export interface OpenQuestion {
	readonly id: string;
	readonly title: string;
	/** Asks it in a dialog; one that is cancelled goes on waiting. */
	readonly show: () => Promise<void>;
}

/** The questions of this window that wait for the user. A notification only reminds of them. */
export class OpenQuestions implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChange = this.#changed.event;
	readonly #open = new Set<OpenQuestion>();

	dispose(): void {
		this.#changed.dispose();
	}

	get all(): readonly OpenQuestion[] {
		return [...this.#open];
	}

	/**
	 * Asks in a notification. A user who dismisses it has not answered: the question waits in the list.
	 *
	 * @param signal ends the question
	 * @returns the answer; `undefined` where the signal came first
	 */
	async ask<T extends string>(
		{ title, text, late, answers }: Question<T>,
		signal: AbortSignal,
	): Promise<T | undefined> {
		if (signal.aborted) {
			return undefined;
		}
		const answered = Promise.withResolvers<T | undefined>();
		const end = () => {
			answered.resolve(undefined);
		};
		const question: OpenQuestion = {
			id: crypto.randomUUID(),
			title,
			show: async () => {
				const label = await choose(title, [text], ...answers.map((one) => one.label));
				const answer = answers.find((one) => one.label === label);
				if (answer !== undefined) {
					answered.resolve(answer.value);
				}
			},
		};
		this.#open.add(question);
		this.#changed.fire();
		signal.addEventListener('abort', end, { once: true });
		const buttons = answers.map(({ label, value }) => ({
			label,
			run: () => {
				if (this.#open.has(question)) {
					answered.resolve(value);
				} else {
					runDetached(notify('info', signal.aborted ? late : phrases.answeredAlready));
				}
			},
		}));
		runDetached(notify('info', text, buttons));
		try {
			return await answered.promise;
		} finally {
			signal.removeEventListener('abort', end);
			this.#open.delete(question);
			this.#changed.fire();
		}
	}
}
