import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { transformSync } from 'esbuild';
import { findTestFiles, sourceName } from '../host/aliveCheck';
import { repository } from '../host/cache';

/** A file whose mutants its tests have to notice. Paths are relative to the repository. */
export interface Mutated {
	readonly file: string;
	/** How many percent of them. */
	readonly bar: number;
	readonly tests: readonly string[];
	/**
	 * It runs in threads or processes, where nobody can count which test reaches what: every mutant
	 * takes all tests, so only those are asked that bear its name.
	 */
	readonly apart: boolean;
}

const rooms: Readonly<Record<string, { readonly bar: number }>> = {
	'src/service': { bar: 90 },
	'src/jobs': { bar: 90 },
	'src/files': { bar: 85 },
	'src/images': { bar: 85 },
	'src/documents': { bar: 85 },
	'src/recipes': { bar: 85 },
	'src/generation': { bar: 85 },
};

/** The codecs are WebAssembly that others have made. */
const without: ReadonlySet<string> = new Set(['src/images/thumbnails/codecs.ts']);

const apart: ReadonlySet<string> = new Set([
	// Node reads some variables at its start alone.
	'src/service/transport.ts',
	'src/jobs/worker.ts',
	// They answer messages of another thread.
	'src/documents/reading/worker.ts',
	'src/images/thumbnails/worker.ts',
	'src/recipes/reading/worker.ts',
]);

/** They ask for a place through `inserting.ts`. */
const linkPlaceTests = [
	'test/unit/documents/linkPlaceBeside.test.ts',
	'test/unit/documents/linkPlaceInLists.test.ts',
	'test/unit/documents/linkPlaceInMarkup.test.ts',
	'test/unit/documents/linkPlaceInTags.test.ts',
];

/** Tests of a file that neither import it nor bear its name, or lie elsewhere. */
const furtherTests: Readonly<Record<string, readonly string[]>> = {
	'src/jobs/worker.ts': ['test/unit/jobs/workerSecrets.test.ts'],
	'src/service/client.ts': ['test/unit/service/specification.test.ts'],
	'src/service/httpAnswer.ts': ['test/unit/service/clientAnswer.test.ts'],
	'src/service/mostImages.ts': ['test/unit/jobs/promptDrafts.test.ts'],
	'src/service/sendRequest.ts': ['test/unit/service/client.test.ts'],
	'src/service/statusError.ts': ['test/unit/service/clientAnswer.test.ts'],
	'src/documents/languages.ts': ['test/unit/manifest.test.ts'],
	'src/documents/indivisible.ts': linkPlaceTests,
	'src/documents/linkPlace.ts': linkPlaceTests,
	'src/documents/placeRules.ts': [...linkPlaceTests, 'test/unit/documents/linkPlace.test.ts'],
	'src/documents/markdownParser.ts': ['test/unit/documents/findImages.test.ts'],
	'src/documents/markdownSource.ts': ['test/unit/documents/findImages.test.ts'],
	'src/documents/missing/gitignore.ts': ['test/unit/documents/missing/scan.test.ts'],
	'src/documents/reading/orders.ts': ['test/unit/documents/reading/reader.test.ts'],
	'src/documents/reading/search.ts': ['test/unit/documents/missing/collect.test.ts'],
	'src/documents/reading/worker.ts': ['test/unit/documents/reading/reader.test.ts'],
	'src/documents/styleWords.ts': ['test/unit/documents/subject.test.ts'],
	'src/documents/withoutMarkdown.ts': ['test/unit/documents/subject.test.ts'],
	'src/recipes/ours.ts': [
		'test/unit/recipes/rewrite.test.ts',
		'test/unit/recipes/provenance.test.ts',
		'test/unit/recipes/traces.test.ts',
	],
	'src/recipes/reading/worker.ts': ['test/unit/recipes/reading/recipeReader.test.ts'],
};

/**
 * They run whole processes and threads for seconds, read long texts, or measure a time that counting
 * makes longer, so they are asked about the file whose name they bear, and about what no other test
 * reaches.
 */
const slow: ReadonlySet<string> = new Set([
	'test/unit/documents/findImagesLength.test.ts',
	'test/unit/documents/missing/collect.test.ts',
	'test/unit/images/paletteTime.test.ts',
	'test/unit/jobs/slots.test.ts',
	'test/unit/jobs/worker.test.ts',
	'test/unit/jobs/workerDisk.test.ts',
	'test/unit/jobs/workerStart.test.ts',
	'test/unit/images/thumbnails/thumbnails.test.ts',
	'test/unit/recipes/reading/recipeReader.test.ts',
]);

/**
 * The files of all rooms that know nothing of VS Code, each with its tests: those of its own room
 * that import it or bear its name, and where there are none, those that reach it through others.
 */
export async function findMutated(): Promise<Mutated[]> {
	const found: Mutated[] = [];
	for (const [room, { bar }] of Object.entries(rooms)) {
		const folder = room.replace('src', 'test/unit');
		const tests = existsSync(path.join(repository, folder))
			? await findTestFiles(repository, [folder])
			: [];
		for (const file of await sourcesIn(room)) {
			const own = `${file.replace('src', 'test/unit').slice(0, -3)}.test.ts`;
			const near = tests.filter(
				(test) =>
					test === own || (!slow.has(test) && !apart.has(file) && importsOf(test).includes(file)),
			);
			near.push(...(furtherTests[file] ?? []));
			const reaching = tests.filter((test) => reaches(test, file));
			const quick = reaching.filter((test) => !slow.has(test));
			// The first that notices a mutant ends it, and that is most often the test of its name.
			near.sort((a, b) => Number(b === own) - Number(a === own));
			found.push({
				file,
				bar,
				tests: [[...near], quick, reaching].find(({ length }) => length > 0) ?? [],
				apart: apart.has(file),
			});
		}
	}
	return found;
}

async function sourcesIn(room: string): Promise<string[]> {
	const entries = await readdir(path.join(repository, room), {
		recursive: true,
		withFileTypes: true,
	}).catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') {
			return [];
		}
		throw error;
	});
	return entries
		.filter((entry) => entry.isFile() && /(?<!\.d)\.ts$/.test(entry.name))
		.map((entry) => sourceName(repository, path.join(entry.parentPath, entry.name)))
		.filter((file) => !without.has(file) && !reaches(file, 'vscode') && hasCode(file))
		.sort();
}

/** Whether anything is left of a file when its types are gone. */
function hasCode(file: string): boolean {
	const source = readFileSync(path.join(repository, file), 'utf8');
	return transformSync(source, { loader: 'ts' }).code !== '';
}

/** Whether a file imports another one, by itself or through others; types vanish and do not count. */
function reaches(file: string, other: string, seen = new Set<string>()): boolean {
	seen.add(file);
	return importsOf(file).some(
		(name) =>
			name === other || (name.endsWith('.ts') && !seen.has(name) && reaches(name, other, seen)),
	);
}

/** What a file imports: packages by their names, our own by their paths. */
function importsOf(file: string): string[] {
	const source = readFileSync(path.join(repository, file), 'utf8');
	return [...source.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm)].map(
		([, name = '']) => {
			if (!name.startsWith('.')) {
				return name;
			}
			const target = path.posix.join(path.posix.dirname(file), name.replace(/\.js$/, ''));
			return existsSync(path.join(repository, `${target}.ts`)) ? `${target}.ts` : target;
		},
	);
}
