import { EaselError, inWords, type ErrorFacts } from '../easelError.js';
import { messageOf } from './interruption.js';
import { proxyCredentials } from '../service/proxy.js';
import { hideSecrets } from '../service/redact.js';
import type { WorkerInput } from './workerProtocol.js';

/**
 * Whatever leaves the worker goes through here, because it is the worker that knows the key: what a
 * service repeats of it must reach no window, no file and no output.
 */
export class OutputRedactor {
	readonly #secrets: readonly string[];

	constructor(input?: Pick<WorkerInput, 'key' | 'network'>) {
		this.#secrets = input === undefined ? [] : secretsOf(input);
	}

	/** A message or a state, with no secret in any text of it but those that are ours alone. */
	clean<T>(message: T): T {
		return this.#cleanValue(message) as T;
	}

	/** A text without secrets. */
	cleanText(text: string): string {
		return hideSecrets(text, this.#secrets);
	}

	/** The first line of what went wrong; what it is cut to may end within a secret. */
	line(error: unknown): string {
		return this.cleanText(messageOf(error)).split('\n', 1)[0]!.slice(0, maxLineLength);
	}

	/** What went wrong, as data without secrets. */
	facts(error: unknown): ErrorFacts {
		return error instanceof EaselError ? this.clean(error.facts) : inWords(this.line(error));
	}

	/** From now on what is written to this stream has no secret in it, whoever writes it. */
	guard(stream: Pick<NodeJS.WriteStream, 'write'>): void {
		const write = stream.write.bind(stream) as (text: string, ...rest: unknown[]) => boolean;
		stream.write = (text: string | Uint8Array, ...rest: unknown[]) =>
			write(this.cleanText(Buffer.from(text as string).toString()), ...rest);
	}

	#cleanValue(value: unknown): unknown {
		if (typeof value === 'string') {
			return this.cleanText(value);
		}
		if (Array.isArray(value)) {
			return value.map((each) => this.#cleanValue(each));
		}
		if (typeof value === 'object' && value !== null) {
			return Object.fromEntries(
				Object.entries(value).map(([name, each]) => [
					name,
					ours.has(name) && typeof each === 'string' ? each : this.#cleanValue(each),
				]),
			);
		}
		return value;
	}
}

const maxLineLength = 500;

/**
 * Names of fields that no service has a say in. A key may be a word like `received`, and a state
 * that does not say so any more, or a path that leads nowhere, would cost the image.
 */
const ours: ReadonlySet<string> = new Set([
	...['type', 'state', 'kind', 'charge', 'action', 'phase', 'endpoint', 'field', 'node'],
	...['startedAt', 'changedAt', 'until'],
	...['file', 'format', 'contentType', 'extension', 'sha256', 'saving', 'target'],
]);

function secretsOf({ key, network }: Pick<WorkerInput, 'key' | 'network'>): string[] {
	const { proxy, proxyAuthorization = '' } = network;
	const password = URL.canParse(proxy) ? proxyCredentials(new URL(proxy)).password : '';
	const credentials = proxyAuthorization.trim().replace(/\S+\s+/, '');
	const inBasic = Buffer.from(credentials, 'base64')
		.toString()
		.replace(/[^:]*:/, '');
	return [key, password, credentials, inBasic];
}
