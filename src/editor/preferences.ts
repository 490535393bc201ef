import type * as vscode from 'vscode';
import * as z from 'zod';
import { maxDurations, type Durations } from './expectation.js';
import type { GenerationRequest } from '../jobs/request.js';
import { sizeSchema, type Size } from '../service/contract.js';
import { readSetting, readSettingIfSet } from './settings.js';

const maxPrompts = 50;

type Operation = GenerationRequest['operation'];

const promptKeys: Record<Operation, string> = { generate: 'prompts', edit: 'editPrompts' };

/**
 * What Easel remembers for convenience between two images: the last prompts, the last size, how
 * long images took. It stays on this machine and is not synchronized.
 */
export class Preferences {
	constructor(private readonly state: vscode.Memento) {}

	/** The last prompts, newest first; those of edits are instructions and stay among themselves. */
	prompts(operation: Operation): readonly string[] {
		return z.array(z.string()).catch([]).parse(this.state.get(promptKeys[operation]));
	}

	get #lastSize(): Size | undefined {
		return sizeSchema.optional().catch(undefined).parse(this.state.get('lastSize'));
	}

	/**
	 * The size that is offered first: that of the settings where the user has set it, else the last
	 * one.
	 *
	 * @throws {SettingError} where the setting is none
	 */
	offeredSize(scope?: vscode.Uri): Size {
		return readSettingIfSet('image.size', scope) ?? this.#lastSize ?? readSetting('image.size');
	}

	/**
	 * Returns whether this is the first notification of its kind on this machine.
	 *
	 * @param of what it is about, where it is about several things
	 */
	async isFirst(
		what: 'recipes' | 'signedImages' | 'site' | 'container',
		of?: string,
	): Promise<boolean> {
		const key = of === undefined ? `told.${what}` : `told.${what}.${of}`;
		const isFirst = this.state.get(key) !== true;
		if (isFirst) {
			await this.state.update(key, true);
		}
		return isFirst;
	}

	durations(size: Size): Durations {
		return this.#allDurations()[size] ?? [];
	}

	async rememberPrompt(operation: Operation, prompt: string): Promise<void> {
		const others = this.prompts(operation).filter((other) => other !== prompt);
		const prompts = [prompt, ...others].slice(0, maxPrompts);
		await this.state.update(promptKeys[operation], prompts);
	}

	async rememberSize(size: Size): Promise<void> {
		await this.state.update('lastSize', size);
	}

	async rememberDuration(size: Size, ms: number): Promise<void> {
		const all = this.#allDurations();
		await this.state.update('durations', {
			...all,
			[size]: [...(all[size] ?? []), ms].slice(-maxDurations),
		});
	}

	#allDurations(): Partial<Record<string, number[]>> {
		return z.record(z.string(), z.array(z.number())).catch({}).parse(this.state.get('durations'));
	}
}
