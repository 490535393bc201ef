import { posix } from 'node:path';
import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { safeText } from '../../editor/untrustedText.js';
import { draftOf } from '../../asking/draft.js';
import { targetFile, parseUri } from '../../editor/imageRequest.js';
import { plannedPlace } from '../../asking/target.js';
import { nameInOrder } from '../../generation/target.js';
import { moneyOfRequests } from '../../editor/money.js';
import { labels } from '../../messages.js';
import { callerWords } from '../../generation/requestOrigin.js';
import type { Services } from '../../services.js';
import type { ReadStyle } from '../../style/styleFile.js';
import { isQuotable, openStyleGuide } from '../../style/styles.js';
import { ownReferences, type ImageRequest, type RequestOrigin } from '../../jobs/request.js';
import type { AgentBudget } from '../../protocol/agents.js';
import { EaselError } from '../../easelError.js';
import { agentMessages } from '../messages.js';

/** Limit of wishes that wait for the user. */
export const maxWaiting = 20;
/** Length of the prompt in a notification, in graphemes. */
const maxPromptLength = 200;
const maxAltTextLength = 120;
/** Length of the text of a new style guide that is quoted, in UTF-16 code units. */
const maxStyleLength = 200;

/** State of the same image for another wish: under way, or made a short time ago. */
export type SameImage = 'beingMade' | 'made';

interface Question {
	readonly caller: RequestOrigin;
	/** Requests of one batch. */
	readonly requests: readonly ImageRequest[];
	readonly budget: AgentBudget;
	/** The state of the same image for another wish, if there is one. */
	readonly sameImage: SameImage | undefined;
	/** True if the budget covers them, so that only a style guide that is new is to be asked about. */
	readonly isCovered: boolean;
	/** Aborted when the caller takes the wish back. */
	readonly signal: AbortSignal;
}

/** Asks the user about the images that agents wish for, one wish after the other. */
export class AgentConfirmation {
	readonly #questions = new PQueue({ concurrency: 1 });

	constructor(private readonly deps: Pick<Services, 'questions' | 'styles'>) {}

	/** Number of wishes that wait for the user. */
	get waiting(): number {
		return this.#questions.size + this.#questions.pending;
	}

	/**
	 * Asks in a notification and not in a dialog: a user who is typing must not confirm with Enter. A
	 * style guide that is new is part of the question, so that it costs no second one.
	 *
	 * @returns the requests that the user wants; `undefined` for none
	 */
	ask(question: Question): Promise<readonly ImageRequest[] | undefined> {
		return this.#questions.add(() => this.#ask(question));
	}

	async #ask(question: Question): Promise<readonly ImageRequest[] | undefined> {
		const { requests, signal } = question;
		const [first] = requests;
		if (signal.aborted || first === undefined) {
			return undefined;
		}
		const { styles } = this.deps;
		const folder = parseUri(first.workspaceFolder);
		const style = await this.#style(first);
		const newStyle =
			folder !== undefined && style !== undefined && styles.isNew(folder, style)
				? style
				: undefined;
		const text = this.#textFor(question, first, await placesOf(requests), style, newStyle);
		let isWhole = newStyle === undefined || isQuotable(newStyle, maxStyleLength);
		const isLong = !isWhole || first.prompt.length > maxPromptLength;
		const choice = <const Value>(label: string, value: Value) => ({ label, value });
		const title = agentMessages.waitsForAnswer(callerWords(question.caller));
		for (;;) {
			const answers = [
				...(isWhole ? [choice(labels.generate, 'generate')] : []),
				...(isLong ? [choice(agentMessages.showPrompt, 'show')] : []),
				...(newStyle === undefined ? [] : [choice(labels.withoutStyle, 'leaveOut')]),
				choice(agentMessages.decline, 'decline'),
			];
			const answer = await this.deps.questions.ask(
				{ title, text, late: agentMessages.takenBack, answers },
				signal,
			);
			if (answer === 'show') {
				await this.#show(requests, style, newStyle);
				isWhole = true;
				continue;
			}
			if (answer !== 'generate' && answer !== 'leaveOut') {
				return undefined;
			}
			if (answer === 'leaveOut') {
				return requests.map((request) => ({ ...request, withoutStyle: true }));
			}
			if (folder !== undefined && newStyle !== undefined) {
				await styles.agree(folder, newStyle);
			}
			return requests;
		}
	}

	#textFor(
		{ caller, requests, budget, sameImage, isCovered }: Question,
		first: ImageRequest,
		places: readonly string[],
		style: ReadStyle | undefined,
		newStyle: ReadStyle | undefined,
	): string {
		const references = ownReferences(first).map(({ source }) =>
			safeText(vscode.workspace.asRelativePath(vscode.Uri.parse(source, true)), 60),
		);
		return agentMessages.question({
			caller: callerWords(caller),
			isEdit: first.operation === 'edit',
			count: requests.length,
			prompt: safeText(first.prompt, maxPromptLength),
			size: first.size,
			quality: first.quality,
			background: first.background,
			targets: places.map((place) => safeText(place, 120)),
			document:
				first.insertion &&
				first.document &&
				safeText(vscode.workspace.asRelativePath(vscode.Uri.parse(first.document, true)), 120),
			altText: first.altText && safeText(first.altText, maxAltTextLength),
			sameImage,
			price: moneyOfRequests(requests),
			style: style && safeText(style.path, 60),
			newStyle: newStyle && {
				text: safeText(newStyle.text, maxStyleLength),
				references: newStyle.references.map((one) => safeText(posix.basename(one.uri.path), 60)),
				isOnlyReason: isCovered,
			},
			references,
			budget,
		});
	}

	async #show(
		requests: readonly ImageRequest[],
		style: ReadStyle | undefined,
		newStyle: ReadStyle | undefined,
	): Promise<void> {
		const [first] = requests;
		if (newStyle !== undefined) {
			await openStyleGuide(newStyle.uri);
		}
		if (first !== undefined) {
			await this.deps.styles.preview.show([[draftOf(first, requests.length), style]]);
		}
	}

	async #style(request: ImageRequest): Promise<ReadStyle | undefined> {
		const style = await this.deps.styles.look(parseUri(request.workspaceFolder));
		return style instanceof EaselError ? undefined : style;
	}
}

/** Returns the files of requests as they would be named now, relative to the workspace. */
async function placesOf(requests: readonly ImageRequest[]): Promise<string[]> {
	const [first] = requests;
	if (first !== undefined && requests.length === 1) {
		const planned = await plannedPlace({ ...draftOf(first), target: first.target });
		return [planned ?? vscode.workspace.asRelativePath(targetFile(first.target))];
	}
	return (await nameInOrder(requests, [])).map(({ target }) =>
		vscode.workspace.asRelativePath(targetFile(target)),
	);
}
