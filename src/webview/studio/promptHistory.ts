/**
 * A walk through the last prompts, as in a shell: it begins in an empty field, goes on with the
 * arrow keys, and ends when something else is done to the field.
 */
export class PromptHistory {
	/** As they were when the walk began, newest first; empty while there is none. */
	#entries: readonly string[] = [];
	#at = -1;
	#before = '';

	get isWalking(): boolean {
		return this.#entries.length > 0;
	}

	/** Returns what the field shows next; `undefined` where the key is none of the walk's business. */
	older(value: string, history: readonly string[]): string | undefined {
		if (!this.isWalking) {
			if (value !== '' || history.length === 0) {
				return undefined;
			}
			this.#entries = history;
			this.#before = value;
		}
		this.#at = Math.min(this.#at + 1, this.#entries.length - 1);
		return this.#entries[this.#at];
	}

	/** Newer than the newest is what stood there before, and the end of the walk. */
	newer(): string | undefined {
		if (!this.isWalking) {
			return undefined;
		}
		this.#at -= 1;
		return this.#at < 0 ? this.leave() : this.#entries[this.#at];
	}

	/** Ends the walk and returns what stood there before it; `undefined` where there is none. */
	leave(): string | undefined {
		if (!this.isWalking) {
			return undefined;
		}
		const before = this.#before;
		this.stay();
		return before;
	}

	/** Ends the walk with what stands in the field now. */
	stay(): void {
		this.#entries = [];
		this.#at = -1;
		this.#before = '';
	}
}
