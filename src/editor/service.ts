import { wordsOf } from './errorTexts.js';
import { normalizeAddress } from '../service/address.js';
import { RequestError } from '../service/errors.js';
import { runCommand } from './commands.js';
import { choose, runDetached, notify } from './messages.js';
import type { ApiKeys } from './secrets.js';
import { readSetting, SettingError } from './settings.js';
import { stepDone } from './walkthrough.js';
import { mayGenerateHere } from './workspaceTrust.js';
import { texts } from './texts.js';

/**
 * The address that the user has set, as the client takes it; `undefined` where none is set.
 *
 * @throws {SettingError} where it is no address
 */
export function readServiceAddress(): string | undefined {
	const address = readSetting('service.address');
	if (address.trim() === '') {
		return undefined;
	}
	try {
		return normalizeAddress(address);
	} catch (error) {
		if (error instanceof RequestError) {
			throw new SettingError('easel.service.address', wordsOf(error));
		}
		throw error;
	}
}

/**
 * Whether images can be asked for here. Asks for what stands in the way: that the workspace is not
 * trusted, or that address or key is missing.
 *
 * @throws {SettingError} where the address is none
 */
export async function ensureReady(keys: ApiKeys): Promise<boolean> {
	if (!(await mayGenerateHere())) {
		return false;
	}
	const address = readServiceAddress();
	if (address === undefined) {
		return runCommand('easel.setUp');
	}
	const found = await keys.get(address);
	if (found === undefined) {
		return runCommand('easel.setApiKey');
	}
	if (found.source === 'elsewhere' && !(await mayMoveKey(found.address, address, keys))) {
		return false;
	}
	stepDone('setUp');
	return true;
}

const { sendKey, setAnotherKey } = texts;

/**
 * Asks before the key of the environment goes to another address than the one that it belongs to.
 *
 * @returns whether there is a key now that may go there
 */
export async function mayMoveKey(from: string, to: string, keys: ApiKeys): Promise<boolean> {
	const answer = await choose(
		texts.moveKey(to),
		[texts.moveKeyDetail(from)],
		sendKey,
		setAnotherKey,
	);
	const setKey = () => runCommand('easel.setApiKey');
	if (answer === sendKey) {
		await keys.moveEnvironmentKey(to);
		return true;
	}
	if (answer === setAnotherKey) {
		return setKey();
	}
	runDetached(notify('error', elsewhereWords(from, to), [{ label: setAnotherKey, run: setKey }]));
	return false;
}

/** Says that the key of the environment belongs to another address. */
export function elsewhereWords(from: string, to: string): string {
	return texts.keyElsewhere(from, to);
}
