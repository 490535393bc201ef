import assert from 'node:assert/strict';
import * as z from 'zod';
import { EaselError } from '../../../src/easelError.js';
import { exportCalls, type Call, type ExportCalls } from './calls.js';
import { assertLinear, processorMs } from './growth.js';
import { hostileTexts, hostileTextsFor, type HostileText } from './hostileTexts.js';
import { hostModules, type HostModule } from './hostModules.js';

/** The rooms whose functions read what others have written: documents, settings, names of files. */
const rooms = [
	...['documents', 'images', 'editor', 'recipes', 'messages.ts'],
	...['asking', 'generation', 'library', 'style'],
];

/** Thoroughness of the measurement. */
interface Effort {
	/** All texts are tried in the first length; those that take longest there, in the next one. */
	readonly lengths: readonly number[];
	/** Texts that are tried in the next length. */
	readonly texts: number;
	/** Calls of an export that are measured, those that take longest. */
	readonly calls: number;
	/** Texts that each of them is measured with. */
	readonly measured: number;
}

/** Measures the slowest call of each export, found in short texts. */
export const hardestOnly: Effort = { lengths: [1024, 8 * 1024], texts: 8, calls: 1, measured: 1 };
/** Each call of each export. */
export const everyCall: Effort = {
	lengths: [8 * 1024, 64 * 1024],
	texts: 12,
	calls: Infinity,
	measured: 3,
};

interface Trial {
	readonly call: Call;
	readonly name: string;
	readonly text: HostileText;
	readonly ms: number;
}

/**
 * Registers the tests that what runs on the extension host's thread and reads foreign text takes a
 * time that grows no worse than linearly with the length of the text.
 */
export function linearTimeTests({ lengths, texts: tried, calls, measured }: Effort): void {
	const modules = hostModules(rooms);
	const common = hostileTexts();

	const callsOf = async (module: HostModule): Promise<[ExportCalls[], functions: string[]]> => {
		const exports = (await import(module.file)) as Readonly<Record<string, unknown>>;
		const functions = Object.keys(exports).filter((key) => typeof exports[key] === 'function');
		return [exportCalls(module, exports), functions];
	};

	test('is bounded for each export: each is called, or known to be bounded before', async () => {
		assert.ok(modules.length > 20);
		const missing: string[] = [];
		for (const module of modules) {
			const [all, functions] = await callsOf(module);
			missing.push(...all.flatMap((one) => one.missing.map((each) => `${module.name}: ${each}`)));
			assert.deepEqual(all.map(({ name }) => name).sort(), functions.sort(), module.name);
		}
		assert.deepEqual(missing, []);
	});

	test('is none for what only worker threads may read', () => {
		const names = modules.map(({ name }) => name);
		for (const name of ['copyFiles', 'findImages', 'markdownParser', 'missing/missingIn']) {
			assert.ok(!names.includes(`documents/${name}.ts`), name);
		}
	});

	for (const module of modules) {
		test(`grows no faster than the text: ${module.name}`, async () => {
			const texts = [
				...new Map(
					[...common, ...hostileTextsFor(module.file)].map((text) => [text.name, text] as const),
				).values(),
			];
			const [exported] = await callsOf(module);
			for (const { name: key, calls: all } of exported) {
				const hardest = all
					.map((call, index) => hardestTexts(call, `${key} (${String(index)})`, texts))
					.sort(([one], [other]) => other!.ms - one!.ms)
					.slice(0, calls);
				for (const { call, name, text } of hardest.flat()) {
					assertLinear((length) => {
						const made = text.make(length);
						return () => accept(() => call(made));
					}, `${name}, with ${text.name},`);
				}
			}
		}).timeout(120_000);
	}

	/** The texts that a call takes longest for, in short lengths. */
	function hardestTexts(call: Call, name: string, texts: readonly HostileText[]): Trial[] {
		let hardest = texts;
		let trials: Trial[] = [];
		// What is compiled at the first call counts for none of the texts.
		for (const text of ['a', '狐']) {
			accept(() => call(text.repeat(100)));
		}
		for (const length of lengths) {
			trials = hardest
				.map((text) => {
					const made = text.make(length);
					return { call, name, text, ms: processorMs(() => accept(() => call(made))) };
				})
				.sort((one, other) => other.ms - one.ms);
			hardest = trials.slice(0, tried).map(({ text }) => text);
		}
		return trials.slice(0, measured);
	}
}

/** Runs a call; a refusal is an answer. */
function accept(call: () => unknown): void {
	try {
		call();
	} catch (error) {
		const isRefusal = [RangeError, EaselError, z.core.$ZodError].some(
			(one) => error instanceof one,
		);
		assert.ok(isRefusal, String(error));
	}
}
