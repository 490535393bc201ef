import { normalizeAddress } from '../service/address.js';
import { RequestError } from '../service/errors.js';
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
