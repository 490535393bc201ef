import * as vscode from 'vscode';
import { commandTitles } from '../../editor/commandTable.js';
import { commandButton, registerCommand } from '../../editor/commands.js';
import { openGuide } from '../../editor/guide.js';
import { notify, runDetached, showStatus, withErrorMessage } from '../../editor/messages.js';
import { askPick, type ValueItem } from '../../editor/quickInput.js';
import type { ApiKeys } from '../../editor/secrets.js';
import { readService, readServiceAddress, type ServiceInUse } from '../../editor/service.js';
import { settingOr, writeUserSetting } from '../../editor/settings.js';
import { openWalkthrough, stepDone } from '../../editor/walkthrough.js';
import type { Services } from '../../services.js';
import { log } from '../../log.js';
import { setupMessages } from '../messages.js';
import { connectionWords, testConnection } from './connection.js';
import { removeAllData, type OwnStorage } from './removeData.js';
import { askCheckedKey, keyInUse, setUp, storeKey } from './setUp.js';

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
		registerCommand('easel.testConnection', () => withErrorMessage(() => showConnection(keys))),
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
			{ icon: 'plug', label: commandTitles['easel.testConnection'], value: 'test' },
			...(found.source === 'stored'
				? [{ icon: 'trash', label: removeLabel, value: 'remove' }]
				: []),
		],
	});
	const chosen = answer?.type === 'value' ? answer.value.value : undefined;
	if (chosen === 'remove') {
		await removeKey(keys, address);
	}
	if (chosen === 'test') {
		await showConnection(keys);
	}
	return (
		(chosen === 'key' && (await setKey(keys, address))) ||
		(chosen === 'address' && (await setUp(keys, false)))
	);
}

/** Says what there is at the address, without a purchase, with the next step as a button. */
async function showConnection(keys: ApiKeys): Promise<void> {
	const address = readServiceAddress();
	const again = commandButton('easel.testConnection');
	const setUpButton = { ...commandButton('easel.setUp'), label: setupMessages.setUp };
	if (address === undefined) {
		runDetached(notify('info', setupMessages.notTested, [setUpButton]));
		return;
	}
	const service = readService();
	const connection = { address, service, key: await keyInUse(keys, address) };
	const found = await testConnection(connection);
	const words = connectionWords(connection, found);
	switch (found.type) {
		case 'listed': {
			const run = () => selectModel(service, found.models);
			runDetached(notify('info', words, [{ label: setupMessages.showModels, run }]));
			return;
		}
		case 'unlisted':
			runDetached(notify('info', words));
			return;
		case 'refused':
			runDetached(notify('error', words, [commandButton('easel.setApiKey')]));
			return;
		case 'notReached':
			runDetached(notify('error', words, [again, setUpButton]));
			return;
		case 'cancelled':
			return;
	}
}

/** Shows the models of the service; one that is chosen is used for images from then on. */
async function selectModel({ model }: ServiceInUse, models: readonly string[]): Promise<void> {
	const items = models.map((value) => ({
		label: value,
		value,
		...(value === model && { icon: 'check', description: setupMessages.modelInUse }),
	}));
	const answer = await askPick({
		title: commandTitles['easel.testConnection'],
		placeholder: setupMessages.selectImageModel,
		items,
		active: items.find(({ value }) => value === model),
	});
	if (answer?.type === 'value' && answer.value.value !== model) {
		await writeUserSetting('service.model', answer.value.value);
	}
}

async function setKey(keys: ApiKeys, address: string): Promise<boolean> {
	const place = { address, service: readService(address) };
	const checked = await askCheckedKey(keys, place, { title: setupMessages.keyTitle });
	if (typeof checked !== 'object' || !(await storeKey(keys, place, checked.key))) {
		return false;
	}
	log.info(`The API key for ${address} is set.`);
	stepDone('setUp');
	showStatus(setupMessages.keySet(address), 'key');
	return true;
}

async function removeKey(keys: ApiKeys, address: string): Promise<void> {
	await keys.remove(address);
	log.info(`The API key for ${address} is removed.`);
	const left = await keys.get(address);
	const now = left?.source === 'environment' ? [setupMessages.environmentKey] : [];
	await notify('info', [setupMessages.keyRemoved(address), ...now].join(' '));
}
