import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realAgents } from '../agents/realAgents';
import { findTestFiles } from './aliveCheck';
import { repository } from './cache';

/** Tests that may use the same things and run at the same time; a row of `docs/testing.md`. */
export interface Tier {
	/** Folders relative to the repository; every `*.test.ts` below them belongs to the tier. */
	readonly folders: readonly string[];
	/** The function that defines its tests, where its folders hold those of another tier, too. */
	readonly definedBy?: 'test' | 'rare';
	/** Test files that run side by side. */
	readonly jobs: number;
	/** Milliseconds for one test. */
	readonly timeoutMs: number;
	/**
	 * True where the tests run inside the extension host, or drive the packaged extension from
	 * outside.
	 */
	readonly editor?: 'inside' | 'outside';
	/** Runs in `npm test`; the others in `npm run test:all` only. */
	readonly everyday?: true;
	/** Waits most of its time, for other machines or minutes: runs beside the other tiers. */
	readonly waits?: true;
	/** Programs that a file needs and a machine may lack, with where they are had. */
	readonly programs?: Readonly<Record<string, readonly Program[]>>;
}

export interface Program {
	/** Exits with 0 where the program is there. */
	readonly command: readonly [program: string, ...args: string[]];
	/** Its packages there. */
	readonly debian?: string;
	/** Its package there, with its version, which is installed for it. */
	readonly npm?: string;
}

const latex: readonly Program[] = [
	{ command: ['pdflatex', '-version'], debian: 'texlive-latex-base' },
	{ command: ['pdftotext', '-v'], debian: 'poppler-utils' },
];
const docutils: readonly Program[] = [
	{ command: ['python3', '-c', 'import docutils'], debian: 'python3-docutils' },
];

const sphinx: readonly Program[] = [
	{ command: ['sphinx-build', '--version'], debian: 'python3-sphinx' },
	{ command: ['/usr/bin/python3', '-c', 'import myst_parser'], debian: 'python3-myst-parser' },
];

export const tiers = {
	unit: {
		folders: ['test/unit'],
		definedBy: 'test',
		jobs: 2,
		timeoutMs: 20_000,
		everyday: true,
	},
	process: {
		folders: ['test/process'],
		definedBy: 'test',
		jobs: 3,
		timeoutMs: 60_000,
		everyday: true,
		programs: {
			'test/process/namespaces.test.ts': [
				{ command: ['unshare', '-pfm', 'true'], debian: 'util-linux; as root' },
			],
		},
	},
	integration: {
		folders: ['test/integration'],
		definedBy: 'test',
		jobs: 2,
		timeoutMs: 60_000,
		editor: 'inside',
		everyday: true,
	},
	smoke: {
		folders: ['test/smoke'],
		jobs: 1,
		timeoutMs: 60_000,
		editor: 'outside',
		everyday: true,
	},
	more: {
		folders: ['test/integration'],
		definedBy: 'rare',
		jobs: 2,
		timeoutMs: 60_000,
		editor: 'inside',
	},
	heavy: {
		folders: ['test/unit', 'test/process'],
		definedBy: 'rare',
		jobs: 2,
		timeoutMs: 60_000,
	},
	e2e: { folders: ['test/e2e'], jobs: 2, timeoutMs: 180_000, editor: 'outside' },
	campaigns: { folders: ['test/campaigns'], jobs: 2, timeoutMs: 900_000, editor: 'outside' },
	formats: {
		folders: ['test/formats'],
		jobs: 2,
		timeoutMs: 60_000,
		programs: {
			'test/formats/latex.test.ts': latex,
			'test/formats/restructuredText.test.ts': docutils,
			'test/formats/hugo.test.ts': [{ command: ['hugo', 'version'], debian: 'hugo' }],
			'test/formats/jekyll.test.ts': [{ command: ['jekyll', '--version'], debian: 'jekyll' }],
			'test/formats/pelican.test.ts': [{ command: ['pelican', '--version'], debian: 'pelican' }],
			'test/formats/mkdocs.test.ts': [{ command: ['mkdocs', '--version'], debian: 'mkdocs' }],
			'test/formats/material.test.ts': [
				{ command: ['test', '-d', '/usr/share/mkdocs/themes/material'], debian: 'mkdocs-material' },
			],
			'test/formats/sphinx.test.ts': sphinx,
			'test/formats/furo.test.ts': [
				...sphinx,
				{ command: ['/usr/bin/python3', '-c', 'import furo'], debian: 'furo' },
			],
		},
	},
	networks: {
		folders: ['test/networks'],
		jobs: 1,
		timeoutMs: 120_000,
		waits: true,
		programs: {
			'test/networks/interruption.test.ts': [
				{ command: ['unshare', '-n', 'ip', 'link'], debian: 'util-linux, iproute2; as root' },
				{ command: ['nsenter', '--version'], debian: 'util-linux' },
			],
		},
	},
	agents: {
		folders: ['test/agents'],
		jobs: 1,
		timeoutMs: 120_000,
		editor: 'outside',
		waits: true,
		programs: Object.fromEntries(
			Object.entries(realAgents).map(([file, { program, package: npm }]) => [
				`test/agents/${file}.test.ts`,
				[{ command: [program, '--version'], npm }],
			]),
		),
	},
	long: { folders: ['test/long'], jobs: 1, timeoutMs: 900_000, waits: true },
} as const satisfies Readonly<Record<string, Tier>>;

export type TierName = keyof typeof tiers;

export const tierNames = Object.keys(tiers) as TierName[];

/** @throws an Error that lists the tiers where there is none of this name */
export function tierNamed(name: string | undefined): { name: TierName; tier: Tier } {
	const found = tierNames.find((one) => one === name);
	if (!found) throw new Error(`“${name}” is no tier; there are: ${tierNames.join(', ')}.`);
	return { name: found, tier: tiers[found] };
}

/** A test file, relative to the repository, and its size in bytes. */
export interface SizedFile {
	readonly file: string;
	readonly size: number;
}

/**
 * The files of a tier, the largest first: what is long to read nearly always takes long to run, and
 * the short ones fill what is left at the end.
 *
 * @param shard `2/4` for the second of four parts of about the same size; all files without it
 */
export async function filesOf(tier: Tier, shard?: string): Promise<string[]> {
	const found = await findTestFiles(repository, tier.folders);
	const files = await Promise.all(
		found.map(async (file) => ({ file, text: await readFile(join(repository, file), 'utf8') })),
	);
	const sized = files
		.filter(({ text }) => !tier.definedBy || hasTests(text, tier.definedBy))
		.map(({ file, text }) => ({ file, size: Buffer.byteLength(text) }));
	const { part, parts } = parseShard(shard);
	return divide(sized, parts)[part - 1]!.map(({ file }) => file);
}

/** Returns whether a file defines tests so. One whose helper defines them has tests of every day. */
function hasTests(text: string, by: 'test' | 'rare'): boolean {
	const calls = (name: string) => new RegExp(`(?<![.\\w])${name}\\b.*\\(`).test(text);
	return by === 'rare' ? calls('rare') : calls('test') || !calls('rare');
}

/** Divides files into so many parts of about the same size, the largest file of each first. */
export function divide(files: readonly SizedFile[], parts: number): SizedFile[][] {
	const shares = Array.from({ length: parts }, () => ({ files: [] as SizedFile[], size: 0 }));
	for (const file of files.toSorted((one, other) => other.size - one.size)) {
		const smallest = shares.reduce((one, other) => (other.size < one.size ? other : one));
		smallest.files.push(file);
		smallest.size += file.size;
	}
	return shares.map((share) => share.files);
}

/** @throws an Error where it is not of the form `2/4` */
export function parseShard(shard = '1/1'): { part: number; parts: number } {
	const [, part = 0, parts = 0] = (/^(\d+)\/(\d+)$/.exec(shard) ?? []).map(Number);
	if (part < 1 || part > parts)
		throw new Error(`--shard takes a part such as 2/4, not “${shard}”.`);
	return { part, parts };
}
