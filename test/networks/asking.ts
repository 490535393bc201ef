import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { notedText } from '../../src/editor/errorTexts.js';
import { Journal } from '../../src/jobs/journal.js';
import type { JobState } from '../../src/jobs/state.js';
import type { WorkerInput } from '../../src/jobs/workerProtocol.js';
import { defaultNetworkOptions, type NetworkOptions } from '../../src/service/transport.js';
import { startImageService, type ImageService } from '../service/server.js';
import { follow, start } from '../process/support.js';
import { inputFor, requestOf } from '../unit/jobs/support.js';
import { certificateFor, type Certificate } from '../unit/service/networkFixtures.js';
import { host } from './proxyPrograms.js';

const key = 'networks-key-5c1d';

/** An address of this machine that a test may give it. */
export const cable = '10.213.87.1';

export interface Question extends Partial<NetworkOptions> {
	/** Variables of the environment that the worker gets. */
	readonly env?: Readonly<Record<string, string>>;
	/** The service's; the one that only proxies know by default. */
	readonly address?: string;
	readonly change?: Partial<WorkerInput>;
	/** Those that may run the worker. */
	readonly programs?: readonly string[];
}

/** The real worker, asking the stand-in service for an image in a network of this machine. */
export class Asking {
	#started: Promise<unknown> = Promise.resolve();

	private constructor(
		readonly folder: string,
		readonly service: ImageService,
		/** The service's own; no authority of the system knows it. */
		readonly certificate: Certificate,
		private readonly journal: Journal,
	) {}

	static async begin(latencyMs = 0): Promise<Asking> {
		const folder = await mkdtemp(path.join(tmpdir(), 'easel-networks-'));
		// A proxy that gives up being root has to get at its own folder in this one.
		await chmod(folder, 0o755);
		const certificate = await certificateFor([host, 'localhost', '::1', '0.0.0.0', cable]);
		const service = await startImageService({
			key,
			latencyMs,
			host: '::',
			pictures: 'small',
			tls: certificate,
		});
		const asking = new Asking(folder, service, certificate, new Journal(path.join(folder, 'jobs')));
		await writeFile(asking.authority, certificate.cert);
		return asking;
	}

	/** The file with the service's authority. */
	get authority(): string {
		return path.join(this.folder, 'authority.pem');
	}

	get port(): number {
		return Number(new URL(this.service.address).port);
	}

	/** Lets a worker ask once and returns how it ended; the authority is known unless `env` is given. */
	async ask({ env, address, change, programs, ...network }: Question = {}): Promise<JobState> {
		const entry = await this.journal.create(requestOf());
		const input = inputFor(
			entry,
			{ address: address ?? `https://${host}:${String(this.port)}`, key },
			{
				network: { ...defaultNetworkOptions, ...network },
				timeoutMs: 900_000,
				retry: 'never',
				...change,
			},
		);
		// One after the other: all of them take the variables of this process.
		this.#started = this.#started.then(() =>
			withVariables(env ?? { NODE_EXTRA_CA_CERTS: this.authority }, () =>
				start(input, programs === undefined ? {} : { programs }),
			),
		);
		await this.#started;
		return follow(entry).end;
	}

	/** Asks in vain, and returns the message. */
	async refusal(question: Question): Promise<string> {
		const end = await this.ask(question);
		if (end.state !== 'failed') {
			throw new Error(`It should have failed, and is ${end.state}.`);
		}
		return notedText(end.failure.message, end.failure.error);
	}

	async end(): Promise<void> {
		await this.service.close();
		// A worker whose service has gone writes its last words.
		await rm(this.folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
	}
}

/** A worker takes its variables from the process that starts it: with these, and no other proxy. */
async function withVariables<T>(
	variables: Readonly<Record<string, string>>,
	work: () => Promise<T>,
): Promise<T> {
	const concerned = /^((https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i;
	const before = Object.entries(process.env).filter(([name]) => concerned.test(name));
	const clear = () => {
		for (const name of Object.keys(process.env).filter((each) => concerned.test(each))) {
			delete process.env[name];
		}
	};
	clear();
	Object.assign(process.env, variables);
	try {
		return await work();
	} finally {
		clear();
		Object.assign(process.env, Object.fromEntries(before));
	}
}
