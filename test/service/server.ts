import { once } from 'node:events';
import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	faultyStatus,
	imageAnswer,
	jsonAnswer,
	send,
	type Answer,
	type PictureSizes,
} from './answer.js';
import { checkAuthorization, recordedHeaders, type AcceptedKey } from './authorization.js';
import type { ImageOrder } from './contractCheck.js';
import { FaultBox, type Effects, type FaultControl } from './faults.js';
import { ClientLeft, readForm, readJsonObject } from './form.js';
import { manners, type MannerName } from './manners.js';
import { errorBody, Refusal } from './refusal.js';
import { LanguageModels, modelEndpoints, type ModelRequest, type Reply } from './languageModel.js';
import {
	Ledger,
	type Endpoint,
	type Milestone,
	type OpenRequest,
	type RecordedRequest,
	type StrayRequest,
} from './requests.js';

export interface ImageServiceOptions {
	/** 0, the default, takes a free port. */
	readonly port?: number;
	/** `127.0.0.1` by default. */
	readonly host?: string;
	/** The kind of service that it stands in for; the specification's by default. */
	readonly manner?: MannerName;
	/** The API key that is accepted; `test-key` where neither this nor `keys` is given. */
	readonly key?: string;
	/** More accepted keys; one without quota is answered 402. */
	readonly keys?: readonly AcceptedKey[];
	/** Time that an image takes, in milliseconds; 0 by default. Errors take no time. */
	readonly latencyMs?: number;
	/** Key and certificate in PEM: the service then speaks https. */
	readonly tls?: { readonly key: string; readonly cert: string };
	/** More image requests at once than this are answered 429 with `Retry-After: 1`. */
	readonly concurrencyLimit?: number;
	/**
	 * `real`, the default, draws pictures as large as those of the real service: 1 to 3 MB at
	 * 1024x1024, 12 to 24 MB at 3840x2160. `small` ones take about 0.1 MB; a test says why.
	 */
	readonly pictures?: PictureSizes;
}

/** The stand-in image service, running. */
export interface ImageService {
	/** For example `http://127.0.0.1:1234`. */
	readonly address: string;
	/** Every request to an image endpoint, in the order of arrival; the records are live. */
	readonly requests: readonly RecordedRequest[];
	/** Requests that found no endpoint: 404 and 405. */
	readonly strays: readonly StrayRequest[];
	/** Headers of each request for a picture by its address. */
	readonly links: readonly Readonly<Record<string, string>>[];
	/** Images finished on the server, whether or not the client was there: what is charged. */
	readonly imagesMade: number;
	/** The largest number of image requests that were open at once. */
	readonly maxAtOnce: number;
	readonly faults: FaultControl;
	/** Every request to a language model that was well-formed and allowed, in order; live. */
	readonly modelRequests: readonly ModelRequest[];
	/** Answers of the models to the next requests, one each. */
	readonly modelReplies: Reply[];
	/** The list of models; a test may take it away. */
	readonly models: Pick<LanguageModels, 'list'>;
	/**
	 * Resolves with the `sequence`-th image request (from 1) once it is where `until` says,
	 * `received` by default: at once where it is there already.
	 *
	 * @throws {Error} where the request ends otherwise, or the service closes
	 */
	waitForRequest(sequence: number, until?: Milestone): Promise<RecordedRequest>;
	/** Resolves once the condition holds; it is looked at after each change of any request. */
	waitUntil(condition: () => boolean): Promise<void>;
	/**
	 * Lets requests go on that a fault holds now, or is about to hold because they are received
	 * already: all, or those whose prompt is this one. Returns how many.
	 */
	releaseHeld(prompt?: string): number;
	/** Destroys every connection and resolves when nothing is left. */
	close(): Promise<void>;
}

/**
 * Starts a stand-in for the image service, complete to its specification.
 *
 * @throws {Error} where the port cannot be taken
 */
export async function startImageService(options: ImageServiceOptions = {}): Promise<ImageService> {
	const ledger = new Ledger();
	const faults = new FaultBox();
	const held = new Map<() => void, OpenRequest>();
	/** Those that a fault will hold, on their way there. */
	const toBeHeld = new Set<OpenRequest>();
	const closing = new AbortController();
	const working = new Set<Promise<void>>();
	const sockets = new Set<Socket>();
	let closed: Promise<void> | undefined;
	const keys = acceptedKeys(options);
	const manner = manners[options.manner ?? 'standard'];
	const endpoints: Readonly<Record<string, Endpoint>> = {
		[`${manner.base}/images/generations`]: 'generations',
		[`${manner.base}/images/edits`]: 'edits',
	};
	const linkedPictures = new Map<string, Buffer>();
	const links: Readonly<Record<string, string>>[] = [];
	const modelPaths = modelEndpoints(manner);
	const models = new LanguageModels(keys, faults, () => ledger.changed(), manner);

	const listener: RequestListener = (request, response) => {
		const work = answer(request, response).catch((error: unknown) => {
			if (!closing.signal.aborted) {
				// A bug of the stand-in must be seen, and must not look like the client's.
				console.error('The stand-in image service failed.', error);
				response.destroy();
			}
		});
		working.add(work);
		void work.then(() => working.delete(work));
	};
	const server = options.tls ? createTlsServer(options.tls, listener) : createServer(listener);
	server.requestTimeout = 0;
	server.on('connection', (socket: Socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	const host = options.host ?? '127.0.0.1';
	const address = await listen(server, options.port ?? 0, host, options.tls ? 'https' : 'http');

	return {
		address,
		requests: ledger.requests,
		strays: ledger.strays,
		links,
		get imagesMade() {
			return ledger.imagesMade;
		},
		get maxAtOnce() {
			return ledger.maxAtOnce;
		},
		faults,
		modelRequests: models.requests,
		modelReplies: models.replies,
		models,
		waitForRequest: (sequence, until = 'received') => ledger.waitForRequest(sequence, until),
		waitUntil: (condition) => ledger.waitUntil(condition),
		releaseHeld,
		close,
	};

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		// A broken connection shows in `gone`; without a listener its error would end the process.
		request.on('error', () => undefined);
		response.on('error', () => undefined);
		const gone = goneSignal(response, closing.signal);
		const path = (request.url ?? '/').split('?')[0]!.replace(manner.olderBase ?? /^$/, manner.base);
		const linked = linkedPictures.get(path);
		if (path.startsWith('/files/') && linked === undefined) {
			response.writeHead(404).end();
			return;
		}
		if (linked !== undefined && request.method === 'GET') {
			links.push(recordedHeaders(request.headers, keys));
			response.end(linked);
			return;
		}
		if (path === `${manner.base}/models` && request.method === 'GET') {
			await models.answerList(request, response, gone);
			return;
		}
		const protocol = modelPaths.get(path);
		if (protocol !== undefined && request.method === 'POST') {
			response.setHeader('x-request-id', `req_model_${models.requests.length + 1}`);
			await models.answer(request, response, protocol, gone);
			return;
		}
		const endpoint = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
		if (endpoint === undefined || request.method !== 'POST') {
			await answerStray(request, response, path, (endpoint ?? protocol) !== undefined, gone);
			return;
		}
		const record = ledger.begin(endpoint, recordedHeaders(request.headers, keys));
		response.setHeader('x-request-id', record.id);
		const abandon = (): void => {
			if (record.status === undefined && !closing.signal.aborted) {
				ledger.update(record, { status: 'aborted' });
			}
		};
		gone.addEventListener('abort', abandon, { once: true });
		try {
			await answerImageRequest(request, response, record, gone);
		} finally {
			toBeHeld.delete(record);
			ledger.update(record, { held: false, ended: true, endedAt: Date.now() });
		}
	}

	async function answerImageRequest(
		request: IncomingMessage,
		response: ServerResponse,
		record: OpenRequest,
		gone: AbortSignal,
	): Promise<void> {
		let order: ImageOrder;
		let effects: Effects;
		try {
			checkAuthorization(request.headers, keys, manner);
			checkConcurrency();
			if (faults.takeHeldRequest(record.endpoint)) {
				await hold(record, gone);
				if (gone.aborted) {
					return;
				}
			}
			order = await readOrder(request, record);
			effects = faults.take(record.endpoint, order.prompt);
		} catch (error) {
			if (error instanceof Refusal) {
				const { status, body, headers } = error;
				await deliver(response, record, jsonAnswer(status, body, headers), {}, gone);
			} else if (!(error instanceof ClientLeft)) {
				throw error;
			}
			return;
		}
		if (effects.hold) {
			toBeHeld.add(record);
		}
		ledger.update(record, { received: true });

		const charged = effects.charge ?? (effects.status === undefined && effects.cut !== 'headers');
		if (!(await generate(record, effects, charged, gone))) {
			return;
		}
		if (charged) {
			ledger.countImage(record);
		}
		if (gone.aborted) {
			return;
		}
		if (effects.cut === 'headers') {
			ledger.update(record, { status: 'cut' });
			response.destroy();
		} else if (effects.status !== undefined) {
			await deliver(response, record, faultyStatus(effects.status, effects), effects, gone);
		} else {
			const reply = await imageAnswer(order, effects, options.pictures ?? 'real', (picture) => {
				const path = `/files/${record.id}`;
				linkedPictures.set(path, picture);
				return address + path;
			});
			await deliver(response, record, reply, effects, gone);
		}
	}

	async function readOrder(request: IncomingMessage, record: OpenRequest): Promise<ImageOrder> {
		if (record.endpoint === 'generations') {
			const body = await readJsonObject(request);
			record.fields.push(...Object.entries(body).map(([name, value]) => ({ name, value })));
			return manner.checkGeneration(body);
		}
		const form = await readForm(request);
		record.fields.push(...form.fields);
		record.references.push(
			...form.files.map(({ field, fileName, contentType, size, sha256 }) => {
				return { field, fileName, contentType, size, sha256 };
			}),
		);
		return manner.checkEdit(form);
	}

	/** The time an image takes. Returns whether there still is a reason to answer or to count. */
	async function generate(
		record: OpenRequest,
		effects: Effects,
		charged: boolean,
		gone: AbortSignal,
	): Promise<boolean> {
		// As gateways do: an image whose client went away is made and charged all the same.
		const signal = charged ? closing.signal : gone;
		const duration = (charged ? (options.latencyMs ?? 0) : 0) + (effects.delay ?? 0);
		if (duration > 0) {
			await unless(signal, sleep(duration, undefined, { signal }));
		}
		if (effects.hold === true && toBeHeld.delete(record) && !gone.aborted) {
			await hold(record, gone);
		}
		return !signal.aborted;
	}

	function hold(record: OpenRequest, gone: AbortSignal): Promise<void> {
		return new Promise((resolve) => {
			const release = (): void => {
				held.delete(release);
				gone.removeEventListener('abort', release);
				ledger.update(record, { held: false });
				resolve();
			};
			held.set(release, record);
			gone.addEventListener('abort', release, { once: true });
			ledger.update(record, { held: true });
		});
	}

	async function deliver(
		response: ServerResponse,
		record: OpenRequest,
		reply: Answer,
		effects: Effects,
		gone: AbortSignal,
	): Promise<void> {
		const halfway = async (): Promise<void> => {
			if (effects.hold === 'body' && toBeHeld.delete(record)) {
				await hold(record, gone);
			}
		};
		const result = await unless(gone, send(response, reply, effects, gone, halfway));
		// A client that left has its mark already; one that leaves after the last byte has the answer.
		if (result !== undefined && record.status === undefined) {
			ledger.update(record, { status: result === 'cut' ? 'cut' : reply.status });
		}
	}

	async function answerStray(
		request: IncomingMessage,
		response: ServerResponse,
		path: string,
		exists: boolean,
		gone: AbortSignal,
	): Promise<void> {
		const status = exists ? 405 : 404;
		ledger.strays.push({ method: request.method ?? '', path, status });
		ledger.changed();
		response.setHeader('x-request-id', `req_stray_${ledger.strays.length}`);
		const message = exists ? `${path} takes POST only.` : `There is nothing at ${path}.`;
		const reply = jsonAnswer(
			status,
			errorBody(message, 'invalid_request_error', exists ? 'method_not_allowed' : 'not_found'),
			exists ? { allow: 'POST' } : {},
		);
		await unless(gone, send(response, reply, {}, gone));
	}

	function checkConcurrency(): void {
		if (ledger.open > (options.concurrencyLimit ?? Infinity)) {
			const message = 'Too many images at once.';
			const body = errorBody(message, 'rate_limit_error', 'concurrency_limit');
			throw new Refusal(429, body, { 'retry-after': '1' });
		}
	}

	function releaseHeld(prompt?: string): number {
		const isMeant = ({ fields }: OpenRequest): boolean =>
			prompt === undefined ||
			fields.some(({ name, value }) => name === 'prompt' && value === prompt);
		const ahead = [...toBeHeld].filter(isMeant);
		for (const record of ahead) {
			toBeHeld.delete(record);
		}
		const now = [...held].filter(([, record]) => isMeant(record));
		for (const [release] of now) {
			release();
		}
		return ahead.length + now.length;
	}

	function close(): Promise<void> {
		closed ??= (async () => {
			const down = once(server, 'close');
			closing.abort(new Error('The image service closes.'));
			server.close();
			// Not closeAllConnections, which does not know those in a TLS handshake.
			for (const socket of sockets) {
				socket.destroy();
			}
			await down;
			await Promise.all(working);
			ledger.close();
		})();
		return closed;
	}
}

function acceptedKeys({ key, keys = [] }: ImageServiceOptions): AcceptedKey[] {
	const first = key ?? (keys.length === 0 ? 'test-key' : undefined);
	return first === undefined ? [...keys] : [{ key: first }, ...keys];
}

async function listen(server: Server, port: number, host: string, scheme: string): Promise<string> {
	server.listen(port, host);
	await once(server, 'listening');
	const { port: taken, family, address } = server.address() as AddressInfo;
	return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
}

/** Aborts when the client goes away before the answer is whole, or when the service closes. */
function goneSignal(response: ServerResponse, closing: AbortSignal): AbortSignal {
	const gone = new AbortController();
	response.once('close', () => {
		if (!response.writableFinished) {
			gone.abort(new Error('The client went away.'));
		}
	});
	return AbortSignal.any([gone.signal, closing]);
}

/** The result, or `undefined` where `signal` ended the work. */
async function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
	try {
		return await work;
	} catch (error) {
		if (signal.aborted) {
			return undefined;
		}
		throw error;
	}
}
