// What it costs to collect missing images: `npm run bench`.
// Compares it with ripgrep, the one inside VS Code, which reads the same documents and finds
// nothing. In one run, by turns, on the same tree: once with workers that are new, once with those
// of the look before.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import esbuild from 'esbuild';
import { Collector } from '../../src/documents/missing/collect.js';
import { prepareCodeServer } from '../host/codeServer.js';
import { seeded } from '../unit/images/random.js';

const documents = 10_000;
const rounds = 9;

async function main(): Promise<void> {
	const scratch = await mkdtemp(path.join(tmpdir(), 'easel-bench-'));
	try {
		const ripgrep = path.join(
			await prepareCodeServer(),
			'node_modules/@vscode/ripgrep-universal/bin',
			`${process.platform}-${process.arch}`,
			process.platform === 'win32' ? 'rg.exe' : 'rg',
		);
		const tree = path.join(scratch, 'tree');
		const made = makeTree(tree);
		const script = path.join(scratch, 'worker.js');
		await esbuild.build({
			entryPoints: [path.resolve(__dirname, '../../src/documents/missing/worker.ts')],
			bundle: true,
			minify: true,
			platform: 'node',
			outfile: script,
		});

		const reading: number[] = [];
		const looks = [
			{ name: 'first look', ms: [] as number[], blocks: [] as number[] },
			{ name: 'another look', ms: [] as number[], blocks: [] as number[] },
		];
		for (let round = 0; round <= rounds; round++) {
			const read = readWith(ripgrep, tree);
			const collector = new Collector(script);
			for (const look of looks) {
				const { ms, longestBlockMs, missing } = await collect(collector, tree);
				if (missing !== made.missing) {
					throw new Error(
						`${String(missing)} instead of ${String(made.missing)} images are missing.`,
					);
				}
				// The first round fills the cache of the file system.
				if (round > 0) {
					look.ms.push(ms);
					look.blocks.push(longestBlockMs);
				}
			}
			collector.dispose();
			if (round > 0) {
				reading.push(read);
			}
		}
		process.stdout.write(
			[
				`${documents.toLocaleString('en')} documents of ${(made.bytes / 2 ** 20).toFixed(0)} MiB with ${String(made.images)} images, ${String(made.missing)} of them missing; median of ${String(rounds)} runs`,
				`ripgrep reads them   ${median(reading).toFixed(0).padStart(5)} ms`,
				...looks.map(({ name, ms, blocks }) => {
					const ratios = ms.map((each, index) => each / (reading[index] ?? 0));
					return `${name.padEnd(20)} ${median(ms).toFixed(0).padStart(5)} ms  ratio ${median(ratios).toFixed(2)}, from ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}; longest block of the calling thread ${median(blocks).toFixed(1)} ms, at worst ${Math.max(...blocks).toFixed(1)} ms`;
				}),
				'',
			].join('\n'),
		);
	} finally {
		await rm(scratch, { recursive: true });
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

async function collect(collector: Collector, tree: string) {
	const delays = monitorEventLoopDelay({ resolution: 1 });
	delays.enable();
	const startedAt = performance.now();
	const collection = await collector.collect({
		roots: [{ path: tree, workspaceFolder: tree }],
		exclude: { '**/.git': true, '**/.DS_Store': true },
		respectGitignore: true,
	});
	const ms = performance.now() - startedAt;
	delays.disable();
	if (collection.documents !== documents || collection.problems.length > 0) {
		throw new Error(`Only ${String(collection.documents)} documents were read.`);
	}
	return { ms, longestBlockMs: delays.max / 1e6, missing: collection.images.length };
}

function median(values: readonly number[]): number {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/**
 * Documents of 1 to 20 kB, small ones more often, in 500 folders. Two of five have images, one
 * about every ten blocks; one image of fifty is missing. One code
 * block of four hundred shows how to write an image. Beside them a folder that git ignores.
 */
function makeTree(folder: string): { bytes: number; images: number; missing: number } {
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

void main();
