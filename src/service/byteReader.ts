import { PassThrough, type Readable } from 'node:stream';

/** Longer lines are cut. */
export const maxLineBytes = 1024 * 1024;

export class ByteReader {
	#held: Buffer = Buffer.alloc(0);

	readonly #pieces: AsyncIterator<Buffer>;

	constructor(pieces: AsyncIterable<Buffer>) {
		this.#pieces = pieces[Symbol.asyncIterator]();
	}

	/** Returns so many bytes as latin1 and keeps them; fewer where they end before. */
	async peek(length: number): Promise<string> {
		while (this.#held.length < length && (await this.#receive())) {
			// Until they have come.
		}
		return this.#held.toString('latin1', 0, length);
	}

	/** Returns a line as latin1, with its end; a long one is cut. @throws where the bytes end before; they stay */
	async line(): Promise<string> {
		const pieces: Buffer[] = [];
		for (let length = 0; ;) {
			const end = this.#held.indexOf('\n') + 1;
			const piece = this.#take(end || this.#held.length);
			pieces.push(piece);
			length += piece.length;
			if (end > 0 || length > maxLineBytes) {
				return Buffer.concat(pieces).toString('latin1');
			}
			try {
				if (!(await this.#receive())) {
					throw connectionClosed();
				}
			} catch (error) {
				this.putBack(Buffer.concat(pieces));
				throw error;
			}
		}
	}

	/** Returns so many bytes. @throws where they end before */
	async *take(length: number): AsyncGenerator<Buffer, void> {
		for (let left = length; left > 0;) {
			if (this.#held.length === 0 && !(await this.#receive())) {
				throw connectionClosed();
			}
			const piece = this.#take(left);
			left -= piece.length;
			yield piece;
		}
	}

	/** Returns some of the bytes; none where they have ended. */
	async next(): Promise<Buffer> {
		await this.peek(1);
		return this.#take(this.#held.length);
	}

	/** Lets bytes that were taken last be taken once more. */
	putBack(bytes: Buffer): void {
		this.#held = Buffer.concat([bytes, this.#held]);
	}

	/** Leaves out so many bytes, or those that come before the end. */
	async skip(length: number): Promise<void> {
		await this.peek(length);
		this.#take(length);
	}

	/** Closes the source. */
	async close(): Promise<void> {
		await this.#pieces.return?.();
	}

	/** Returns all that comes. */
	async *rest(): AsyncGenerator<Buffer, void> {
		try {
			do {
				yield this.#take(this.#held.length);
			} while (await this.#receive());
		} finally {
			// Where the caller stops early, the source is closed too.
			await this.close();
		}
	}

	#take(length: number): Buffer {
		const taken = this.#held.subarray(0, length);
		this.#held = this.#held.subarray(taken.length);
		return taken;
	}

	async #receive(): Promise<boolean> {
		const next = await this.#pieces.next();
		if (next.done === true) {
			return false;
		}
		this.#held = this.#held.length === 0 ? next.value : Buffer.concat([this.#held, next.value]);
		return true;
	}
}

/**
 * Returns every piece of a stream that has arrived, then throws the error that broke it off, if any.
 * Iterating over the stream itself would leave out those that were not read yet.
 */
export async function* piecesOf(stream: Readable): AsyncGenerator<Buffer, void> {
	const arrived = new PassThrough({ highWaterMark: maxWaitingBytes });
	let broken: Error | undefined;
	const finish = (error?: Error) => {
		if (!arrived.writableEnded) {
			broken = error;
			// TLS reads ahead, so a connection can break before the last piece was emitted.
			for (let rest = stream.read() as Buffer | null; rest !== null;) {
				arrived.write(rest);
				rest = stream.read() as Buffer | null;
			}
			arrived.end();
		}
	};
	stream.on('error', finish);
	// Node has emitted an error or the end by then. If not, what follows would wait for ever.
	stream.once('close', () => {
		finish(connectionClosed());
	});
	if (stream.readableEnded || stream.closed) {
		finish(stream.errored ?? undefined);
	}
	yield* stream.pipe(arrived);
	if (broken !== undefined) {
		throw broken;
	}
}

/** Returns the error of a connection that has ended without one of its own. */
export function connectionClosed(): Error {
	return Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
}

/** With so many bytes waiting, reading from the connection pauses. */
const maxWaitingBytes = 1024 * 1024;
