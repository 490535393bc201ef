// Loaded before the worker: a disk that is slow now and then, so that the answer arrives more
// quickly than it can be written and every buffer on the way is full when the server ends.
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Share of the writes that wait, and their longest wait, in milliseconds. */
const share = 0.02;
const maxMs = 40;

type Write = (...args: unknown[]) => Promise<unknown>;

async function slowDown(): Promise<void> {
	const handle = await open(__filename);
	const prototype = Object.getPrototypeOf(handle) as Record<string, Write>;
	await handle.close();
	for (const name of ['write', 'writev', 'writeFile', 'appendFile']) {
		const write = prototype[name]!;
		prototype[name] = async function (this: unknown, ...args) {
			if (Math.random() < share) {
				await sleep(Math.random() * maxMs);
			}
			return write.apply(this, args);
		};
	}
}

void slowDown();
