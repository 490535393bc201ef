import { addAbortListener } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { inWords } from '../easelError.js';
import { notify, runDetached, showStatus } from '../editor/messages.js';
import { askPick, pickLoop, type LoopStep, type ValueItem } from '../editor/quickInput.js';
import { withJobProgress } from '../editor/progress.js';
import type { ApiKeys } from '../editor/secrets.js';
import {
	ensureReady,
	mayGenerateHere,
	readNetworkOptions,
	readServiceAddress,
} from '../editor/service.js';
import { readSetting, settingOr } from '../editor/settings.js';
import { flattened } from '../editor/untrustedText.js';
import type { Ledger } from '../jobs/ledger.js';
import type { ModelQuestion } from '../languageModel/protocols.js';
import { streamAnswer } from '../languageModel/streamAnswer.js';
import { log } from '../log.js';
import {
	AnswerError,
	CancelledError,
	isCancelled,
	isImageServiceError,
	type Charge,
} from '../service/errors.js';
import { openTransport } from '../service/transport.js';
import { labels, messages, phrases, preview as previewTexts } from './messages.js';
import type { RequestPreview } from './requestPreview.js';

/** What a user wants of a language model. */
export interface ModelTask extends Omit<ModelQuestion, 'model'> {
	/** Of the question, which says what happens: the command's title. */
	readonly title: string;
	/** What Enter does: `Draft Prompt`. */
	readonly verb: string;
	/** What is sent, in short: `2,340 characters of guide.md`. */
	readonly summary: string;
}

/** A model that can be asked. */
interface Model {
	readonly name: string;
	/** @throws {CancelledError} at the signal; an error that can be shown */
	readonly stream: (question: ModelQuestion, signal: AbortSignal) => AsyncIterable<string>;
}

/** `vscode.lm` may take for ever where its extension does not start, in milliseconds. */
const selectTimeoutMs = 5_000;

const seenKey = 'languageModels.seen';

/**
 * The language models that words come from: those of VS Code where it has some, else those of the image
 * service. Nothing is sent before the user has seen what and where to.
 */
export class LanguageModels {
	/** @param state of this workspace */
	constructor(
		private readonly keys: ApiKeys,
		private readonly ledger: Pick<Ledger, 'addWords'>,
		private readonly preview: RequestPreview,
		private readonly state: vscode.Memento,
	) {}

	/**
	 * Asks the user whether a task is to be sent.
	 *
	 * @returns what sends it and yields the answer as it comes, which is untrusted text; `undefined`
	 *   where nothing is to be sent
	 * @throws {SettingError}
	 */
	async ask(
		task: ModelTask,
	): Promise<((signal: AbortSignal) => AsyncIterable<string>) | undefined> {
		const model = await this.#model();
		if (model === undefined || !(await this.#isWanted(task, model.name))) {
			return undefined;
		}
		const { instructions, text, image } = task;
		const question = { model: readSetting('words.model'), instructions, text, image };
		return (signal) => this.#counted(model.stream(question, signal));
	}

	/** Notes in the ledger what a call has come to. */
	async *#counted(answer: AsyncIterable<string>): AsyncGenerator<string, void> {
		let end: Charge | 'made' = 'unknown';
		let status: number | undefined;
		try {
			yield* answer;
			end = 'made';
		} catch (error) {
			end = isImageServiceError(error) || isCancelled(error) ? error.charge : 'unknown';
			status = isImageServiceError(error) ? error.status : undefined;
			throw error;
		} finally {
			this.ledger.addWords(end, status).catch((error: unknown) => {
				log.error('The ledger could not be written', error);
			});
		}
	}

	/** The question: Enter sends. The first time in a workspace, what is sent is shown beside it. */
	async #isWanted(task: ModelTask, model: string): Promise<boolean> {
		const show = () => this.preview.showText(previewOf(task, model));
		const isSeen = this.state.get(seenKey) === true && vscode.workspace.isTrusted;
		await (isSeen ? undefined : show());
		const items: readonly ValueItem[] = [
			{
				icon: 'send',
				label: `${task.verb} · ${model}`,
				description: task.summary,
				value: 'send',
			},
			{ icon: 'eye', label: labels.showWhatIsSent, value: 'show' },
		];
		const sends = await pickLoop(
			() => askPick({ title: task.title, placeholder: phrases.sendToModel, items }),
			async (answer): Promise<LoopStep<true>> => {
				if (answer.type !== 'value') {
					return undefined;
				}
				if (answer.value.value === 'show') {
					await show();
					return 'again';
				}
				return { done: true };
			},
		);
		if (sends) {
			await this.state.update(seenKey, true);
		}
		return sends === true;
	}

	/** Returns the model that the settings name; `undefined` where there is none, which is shown. */
	async #model(): Promise<Model | undefined> {
		const provider = readSetting('words.provider');
		const name = readSetting('words.model').trim();
		if (provider === 'off') {
			runDetached(notify('info', messages.modelsOff, [openModelSettings]));
			return undefined;
		}
		if (!(await mayGenerateHere())) {
			return undefined;
		}
		const ofEditor =
			provider === 'auto' || provider === 'editor' ? await modelOfEditor(name) : undefined;
		if (ofEditor !== undefined) {
			return ofEditor;
		}
		const hasService = provider !== 'editor' && name !== '';
		if (!hasService || (provider === 'auto' && readServiceAddress() === undefined)) {
			const words = provider === 'editor' ? messages.noEditorModel : messages.noModel;
			runDetached(notify('info', words, [openModelSettings]));
			return undefined;
		}
		return this.#modelOfService(name, provider === 'messages' ? 'messages' : 'chat');
	}

	async #modelOfService(name: string, protocol: 'chat' | 'messages'): Promise<Model | undefined> {
		if (!(await ensureReady(this.keys))) {
			return undefined;
		}
		const address = readServiceAddress();
		const found = address === undefined ? undefined : await this.keys.take(address);
		if (address === undefined || found === undefined || found.source === 'elsewhere') {
			return undefined;
		}
		const { key } = found;
		const retry = readSetting('service.retry');
		const timeoutMs = readSetting('service.timeoutSeconds') * 1000;
		const transport = openTransport(address, readNetworkOptions());
		return {
			name,
			stream: (question, signal) =>
				streamAnswer(question, { protocol, transport, key, signal, timeoutMs, retry }),
		};
	}
}

/** Whether the user has language models at all; what needs them is not offered without. */
export function areModelsOn(): boolean {
	return settingOr(() => readSetting('words.provider')) !== 'off';
}

/** Receives an answer behind a progress that has its words; `undefined` where the user cancels. */
export async function receiveAnswer(
	title: string,
	send: (signal: AbortSignal) => AsyncIterable<string>,
): Promise<string | undefined> {
	let answer = '';
	try {
		await withJobProgress(
			title,
			() => flattened(answer),
			async (changed, signal) => {
				for await (const piece of send(signal)) {
					answer += piece;
					changed();
				}
			},
		);
		return answer.trim();
	} catch (error) {
		if (isCancelled(error)) {
			return undefined;
		}
		throw error;
	}
}

const openModelSettings = {
	label: labels.openSettings,
	run: () => vscode.commands.executeCommand('workbench.action.openSettings', 'easel.words'),
};

function previewOf({ instructions, text, image }: ModelTask, model: string): string {
	return [
		previewTexts.modelIntro,
		previewTexts.model(model),
		...(image === undefined ? [] : [previewTexts.modelImage(image.bytes.length)]),
		'',
		previewTexts.instructions,
		instructions,
		'',
		previewTexts.text,
		text,
	].join('\n');
}

/** @param name as its identifier or family; another one where there is none of that name */
async function modelOfEditor(name: string): Promise<Model | undefined> {
	showStatus(phrases.findingModel, 'loading~spin');
	const models = await Promise.race([
		vscode.lm.selectChatModels(),
		delay(selectTimeoutMs, [], { ref: false }),
	]);
	const model =
		models.find(({ id, family }) => name !== '' && [id, family].includes(name)) ?? models[0];
	return (
		model && {
			name: model.name,
			stream: (question, signal) => streamOfEditor(model, question, signal),
		}
	);
}

async function* streamOfEditor(
	model: vscode.LanguageModelChat,
	{ instructions, text, image }: ModelQuestion,
	signal: AbortSignal,
): AsyncGenerator<string, void> {
	const cancelling = new vscode.CancellationTokenSource();
	const listening = addAbortListener(signal, () => cancelling.cancel());
	try {
		const content = [
			new vscode.LanguageModelTextPart(`${instructions}\n\n${text}`),
			...(image === undefined
				? []
				: [vscode.LanguageModelDataPart.image(image.bytes, image.contentType)]),
		];
		const question = vscode.LanguageModelChatMessage.User(content);
		const justification = messages.modelReason;
		const { text: answer } = await model.sendRequest(
			[question],
			{ justification },
			cancelling.token,
		);
		let length = 0;
		for await (const piece of answer) {
			signal.throwIfAborted();
			yield piece;
			length += piece.length;
			if (length > maxAnswerLength) {
				return;
			}
		}
		signal.throwIfAborted();
		if (length === 0) {
			throw new AnswerError({ code: 'answer.noWords' });
		}
	} catch (error) {
		if (signal.aborted) {
			throw new CancelledError('unknown');
		}
		throw isImageServiceError(error)
			? error
			: new AnswerError(inWords(error instanceof Error ? error.message : String(error)), {
					charge: 'unknown',
					cause: error,
				});
	} finally {
		listening[Symbol.dispose]();
		// Where nobody reads on, the model need not go on.
		cancelling.cancel();
		cancelling.dispose();
	}
}

/** Of an answer, in UTF-16 code units. */
const maxAnswerLength = 32 * 1024;
