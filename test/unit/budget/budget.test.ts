import assert from 'node:assert/strict';
import { hostileTexts, hostileTextsFor, type HostileText } from './hostile.js';
import { hostModules, type HostModule } from './hostModules.js';
import { leastMs } from './leastMs.js';
import { takesNone, takesText, type Call } from './table.js';

/** The rooms whose functions read what others have written: documents, settings, names of files. */
const rooms = ['documents', 'images', 'editor', 'generation', 'recipes'];

/** The most that a call may need of the extension host's thread, in milliseconds of its processor. */
const longestMs = 50;
const mebibyte = 1024 * 1024;
/** All texts are tried in this length first; what takes longest there is tried in the others. */
const lengths = [8 * 1024, 128 * 1024, mebibyte];
/** What grows with the square of the length has taken as long in a part of it. */
const hopelessMs = longestMs * 2;

interface Slowest {
	readonly call: string;
	readonly text: string;
	readonly ms: number;
}

suite('The time that foreign text takes on the thread of the extension host', () => {
	let modules: HostModule[];
	const slowest: Slowest[] = [];

	suiteSetup(async () => {
		modules = await hostModules(rooms);
		assert.ok(modules.length > 20);
	});

	test('is bounded for each export: none is forgotten, none is there no more', async () => {
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
		test(`${name} needs at most ${String(longestMs)} ms for a mebibyte`, () => {
			const file = modules.find((module) => module.name === name)?.file;
			assert.ok(file !== undefined, `${name} is no part of the extension's bundle`);
			const texts = new Map(
				[...hostileTexts(), ...hostileTextsFor(file)].map((text) => [text.name, text]),
			);
			for (const [key, calls] of Object.entries(exports)) {
				for (const [index, call] of calls.entries()) {
					const worst = worstOf(call, [...texts.values()]);
					slowest.push({ call: `${name}, ${key}, ${String(index)}`, ...worst });
					assert.ok(
						worst.ms <= longestMs,
						`${key} (${String(index)}) took ${worst.ms.toFixed(0)} ms for ${worst.text}`,
					);
				}
			}
		}).timeout(120_000);
	}

	suiteTeardown(() => {
		slowest.sort((one, other) => other.ms - one.ms);
		for (const { call, text, ms } of slowest.slice(0, 5)) {
			console.log(`      ${ms.toFixed(0).padStart(3)} ms: ${call}, by ${text.slice(0, 60)}`);
		}
	});
});

/** The text that takes longest, among the few that do so in a length that is quickly tried. */
function worstOf(call: Call, texts: readonly HostileText[]): { text: string; ms: number } {
	let hardest = [...texts];
	let worst = { text: '', ms: 0 };
	for (const length of lengths) {
		const timed = hardest.map((text) => {
			const made = text.make(length);
			const run = () => {
				refusable(() => call(made));
			};
			const ms = leastMs(run, length === lengths[0] ? 1 : 5, longestMs / 4);
			// One outlier of a machine that is busy does not count.
			return { text, ms: ms > longestMs ? Math.min(ms, leastMs(run, 5, longestMs / 4)) : ms };
		});
		timed.sort((one, other) => other.ms - one.ms);
		const [first] = timed;
		worst = { text: `${first?.text.name ?? ''} (${String(length)})`, ms: first?.ms ?? 0 };
		if (worst.ms > hopelessMs) {
			return worst;
		}
		hardest = timed.slice(0, 5).map(({ text }) => text);
	}
	return worst;
}

/** A refusal is an answer. */
function refusable(call: () => unknown): void {
	try {
		call();
	} catch (error) {
		assert.ok(error instanceof RangeError, String(error));
	}
}
