import path from 'node:path';
import { sha256Of } from '../images/hash.js';
import { inspectImage } from '../images/inspect.js';
import type { Charge } from '../service/errors.js';
import { jobEventSchema, receive, send, type JobEvent } from './conversation.js';
import { connectTo } from './endpoint.js';
import { imageFile, now, readState, writeState, type JobEntry } from './journal.js';
import { workerName } from './start.js';
import { isOver, type JobState } from './state.js';

export interface FollowOptions {
	/** Cancels the job; the worker ends at once. */
	readonly signal: AbortSignal;
	readonly onEvent: (event: JobEvent) => void;
	/** Asks a person whether to send again what may have been charged already. */
	readonly ask: (event: JobEvent & { type: 'failed' }) => Promise<boolean>;
	/** The answer was yes, but the job had ended before: nothing was sent again. */
	readonly onLateAnswer?: () => void;
}

/**
 * Follows a job to its end and returns its last state: `received` or one that is over. Where the
 * worker has died before, that is `interrupted`, and it is never sent again without a person.
 */
export async function followJob(
	{ folder, request }: Pick<JobEntry, 'folder' | 'request'>,
	options: FollowOptions,
): Promise<JobState> {
	const socket = await connectTo(workerName(request.id));
	if (socket !== undefined) {
		const cancel = () => {
			send(socket, { type: 'cancel' });
		};
		options.signal.addEventListener('abort', cancel, { once: true });
		receive(socket, jobEventSchema, (event) => {
			options.onEvent(event);
			if (event.type === 'failed' && event.next.action === 'ask') {
				void options.ask(event).then((again) => {
					if (socket.writable) {
						send(socket, { type: 'answer', again });
					} else if (again) {
						options.onLateAnswer?.();
					}
				});
			}
		});
		if (options.signal.aborted) {
			cancel();
		}
		// `once` of node:events would reject with the reset that a killed worker causes.
		await new Promise((resolve) => socket.once('close', resolve));
		options.signal.removeEventListener('abort', cancel);
	}
	const state = await readState(folder);
	if (isOver(state) || state.state === 'received') {
		return state;
	}
	const found = await imageOf(folder, state);
	if (found !== undefined) {
		await writeState(folder, found);
		return found;
	}
	const interrupted: JobState = {
		state: 'interrupted',
		charge: chargeOf(state),
		attempts: state.attempts,
		changedAt: now(),
	};
	await writeState(folder, interrupted);
	return interrupted;
}

/** The image may be whole although the worker died, or the disk was full, before it could say so. */
async function imageOf(folder: string, state: JobState): Promise<JobState | undefined> {
	try {
		const file = path.join(folder, imageFile);
		const facts = await inspectImage(file);
		const result = { file, elapsedMs: 0, ...facts, sha256: await sha256Of(file) };
		return { state: 'received', result, attempts: state.attempts, changedAt: now() };
	} catch {
		return undefined;
	}
}

/** What an interruption in this state means for the money; the disk may be a moment behind. */
function chargeOf(state: JobState): Charge {
	switch (state.state) {
		case 'queued':
			return 'notSent';
		case 'sending':
		case 'waiting':
			return 'ambiguous';
		case 'pausing':
			return state.attempts.some(({ failure }) => failure?.charge === 'ambiguous')
				? 'ambiguous'
				: (state.attempts.at(-1)?.failure?.charge ?? 'ambiguous');
		default:
			return 'delivered';
	}
}
