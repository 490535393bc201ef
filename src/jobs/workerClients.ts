import type { Socket } from 'node:net';
import type { OutputRedactor } from './outputRedactor.js';
import {
	commandSchema,
	receive,
	send,
	type Command,
	type JobEvent,
	type NewJobEvent,
} from './workerProtocol.js';

/** The windows that follow a job, for its worker. One that comes late hears where the job stands. */
export class WorkerClients {
	readonly #sockets = new Set<Socket>();
	/** What a late window has to hear; `at` is when it happened, in ms of `performance.now()`. */
	#lastEvents: { readonly event: NewJobEvent; readonly at: number }[] = [];

	constructor(
		private readonly onCommand: (command: Command) => void,
		private readonly redactor: Pick<OutputRedactor, 'clean'>,
	) {}

	/** Takes in a window that has connected. */
	add(socket: Socket): void {
		this.#sockets.add(socket);
		socket.on('error', () => socket.destroy());
		socket.on('close', () => this.#sockets.delete(socket));
		receive(socket, commandSchema, this.onCommand);
		for (const { event, at } of this.#lastEvents) {
			send(socket, aged(event, at));
		}
	}

	/** Tells all of them, and those that come later. */
	notify(said: NewJobEvent): void {
		const event = this.redactor.clean(said);
		const at = performance.now();
		// A phase and a stall make sense only with what they belong to; every other event stands alone.
		const before = ['phase', 'stalled'].includes(event.type)
			? this.#lastEvents.filter(
					(last) =>
						last.event.type === 'attempt' ||
						(event.type === 'stalled' && last.event.type === 'phase'),
				)
			: [];
		// In one step with the telling, so that a window that comes now hears nothing twice.
		this.#lastEvents = [...before, { event, at }];
		for (const socket of this.#sockets) {
			send(socket, aged(event, at));
		}
	}

	/** Ends the connections of all windows. */
	disconnect(): void {
		for (const socket of this.#sockets) {
			socket.end();
		}
	}
}

function aged(event: NewJobEvent, at: number): JobEvent {
	return { ...event, ageMs: performance.now() - at };
}
