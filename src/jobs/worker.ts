// The process that asks for one image. It outlives the window that started it, because the one
// open connection is the only way to the result. Entry of its own bundle.
import { text } from 'node:stream/consumers';
import type { Socket } from 'node:net';
import { isCancelled, isImageServiceError, type Charge } from '../service/errors.js';
import { hasUnknownOutcome, longestRetryAfterMs } from '../service/retry.js';
import {
	commandSchema,
	orderSchema,
	receive,
	send,
	type JobEvent,
	type Order,
} from './conversation.js';
import { listenOn } from './endpoint.js';
import { factsOf, type FailureFacts } from './failure.js';
import { now, readEntry, writeState, type JobEntry } from './journal.js';
import { runJob } from './run.js';
import { ready, workerName } from './start.js';
import type { Attempt, JobState } from './state.js';

/** How long a question to a person stands before it counts as answered with no. */
const longestQuestionMs = 60 * 60 * 1000;

async function main(): Promise<void> {
	const order = orderSchema.parse(JSON.parse(await text(process.stdin)));
	const entry = await readEntry(order.folder);
	// Whatever hangs: no process of ours stays for ever.
	setTimeout(
		() => process.exit(1),
		4 * (order.timeoutMs + longestRetryAfterMs) + longestQuestionMs,
	).unref();
	await new Job(entry, order).run();
}

class Job {
	readonly #windows = new Set<Socket>();
	readonly #cancelling = new AbortController();
	readonly #attempts: Attempt[];
	/** What a window has to hear to know where the job stands. */
	#lastEvents: JobEvent[] = [];
	#answer: PromiseWithResolvers<boolean> | undefined;
	/** States are written one after another; the last one wins. */
	#writing: Promise<void> = Promise.resolve();

	constructor(
		private readonly entry: JobEntry,
		private readonly order: Order,
	) {
		this.#attempts = [...entry.state.attempts];
	}

	async run(): Promise<void> {
		const server = await listenOn(workerName(this.entry.request.id), (socket) => {
			this.#greet(socket);
		});
		process.stdout.write(ready);
		try {
			const { image, ...result } = await runJob(this.entry.request, {
				...this.order,
				signal: this.#cancelling.signal,
				onEvent: (event) => this.#tell(event),
				ask: () => this.#ask(),
			});
			await this.#record({ state: 'received', result: { ...image, ...result } });
		} catch (error) {
			await this.#record(this.#end(error));
		} finally {
			server.close();
			for (const socket of this.#windows) {
				socket.end();
			}
		}
	}

	#greet(socket: Socket): void {
		this.#windows.add(socket);
		socket.on('error', () => socket.destroy());
		socket.on('close', () => this.#windows.delete(socket));
		receive(socket, commandSchema, (command) => {
			if (command.type === 'cancel') {
				this.#cancelling.abort();
			} else {
				this.#answer?.resolve(command.again);
			}
		});
		for (const event of this.#lastEvents) {
			send(socket, event);
		}
	}

	/** Puts the event on disk before it is acted on, then tells the windows. */
	async #tell(event: JobEvent): Promise<void> {
		const before = event.type === 'phase' ? this.#lastEvents.filter(isAttempt) : [];
		switch (event.type) {
			case 'attempt':
				this.#attempts.push({ number: event.attempt, startedAt: now() });
				await this.#record({ state: 'sending' });
				break;
			case 'phase':
				await this.#record({ state: event.phase });
				break;
			case 'failed': {
				const attempt = this.#attempts.at(-1);
				if (attempt !== undefined) {
					attempt.failure = event.failure;
				}
				if (event.next.action === 'wait') {
					const until = new Date(Date.now() + event.next.waitMs).toISOString();
					await this.#record({ state: 'pausing', until });
				} else if (event.next.action === 'ask') {
					this.#answer = Promise.withResolvers();
					await this.#record({ state: 'pausing' });
				}
			}
		}
		// In one step with the telling, so that a window that comes now hears nothing twice.
		this.#lastEvents = [...before, event];
		for (const socket of this.#windows) {
			send(socket, event);
		}
	}

	async #ask(): Promise<boolean> {
		const question = (this.#answer ??= Promise.withResolvers());
		const timer = setTimeout(() => {
			question.resolve(false);
		}, longestQuestionMs);
		// The socket keeps the process; once that is closed, nobody waits for the answer any more.
		timer.unref();
		try {
			return await question.promise;
		} finally {
			clearTimeout(timer);
			this.#answer = undefined;
		}
	}

	#end(error: unknown): WithoutCommon<JobState> {
		if (isCancelled(error)) {
			return { state: 'cancelled', charge: error.charge };
		}
		const failure = this.#attempts.at(-1)?.failure;
		if (isImageServiceError(error)) {
			const elapsedMs = failure?.elapsedMs ?? 0;
			const facts = factsOf(error, { elapsedMs }, hasUnknownOutcome({ error, elapsedMs }));
			return { state: 'failed', failure: facts };
		}
		return { state: 'failed', failure: unexpected(error, this.#attempts.length > 0) };
	}

	#record(change: WithoutCommon<JobState>): Promise<void> {
		const state = { ...change, attempts: this.#attempts, changedAt: now() };
		const text = structuredClone(state);
		this.#writing = this.#writing.then(() => writeState(this.entry.folder, text));
		return this.#writing;
	}
}

function isAttempt({ type }: JobEvent): boolean {
	return type === 'attempt';
}

type WithoutCommon<S> = S extends unknown ? Omit<S, 'attempts' | 'changedAt'> : never;

function unexpected(error: unknown, sent: boolean): FailureFacts {
	const charge: Charge = sent ? 'ambiguous' : 'notSent';
	const words = error instanceof Error ? error.message : String(error);
	return {
		kind: 'unexpected',
		message: `Easel could not go on: ${words}`,
		charge,
		repeatable: false,
		elapsedMs: 0,
		unknownOutcome: sent,
	};
}

main().catch(() => {
	process.exitCode = 1;
});
