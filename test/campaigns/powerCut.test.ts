import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { replaceFile } from '../../src/files/copyFlushed.js';
import { candidateNames } from '../../src/images/fileName.js';
import {
	deliver,
	lookAfterSaved,
	type DeliverServices,
	type Destination,
} from '../../src/jobs/deliver.js';
import { diskDestination } from '../../src/jobs/diskDestination.js';
import { readEntry, readState, writeState, type JobEntry } from '../../src/jobs/jobFolder.js';
import { Journal } from '../../src/jobs/journal.js';
import type { StateNamed } from '../../src/jobs/state.js';
import { resultOf } from '../unit/jobs/results.js';
import { noRecipes, requestOf } from '../unit/jobs/support.js';
import { report, scaled, seed } from './campaign';

/** With the smallest disk that its `mkfs` accepts, in MiB, and what it needs to mount a copy. */
const fileSystems = [
	{ name: 'ext4', debian: 'e2fsprogs', size: 64, options: 'loop' },
	{ name: 'btrfs', debian: 'btrfs-progs', size: 128, options: 'loop' },
	{ name: 'xfs', debian: 'xfsprogs', size: 300, options: 'loop,nouuid' },
] as const;
type FileSystem = (typeof fileSystems)[number];

/** When the power goes. */
type Moment = 'placed' | 'noted' | 'removed';

suite('a power cut', () => {
	test('loses no image on its way from the storage to its place, on any disk', async () => {
		const counted = { runs: 0, lost: 0, twice: 0 };
		const findings: string[] = [];
		const tried: string[] = [];
		for (const fileSystem of fileSystems) {
			const lack = lackOf(fileSystem);
			if (lack !== undefined) {
				console.log(`      skipped: ${fileSystem.name}, ${lack}`);
				continue;
			}
			tried.push(fileSystem.name);
			for (let round = 0; round < scaled(3); round += 1) {
				for (const disks of [1, 2] as const) {
					for (const way of ['deliver', 'save as'] as const) {
						const machine = await Machine.start(fileSystem, disks);
						try {
							for (const [moment, fate] of await machine.fates(way, seed + round)) {
								counted.runs += 1;
								counted.lost += fate === 'lost' ? 1 : 0;
								counted.twice += fate === 'twice' ? 1 : 0;
								if (fate !== 'saved') {
									const where = disks === 1 ? 'on one disk' : 'to another disk';
									findings.push(`${fileSystem.name}, ${way} ${where}, ${moment}: ${fate}`);
								}
							}
						} finally {
							await machine.scrap();
						}
					}
				}
			}
		}
		await report('power cuts', {
			...counted,
			note: tried.join(', ') || 'no disk can be made here',
		});
		assert.deepEqual(findings, []);
	});
});

/** Why this machine cannot try a file system. */
function lackOf({ name, debian, size, options }: FileSystem): string | undefined {
	if (process.platform !== 'linux' || process.getuid?.() !== 0) {
		return 'which takes root on Linux';
	}
	if (spawnSync(`mkfs.${name}`, ['-V'], { stdio: 'ignore' }).error !== undefined) {
		return `which needs mkfs.${name} (Debian: ${debian})`;
	}
	const trial = `set -e; d=$(mktemp -d); trap 'rm -rf "$d"' EXIT; truncate -s ${String(size)}M $d/disk
		mkfs.${name} -q $d/disk; mkdir $d/at; mount -o ${options} $d/disk $d/at; umount $d/at`;
	const { status, stderr } = spawnSync('sh', ['-c', trial], { encoding: 'utf8' });
	return status === 0 ? undefined : `which cannot be mounted here: ${stderr.trim()}`;
}

function run(program: string, ...args: string[]): void {
	const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
	assert.equal(status, 0, `${program} ${args.join(' ')}: ${stderr}`);
}

/** A machine with one disk for the storage and the workspace, or one for each. */
class Machine {
	private constructor(
		private readonly root: string,
		private readonly fileSystem: FileSystem,
		private readonly disks: readonly string[],
	) {}

	static async start(fileSystem: FileSystem, disks: 1 | 2): Promise<Machine> {
		const root = await mkdtemp(path.join(tmpdir(), 'easel-power-'));
		const names = disks === 1 ? ['one'] : ['storage', 'workspace'];
		const machine = new Machine(root, fileSystem, names);
		for (const name of names) {
			const disk = path.join(root, `${name}.now`);
			run('truncate', '-s', `${String(fileSystem.size)}M`, disk);
			run(`mkfs.${fileSystem.name}`, '-q', disk);
			await mkdir(path.join(root, name));
		}
		machine.#mount('now');
		await mkdir(machine.#at('workspace', 'docs'));
		return machine;
	}

	/** Brings an image to its place, cuts the power at every moment, and looks what is left then. */
	async fates(
		way: 'deliver' | 'save as',
		seed: number,
	): Promise<Map<Moment, 'saved' | 'lost' | 'twice'>> {
		const bytes = pictureOf(seed);
		const entry = await this.#receive(bytes);
		// What lies there by now has been there for long.
		run('sync', '-f', ...this.disks.map((name) => path.join(this.root, name)));
		const moments: Moment[] = [];
		const cut = (moment: Moment) => {
			moments.push(moment);
			for (const name of this.disks) {
				// What the disk has got so far; all else is in the memory of this machine.
				const [disk, copy] = [`${name}.now`, `${name}.${moment}`].map((file) =>
					path.join(this.root, file),
				);
				run('cp', '--sparse=always', disk!, copy!);
			}
		};
		await this.#save(way, entry, seed, cut);
		this.#unmount();
		const fates = new Map<Moment, 'saved' | 'lost' | 'twice'>();
		for (const moment of moments) {
			this.#mount(moment);
			try {
				fates.set(moment, await this.#fate(way, entry.folder, seed, bytes));
			} finally {
				this.#unmount();
			}
		}
		return fates;
	}

	async scrap(): Promise<void> {
		for (const name of this.disks) {
			spawnSync('umount', [path.join(this.root, name)], { stdio: 'ignore' });
		}
		await rm(this.root, { recursive: true, maxRetries: 10 });
	}

	async #receive(bytes: Buffer): Promise<JobEntry> {
		const entry = await new Journal(this.#at('storage', 'globalStorage/easel/jobs')).create(
			requestOf(),
		);
		const file = path.join(entry.folder, 'image');
		await writeFile(file, bytes, { flush: true });
		await writeState(entry.folder, {
			state: 'received',
			attempts: [],
			changedAt: new Date().toISOString(),
			result: resultOf({ file, bytes: bytes.length, sha256: hashOf(bytes) }),
		});
		return entry;
	}

	async #save(
		way: 'deliver' | 'save as',
		entry: JobEntry,
		seed: number,
		cut: (moment: Moment) => void,
	): Promise<void> {
		const received = (await readState(entry.folder)) as StateNamed<'received'>;
		const disk = this.#destination(entry, seed);
		const destination: Destination = {
			...disk,
			put: async (...given) => {
				const placed = await disk.put(...given);
				cut('placed');
				return placed;
			},
			tidy: () => {
				cut('noted');
				return disk.tidy();
			},
		};
		const target = path.join(this.#folder(seed), 'chosen.png');
		const chosen: Destination = {
			...destination,
			folder: pathToFileURL(this.#folder(seed)).href,
			find: () => Promise.resolve(undefined),
			put: async (file) => {
				await replaceFile(file, target);
				cut('placed');
				return pathToFileURL(target).href;
			},
		};
		const place = way === 'deliver' ? destination : chosen;
		assert.equal((await deliver(entry, received, services, place)).state, 'saved');
		cut('removed');
	}

	/** Lets the next window do what is to be done with the image, and returns its fate. */
	async #fate(
		way: 'deliver' | 'save as',
		folder: string,
		seed: number,
		bytes: Buffer,
	): Promise<'saved' | 'lost' | 'twice'> {
		const entry = await readEntry(folder);
		const disk = this.#destination(entry, seed);
		const found =
			entry.state.state === 'saved'
				? ((await lookAfterSaved(entry, entry.state, disk)) ?? entry.state)
				: entry.state;
		const end = found.state === 'received' ? await deliver(entry, found, services, disk) : found;
		if (end.state !== 'saved') {
			return 'lost';
		}
		const saved = await readFile(fileURLToPath(end.target)).catch(() => undefined);
		if (saved === undefined || hashOf(saved) !== hashOf(bytes)) {
			return 'lost';
		}
		const names = await readdir(this.#folder(seed));
		const shown = names.filter((name) => !name.startsWith('.')).length;
		// An image whose end was not shown is saved where it was to be saved at first.
		return way === 'deliver' && shown > 1 ? 'twice' : 'saved';
	}

	#destination({ request }: JobEntry, seed: number): Destination {
		return diskDestination(this.#folder(seed), {
			names: () => candidateNames('harbor.png'),
			id: request.id,
			toUri: (file) => pathToFileURL(file).href,
			toPath: (uri) => fileURLToPath(uri),
		});
	}

	/** A folder that is there, or is made a moment before, with those above it. */
	#folder(seed: number): string {
		return path.join(this.#at('workspace', 'docs'), ...['images', 'new'].slice(0, seed % 3));
	}

	#at(disk: 'storage' | 'workspace', name: string): string {
		return path.join(this.root, this.disks.length === 1 ? 'one' : disk, name);
	}

	#mount(copy: Moment | 'now'): void {
		for (const name of this.disks) {
			const at = path.join(this.root, name);
			run('mount', '-o', this.fileSystem.options, `${at}.${copy}`, at);
		}
	}

	#unmount(): void {
		for (const name of this.disks) {
			run('umount', path.join(this.root, name));
		}
	}
}

const services: DeliverServices = {
	recipes: noRecipes,
	gallery: { add: () => Promise.resolve() },
};

/** Bytes that no two seeds have in common, and no file system can shrink. */
function pictureOf(seed: number): Buffer {
	const pieces = Array.from({ length: 20_000 + (seed % 7) * 10_000 }, (_, number) =>
		createHash('sha256')
			.update(`${String(seed)} ${String(number)}`)
			.digest(),
	);
	return Buffer.concat(pieces);
}

function hashOf(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}
