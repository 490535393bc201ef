import { normalizeAddress } from '../service/address.js';
import { RequestError } from '../service/errors.js';
import { runCommand } from './commands.js';
import type { ApiKeys } from './secrets.js';
import { readSetting, SettingError } from './settings.js';
import { mayGenerateHere } from './workspaceTrust.js';

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
	return (await keys.get(address)) === undefined ? runCommand('easel.setApiKey') : true;
}
