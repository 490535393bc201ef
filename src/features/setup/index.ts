import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { openGuide } from '../../editor/guide.js';
import type { Log } from '../../editor/log.js';
import { mention, notify } from '../../editor/messages.js';
import { askText, type Answer, type TextQuestion } from '../../editor/quickInput.js';
import { keyProblem, type ApiKeys } from '../../editor/secrets.js';
import { mayMoveKey, readServiceAddress } from '../../editor/service.js';
import { readSetting, unlessMistaken, writeUserSetting } from '../../editor/settings.js';
import { openWalkthrough, stepDone } from '../../editor/walkthrough.js';
import type { Parts } from '../../generation/parts.js';
import { normalizeAddress } from '../../service/address.js';
import { RequestError } from '../../service/errors.js';

/** Setting up the image service: its address and the API key; and the walkthrough that begins there. */
export function registerSetup({ keys, log }: Pick<Parts, 'keys' | 'log'>): vscode.Disposable {
	return vscode.Disposable.from(
		registerCommand('easel.getStarted', openWalkthrough),
		registerCommand('easel.openGuide', openGuide),
		registerCommand('easel.setUp', () => setUp(keys, log)),
		registerCommand('easel.setApiKey', async () => {
			const address = unlessMistaken(readServiceAddress);
			return address === undefined ? setUp(keys, log) : setKey(keys, log, address);
		}),
		registerCommand('easel.removeApiKey', () => removeKey(keys, log)),
		registerCommand('easel.showLog', () => {
			log.show();
		}),
	);
}

/** For whoever is asked for an address and wonders what this is about. */
const getStartedButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('mortar-board'),
	tooltip: 'Get Started with Easel',
};

/** Asks for address and key; nothing is kept before both are there. */
async function setUp(keys: ApiKeys, log: Log): Promise<boolean> {
	const title = 'Set Up Image Service';
	// Wrong or not, so that a mistake can be corrected where it stands.
	let typed = unlessMistaken(() => readSetting('service.address')) ?? '';
	for (;;) {
		const answer = await askText({
			title,
			step: 1,
			totalSteps: 2,
			text: typed,
			placeholder: 'https://images.example.com',
			prompt: 'The address of your image service, without a path',
			problem: addressProblem,
			buttons: [getStartedButton],
		});
		if (answer?.type === 'button') {
			await openWalkthrough();
			return false;
		}
		if (answer?.type !== 'value') {
			return false;
		}
		typed = answer.value;
		const address = normalizeAddress(typed);
		const key = await askKey(keys, address, { title, step: 2, totalSteps: 2, canGoBack: true });
		if (key?.type === 'back') {
			continue;
		}
		if (key?.type !== 'value') {
			return false;
		}
		if (!(await keepKey(keys, address, key.value))) {
			return false;
		}
		await writeUserSetting('service.address', address);
		log.info(`The image service is set up: ${address}.`);
		stepDone('setUp');
		mention(`Easel is set up for ${address}`, 'check');
		return true;
	}
}

async function setKey(keys: ApiKeys, log: Log, address: string): Promise<boolean> {
	const key = await askKey(keys, address, { title: 'Set API Key' });
	if (key?.type !== 'value') {
		return false;
	}
	if (!(await keepKey(keys, address, key.value))) {
		return false;
	}
	log.info(`The API key for ${address} is set.`);
	stepDone('setUp');
	mention(`Easel: the API key for ${address} is set`, 'key');
	return true;
}

/** Keeps the key that was typed; with none, that of the environment may have to be asked about. */
async function keepKey(keys: ApiKeys, address: string, key: string): Promise<boolean> {
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
				? 'Leave empty to use the key in EASEL_API_KEY'
				: 'Leave empty to keep the current key'
			: 'API key',
		prompt: `The API key for ${address}. It is kept in your system's secret storage and sent to this address only.`,
		problem: (text) => (canStay && text.trim() === '' ? undefined : keyProblem(text)),
	});
	return answer?.type === 'value' ? { ...answer, value: answer.value.trim() } : answer;
}

async function removeKey(keys: ApiKeys, log: Log): Promise<void> {
	const address = unlessMistaken(readServiceAddress);
	if (address === undefined) {
		await notify('info', 'No image service is set up, so there is no API key to remove.');
		return;
	}
	const removed = await keys.remove(address);
	log.info(`The API key for ${address} is removed.`);
	const left = await keys.get(address);
	const now =
		left?.source !== 'environment' ? '' : ' EASEL_API_KEY of the environment is used from now on.';
	await notify(
		'info',
		removed
			? `The API key for ${address} is removed.${now}`
			: `There is no API key for ${address} to remove.${now}`,
	);
}

function addressProblem(text: string): string | undefined {
	try {
		normalizeAddress(text);
		return undefined;
	} catch (error) {
		if (error instanceof RequestError) {
			return error.message;
		}
		throw error;
	}
}
