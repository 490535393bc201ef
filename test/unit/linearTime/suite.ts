import assert from 'node:assert/strict';
import { takesNone, takesText, type Call } from './calls.js';
import { assertLinear, processorMs } from './growth.js';
import { hostileTexts, hostileTextsFor, type HostileText } from './hostileTexts.js';
import { hostModules, type HostModule } from './hostModules.js';

/** The rooms whose functions read what others have written: documents, settings, names of files. */
const rooms = [
	...['documents', 'images', 'editor', 'recipes', 'messages.ts'],
	...['asking', 'generation', 'library', 'style'],
];

/** How closely the calls are looked at. */
interface Effort {
	/** All texts are tried in the first length; those that take longest there, in the next one. */
	readonly lengths: readonly number[];
	/** Number of texts are tried in the next length. */
	readonly texts: number;
	/** Number of of the calls of an export are measured, those that take longest. */
	readonly calls: number;
	/** Number of of its texts each of them is measured with. */
	readonly measured: number;
}

/** What of each export takes longest, found in short texts. */
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
	let modules: HostModule[];
	const common = hostileTexts();

	suiteSetup(async () => {
		modules = await hostModules(rooms);
		assert.ok(modules.length > 20);
	});

	test('is bounded for each export: none is missing in the tables, and none too many', async () => {
		const exported: string[] = [];
		for (const { name, file } of modules) {
			const module = (await import(file)) as Readonly<Record<string, unknown>>;
			exported.push(
				...Object.keys(module)
					.filter((key) => typeof module[key] === 'function')
					.map((key) => `${name} ${takesNone[name]?.['*'] === undefined ? key : '*'}`),
			);
		}
		const tables: Readonly<Record<string, object>>[] = [takesText, takesNone];
		const listed = tables.flatMap((table) =>
			Object.entries(table).flatMap(([name, exports]) =>
				Object.keys(exports).map((key) => `${name} ${key}`),
			),
		);
		assert.deepEqual([...new Set(exported)].sort(), listed.sort());
	});

	test('is none for what only worker threads may read', () => {
		const names = modules.map(({ name }) => name);
		for (const name of ['copyFiles', 'findImages', 'markdownParser', 'missing/missingIn']) {
			assert.ok(!names.includes(`documents/${name}.ts`), name);
		}
	});

	for (const [name, exports] of Object.entries(takesText)) {
		test(`grows no faster than the text: ${name}`, () => {
			const file = modules.find((module) => module.name === name)?.file;
			assert.ok(file !== undefined, `${name} is no part of the extension's bundle`);
			const texts = [
				...new Map(
					[...common, ...hostileTextsFor(file)].map((text) => [text.name, text] as const),
				).values(),
			];
			for (const [key, all] of Object.entries(exports)) {
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
		assert.ok(error instanceof RangeError, String(error));
	}
}
