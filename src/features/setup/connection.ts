import { notedText, wordsOf } from '../../editor/errorTexts.js';
import { choose } from '../../editor/messages.js';
import { withJobProgress } from '../../editor/progress.js';
import { safeText } from '../../editor/untrustedText.js';
import { readNetworkOptions, type ServiceInUse } from '../../editor/service.js';
import { listModels } from '../../languageModel/listModels.js';
import { log } from '../../log.js';
import { StatusError } from '../../service/errors.js';
import { openTransport } from '../../service/transport.js';
import { transportFailure } from '../../service/transportFailure.js';
import { setupMessages } from '../messages.js';

/** Time limit for the host of a service to answer, in milliseconds. */
const maxConnectMs = 10_000;

/** Address with a key, which may be missing, and the manner in which it is asked. */
export interface Connection {
	readonly address: string;
	readonly key: string | undefined;
	readonly service: ServiceInUse;
}

/**
 * State of a connection. `refused`: the service does not take the key, in its own words. `unlisted`: it
 * has no list of models, which says nothing of the key.
 */
export type Found =
	| { readonly type: 'listed'; readonly models: readonly string[] }
	| { readonly type: 'unlisted'; readonly status: number | undefined }
	| { readonly type: 'refused' | 'notReached'; readonly words: string }
	| { readonly type: 'cancelled' };

/**
 * Looks whether the host of a service can be reached, with its proxy and certificates, and asks it for
 * the list of its models, which costs nothing: under a progress, within some seconds.
 */
export function testConnection(connection: Connection): Promise<Found> {
	return withJobProgress(
		setupMessages.connecting(connection.address),
		() => setupMessages.connectingDetail,
		async (_changed, signal) => {
			const found =
				(await connectionProblem(connection, signal)) ?? (await ask(connection, signal));
			return signal.aborted ? { type: 'cancelled' } : found;
		},
	);
}

/** As {@link testConnection}, again as long as the user wants where the host is not reached. */
export async function reach(
	connection: Connection,
): Promise<Exclude<Found, { type: 'notReached' }> | 'unseen' | 'changeAddress'> {
	for (;;) {
		const found = await testConnection(connection);
		if (found.type !== 'notReached') {
			return found;
		}
		const { tryAgain, changeAddress, useAnyway } = setupMessages;
		const question = setupMessages.notReached(connection.address);
		switch (await choose(question, [found.words], tryAgain, changeAddress, useAnyway)) {
			case useAnyway:
				return 'unseen';
			case changeAddress:
				return 'changeAddress';
			case undefined:
				return { type: 'cancelled' };
		}
	}
}

/** Returns what was found in words for the user. */
export function connectionWords({ address, key, service }: Connection, found: Found): string {
	const reached = setupMessages.reached(address);
	switch (found.type) {
		case 'listed': {
			const model = safeText(service.model, 100);
			const list = setupMessages.listed(
				found.models.length,
				key !== undefined && service.keyIsOptional !== true,
			);
			return `${reached} ${list}${setupMessages.inUse(model, found.models.includes(service.model))}`;
		}
		case 'unlisted':
			return found.status === undefined
				? reached
				: `${reached} ${setupMessages.unchecked(found.status)}`;
		case 'refused':
			return setupMessages.keyRefused(address, found.words);
		case 'notReached':
			return `${setupMessages.notReached(address)} ${found.words}`;
		case 'cancelled':
			return '';
	}
}

async function connectionProblem(
	{ address }: Connection,
	cancelling: AbortSignal,
): Promise<Found | undefined> {
	const transport = openTransport(address, readNetworkOptions());
	const signal = AbortSignal.any([cancelling, AbortSignal.timeout(maxConnectMs)]);
	try {
		(await transport.connect(signal)).destroy();
		return undefined;
	} catch (error) {
		const timedOut = Object.assign(new Error('timeout'), { code: 'CONNECT_TIMEOUT' });
		const cause = signal.aborted ? timedOut : error;
		const { facts } = transportFailure(cause, new URL(address), transport.viaProxy);
		const words = notedText('', facts);
		log.warn(`${address} was not reached: ${words}`);
		return { type: 'notReached', words };
	}
}

async function ask({ address, key, service }: Connection, cancelling: AbortSignal): Promise<Found> {
	if (key === undefined && service.keyIsOptional !== true) {
		return { type: 'unlisted', status: undefined };
	}
	const transport = openTransport(address, readNetworkOptions());
	const signal = AbortSignal.any([cancelling, AbortSignal.timeout(maxConnectMs)]);
	try {
		const { status, models } = await listModels('chat', transport, key ?? '', signal, service);
		return models.length > 0 ? { type: 'listed', models } : { type: 'unlisted', status };
	} catch (error) {
		if (error instanceof StatusError) {
			return { type: 'refused', words: wordsOf(error) };
		}
		log.info(`${address} has not said whether it takes the key: ${String(error)}`);
		return { type: 'unlisted', status: undefined };
	}
}
