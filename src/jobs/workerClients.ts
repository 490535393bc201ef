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

/** The windows that follow a job, for its worker. A late one hears where the job stands. */
export class WorkerClients {
	readonly #sockets = new Set<Socket>();
	/** Events that a late window gets; `at` is when it happened, in ms of `performance.now()`. */
	#lastEvents: { readonly event: NewJobEvent; readonly at: number }[] = [];

	constructor(
		private readonly onCommand: (command: Command) => void,
		private readonly redactor: Pick<OutputRedactor, 'clean'>,
	) {}

	/** Adds a window that has connected. */
	add(socket: Socket): void {
		this.#sockets.add(socket);
		socket.on('error', () => socket.destroy());
		socket.on('close', () => this.#sockets.delete(socket));
		receive(socket, commandSchema, this.onCommand);
		for (const { event, at } of this.#lastEvents) {
			send(socket, aged(event, at));
		}
	}

	/** Sends an event to all windows, and to later ones as long as it says where the job stands. */
	notify(said: NewJobEvent): void {
		const event = this.redactor.clean(said);
		const at = performance.now();
		const before = this.#lastEvents.filter((last) =>
			context[event.type]?.includes(last.event.type),
		);
		// In one step with the sending, so that a window that comes now hears nothing twice.
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

/** Events that another event needs before it; every other one stands alone. */
const context: Partial<Record<JobEvent['type'], JobEvent['type'][]>> = {
	phase: ['attempt'],
	stalled: ['attempt', 'phase'],
};

function aged(event: NewJobEvent, at: number): JobEvent {
	return { ...event, ageMs: performance.now() - at };
}
