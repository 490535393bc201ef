import type * as vscode from 'vscode';
import * as z from 'zod';
import { keptDurations, type Durations } from '../jobs/expectation.js';
import { sizeSchema, type Size } from '../service/contract.js';

const keptPrompts = 50;

/**
 * What Easel remembers for convenience between two images: the last prompts, the last size, how
 * long images took. It stays on this machine and is not synchronized.
 */
export class Memory {
	constructor(private readonly state: vscode.Memento) {}

	/** The last prompts, newest first. */
	get prompts(): readonly string[] {
		return z.array(z.string()).catch([]).parse(this.state.get('prompts'));
	}

	get lastSize(): Size | undefined {
		return sizeSchema.optional().catch(undefined).parse(this.state.get('lastSize'));
	}

	durations(size: Size): Durations {
		return this.#allDurations()[size] ?? [];
	}

	async rememberRequest(prompt: string, size: Size): Promise<void> {
		const others = this.prompts.filter((other) => other !== prompt);
		await this.state.update('prompts', [prompt, ...others].slice(0, keptPrompts));
		await this.state.update('lastSize', size);
	}

	async rememberDuration(size: Size, ms: number): Promise<void> {
		const all = this.#allDurations();
		await this.state.update('durations', {
			...all,
			[size]: [...(all[size] ?? []), ms].slice(-keptDurations),
		});
	}

	#allDurations(): Partial<Record<string, number[]>> {
		return z.record(z.string(), z.array(z.number())).catch({}).parse(this.state.get('durations'));
	}
}
