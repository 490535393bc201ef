import * as vscode from 'vscode';
import { notedText, wordsOf } from '../../editor/errorTexts.js';
import { commandButton, registerCommand } from '../../editor/commands.js';
import { openGuide } from '../../editor/guide.js';
import { choose, notify, runDetached, showStatus } from '../../editor/messages.js';
import { withJobProgress } from '../../editor/progress.js';
import {
	askText,
	inputButton,
	pickLoop,
	type Answer,
	type TextQuestion,
} from '../../editor/quickInput.js';
import { keyProblem, type ApiKeys } from '../../editor/secrets.js';
import { mayMoveKey, readNetworkOptions, readServiceAddress } from '../../editor/service.js';
import { readSetting, settingOr, writeUserSetting } from '../../editor/settings.js';
import { openWalkthrough, stepDone } from '../../editor/walkthrough.js';
import type { Services } from '../../services.js';
import { log } from '../../log.js';
import { normalizeAddress } from '../../service/address.js';
import { RequestError } from '../../service/errors.js';
import { openTransport } from '../../service/transport.js';
import { transportFailure } from '../../service/transportFailure.js';
import { setupMessages } from '../messages.js';

/** Setting up the image service: its address and the API key; and the walkthrough that begins there. */
export function registerSetup({ keys }: Services): vscode.Disposable {
	return vscode.Disposable.from(
		registerCommand('easel.getStarted', openWalkthrough),
		registerCommand('easel.openGuide', openGuide),
		registerCommand('easel.setUp', (goesOn) => setUp(keys, goesOn === true)),
		registerCommand('easel.setApiKey', () => {
			const address = settingOr(readServiceAddress);
			return address === undefined ? setUp(keys, true) : setKey(keys, address);
		}),
		registerCommand('easel.removeApiKey', () => removeKey(keys)),
		registerCommand('easel.showLog', () => log.show()),
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
		const done = normalizeAddress(typed);
		const key = await askKey(keys, done, { title, step: 2, totalSteps: 2, canGoBack: true });
		if (key?.type === 'back') {
			return 'again';
		}
		if (key?.type !== 'value') {
			return undefined;
		}
		const reached = await reach(done);
		if (reached === 'changeAddress') {
			return 'again';
		}
		return reached !== 'cancelled' && (await storeKey(keys, done, key.value))
			? { done: { address: done, isReached: reached === 'reached' } }
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

/** Time limit for the host of a service to answer, in milliseconds. */
const maxConnectMs = 10_000;

/**
 * Looks whether the host of a service can be reached: a connection is opened, with its proxy and
 * certificates, and closed. No request is sent, and no key.
 */
async function reach(
	address: string,
): Promise<'reached' | 'unseen' | 'changeAddress' | 'cancelled'> {
	for (;;) {
		const problem = await withJobProgress(
			setupMessages.connecting(address),
			() => setupMessages.connectingDetail,
			(_changed, signal) => connectionProblem(address, signal),
		);
		if (problem === undefined || problem === 'cancelled') {
			return problem ?? 'reached';
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

async function setKey(keys: ApiKeys, address: string): Promise<boolean> {
	const key = await askKey(keys, address, { title: setupMessages.keyTitle });
	if (key?.type !== 'value' || !(await storeKey(keys, address, key.value))) {
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
	return found?.source !== 'elsewhere' || mayMoveKey(found.address, address, keys);
}

/** Asks for the key; the empty string means that the one that is there is used. */
async function askKey(
	keys: ApiKeys,
	address: string,
	question: TextQuestion,
): Promise<Answer<string>> {
	const found = await keys.get(address);
	// Who comes to set a key sets one, but for that of the environment, which then belongs here.
	const canStay = question.canGoBack === true ? found !== undefined : found?.source === 'elsewhere';
	const answer = await askText({
		...question,
		password: true,
		placeholder: canStay
			? found?.source === 'elsewhere'
				? setupMessages.useEnvironmentKey
				: setupMessages.useCurrentKey
			: setupMessages.key,
		prompt: setupMessages.keyPrompt(address),
		problem: (text) => (canStay && text.trim() === '' ? undefined : keyProblem(text)),
	});
	return answer?.type === 'value' ? { ...answer, value: answer.value.trim() } : answer;
}

async function removeKey(keys: ApiKeys): Promise<void> {
	const address = settingOr(readServiceAddress);
	if (address === undefined) {
		await notify('info', setupMessages.noService);
		return;
	}
	const removed = await keys.remove(address);
	log.info(`The API key for ${address} is removed.`);
	const left = await keys.get(address);
	const words = removed ? setupMessages.keyRemoved(address) : setupMessages.noKey(address);
	const now = left?.source === 'environment' ? [setupMessages.environmentKey] : [];
	await notify('info', [words, ...now].join(' '));
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
