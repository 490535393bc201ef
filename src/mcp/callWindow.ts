import type { Socket } from 'node:net';
import { toMessageLine, receiveLines } from '../jobs/messageLines.js';
import { agentReplySchema, type AgentAnswer, type AgentCall } from '../protocol/agents.js';

/** Limit that no answer reaches, in UTF-16 code units. */
const maxReplyLength = 8 * 1024 * 1024;

/**
 * Sends a call to a window and waits for its answer.
 *
 * @param signal closes the connection; that cancels nothing
 * @returns `undefined` where the window has gone before it answered
 */
export async function callWindow(
	socket: Socket,
	call: AgentCall,
	onProgress: (words: string) => void,
	signal: AbortSignal,
): Promise<AgentAnswer | undefined> {
	const end = new Promise<AgentAnswer | undefined>((resolve) => {
		socket.once('close', () => resolve(undefined));
		receiveLines(socket, maxReplyLength, (value) => {
			const reply = agentReplySchema.safeParse(value);
			if (!reply.success) {
				socket.destroy();
			} else if ('answer' in reply.data) {
				resolve(reply.data.answer);
			} else {
				onProgress(reply.data.progress);
			}
		});
	});
	const leave = () => socket.destroy();
	signal.addEventListener('abort', leave);
	if (signal.aborted) {
		leave();
	}
	socket.write(toMessageLine(call));
	try {
		return await end;
	} finally {
		signal.removeEventListener('abort', leave);
		socket.destroy();
	}
}
