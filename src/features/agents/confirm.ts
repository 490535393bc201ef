import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { notify, runDetached, withStatus } from '../../editor/messages.js';
import { safeText } from '../../editor/untrustedText.js';
import { draftOf, parseUri, targetFile } from '../../generation/draft.js';
import { moneyOfRequests } from '../../generation/budget.js';
import { labels } from '../../generation/messages.js';
import { callerWords } from '../../generation/requestOrigin.js';
import type { Services } from '../../generation/services.js';
import { ownReferences, type ImageRequest, type RequestOrigin } from '../../jobs/request.js';
import type { AgentBudget } from '../../protocol/agents.js';
import { EaselError } from '../../easelError.js';
import { agentMessages } from '../messages.js';

/** So many wishes wait for the user at most. */
export const maxWaiting = 20;
/** Of the prompt in a notification, in graphemes. */
const maxPromptLength = 200;
const maxAltTextLength = 120;

interface Question {
	readonly caller: RequestOrigin;
	/** Of one batch. */
	readonly requests: readonly ImageRequest[];
	readonly budget: AgentBudget;
	/** Whether another wish is for the same image. */
	readonly isBeingMade: boolean;
	/** Aborted when the caller takes the wish back. */
	readonly signal: AbortSignal;
}

/** Asks the user about the images that agents wish for, one wish after the other. */
export class AgentConfirmation {
	readonly #questions = new PQueue({ concurrency: 1 });

	constructor(private readonly deps: Pick<Services, 'styles'>) {}

	/** How many wishes wait for the user. */
	get waiting(): number {
		return this.#questions.size + this.#questions.pending;
	}

	/**
	 * Asks in a notification and not in a dialog: a user who is typing must not confirm with Enter.
	 *
	 * @returns whether the user wants the images
	 */
	ask(question: Question): Promise<boolean> {
		const answer = this.#questions.add(() => this.#ask(question));
		// VS Code moves a notification that is not answered soon out of sight.
		return withStatus(agentMessages.waitsForAnswer(callerWords(question.caller)), answer);
	}

	async #ask(question: Question): Promise<boolean> {
		const { requests, signal } = question;
		if (signal.aborted) {
			return false;
		}
		const text = await this.#textFor(question);
		const isLong = (requests[0]?.prompt.length ?? 0) > maxPromptLength;
		const generate = { label: labels.generate, run: () => 'generate' as const };
		const show = { label: agentMessages.showPrompt, run: () => 'show' as const };
		const decline = { label: agentMessages.decline, run: () => 'decline' as const };
		for (;;) {
			const buttons = [generate, ...(isLong ? [show] : []), decline];
			const answer = await notify<'generate' | 'show' | 'decline'>('info', text, buttons);
			if (answer !== 'show') {
				if (answer === 'generate' && signal.aborted) {
					runDetached(notify('info', agentMessages.takenBack));
				}
				return answer === 'generate' && !signal.aborted;
			}
			await this.#show(requests);
		}
	}

	async #textFor({ caller, requests, budget, isBeingMade }: Question): Promise<string> {
		const [first] = requests;
		if (first === undefined) {
			return '';
		}
		const references = ownReferences(first).map(({ source }) =>
			safeText(vscode.workspace.asRelativePath(vscode.Uri.parse(source, true)), 60),
		);
		const style = await this.#style(first);
		return agentMessages.question({
			caller: callerWords(caller),
			isEdit: first.operation === 'edit',
			count: requests.length,
			prompt: safeText(first.prompt, maxPromptLength),
			size: first.size,
			quality: first.quality,
			target: safeText(
				vscode.workspace.asRelativePath(targetFile({ ...first.target, number: undefined })),
				120,
			),
			document:
				first.insertion &&
				first.document &&
				safeText(vscode.workspace.asRelativePath(vscode.Uri.parse(first.document, true)), 120),
			altText: first.altText && safeText(first.altText, maxAltTextLength),
			isBeingMade,
			price: moneyOfRequests(requests),
			style: style && safeText(style.path, 60),
			references,
			budget,
		});
	}

	async #show(requests: readonly ImageRequest[]): Promise<void> {
		const [first] = requests;
		if (first !== undefined) {
			const draft = draftOf(first, requests.length);
			await this.deps.styles.preview.show([[draft, await this.#style(first)]]);
		}
	}

	async #style(request: ImageRequest) {
		const style = await this.deps.styles.look(parseUri(request.workspaceFolder));
		return style instanceof EaselError ? undefined : style;
	}
}
