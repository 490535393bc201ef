import type * as vscode from 'vscode';
import * as z from 'zod';
import { maxDurations, type Durations } from './expectation.js';
import type { GenerationRequest } from '../jobs/request.js';
import { sizeProblem, sizeSchema, type Size } from '../service/contract.js';
import { readService } from './service.js';
import { readSetting, readSettingIfSet } from './settings.js';

const maxPrompts = 50;
const maxExports = 3;
/** Number of folders whose size is remembered. */
const maxFolders = 200;

type Operation = GenerationRequest['operation'];

const promptKeys: Record<Operation, string> = { generate: 'prompts', edit: 'editPrompts' };

/** Choices of the last images. It stays on this machine and is not synchronized. */
export class Preferences {
	constructor(private readonly state: vscode.Memento) {}

	/** The last prompts, newest first; those of edits are instructions and stay among themselves. */
	prompts(operation: Operation): readonly string[] {
		return z.array(z.string()).catch([]).parse(this.state.get(promptKeys[operation]));
	}

	/** Returns the size to begin with: that of the settings, the folder's last one, or the last. */
	offeredSize(scope?: vscode.Uri, folder?: vscode.Uri): Size {
		const last = sizeSchema.optional().catch(undefined).parse(this.state.get('lastSize'));
		const service = readService();
		return (
			readSettingIfSet('image.size', scope) ??
			[this.#folderSizes().get(String(folder)), last].find(
				(size) => size && sizeProblem(size, service) === undefined,
			) ??
			readSetting('image.size')
		);
	}

	/** Returns whether this is the first notification of its kind on this machine, of one thing. */
	async isFirst(
		what: 'recipes' | 'signedImages' | 'site' | 'container',
		of?: string,
	): Promise<boolean> {
		const key = of === undefined ? `notified.${what}` : `notified.${what}.${of}`;
		const isFirst = this.state.get(key) !== true;
		if (isFirst) {
			await this.state.update(key, true);
		}
		return isFirst;
	}

	/** The last exports in words, newest first. */
	get exports(): readonly string[] {
		return z.array(z.string()).catch([]).parse(this.state.get('exports'));
	}

	async rememberExport(words: string): Promise<void> {
		const others = this.exports.filter((other) => other !== words);
		await this.state.update('exports', [words, ...others].slice(0, maxExports));
	}

	durations(size: Size): Durations {
		return this.#allDurations()[size] ?? [];
	}

	async rememberPrompt(operation: Operation, prompt: string): Promise<void> {
		const others = this.prompts(operation).filter((other) => other !== prompt);
		const prompts = [prompt, ...others].slice(0, maxPrompts);
		await this.state.update(promptKeys[operation], prompts);
	}

	async rememberSize(size: Size, folder?: vscode.Uri): Promise<void> {
		await this.state.update('lastSize', size);
		if (folder !== undefined) {
			const sizes = this.#folderSizes();
			// The folder that was used last is last, so that the oldest ones go.
			sizes.delete(folder.toString());
			const kept = [...sizes, [folder.toString(), size]].slice(-maxFolders);
			await this.state.update('folderSizes', Object.fromEntries(kept));
		}
	}

	async rememberDuration(size: Size, ms: number): Promise<void> {
		const all = this.#allDurations();
		await this.state.update('durations', {
			...all,
			[size]: [...(all[size] ?? []), ms].slice(-maxDurations),
		});
	}

	#folderSizes(): Map<string, Size> {
		const stored = z.record(z.string(), sizeSchema).catch({}).parse(this.state.get('folderSizes'));
		return new Map(Object.entries(stored));
	}

	#allDurations(): Partial<Record<string, number[]>> {
		return z.record(z.string(), z.array(z.number())).catch({}).parse(this.state.get('durations'));
	}
}
