import * as vscode from 'vscode';
import { notedText, wordsOf } from '../../editor/errorTexts.js';
import { commandButton, registerCommand } from '../../editor/commands.js';
import { openGuide } from '../../editor/guide.js';
import {
	choose,
	notify,
	runDetached,
	showStatus,
	withErrorMessage,
} from '../../editor/messages.js';
import { withJobProgress } from '../../editor/progress.js';
import {
	askPick,
	askText,
	inputButton,
	pickLoop,
	type Answer,
	type TextQuestion,
	type ValueItem,
} from '../../editor/quickInput.js';
import { keyProblem, type ApiKeys } from '../../editor/secrets.js';
import {
	mayMoveKey,
	readNetworkOptions,
	readService,
	readServiceAddress,
} from '../../editor/service.js';
import { readSetting, settingOr, writeUserSetting } from '../../editor/settings.js';
import { openWalkthrough, stepDone } from '../../editor/walkthrough.js';
import { listModels } from '../../languageModel/listModels.js';
import type { Services } from '../../services.js';
import { log } from '../../log.js';
import { normalizeAddress } from '../../service/address.js';
import { RequestError, StatusError } from '../../service/errors.js';
import { openTransport } from '../../service/transport.js';
import { transportFailure } from '../../service/transportFailure.js';
import { setupMessages } from '../messages.js';
import { removeAllData, type OwnStorage } from './removeData.js';

/** Setting up the image service: its address and the API key; and the walkthrough that begins there. */
export function registerSetup(deps: Services, storage: OwnStorage): vscode.Disposable {
	const { keys } = deps;
	return vscode.Disposable.from(
		registerCommand('easel.getStarted', openWalkthrough),
		registerCommand('easel.openGuide', openGuide),
		registerCommand('easel.setUp', (goesOn) =>
			goesOn === true ? setUp(keys, true) : changeService(keys),
		),
		registerCommand('easel.setApiKey', () => {
			const address = settingOr(readServiceAddress);
			return address === undefined ? setUp(keys, true) : setKey(keys, address);
		}),
		registerCommand('easel.removeAllData', () =>
			withErrorMessage(() => removeAllData(deps, storage)),
		),
		registerCommand('easel.showLog', () => log.show()),
	);
}

/** Sets the service up; where it is, asks what is to be changed. */
async function changeService(keys: ApiKeys): Promise<boolean> {
	const address = settingOr(readServiceAddress);
	const found = address === undefined ? undefined : await keys.get(address);
	if (address === undefined || found === undefined) {
		return setUp(keys, false);
	}
	const { changeAddress, changeKey, removeKey: removeLabel, title } = setupMessages;
	const answer = await askPick<ValueItem>({
		title,
		placeholder: setupMessages.current(address, found.source === 'stored'),
		items: [
			{ icon: 'key', label: changeKey, value: 'key' },
			{ icon: 'server', label: changeAddress, value: 'address' },
			...(found.source === 'stored'
				? [{ icon: 'trash', label: removeLabel, value: 'remove' }]
				: []),
		],
	});
	const chosen = answer?.type === 'value' ? answer.value.value : undefined;
	if (chosen === 'remove') {
		await removeKey(keys, address);
	}
	return (
		(chosen === 'key' && (await setKey(keys, address))) ||
		(chosen === 'address' && (await setUp(keys, false)))
	);
}

const getStartedButton = inputButton('mortar-board', setupMessages.getStarted);

/**
 * Asks for address and key, and looks whether the host can be reached, before anything is stored.
 *
 * @param goesOn whether the caller goes on with them, so that no first image is offered
 */
async function setUp(keys: ApiKeys, goesOn: boolean): Promise<boolean> {
	const { title } = setupMessages;
	// Wrong or not, so that a mistake can be corrected where it stands.
	let typed = settingOr(() => readSetting('service.address')) ?? '';
	const askAddress = () =>
		askText({
			title,
			step: 1,
			totalSteps: 2,
			text: typed,
			placeholder: 'https://images.example.com',
			prompt: setupMessages.address,
			problem: addressProblem,
			buttons: [getStartedButton],
		});
	const found = await pickLoop(askAddress, async (answer) => {
		if (answer.type === 'button') {
			await openWalkthrough();
		}
		if (answer.type !== 'value') {
			return undefined;
		}
		typed = answer.value;
		const address = normalizeAddress(typed);
		const question = { title, step: 2, totalSteps: 2, canGoBack: true };
		const checked = await askCheckedKey(keys, address, question);
		if (checked === 'changeAddress') {
			return 'again';
		}
		return checked !== undefined && (await storeKey(keys, address, checked.key))
			? { done: { address, isReached: checked.isReached } }
			: undefined;
	});
	if (found === undefined) {
		return false;
	}
	const { address, isReached } = found;
	await writeUserSetting('service.address', address);
	log.info(`The image service is set up: ${address}.`);
	stepDone('setUp');
	const words = (isReached ? setupMessages.done : setupMessages.doneUnseen)(address);
	if (goesOn) {
		showStatus(words, 'check');
	} else {
		const generate = commandButton('easel.generateImage');
		runDetached(notify('info', words, [{ ...generate, label: setupMessages.generateFirst }]));
	}
	return true;
}

interface CheckedKey {
	/** The empty string means that the one that is there is used. */
	readonly key: string;
	/** False where the user goes on without a connection. */
	readonly isReached: boolean;
}

/**
 * Asks for the key until the service does not refuse it; `undefined` where the user cancels.
 *
 * @param question its `canGoBack` leads to `changeAddress`
 */
async function askCheckedKey(
	keys: ApiKeys,
	address: string,
	question: TextQuestion,
): Promise<CheckedKey | 'changeAddress' | undefined> {
	let refusal: string | undefined;
	return pickLoop<NonNullable<Answer<string>>, CheckedKey | 'changeAddress'>(
		() => askKey(keys, address, { ...question, ...(refusal && { prompt: refusal }) }),
		async (answer) => {
			if (answer.type !== 'value') {
				return answer.type === 'back' ? { done: 'changeAddress' } : undefined;
			}
			const reached = await reach(address, answer.value || (await keyInUse(keys, address)));
			switch (reached) {
				case 'reached':
				case 'unseen':
					return { done: { key: answer.value, isReached: reached === 'reached' } };
				case 'changeAddress':
					return { done: 'changeAddress' };
				case 'cancelled':
					return undefined;
				default:
					refusal = setupMessages.keyRefused(address, reached.refusal);
					return 'again';
			}
		},
	);
}

/** The key that an empty answer stands for; `undefined` where it belongs to another address yet. */
async function keyInUse(keys: ApiKeys, address: string): Promise<string | undefined> {
	const found = await keys.get(address);
	return found?.source === 'elsewhere' ? undefined : found?.key;
}

/** Time limit for the host of a service to answer, in milliseconds. */
const maxConnectMs = 10_000;

/**
 * Looks whether the host of a service can be reached, with its proxy and certificates, and whether it
 * refuses the key: the list of its models is asked for, which costs nothing.
 *
 * @returns the service's own words where the key is refused
 */
async function reach(
	address: string,
	key: string | undefined,
): Promise<'reached' | 'unseen' | 'changeAddress' | 'cancelled' | { readonly refusal: string }> {
	for (;;) {
		const problem = await withJobProgress(
			setupMessages.connecting(address),
			() => setupMessages.connectingDetail,
			async (_changed, signal) =>
				(await connectionProblem(address, signal)) ??
				(key === undefined ? undefined : await keyRefusal(address, key, signal)),
		);
		if (problem === undefined || problem === 'cancelled') {
			return problem ?? 'reached';
		}
		if ('refusal' in problem) {
			return problem;
		}
		const { tryAgain, changeAddress, useAnyway } = setupMessages;
		const question = setupMessages.notReached(address);
		switch (await choose(question, [problem.words], tryAgain, changeAddress, useAnyway)) {
			case useAnyway:
				return 'unseen';
			case changeAddress:
				return 'changeAddress';
			case undefined:
				return 'cancelled';
		}
	}
}

/** Returns why a host cannot be reached; `undefined` where it can be. */
async function connectionProblem(
	address: string,
	cancelling: AbortSignal,
): Promise<{ readonly words: string } | 'cancelled' | undefined> {
	const transport = openTransport(address, readNetworkOptions());
	const signal = AbortSignal.any([cancelling, AbortSignal.timeout(maxConnectMs)]);
	try {
		(await transport.connect(signal)).destroy();
		return undefined;
	} catch (error) {
		if (cancelling.aborted) {
			return 'cancelled';
		}
		const timedOut = Object.assign(new Error('timeout'), { code: 'CONNECT_TIMEOUT' });
		const cause = signal.aborted ? timedOut : error;
		const { facts } = transportFailure(cause, new URL(address), transport.viaProxy);
		log.warn(`${address} was not reached: ${notedText('', facts)}`);
		return { words: notedText('', facts) };
	}
}

/**
 * Returns the service's own words where it refuses the key. A service without a list of models
 * (`GET /v1/models`, which the specification does not promise) says nothing of a key.
 */
async function keyRefusal(
	address: string,
	key: string,
	cancelling: AbortSignal,
): Promise<{ readonly refusal: string } | 'cancelled' | undefined> {
	const transport = openTransport(address, readNetworkOptions());
	const signal = AbortSignal.any([cancelling, AbortSignal.timeout(maxConnectMs)]);
	try {
		await listModels('chat', transport, key, signal, readService(address));
	} catch (error) {
		if (error instanceof StatusError) {
			return { refusal: wordsOf(error) };
		}
		log.info(`${address} has not said whether it takes the key: ${String(error)}`);
	}
	return cancelling.aborted ? 'cancelled' : undefined;
}

async function setKey(keys: ApiKeys, address: string): Promise<boolean> {
	const checked = await askCheckedKey(keys, address, { title: setupMessages.keyTitle });
	if (typeof checked !== 'object' || !(await storeKey(keys, address, checked.key))) {
		return false;
	}
	log.info(`The API key for ${address} is set.`);
	stepDone('setUp');
	showStatus(setupMessages.keySet(address), 'key');
	return true;
}

/** Stores the key that was typed; with none, that of the environment may have to be asked about. */
async function storeKey(keys: ApiKeys, address: string, key: string): Promise<boolean> {
	if (key !== '') {
		await keys.set(address, key);
		return true;
	}
	const found = await keys.get(address);
	const isOptional = readService(address).keyIsOptional === true;
	return isOptional || found?.source !== 'elsewhere' || mayMoveKey(found.address, address, keys);
}

/** Asks for the key; the empty string means that the one that is there is used. */
async function askKey(
	keys: ApiKeys,
	address: string,
	question: TextQuestion,
): Promise<Answer<string>> {
	const found = await keys.get(address);
	// Who comes to set a key sets one, but for that of the environment, which then belongs here.
	const canStay =
		readService(address).keyIsOptional === true ||
		(question.canGoBack === true ? found !== undefined : found?.source === 'elsewhere');
	const answer = await askText({
		...question,
		password: true,
		placeholder: canStay
			? found?.source === 'elsewhere'
				? setupMessages.useEnvironmentKey
				: setupMessages.useCurrentKey
			: setupMessages.key,
		prompt: question.prompt ?? setupMessages.keyPrompt(address, keys.isLost(address, found)),
		problem: (text) => (canStay && text.trim() === '' ? undefined : keyProblem(text)),
	});
	return answer?.type === 'value' ? { ...answer, value: answer.value.trim() } : answer;
}

async function removeKey(keys: ApiKeys, address: string): Promise<void> {
	await keys.remove(address);
	log.info(`The API key for ${address} is removed.`);
	const left = await keys.get(address);
	const now = left?.source === 'environment' ? [setupMessages.environmentKey] : [];
	await notify('info', [setupMessages.keyRemoved(address), ...now].join(' '));
}

function addressProblem(text: string): string | undefined {
	try {
		normalizeAddress(text);
		return undefined;
	} catch (error) {
		if (error instanceof RequestError) {
			return wordsOf(error);
		}
		throw error;
	}
}
