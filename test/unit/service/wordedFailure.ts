import { errorText } from '../../../src/editor/errorTexts.js';
import {
	transportFailure,
	type ProxyFacts,
	type TransportFailure,
} from '../../../src/service/transportFailure.js';

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
