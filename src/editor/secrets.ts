import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { log } from '../log.js';
import { texts } from './texts.js';

/**
 * Key that was found for an address. Containers and remote machines often have no keychain of their
 * own.
 */
type FoundKey =
	| {
			readonly key: string;
			/** SecretStorage, or EASEL_API_KEY where that holds none. */
			readonly source: 'stored' | 'environment';
	  }
	| {
			/** There is only the environment's key, and it belongs to another address. */
			readonly source: 'elsewhere';
			readonly address: string;
	  };

/** The addresses that keys of the environment belong to, by a part of the hash of the key. */
const boundSchema = z.record(z.string(), z.string()).catch({});
const boundName = 'environmentKeys';

/** Addresses whose key was stored, and not removed since. */
const storedSchema = z.array(z.string()).catch([]);
const storedName = 'storedKeys';

/**
 * The API keys, one for each service address. A key belongs to its address: another address never
 * gets it. That of the environment belongs to the first address that it is taken for. The key goes
 * from here to one request header, and nowhere else.
 */
export class ApiKeys {
	constructor(
		private readonly secrets: vscode.SecretStorage,
		private readonly state: vscode.Memento,
	) {}

	/** A key was stored or removed, in this window or another one. */
	get onDidChange(): vscode.Event<vscode.SecretStorageChangeEvent> {
		return this.secrets.onDidChange;
	}

	/** Looks what there is for this address; `undefined` if there is nothing. */
	async get(address: string): Promise<FoundKey | undefined> {
		const stored = await this.secrets.get(storageKey(address));
		const key = stored ?? environmentKey();
		if (key === undefined || key === '') {
			return undefined;
		}
		log.hide(key);
		if (stored !== undefined) {
			return { key, source: 'stored' };
		}
		const bound = this.#bound[nameOf(key)];
		return bound === undefined || bound === address
			? { key, source: 'environment' }
			: { source: 'elsewhere', address: bound };
	}

	/** The same for a request: from now on the key belongs to the address. */
	async take(address: string): Promise<FoundKey | undefined> {
		const found = await this.get(address);
		if (found?.source === 'environment') {
			await this.moveEnvironmentKey(address);
		}
		return found;
	}

	/** Has the environment's key belong to this address alone, as the user has said. */
	async moveEnvironmentKey(address: string): Promise<void> {
		const key = environmentKey();
		if (key !== undefined && this.#bound[nameOf(key)] !== address) {
			await this.state.update(boundName, { ...this.#bound, [nameOf(key)]: address });
		}
	}

	get #bound(): Partial<Record<string, string>> {
		return boundSchema.parse(this.state.get(boundName));
	}

	/**
	 * Returns whether a key was stored that has gone by itself: without a keyring, VS Code keeps secrets
	 * in memory.
	 *
	 * @param found what there is now
	 */
	isLost(address: string, found: FoundKey | undefined): boolean {
		return found === undefined && this.#stored.includes(address);
	}

	get #stored(): readonly string[] {
		return storedSchema.parse(this.state.get(storedName));
	}

	async #noteStored(address: string, isStored: boolean): Promise<void> {
		const others = this.#stored.filter((one) => one !== address);
		await this.state.update(storedName, isStored ? [...others, address] : others);
	}

	async set(address: string, key: string): Promise<void> {
		log.hide(key);
		await this.secrets.store(storageKey(address), key);
		await this.#noteStored(address, true);
	}

	/** Removes every key that was stored, and forgets what the environment's belongs to. */
	async removeAll(): Promise<void> {
		for (const address of this.#stored) {
			await this.secrets.delete(storageKey(address));
		}
		await this.state.update(storedName, undefined);
		await this.state.update(boundName, undefined);
	}

	/** Returns whether there was one to remove. */
	async remove(address: string): Promise<boolean> {
		const had = (await this.secrets.get(storageKey(address))) !== undefined;
		await this.secrets.delete(storageKey(address));
		await this.#noteStored(address, false);
		return had;
	}
}

function environmentKey(): string | undefined {
	return process.env['EASEL_API_KEY']?.trim();
}

/** Identifies a key; too short a part of the hash to find it out. */
function nameOf(key: string): string {
	return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

function storageKey(address: string): string {
	return `easel.apiKey ${address}`;
}

/**
 * Returns the problem of a key as it was typed, or `undefined`. Only what no HTTP header can carry
 * is refused (RFC 9110, part 5.5); whether the key is valid only the service knows.
 */
export function keyProblem(text: string): string | undefined {
	const key = text.trim();
	if (key === '') {
		return texts.enterKey;
	}
	if (/\s/.test(key)) {
		return texts.keyWithSpaces;
	}
	if (/^https?:\/\//i.test(key)) {
		return texts.keyIsAddress;
	}
	if (!/^[\x21-\x7e]+$/.test(key)) {
		return texts.invalidKey;
	}
	return undefined;
}
