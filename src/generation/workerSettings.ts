import { readNetworkOptions } from '../editor/network.js';
import type { ApiKeys } from '../editor/secrets.js';
import { elsewhereWords, readServiceAddress } from '../editor/service.js';
import { readSetting, SettingError } from '../editor/settings.js';
import type { FailureFacts } from '../jobs/failure.js';
import type { WorkerSettings } from '../jobs/makeImage.js';
import { messages } from './messages.js';

/** What a worker needs to ask for an image; what is missing or wrong is the image's failure. */
export async function readWorkerSettings(keys: ApiKeys): Promise<WorkerSettings | FailureFacts> {
	try {
		const address = readServiceAddress();
		const key = address === undefined ? undefined : await keys.take(address);
		if (address === undefined || key === undefined) {
			return notSent('request', messages.setUpMissing, address === undefined ? 'address' : 'key');
		}
		if (key.source === 'elsewhere') {
			return notSent('request', elsewhereWords(key.address, address), 'key');
		}
		return {
			address,
			key: key.key,
			network: readNetworkOptions(),
			timeoutMs: readSetting('service.timeoutSeconds') * 1000,
			retry: readSetting('service.retry'),
		};
	} catch (error) {
		if (error instanceof SettingError) {
			return notSent('setting', error.message, error.setting);
		}
		throw error;
	}
}

function notSent(kind: FailureFacts['kind'], message: string, field: string): FailureFacts {
	return {
		kind,
		message,
		charge: 'notSent',
		repeatable: false,
		field,
		elapsedMs: 0,
		unknownOutcome: false,
	};
}
