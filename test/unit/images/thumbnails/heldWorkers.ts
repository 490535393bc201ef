import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { BroadcastChannel } from 'node:worker_threads';

/**
 * Worker threads that hold every image until the test lets it go, so that what a test finds does
 * not depend on how quick disk and workers are. They are the real ones otherwise.
 */
export class HeldWorkers {
	readonly #channel: BroadcastChannel;
	/** Those that `next` has not returned yet. */
	readonly #fresh: string[] = [];
	readonly #held = new Set<string>();
	readonly #arrivals = new EventTarget();
	#letAllGo = false;
	/** Number of threads were started. */
	started = 0;
	readonly #count = () => {
		this.started += 1;
	};

	/**
	 * @param script gets the workers' script, beside the bundle
	 * @param bundle of the real worker, absolute
	 */
	static async prepare(script: string, bundle: string): Promise<HeldWorkers> {
		await writeFile(
			script,
			`const { BroadcastChannel, parentPort } = require('node:worker_threads');
			const channel = new BroadcastChannel(${JSON.stringify(script)});
			const on = parentPort.on.bind(parentPort);
			parentPort.on = (event, listener) => on(event, (order) => {
				if (order?.make === undefined) return listener(order);
				channel.onmessage = ({ data: { letGo } }) => {
					if (letGo !== order.make.path) return;
					channel.onmessage = null;
					listener(order);
				};
				channel.postMessage({ held: order.make.path });
			});
			require(${JSON.stringify(bundle)});`,
		);
		return new HeldWorkers(script);
	}

	private constructor(script: string) {
		this.#channel = new BroadcastChannel(script);
		this.#channel.onmessage = (event) => {
			const { held } = (event as { data: { held: string } }).data;
			this.#held.add(held);
			this.#fresh.push(held);
			this.#arrivals.dispatchEvent(new Event('held'));
			if (this.#letAllGo) {
				this.letGo(held);
			}
		};
		process.on('worker', this.#count);
	}

	/** The path of the image that a worker was given next, in the order in which it was given. */
	async next(): Promise<string> {
		for (;;) {
			const path = this.#fresh.shift();
			if (path !== undefined) {
				return path;
			}
			await once(this.#arrivals, 'held');
		}
	}

	/** Lets the worker make this image. */
	letGo(path: string): void {
		this.#held.delete(path);
		this.#channel.postMessage({ letGo: path });
	}

	/** Holds nothing any more. */
	letAllGo(): void {
		this.#letAllGo = true;
		for (const path of this.#held) {
			this.letGo(path);
		}
	}

	close(): void {
		process.off('worker', this.#count);
		this.#channel.close();
	}
}
