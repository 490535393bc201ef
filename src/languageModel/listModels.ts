import * as z from 'zod';
import { decodeContent } from '../service/contentCoding.js';
import { readAnswerHead } from '../service/httpAnswer.js';
import { serviceUrl } from '../service/address.js';
import { keyHeader } from '../service/sendRequest.js';
import type { Service } from '../service/services.js';
import { serviceText } from '../service/serviceText.js';
import { statusError } from '../service/statusError.js';
import type { Transport } from '../service/transport.js';
import { protocols } from './protocols.js';

const listSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string().max(200) })) });

/** Size of the whole list, in bytes. */
const maxListBytes = 1024 * 1024;

/** A longer list is no help to choose from. */
const maxModels = 1000;

/** Answer to the question for the models: none where the service has no list. */
export interface ModelList {
	readonly status: number;
	/** Identifiers, which are untrusted text. */
	readonly models: readonly string[];
}

/**
 * Asks a service for its models, which costs nothing; the specification does not promise a list.
 *
 * @param service whose path and header of the key count, where it is not the protocol's
 * @throws {StatusError} where the key is refused
 * @throws {RequestError} where the key cannot stand in a header; the error of the connection
 */
export async function listModels(
	protocol: keyof typeof protocols,
	transport: Transport,
	key: string,
	signal: AbortSignal,
	service?: Service,
): Promise<ModelList> {
	const url =
		protocol === 'chat' && service
			? serviceUrl(transport.address, service, 'models')
			: new URL('/v1/models', transport.address);
	const headers =
		protocol === 'chat' && service ? keyHeader(service, key) : protocols[protocol].headers(key);
	const { callShort } = await import('./shortCall.js');
	const answer = await callShort(url, { headers, transport }, () => undefined, signal);
	try {
		if (answer.status === 401) {
			const secrets = [key];
			const head = readAnswerHead(answer, secrets);
			throw await statusError(answer, head, { url, secrets, charge: 'notSent' });
		}
		const { status } = answer;
		if (status !== 200) {
			return { status, models: [] };
		}
		let text = '';
		for await (const piece of decodeContent(answer.body, answer.headers['content-encoding'])) {
			text += piece.toString('latin1');
			if (text.length > maxListBytes) {
				return { status, models: [] };
			}
		}
		const list = listSchema.safeParse(parsed(Buffer.from(text, 'latin1').toString()));
		const ids = (list.data?.data ?? []).slice(0, maxModels).map(({ id }) => id);
		// One that has the key in it, or what cannot be shown, is none that could be asked.
		return { status, models: ids.filter((id) => serviceText(id, [key]) === id) };
	} finally {
		answer.close();
	}
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
