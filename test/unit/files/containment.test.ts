import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import {
	checkInside,
	checkPlace,
	checkUnmanaged,
	isBelow,
	PlaceError,
	type PlaceProblem,
} from '../../../src/files/containment.js';
import { useFolder } from '../scratch.js';

suite('files › containment', () => {
	const inScratch = useFolder();
	let root: string;
	let elsewhere: string;

	setup(async () => {
		const scratch = await realpath(inScratch());
		root = path.join(scratch, 'harbor');
		elsewhere = path.join(scratch, 'elsewhere');
		await mkdir(root);
		await mkdir(elsewhere);
	});

	const at = (...names: string[]) => path.join(root, ...names);

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

	test('a refusal names the part of the path that is the problem', async () => {
		await writeFile(at('file'), '');
		await symlink(at('circle'), at('circle'));
		const long = 'x'.repeat(300);
		for (const [folder, place] of [
			['file/deeper/still', 'file'],
			['circle/deeper/still', 'circle'],
			[`new/${long}/deeper`, `new/${long}`],
		] as const) {
			await assert.rejects(checkPlace(root, at(folder)), { place: at(place) });
		}
	});

	test('a refusal of a name says which file it was', async () => {
		for (const [system, separator] of [
			['linux', '/'],
			['win32', '\\'],
		] as const) {
			await assert.rejects(checkPlace(root, root, '..', system), {
				problem: 'notAName',
				place: `${root}${separator}..`,
			});
		}
	});

	suite('whatever names a place', () => {
		type Verdict = PlaceProblem | 'fine';
		/** A folder below the root and a file: what Linux, macOS and Windows say to that. */
		const table: readonly (readonly [string, string, Verdict, Verdict, Verdict])[] = [
			['images', 'a.png', 'fine', 'fine', 'fine'],
			['images/new/newer', 'a.png', 'fine', 'fine', 'fine'],
			['../elsewhere', 'a.png', 'outside', 'outside', 'outside'],
			['images/../../elsewhere', 'a.png', 'outside', 'outside', 'outside'],
			['new/../../elsewhere', 'a.png', 'outside', 'outside', 'outside'],
			['new/..', 'a.png', 'fine', 'fine', 'fine'],
			// Nothing but an extension.
			['images', '.png', 'notAName', 'notAName', 'notAName'],
			['images', '.hidden.png', 'fine', 'fine', 'fine'],
			// Which names no file can have is tested in `nameProblem.test.ts`.
			['images', 'con.png', 'fine', 'fine', 'notAName'],
			['new/notes.txt:evil', 'a.png', 'fine', 'fine', 'notAName'],
			['nul/deeper', 'a.png', 'fine', 'fine', 'notAName'],
			['new\n', 'a.png', 'notAName', 'notAName', 'notAName'],
			['images', '../../evil.png', 'notAName', 'notAName', 'notAName'],
			['new\0', 'a.png', 'notAName', 'notAName', 'notAName'],
			['new/./deeper', 'a.png', 'fine', 'fine', 'fine'],
			['images\0/deeper', 'a.png', 'notAName', 'notAName', 'notAName'],
			['x'.repeat(400), 'a.png', 'tooLong', 'tooLong', 'tooLong'],
			['new', `${'x'.repeat(248)}.png`, 'tooLong', 'tooLong', 'tooLong'],
			['new', `${'x'.repeat(247)}.png`, 'fine', 'fine', 'fine'],
			['new', `${'ä'.repeat(124)}.png`, 'tooLong', 'tooLong', 'fine'],
			['new', `${'ä'.repeat(248)}.png`, 'tooLong', 'tooLong', 'tooLong'],
			['out', 'a.png', 'outside', 'outside', 'outside'],
			['out/deeper/new', 'a.png', 'outside', 'outside', 'outside'],
			['inside/back/out/new', 'a.png', 'outside', 'outside', 'outside'],
			['inside/new', 'a.png', 'fine', 'fine', 'fine'],
			['dangling', 'a.png', 'brokenLink', 'brokenLink', 'brokenLink'],
			['circle/new', 'a.png', 'circle', 'circle', 'circle'],
			['file', 'a.png', 'notAFolder', 'notAFolder', 'notAFolder'],
			['socket', 'a.png', 'notAFolder', 'notAFolder', 'notAFolder'],
			['pipe', 'a.png', 'notAFolder', 'notAFolder', 'notAFolder'],
			['device', 'a.png', 'notAFolder', 'notAFolder', 'notAFolder'],
		];

		const verdicts = (folder: string, name: string) =>
			Promise.all(
				(['linux', 'darwin', 'win32'] as const).map((system) =>
					checkPlace(root, folder, name, system).then(
						() => 'fine',
						(error: unknown) => (error instanceof PlaceError ? error.problem : String(error)),
					),
				),
			);

		test('is checked for each system, folder and file', async () => {
			await mkdir(at('images'));
			await symlink(elsewhere, at('out'));
			await symlink(at('images'), at('inside'));
			// A folder that leads back, as a junction does.
			await symlink(root, at('images', 'back'));
			await symlink(path.join(elsewhere, 'gone'), at('dangling'));
			await symlink(at('circle'), at('circle'));
			await writeFile(at('file'), '');
			await symlink('/dev/null', at('device'));
			execFileSync('mkfifo', [at('pipe')]);
			const server = createServer().listen(at('socket'));
			await once(server, 'listening');
			try {
				for (const [folder, name, ...expected] of table) {
					const found = await verdicts(`${root}/${folder}`, name);
					assert.deepEqual(found, expected, JSON.stringify([folder, name]).slice(0, 60));
				}
			} finally {
				server.close();
			}
		});

		// Elsewhere the system itself takes shorter paths than Linux.
		if (process.platform === 'linux') {
			test('is not longer than the path that the system takes, with the name of the file', async () => {
				const cases: readonly (readonly [number, string, Verdict, Verdict, Verdict])[] = [
					[900, 'a.png', 'fine', 'fine', 'fine'],
					[1000, 'a.png', 'fine', 'tooLong', 'fine'],
					[4020, 'a.png', 'fine', 'tooLong', 'fine'],
					// The folder's own path would do: what is made in it first has a longer name.
					[4060, 'a.png', 'tooLong', 'tooLong', 'fine'],
					[3840, `${'x'.repeat(246)}.png`, 'fine', 'tooLong', 'fine'],
					[3850, `${'x'.repeat(246)}.png`, 'tooLong', 'tooLong', 'fine'],
				];
				for (const [length, name, ...expected] of cases) {
					// Never with a slash at the end.
					const folder = `${root}${`/${'x'.repeat(102)}`.repeat(40)}`.slice(0, length - 1) + 'x';
					assert.deepEqual(await verdicts(folder, name), expected, String(length));
				}
			});
		}

		// Windows itself has no such folders.
		if (process.platform !== 'win32') {
			test('is fine where it is there already, but on Windows, which would make another one', async () => {
				for (const name of ['aux', 'nul.', 'ends ', 'a:b', 'ab:', 'a\nb']) {
					await mkdir(at(name));
					assert.deepEqual(await verdicts(at(name), 'a.png'), ['fine', 'fine', 'notAName'], name);
				}
			});

			test('is outside where it lies on another drive', async () => {
				const before = process.cwd();
				process.chdir(root);
				try {
					await mkdir('C:\\w');
					await mkdir('D:\\images');
					await assert.rejects(checkPlace('C:\\w', 'D:\\images', 'a.png', 'win32'), {
						problem: 'outside',
					});
				} finally {
					process.chdir(before);
				}
			});
		}
	});

	test('a folder of other programs takes no images, at any depth and by any link', async () => {
		await mkdir(at('.git/refs'), { recursive: true });
		await symlink(at('.git'), at('linked'));
		for (const folder of ['.git', 'docs/.Git/new', 'linked/refs', '.vscode', 'a/node_modules/b']) {
			const refusal = { problem: 'managed', place: at(folder) };
			await assert.rejects(checkUnmanaged(root, at(folder)), refusal, folder);
		}
		for (const folder of ['', '.github/images', 'git', '.easel', 'docs']) {
			await checkUnmanaged(root, at(folder));
		}
		// A working tree may lie in one itself.
		await checkUnmanaged(at('.git'), at('.git/tree/images'));
		await assert.rejects(checkUnmanaged(undefined, at('.git/refs')), { problem: 'managed' });
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
