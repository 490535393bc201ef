import { addAbortListener } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { inWords } from '../easelError.js';
import { runCommand } from '../editor/commands.js';
import { commandTitles } from '../editor/commandTable.js';
import { notify, runDetached, showStatus, withStatus } from '../editor/messages.js';
import { askPick, askText, pickLoop, type LoopStep, type ValueItem } from '../editor/quickInput.js';
import { withJobProgress } from '../editor/progress.js';
import type { ApiKeys } from '../editor/secrets.js';
import {
	ensureReady,
	mayGenerateHere,
	readNetworkOptions,
	readService,
	readServiceAddress,
} from '../editor/service.js';
import type { SettingValue } from '../editor/settingTable.js';
import { readSetting, settingOr, writeUserSetting } from '../editor/settings.js';
import { flattened } from '../editor/untrustedText.js';
import { factsOf, type FailureFacts } from '../jobs/failure.js';
import type { Ledger } from '../jobs/ledger.js';
import { failureOfAll } from '../jobs/state.js';
import { listModels } from '../languageModel/listModels.js';
import type { ModelQuestion } from '../languageModel/protocols.js';
import { streamAnswer, type StreamOptions } from '../languageModel/streamAnswer.js';
import { log } from '../log.js';
import {
	AnswerError,
	CancelledError,
	isCancelled,
	isImageServiceError,
	RequestError,
	StatusError,
	type Charge,
	type ImageServiceError,
} from '../service/errors.js';
import type { FailedAttempt, RetryDecision } from '../service/retry.js';
import { serviceTextPieces } from '../service/serviceText.js';
import type { Service } from '../service/services.js';
import { openTransport, type Transport } from '../service/transport.js';
import {
	failureText,
	reasonText,
	stepLabels,
	stepsAfter,
	type NextStep,
} from '../generation/failures.js';
import { labels, messages, phrases, preview as previewTexts } from '../messages.js';
import { waitWords } from '../generation/progressWords.js';
import type { RequestPreview } from '../style/requestPreview.js';

/** Input of any language model. */
export type ModelInput = Omit<ModelQuestion, 'model'>;

/** Task for a language model. */
export interface ModelTask extends ModelInput {
	/** Title of the question: that of the command. */
	readonly title: string;
	/** Label of Enter: `Draft Prompt`. */
	readonly verb: string;
	/** Summary of what is sent: `2,340 characters of guide.md`. */
	readonly summary: string;
}

/**
 * Sends a task, and yields the answer as it comes.
 *
 * @param onWait called when an attempt has failed and another one follows after a wait
 */
export type Send = (signal: AbortSignal, onWait: OnWait) => AsyncIterable<string>;

/** @param words what to show during the wait, by the second; `undefined` when that is over */
type OnWait = (words: () => string | undefined) => void;

/** A model that can be asked. */
interface Model {
	readonly name: string;
	/** True where the user has allowed that it is asked. */
	readonly isAllowed: boolean;
	/** @throws {CancelledError} at the signal; an error that can be shown */
	readonly stream: (question: ModelInput, options: CallOptions) => AsyncIterable<string>;
}

interface CallOptions extends Pick<StreamOptions, 'signal' | 'onFailure'> {
	/** True if a wait is shown; without that nothing is sent again that may have been charged. */
	readonly showsWaits: boolean;
}

/** `vscode.lm` may take for ever where its extension does not start, in milliseconds. */
const selectTimeoutMs = 5_000;

/** Time limit for the list of the service, in milliseconds. */
const listTimeoutMs = 15_000;

const seenKey = 'languageModels.seen';

/**
 * The language models that words come from: those of VS Code where it has some, else those of the image
 * service. Nothing is sent before the user has seen what and where to.
 */
export class LanguageModels {
	/**
	 * @param state of this workspace
	 * @param access what the user has allowed in VS Code
	 */
	constructor(
		private readonly keys: ApiKeys,
		private readonly ledger: Pick<Ledger, 'addWords'>,
		private readonly preview: RequestPreview,
		private readonly state: vscode.Memento,
		private readonly access: Pick<vscode.LanguageModelAccessInformation, 'canSendRequest'>,
	) {}

	/**
	 * Asks the user whether a task is to be sent.
	 *
	 * @returns what sends it and yields the answer as it comes, which is untrusted text; `undefined`
	 *   where nothing is to be sent
	 * @throws {SettingError}
	 */
	async ask(task: ModelTask): Promise<Send | undefined> {
		return (await this.askForMany(task))?.(task);
	}

	/**
	 * Asks the user once whether a task and others like it are to be sent.
	 *
	 * @param first what is shown of them
	 * @returns what makes of each the function that sends it, as that of {@link ask}
	 * @throws {SettingError}
	 */
	async askForMany(first: ModelTask): Promise<((task: ModelInput) => Send) | undefined> {
		for (;;) {
			const model = await this.#model();
			const answer = model && (await this.#askToSend(first, model.name));
			if (answer === 'model') {
				await this.select();
				continue;
			}
			return model && answer === 'send'
				? (task) => (signal, onWait) => this.#call(model, task, signal, onWait)
				: undefined;
		}
	}

	/**
	 * The same without a question, for what the user has turned on: nothing opens, and no model of VS Code
	 * is asked whose use the user has not allowed yet.
	 *
	 * @returns `undefined` where no model can be asked like this
	 * @throws {SettingError}
	 */
	async askUnattended(
		task: ModelInput,
	): Promise<((signal: AbortSignal) => AsyncIterable<string>) | undefined> {
		const model = vscode.workspace.isTrusted ? await this.#find() : undefined;
		return typeof model === 'object' && model.isAllowed
			? (signal) => this.#call(model, task, signal)
			: undefined;
	}

	/**
	 * Lets the user choose a model: of VS Code, or of the list of the service where it has one.
	 *
	 * @returns its name; `undefined` where the user has chosen none
	 * @throws {SettingError}
	 */
	async select(): Promise<string | undefined> {
		const provider = readSetting('words.provider');
		if (provider === 'off') {
			runDetached(notify('info', messages.modelsOff, [openModelSettings]));
			return undefined;
		}
		const ofEditor = await modelsOfEditor(provider);
		const names =
			ofEditor.length > 0 || provider === 'editor'
				? ofEditor.map(({ id, name }) => ({ label: id, description: name, value: id }))
				: (await this.#namesOfService(provider))?.map((name) => ({ label: name, value: name }));
		if (names === undefined) {
			return undefined;
		}
		const name = await askModel(names);
		if (name === undefined || name === '') {
			return undefined;
		}
		await writeUserSetting('words.model', name);
		showStatus(phrases.modelSelected(name), 'check');
		return name;
	}

	/** The list of the service; `undefined` where the service cannot be used, which is shown. */
	async #namesOfService(provider: Provider): Promise<string[] | undefined> {
		const service = await this.#service(true);
		if (service === undefined) {
			return undefined;
		}
		const { key, transport, row } = service;
		if (row.namesDeployments) {
			return [];
		}
		const signal = AbortSignal.timeout(listTimeoutMs);
		try {
			const listing = listModels(protocolOf(provider), transport, key, signal, row);
			return [...(await withStatus(phrases.findingModel, listing)).models];
		} catch (error) {
			if (error instanceof StatusError || error instanceof RequestError) {
				showModelError(error);
				return undefined;
			}
			// A name can be typed all the same.
			log.warn(`The list of models could not be read: ${String(error)}`);
			return [];
		}
	}

	/**
	 * Sends a question, and notes in the ledger what each attempt has come to. Where waits are shown, so
	 * is the error at the end, with its next step, and then ends the words as Cancel does.
	 */
	async *#call(
		model: Model,
		question: ModelInput,
		signal: AbortSignal,
		onWait?: OnWait,
	): AsyncGenerator<string, void> {
		/** The attempts that another one follows. */
		const failed: FailureFacts[] = [];
		const onFailure = (failure: FailedAttempt, _attempt: number, next: RetryDecision) => {
			if (next.action !== 'wait') {
				return;
			}
			const facts = factsOf(failure.error, failure, next.mayHaveBeenMade);
			log.warn(`A language model has not answered (${facts.charge}): ${facts.message}`);
			failed.push(facts);
			const until = performance.now() + next.waitMs;
			const words = waitWords(facts, next.mayHaveBeenMade);
			onWait?.(() => {
				const seconds = Math.ceil((until - performance.now()) / 1000);
				return seconds > 0 ? words(seconds) : undefined;
			});
		};
		let end: Charge | 'made' = 'unknown';
		let status: number | undefined;
		try {
			yield* model.stream(question, { signal, onFailure, showsWaits: onWait !== undefined });
			end = 'made';
		} catch (error) {
			end = isImageServiceError(error) || isCancelled(error) ? error.charge : 'unknown';
			status = isImageServiceError(error) ? error.status : undefined;
			if (onWait === undefined || !isImageServiceError(error)) {
				throw error;
			}
			showModelError(error, failed);
			throw new CancelledError(error.charge);
		} finally {
			const ends = [...failed.map(({ charge }) => charge), end];
			this.ledger.addWords(ends, status).catch((error: unknown) => {
				log.error('The ledger could not be written', error);
			});
		}
	}

	/** The question: Enter sends. The first time in a workspace, what is sent is shown beside it. */
	async #askToSend(task: ModelTask, model: string): Promise<'send' | 'model' | undefined> {
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
			{ icon: 'list-selection', label: labels.selectModel, value: 'model' },
		];
		const chosen = await pickLoop(
			() => askPick({ title: task.title, placeholder: phrases.sendToModel, items }),
			async (answer): Promise<LoopStep<'send' | 'model'>> => {
				if (answer.type !== 'value') {
					return undefined;
				}
				if (answer.value.value === 'show') {
					await show();
					return 'again';
				}
				return { done: answer.value.value === 'model' ? 'model' : 'send' };
			},
		);
		if (chosen === 'send') {
			await this.state.update(seenKey, true);
			await this.preview.close();
		}
		return chosen;
	}

	/** Returns the model that the settings name; `undefined` where there is none, which is shown. */
	async #model(): Promise<Model | undefined> {
		if (areModelsOn() && !(await mayGenerateHere())) {
			return undefined;
		}
		const model = await this.#find(() => this.select());
		if (typeof model !== 'string') {
			return model;
		}
		runDetached(notify('info', messages[model], [openModelSettings]));
		return undefined;
	}

	/**
	 * Finds the model that the settings name.
	 *
	 * @param choose asks the user for one of the service; without it, nothing is asked
	 * @returns why there is none, where that is a matter of the settings; `undefined` where the user has
	 *   cancelled, or nothing is to be asked
	 */
	async #find(
		choose?: () => Promise<string | undefined>,
	): Promise<Model | 'modelsOff' | 'noModel' | 'noEditorModel' | undefined> {
		const provider = readSetting('words.provider');
		const name = readSetting('words.model').trim();
		if (provider === 'off') {
			return 'modelsOff';
		}
		const models = await modelsOfEditor(provider);
		const found =
			models.find(({ id, family }) => name !== '' && [id, family].includes(name)) ?? models[0];
		if (found !== undefined) {
			return {
				name: found.name,
				isAllowed: this.access.canSendRequest(found) === true,
				stream: (question, { signal }) => streamOfEditor(found, question, signal),
			};
		}
		if (provider === 'editor') {
			return 'noEditorModel';
		}
		if (readServiceAddress() === undefined && provider === 'auto') {
			return 'noModel';
		}
		const chosen = name === '' ? await choose?.() : name;
		const service = chosen === undefined ? undefined : await this.#service(choose !== undefined);
		if (chosen === undefined || service === undefined) {
			return undefined;
		}
		const retry = readSetting('service.retry');
		const retryUnseen = retry === 'all' ? 'ask' : retry;
		const timeoutMs = readSetting('service.timeoutSeconds') * 1000;
		const { row, ...way } = service;
		const options = { ...way, service: row, protocol: protocolOf(provider), timeoutMs };
		return {
			name: chosen,
			isAllowed: true,
			stream: ({ instructions, text, image }, { showsWaits, ...call }) =>
				streamAnswer(
					{ model: chosen, instructions, text, image },
					{ ...options, ...call, retry: showsWaits ? retry : retryUnseen },
				),
		};
	}

	/** Returns the way to the service, with its key. @param asks whether what is missing is asked for */
	async #service(
		asks: boolean,
	): Promise<
		{ readonly transport: Transport; readonly key: string; readonly row: Service } | undefined
	> {
		if (asks && !(await ensureReady(this.keys))) {
			return undefined;
		}
		const address = readServiceAddress();
		if (address === undefined) {
			return undefined;
		}
		const row = readService(address);
		const found = await this.keys.take(address);
		const key = found?.source === 'elsewhere' ? undefined : found?.key;
		return key === undefined && row.keyIsOptional !== true
			? undefined
			: { transport: openTransport(address, readNetworkOptions()), key: key ?? '', row };
	}
}

type Provider = SettingValue<'words.provider'>;

function protocolOf(provider: Provider): 'chat' | 'messages' {
	return provider === 'messages' ? 'messages' : 'chat';
}

/** Lets the user choose a model, or type its name; the latter where there is none to choose. */
async function askModel(names: readonly ValueItem[]): Promise<string | undefined> {
	const title = labels.selectModel;
	if (names.length > 0) {
		const typeOne: ValueItem = { icon: 'edit', label: labels.typeModel, alwaysShow: true };
		const chosen = await askPick({
			title,
			placeholder: phrases.selectModel,
			items: [...names, typeOne],
			active: names.find(({ value }) => value === readSetting('words.model')),
			matchOnDescription: true,
		});
		if (chosen?.type !== 'value') {
			return undefined;
		}
		if (chosen.value !== typeOne) {
			return chosen.value.value;
		}
	}
	const typed = await askText({ title, prompt: phrases.typeModel });
	return typed?.type === 'value' ? typed.value.trim() : undefined;
}

/**
 * Shows why a model has not answered, with the next step by the rule of images.
 *
 * @param failed the attempts before the last one; of a list of models, which costs nothing, none are
 */
function showModelError(error: ImageServiceError, failed?: readonly FailureFacts[]): void {
	const last = factsOf(error, { elapsedMs: 0 }, false);
	const attempts = [...(failed ?? []), last].map((failure, index) => ({
		number: index + 1,
		failure,
	}));
	const facts = failureOfAll(last, attempts);
	const steps = stepsAfter(facts).flatMap((step) => {
		const run = step && stepRuns[step];
		return step === undefined || run === undefined ? [] : [{ label: stepLabels[step], run }];
	});
	// What the service does not know or want is most often the model.
	const isOfModel = error.status === 400 || error.status === 404;
	const selectModel = {
		label: labels.selectModel,
		run: () => runCommand('easel.selectLanguageModel'),
	};
	const showLog = { label: commandTitles['easel.showLog'], run: () => runCommand('easel.showLog') };
	const buttons = isOfModel ? [selectModel] : steps.length > 0 ? steps : [showLog];
	log.error('A language model has not answered', error);
	const words = failed === undefined ? reasonText(facts) : failureText(facts);
	const hint = error.status === 429 ? ` ${messages.waitAndRepeat}` : '';
	runDetached(notify<unknown>('error', words + hint, buttons));
}

/** Trying again is the command once more. */
const stepRuns: { readonly [Step in NextStep]?: () => Promise<unknown> } = {
	setKey: () => runCommand('easel.setApiKey'),
	useAnotherKey: () => runCommand('easel.setApiKey'),
	setUp: () => runCommand('easel.setUp', true),
};

/** Returns whether the user has language models at all; what needs them is not offered without. */
export function areModelsOn(): boolean {
	return settingOr(() => readSetting('words.provider')) !== 'off';
}

/** Receives an answer behind a progress that has its words; `undefined` where the user cancels. */
export async function receiveAnswer(title: string, send: Send): Promise<string | undefined> {
	let answer = '';
	try {
		await withAnswerProgress(
			title,
			() => flattened(answer),
			async (changed, signal, onWait) => {
				for await (const piece of send(signal, onWait)) {
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

/** As `withJobProgress`, also for the waits between the attempts of a call. @param now of an answer */
export async function withAnswerProgress(
	title: string,
	now: () => string,
	task: (changed: () => void, signal: AbortSignal, onWait: OnWait) => Promise<void>,
): Promise<void> {
	let wait: () => string | undefined = () => undefined;
	await withJobProgress(
		title,
		() => wait() ?? now(),
		(changed, signal) =>
			task(changed, signal, (words) => {
				wait = words;
				changed();
			}),
	);
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

/** Returns the models of VS Code, where the settings want them. */
async function modelsOfEditor(provider: Provider): Promise<readonly vscode.LanguageModelChat[]> {
	if (provider !== 'auto' && provider !== 'editor') {
		return [];
	}
	const models = vscode.lm.selectChatModels();
	const searching = Promise.race([models, delay(selectTimeoutMs, [], { ref: false })]);
	return withStatus(phrases.findingModel, searching);
}

async function* streamOfEditor(
	model: vscode.LanguageModelChat,
	{ instructions, text, image }: ModelInput,
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
		for await (const piece of serviceTextPieces(answer, [])) {
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
		// Where the caller does not read on, the model need not go on.
		cancelling.cancel();
		cancelling.dispose();
	}
}

/** Longest answer, in UTF-16 code units. */
const maxAnswerLength = 32 * 1024;
