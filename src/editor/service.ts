import { normalizeAddress } from '../service/address.js';
import { RequestError } from '../service/errors.js';
import { runCommand } from './commands.js';
import type { ApiKeys } from './secrets.js';
import { readSetting, SettingError } from './settings.js';

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
			throw new SettingError('easel.service.address', error.message);
		}
		throw error;
	}
}

/** Asks for what is missing of address and key, and tells whether both are there now. */
export async function ensureSetUp(keys: ApiKeys): Promise<boolean> {
	const address = readServiceAddress();
	if (address === undefined) {
		return runCommand('easel.setUp');
	}
	return (await keys.get(address)) === undefined ? runCommand('easel.setApiKey') : true;
}
