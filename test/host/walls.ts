import { execFileSync } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	rmdirSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from './cache';
import type { Editor } from './host';
import { listProcesses } from './processes';
import { Sandbox } from './sandbox';

/** A copy of the sample documentation in which images cannot be saved. */
export interface WalledSample {
	/** The folder to open, absolute. */
	readonly folder: string;
	/** Description of the obstacle, for the log. */
	readonly kind: string;
	/** Removes the folder with all of it. */
	remove(): void;
}

/** One whose images folder has room for less than an image. */
export interface SmallDisk extends WalledSample {
	/** The reason that a failure to save has to give. */
	readonly reason: RegExp;
	/** Fills the disk for this editor; workers that run already are not concerned. */
	fill(editor: Editor): Promise<void>;
	makeRoom(): void;
}

/** One that can be written until it is locked. */
export interface LockableSample extends WalledSample {
	lock(): void;
}

/**
 * A folder that can be made unwritable: by its mode; for root, whom a mode does not stop, by a
 * read-only mount; where mounting is not allowed, by a file in the place of its folder for images.
 */
export function lockableSample(): LockableSample {
	const sandbox = new Sandbox();
	const folder = copyTo(join(sandbox.root, 'harbor'));
	chmodSync(folder, 0o555);
	const byMode = !isWritable(folder);
	chmodSync(folder, 0o755);
	if (byMode) {
		return {
			folder,
			kind: 'mode 0555',
			lock: () => chmodSync(folder, 0o555),
			remove: () => {
				chmodSync(folder, 0o755);
				sandbox.close();
			},
		};
	}
	const remove = () => sandbox.close();
	if (mount(['--bind', folder, folder])) {
		const lock = () => execFileSync('mount', ['-o', 'remount,bind,ro', folder]);
		return { folder, kind: 'read-only mount', lock, remove };
	}
	const lock = () => writeFileSync(join(folder, 'images'), '');
	return { folder, kind: 'a file in the way', lock, remove };
}

/**
 * A disk that gets full: a mount of 64 KiB; where mounting is not allowed, a limit on the size of
 * the editor's files, with the workspace on a disk of its own, so that saving has to copy.
 *
 * @throws an Error where this system has neither.
 */
export function smallDisk(): SmallDisk {
	const sandbox = new Sandbox();
	const folder = copyTo(join(sandbox.root, 'harbor'));
	const images = join(folder, 'images');
	mkdirSync(images);
	if (mount(['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', images])) {
		return {
			folder,
			kind: 'mount of 64 KiB',
			reason: /the disk is full\./,
			fill: () => Promise.resolve(),
			makeRoom: () => execFileSync('umount', [images]),
			remove: () => sandbox.close(),
		};
	}
	sandbox.close();
	return limitedFiles();
}

function limitedFiles(): SmallDisk {
	const root = mkdtempSync('/dev/shm/easel-test-');
	let limited: number[] = [];
	const limit = (bytes: string) => {
		for (const pid of limited) {
			execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], { stdio: 'ignore' });
		}
	};
	return {
		folder: copyTo(join(root, 'harbor')),
		kind: 'limit on the size of files',
		reason: /EFBIG|file too large/i,
		async fill(editor) {
			// Files are written by the editor's own process, which is the parent.
			const host = await editor.extensionHostPid();
			const parent = listProcesses().find(({ pid }) => pid === host)!.parent;
			limited = [host, parent];
			limit('65536');
		},
		makeRoom: () => limit('unlimited'),
		remove: () => rmSync(root, { recursive: true, force: true }),
	};
}

function copyTo(folder: string): string {
	cpSync(join(repository, 'test/sample'), folder, { recursive: true });
	return folder;
}

function isWritable(folder: string): boolean {
	const probe = join(folder, 'probe');
	try {
		mkdirSync(probe);
		rmdirSync(probe);
		return true;
	} catch {
		return false;
	}
}

function mount(args: readonly string[]): boolean {
	try {
		execFileSync('mount', args, { stdio: 'ignore', cwd: tmpdir() });
		return true;
	} catch {
		return false;
	}
}
