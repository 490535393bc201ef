import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { repository, say } from './cache';
import { run } from './run';
import { userReadme } from './userReadme';

/** In the repository; it is packed while there is no public address. */
const packedReadme = 'out/README.md';

const withoutAddress = [
	...['--readme-path', packedReadme],
	'--allow-missing-repository',
	'--no-rewrite-relative-links',
];

/**
 * Packages the extension exactly as it is published and asks no question.
 *
 * @param file where to put it; without it, `easel-<version>.vsix` in the repository.
 * @returns the absolute path of the package.
 * @throws an Error with the packager's whole output if it refuses.
 */
export async function packageExtension(file?: string): Promise<string> {
	const manifest = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
		name: string;
		version: string;
		repository?: unknown;
		scripts: Record<string, string>;
	};
	const target = resolve(repository, file ?? `${manifest.name}-${manifest.version}.vsix`);
	for (const file of [target, join(repository, packedReadme)]) {
		await mkdir(dirname(file), { recursive: true });
	}
	// With this script in the manifest, the packager builds by itself.
	if (!manifest.scripts['vscode:prepublish']) {
		await run(process.execPath, ['esbuild.mjs', '--production'], { cwd: repository });
	}
	const readme = await readFile(join(repository, 'README.md'), 'utf8');
	await writeFile(join(repository, packedReadme), await userReadme(readme, repository));
	const output = await run(
		process.execPath,
		[
			join(dirname(require.resolve('@vscode/vsce/package.json')), 'vsce'),
			'package',
			...['--out', target],
			// Everything is bundled; node_modules would only make the package large.
			'--no-dependencies',
			'--no-yarn',
			// With an address, the packager itself has links and pictures lead there.
			...(manifest.repository === undefined ? withoutAddress : []),
		],
		{ cwd: repository },
	);
	if (!existsSync(target)) throw new Error(`No package was made:\n${output}`);
	return target;
}

if (require.main === module) {
	packageExtension(process.argv[2]).then(
		(file) => say(file),
		(error: Error) => {
			say(error.message);
			process.exitCode = 1;
		},
	);
}
