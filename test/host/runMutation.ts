// `npm run mutation -- src/service/retry.ts [test files]`: changes a source file in small ways, one
// after another, and prints which changes its tests have not noticed. A tool to find missing tests:
// nothing waits for its figures.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedPackages, repository, say } from './cache';
import { run } from './run';

const stryker = '@stryker-mutator/core@10.1.1';

async function main(): Promise<void> {
	const [source, ...named] = process.argv.slice(2);
	if (!source) throw new Error('Name a source file, such as src/service/retry.ts.');
	const tests =
		named.length > 0 ? named : [source.replace(/^src/, 'test/unit').replace(/\.ts$/, '.test.ts')];
	const modules = await cachedPackages([stryker]);
	const folder = join(repository, 'out/mutation');
	await mkdir(folder, { recursive: true });
	const options = {
		mutate: [source],
		// Stryker's own mocha runner does not know mocha 12.
		testRunner: 'command',
		commandRunner: { command: `npx mocha --bail ${tests.join(' ')}` },
		// Sentences for the user are not behavior.
		mutator: { excludedMutations: ['StringLiteral'] },
		concurrency: 2,
		reporters: ['clear-text'],
		tempDirName: 'out/mutation/sandbox',
		ignorePatterns: ['.vscode-test', 'dist', 'out', 'test-results', '*.vsix'],
		disableTypeChecks: false,
		allowConsoleColors: false,
		warnings: false,
	};
	const file = join(folder, 'stryker.json');
	await writeFile(file, JSON.stringify(options));
	try {
		say(
			await run(
				process.execPath,
				[join(modules, '@stryker-mutator/core/bin/stryker.js'), 'run', file],
				{
					cwd: repository,
				},
			),
		);
	} finally {
		// Stryker leaves its sandbox behind where it fails.
		await rm(join(folder, 'sandbox'), { recursive: true, force: true });
	}
}

main().catch((error: unknown) => {
	say(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
});
