import { EaselError, factsOfError, inWords, logText, type ErrorFacts } from '../easelError.js';
import { proxyCredentials } from '../service/proxy.js';
import { hideSecrets } from '../service/redact.js';
import type { WorkerInput } from './workerProtocol.js';

/** Hides the key, which a service may repeat, in all that leaves the worker: to windows, files, output. */
export class OutputRedactor {
	readonly #secrets: readonly string[];

	constructor(input?: Pick<WorkerInput, 'key' | 'network'>) {
		this.#secrets = input === undefined ? [] : secretsOf(input);
	}

	/** Copies a message or a state, with no secret in any text of it but those that are ours alone. */
	clean<T>(message: T): T {
		return JSON.parse(JSON.stringify(message), (name, value: unknown) =>
			typeof value === 'string' && !ours.has(name) ? this.cleanText(value) : value,
		) as T;
	}

	/** Returns a text without secrets. */
	cleanText(text: string): string {
		return hideSecrets(text, this.#secrets);
	}

	/** Returns the first line of what went wrong. Cut before, it could end within a secret. */
	line(error: unknown): string {
		return this.cleanText(logText(factsOfError(error)))
			.split('\n', 1)[0]!
			.slice(0, maxLineLength);
	}

	/** Returns what went wrong, as data without secrets. */
	facts(error: unknown): ErrorFacts {
		return error instanceof EaselError ? this.clean(error.facts) : inWords(this.line(error));
	}

	/** Hides secrets from now on in all that is written to this stream. */
	guard(stream: Pick<NodeJS.WriteStream, 'write'>): void {
		const write = stream.write.bind(stream) as (text: string, ...rest: unknown[]) => boolean;
		stream.write = (text: string | Uint8Array, ...rest: unknown[]) =>
			write(this.cleanText(Buffer.from(text as string).toString()), ...rest);
	}
}

const maxLineLength = 500;

/**
 * Names of fields in which no service can repeat the key. A key may be a word like `received`, and a
 * state that does not say so any more, or a path that leads nowhere, would cost the image.
 */
const ours: ReadonlySet<string> = new Set([
	...['type', 'state', 'kind', 'charge', 'action', 'phase', 'endpoint', 'field', 'node'],
	...['startedAt', 'changedAt', 'until'],
	...['file', 'format', 'contentType', 'extension', 'sha256', 'saving', 'target'],
]);

function secretsOf({ key, network }: Pick<WorkerInput, 'key' | 'network'>): string[] {
	const { proxy, proxyAuthorization = '' } = network;
	const own = URL.canParse(proxy) ? proxyCredentials(new URL(proxy)) : { user: '', password: '' };
	// As the header has it. Without a password, no secret.
	const base64 =
		own.password === '' ? '' : Buffer.from(`${own.user}:${own.password}`).toString('base64');
	const credentials = proxyAuthorization.trim().replace(/\S+\s+/, '');
	const pair = Buffer.from(credentials, 'base64').toString();
	return [key, own.password, base64, credentials, pair.slice(pair.indexOf(':') + 1)];
}
