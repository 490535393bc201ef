import { defaultNetworkOptions, type NetworkOptions } from '../service/transport.js';

export function readNetworkOptions(): NetworkOptions {
	return defaultNetworkOptions;
}
