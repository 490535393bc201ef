import { errorText } from '../../../src/editor/errorTexts.js';
import {
	defaultNetworkOptions,
	openTransport,
	type NetworkOptions,
	type TransportOverrides,
} from '../../../src/service/transport.js';
import {
	transportFailure,
	type ProxyFacts,
	type TransportFailure,
} from '../../../src/service/transportFailure.js';
import { send } from './requests.js';

export interface WordedFailure extends Omit<TransportFailure, 'facts'> {
	/** The last part of the code of its facts; `proxy` where it is the proxy's. */
	readonly reason: string;
	readonly text: string;
}

/** Returns the `transportFailure`, with its text. */
export function wordedFailure(error: unknown, address: URL, proxy?: ProxyFacts): WordedFailure {
	const { facts, ...failure } = transportFailure(error, address, proxy);
	const [whose, reason = ''] = facts.code.split('.');
	return {
		...failure,
		reason: whose === 'proxy' ? whose : reason,
		text: errorText(facts),
	};
}

/** Calls an address that fails, and returns what is said about it. */
export async function failureOf(
	address: string,
	network: Partial<NetworkOptions> = {},
	overrides: TransportOverrides = {},
	env: Record<string, string> = {},
): Promise<WordedFailure> {
	const options = { ...defaultNetworkOptions, ...network };
	const transport = openTransport(new URL(address), options, env, overrides);
	return send(transport).then(
		() => {
			throw new Error('It should have failed.');
		},
		(error: unknown) => wordedFailure(error, new URL(address), transport.viaProxy),
	);
}
