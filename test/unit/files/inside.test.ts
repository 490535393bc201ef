import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
	checkInside,
	checkPlace,
	isBelow,
	PlaceError,
	type PlaceProblem,
} from '../../../src/files/inside.js';

suite('files › inside', () => {
	let root: string;
	let elsewhere: string;

	setup(async () => {
		const scratch = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-inside-')));
		root = path.join(scratch, 'harbor');
		elsewhere = path.join(scratch, 'elsewhere');
		await mkdir(root);
		await mkdir(elsewhere);
	});

	teardown(() => rm(path.dirname(root), { recursive: true }));

	const at = (...names: string[]) => path.join(root, ...names);

	async function refused(problem: PlaceProblem, folder: string, name = 'a.png'): Promise<void> {
		await assert.rejects(checkPlace(root, folder, name), (error: unknown) => {
			assert.ok(error instanceof PlaceError, String(error));
			assert.equal(error.problem, problem, folder);
			return true;
		});
	}

	test('a place may be the root, a folder in it, or one that is yet to be made', async () => {
		await mkdir(at('images'));
		await symlink(at('images'), at('inside'));
		for (const folder of [root, at('images'), at('images/new/newer'), at('inside/new')]) {
			await checkPlace(root, folder, 'a.png');
		}
	});

	test('a folder that leads out is refused, whole, in the middle, or before what is yet to be made', async () => {
		await symlink(elsewhere, at('out'));
		await mkdir(path.join(elsewhere, 'deeper'));
		for (const folder of [at('out'), at('out/deeper'), at('out/not/yet'), elsewhere, at('..')]) {
			await refused('outside', folder);
		}
	});

	test('what no image could be saved in is refused, by its reason', async () => {
		await writeFile(at('file'), '');
		await symlink(path.join(elsewhere, 'gone'), at('dangling'));
		await symlink(at('circle'), at('circle'));
		await refused('notAFolder', at('file'));
		await refused('notAFolder', at('file/deeper'));
		await refused('brokenLink', at('dangling'));
		await refused('brokenLink', at('dangling/deeper'));
		await refused('circle', at('circle'));
		await refused('circle', at('circle/deeper'));
	});

	test('names that are too long are refused, a folder’s and the file’s', async () => {
		await checkPlace(root, root, `${'ä'.repeat(125)}.png`);
		await refused('tooLong', root, `${'ä'.repeat(126)}.png`);
		await refused('tooLong', at('x'.repeat(256)));
		await refused('tooLong', at('new', 'x'.repeat(256), 'deeper'));
		await refused('tooLong', at(...Array.from({ length: 40 }, () => 'x'.repeat(200))));
	});

	// On Windows a folder's mode says nothing of who may write into it.
	if (process.platform !== 'win32') {
		test('a folder that takes no files is refused, and so is one that would be made in it', async () => {
			// A folder of the kernel, in which not even root can make a file; elsewhere a mode does it.
			const kernel = '/proc/sys/kernel/random';
			const locked = process.platform === 'linux' ? kernel : at('locked');
			if (locked !== kernel) {
				await mkdir(locked, { mode: 0o555 });
			}
			for (const folder of [locked, path.join(locked, 'new/newer')]) {
				await assert.rejects(checkPlace(undefined, folder, 'a.png'), { problem: 'notWritable' });
			}
		});
	}

	test('Windows counts letters, the others bytes', async () => {
		const name = `${'ä'.repeat(200)}.png`;
		await assert.rejects(checkPlace(undefined, root, name, 'linux'), { problem: 'tooLong' });
		await assert.rejects(checkPlace(undefined, root, name, 'darwin'), { problem: 'tooLong' });
		await checkPlace(undefined, root, name, 'win32');
		await checkPlace(undefined, root, 'ä'.repeat(255), 'win32');
		const longer = 'ä'.repeat(256);
		await assert.rejects(checkPlace(undefined, root, longer, 'win32'), { problem: 'tooLong' });
	});

	test('a refusal names the place and the reason, and keeps what the system said', async () => {
		await writeFile(at('file'), '');
		await assert.rejects(checkPlace(root, at('file/deeper')), (error: unknown) => {
			assert.ok(error instanceof PlaceError);
			assert.equal(error.name, 'PlaceError');
			assert.equal(error.message, `${at('file/deeper')}: notAFolder`);
			assert.equal((error.cause as NodeJS.ErrnoException).code, 'ENOTDIR');
			return true;
		});
	});

	test('a folder needs no name of a file to be checked', () => checkPlace(root, root));

	test('what the system cannot tell is passed on as it is', async () => {
		await assert.rejects(checkPlace(root, at('no\0name')), { code: 'ERR_INVALID_ARG_VALUE' });
		await assert.rejects(checkInside(root, at('no\0name')), { code: 'ERR_INVALID_ARG_VALUE' });
	});

	test('files that are only read have to lie inside too, existing or not', async () => {
		await writeFile(at('a.png'), '');
		await symlink(path.join(elsewhere, 'secret'), at('link.png'));
		await writeFile(path.join(elsewhere, 'secret'), '');
		await checkInside(root, at('a.png'));
		await checkInside(root, at('not-there.png'));
		await assert.rejects(checkInside(root, at('link.png')), { problem: 'outside' });
	});

	test('paths are compared as each system compares names', () => {
		const cases: readonly [string, string, Partial<Record<NodeJS.Platform, boolean>>][] = [
			['/a/b', '/a/b/c', { linux: true, darwin: true }],
			['/a/b', '/a/b', { linux: true, darwin: true }],
			['/a/b', '/a/bc', { linux: false, darwin: false }],
			['/a/b', '/a/..b', { linux: false, darwin: false }],
			['/a/b', '/a/b/..c', { linux: true, darwin: true }],
			['/a/b', '/A/B/c', { linux: false, darwin: true }],
			['C:\\a', 'c:\\A\\b', { win32: true }],
			['C:\\a', 'D:\\a\\b', { win32: false }],
			['C:\\a', 'C:\\ab', { win32: false }],
			['C:\\', 'C:\\a', { win32: true }],
			['\\\\host\\share\\a', '\\\\host\\share\\a\\b', { win32: true }],
			['\\\\host\\share\\a', '\\\\other\\share\\a\\b', { win32: false }],
		];
		for (const [parent, child, expected] of cases) {
			for (const [system, is] of Object.entries(expected)) {
				assert.equal(isBelow(parent, child, system as NodeJS.Platform), is, `${parent} ${child}`);
			}
		}
	});
});
