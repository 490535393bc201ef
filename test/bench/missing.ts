// What it costs to collect missing images, beside ripgrep, the one inside VS Code, which reads the
// same documents and finds nothing. By turns, on the same tree.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import esbuild from 'esbuild';
import { scanDocuments } from '../../src/documents/missing/scanDocuments.js';
import { prepareCodeServer } from '../host/codeServer.js';
import { seeded } from '../unit/images/random.js';
import { Watch } from './apart.js';
import type { Run } from './bench.js';

export async function measure({ rounds, scratch, record }: Run): Promise<void> {
	const ripgrep = path.join(
		await prepareCodeServer(),
		'node_modules/@vscode/ripgrep-universal/bin',
		`${process.platform}-${process.arch}`,
		process.platform === 'win32' ? 'rg.exe' : 'rg',
	);
	const script = path.join(scratch, 'worker.js');
	await esbuild.build({
		entryPoints: [path.resolve(__dirname, '../../src/documents/reading/worker.ts')],
		bundle: true,
		minify: true,
		platform: 'node',
		outfile: script,
		logLevel: 'warning',
	});
	const program = path.join(scratch, 'check.js');
	await esbuild.build({
		entryPoints: [path.resolve(__dirname, '../../src/documents/check/cli/main.ts')],
		bundle: true,
		minify: true,
		platform: 'node',
		outfile: program,
		logLevel: 'warning',
	});
	for (const documents of [100, 1_000, 10_000]) {
		const tree = path.join(scratch, String(documents));
		const made = makeTree(tree, documents);
		// The first round fills the cache of the file system.
		for (let round = 0; round <= rounds; round++) {
			const readMs = readWith(ripgrep, tree);
			const checkMs = checkWith(program, tree);
			const { ms, maxBlockMs } = await collect(script, tree, documents, made.missing);
			if (round > 0) {
				record(`first${String(documents)}`, ms, readMs);
				record(`check${String(documents)}`, checkMs, readMs);
				record(`block${String(documents)}`, maxBlockMs);
			}
		}
	}
}

/** Nothing matches, so that every byte is read and nothing is printed. */
function readWith(ripgrep: string, tree: string): number {
	const startedAt = performance.now();
	const run = spawnSync(ripgrep, ['--fixed-strings', '--glob=*.md', 'no document has this', tree]);
	if (run.status !== 1) {
		throw new Error(`ripgrep ended with ${String(run.status)}: ${String(run.stderr)}`);
	}
	return performance.now() - startedAt;
}

/** Time of `easel check` as CI runs it, whatever it finds. */
function checkWith(program: string, tree: string): number {
	const startedAt = performance.now();
	const run = spawnSync(process.execPath, [program, '--warn'], { cwd: tree });
	if (run.status !== 0) {
		throw new Error(`The check ended with ${String(run.status)}: ${String(run.stderr)}`);
	}
	return performance.now() - startedAt;
}

async function collect(script: string, tree: string, documents: number, missing: number) {
	const watch = new Watch();
	const exclude = { 'files.exclude': { '**/.git': true, '**/.DS_Store': true } };
	const collection = await scanDocuments(script, [{ path: tree, workspaceFolder: tree, exclude }]);
	const figures = await watch.end();
	const found = [collection.documents, collection.images.length, collection.problems.length];
	if (found.join() !== [documents, missing, 0].join()) {
		throw new Error(`Documents, missing images and problems are ${found.join(', ')}.`);
	}
	return figures;
}

/**
 * Documents of 1 to 20 kB, small ones more often, in 500 folders. Two of five have images, one
 * about every ten blocks; one image of fifty is missing. One code
 * block of four hundred shows how to write an image. Beside them a folder that git ignores.
 */
function makeTree(
	folder: string,
	documents: number,
): { bytes: number; images: number; missing: number } {
	const random = seeded(5);
	const below = (limit: number) => Math.floor(random() * limit);
	const sums = { bytes: 0, images: 0, missing: 0 };
	const sentence = (length: number) =>
		`${Array.from({ length }, () => words[below(words.length)]).join(' ')}. `;
	const times = (count: number, line: () => string) =>
		Array.from({ length: count }, line).join('\n') + '\n\n';
	const paragraph = () => times(1 + below(5), () => sentence(6 + below(14)));
	const image = () => {
		sums.images++;
		const isMissing = below(50) === 0;
		sums.missing += isMissing ? 1 : 0;
		const file = isMissing
			? `missing-${String(below(1e6))}.png`
			: `picture-${String(below(5))}.png`;
		const alt = `the ${plainWords[below(plainWords.length)] ?? ''} in use`;
		switch (below(8)) {
			case 0:
				return `<p align="center">\n  <img src="images/${file}" alt="${alt}" width="400">\n</p>\n\n`;
			case 1:
				return `${sentence(8)}[![${alt}](<images/${file}> "${alt}")](images/)\n\n`;
			default:
				return `![${alt}](images/${file})\n\n`;
		}
	};
	const block = () => {
		switch (below(10)) {
			case 0:
				return `## ${sentence(4)}\n\n`;
			case 1:
				return `\`\`\`\n${below(400) === 0 ? '![a](b.png)\n' : ''}${times(3 + below(12), () => `const value = run(${String(below(100))});`)}\`\`\`\n\n`;
			case 2:
				return times(2 + below(6), () => `- ${sentence(5 + below(10))}`);
			case 3:
				return `| a | b |\n|---|---|\n${times(3 + below(5), () => `| ${sentence(3)} | ${sentence(4)} |`)}`;
			case 4:
				return `> ${sentence(12)}\n\n`;
			default:
				return paragraph();
		}
	};
	for (let index = 0; index < documents; index++) {
		const place = path.join(folder, `part-${String(index % 25)}`, `${String(index % 500)}`);
		if (index < 500) {
			mkdirSync(path.join(place, 'images'), { recursive: true });
			for (let picture = 0; picture < 5; picture++) {
				writeFileSync(path.join(place, 'images', `picture-${String(picture)}.png`), '');
			}
		}
		const size = 1000 * 20 ** random();
		const hasImages = below(5) < 2;
		let text = `---\ntitle: ${sentence(3)}\n---\n\n# ${sentence(4)}\n\n`;
		while (text.length < size) {
			text += hasImages && below(12) === 0 ? image() : block();
		}
		sums.bytes += text.length;
		writeFileSync(path.join(place, `document-${String(index)}.md`), text);
	}
	writeFileSync(path.join(folder, '.gitignore'), 'build/\n*.log\n!keep.log\n');
	// It is a repository, as in CI: what a site shows is known then.
	mkdirSync(path.join(folder, '.git'));
	mkdirSync(path.join(folder, 'build'));
	writeFileSync(path.join(folder, 'build', 'ignored.md'), '![a](missing.png)');
	return sums;
}

const plainWords = 'installation server client option table user folder'.split(' ');

const words = [
	...plainWords,
	...'the of with configure value when you can run command file `code` **bold** _emphasis_'.split(
		' ',
	),
	...'[link](other.md) request response error interface settings default returns &amp;'.split(' '),
];
