import type * as vscode from 'vscode';
import type { Log } from './log.js';

/** Where a key comes from: SecretStorage, or the environment where that holds none. */
type KeySource = 'stored' | 'environment';

/**
 * The API keys, one for each service address. A key belongs to its address: another address never
 * gets it. The key goes from here to one request header, and nowhere else.
 */
export class ApiKeys {
	constructor(
		private readonly secrets: vscode.SecretStorage,
		private readonly log: Log,
	) {}

	/** A key was stored or removed, in this window or another one. */
	get onDidChange(): vscode.Event<vscode.SecretStorageChangeEvent> {
		return this.secrets.onDidChange;
	}

	/** The key of this address, and where it comes from; `undefined` if there is none. */
	async get(address: string): Promise<{ key: string; source: KeySource } | undefined> {
		const stored = await this.secrets.get(storageKey(address));
		// Containers and remote machines often have no keychain of their own.
		const key = stored ?? process.env['EASEL_API_KEY']?.trim();
		if (key === undefined || key === '') {
			return undefined;
		}
		this.log.hide(key);
		return { key, source: stored === undefined ? 'environment' : 'stored' };
	}

	async set(address: string, key: string): Promise<void> {
		this.log.hide(key);
		await this.secrets.store(storageKey(address), key);
	}

	/** Returns whether there was one to remove. */
	async remove(address: string): Promise<boolean> {
		const had = (await this.secrets.get(storageKey(address))) !== undefined;
		await this.secrets.delete(storageKey(address));
		return had;
	}
}

function storageKey(address: string): string {
	return `easel.apiKey ${address}`;
}

/**
 * What is wrong with a key as it was typed, or `undefined` if nothing is. Only what no HTTP header
 * can carry is refused (RFC 9110, part 5.5); whether the key is valid only the service knows.
 */
export function keyProblem(text: string): string | undefined {
	const key = text.trim();
	if (key === '') {
		return 'Enter the API key of your image service.';
	}
	if (/\s/.test(key)) {
		return 'An API key has no spaces or line breaks in it. Copy it again.';
	}
	if (!/^[\x21-\x7e]+$/.test(key)) {
		return 'The key contains a character that no key has. Copy it again.';
	}
	return undefined;
}
