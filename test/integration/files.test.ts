import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { OutsideWorkspaceError, resolveInside, saveAs, SaveError } from '../../src/editor/files.js';
import { destinations } from '../../src/generation/destination.js';
import { rare } from '../host/rare';
import { atEnd } from './atEnd.js';
import { drawPng } from './images.js';
import { MemoryFiles } from './memoryFiles.js';
import { storage, useStorage } from './storage.js';
import { inRoot, remove, root } from './workspace.js';
import { resultOf } from '../unit/jobs/results.js';
import { requestOf } from '../unit/jobs/support.js';

suite('files', () => {
	let picture: Buffer;
	let source: vscode.Uri;

	useStorage();

	suiteSetup(async () => {
		picture = await drawPng('a pier');
	});

	setup(async () => {
		source = vscode.Uri.file(path.join(storage, 'image'));
		await writeFile(source.fsPath, picture);
	});

	teardown(async () => {
		await remove('made');
		await remove('blocked');
	});

	const folder = () => vscode.Uri.joinPath(root(), 'made/deeper');

	/** Puts the source there as a job of its own would; returns its URI. */
	async function put(to: vscode.Uri, stem: string, from = source): Promise<vscode.Uri> {
		const request = requestOf({ target: { folder: to.toString(), stem } });
		const destination = destinations.destinationFor(request, resultOf());
		const uri = await destination.put(from.fsPath, () => Promise.resolve());
		await destination.tidy();
		return vscode.Uri.parse(uri, true);
	}

	test('are saved into folders that do not exist yet, and the source stays', async () => {
		const saved = await put(folder(), 'a');
		assert.equal(saved.fsPath, inRoot('made', 'deeper', 'a.png'));
		assert.ok(picture.equals(await readFile(saved.fsPath)));
		assert.ok(picture.equals(await readFile(source.fsPath)));
	});

	test('that cannot be saved are a clear error that names the folder', async () => {
		await writeFile(inRoot('blocked'), '');
		await assert.rejects(put(vscode.Uri.joinPath(root(), 'blocked'), 'a'), (error: unknown) => {
			assert.ok(error instanceof OutsideWorkspaceError);
			assert.equal(error.message, 'A file named blocked already exists where a folder is needed.');
			return true;
		});
		await assert.rejects(
			put(vscode.Uri.joinPath(root(), 'blocked/deeper'), 'a'),
			OutsideWorkspaceError,
		);
		await assert.rejects(saveAs(source, vscode.Uri.joinPath(root(), 'blocked/a.png')), SaveError);
	});

	rare('that replace a file leave it where they cannot be copied', async () => {
		await mkdir(inRoot('made'));
		const gone = vscode.Uri.file(path.join(storage, 'gone'));
		const memory = new MemoryFiles();
		const registration = vscode.workspace.registerFileSystemProvider('easel-memory', memory);
		atEnd(() => registration.dispose());
		for (const target of [
			vscode.Uri.joinPath(root(), 'made/a.png'),
			vscode.Uri.parse('easel-memory:/a.png'),
		]) {
			await vscode.workspace.fs.writeFile(target, Buffer.from('another program’s own'));
			await assert.rejects(saveAs(gone, target), SaveError);
			const left = await vscode.workspace.fs.readFile(target);
			assert.equal(Buffer.from(left).toString(), 'another program’s own');
			await saveAs(source, target);
			assert.ok(picture.equals(await vscode.workspace.fs.readFile(target)));
		}
		assert.deepEqual(await readdir(inRoot('made')), ['a.png']);
		assert.deepEqual(memory.names(), ['a.png']);
		// Also from one file system to another.
		const copy = vscode.Uri.joinPath(root(), 'made/copy.png');
		await saveAs(vscode.Uri.parse('easel-memory:/a.png'), copy);
		assert.ok(picture.equals(await readFile(copy.fsPath)));
	});

	rare(
		'reach virtual file systems too, are known again there, and leave nothing else',
		async () => {
			const memory = new MemoryFiles();
			const registration = vscode.workspace.registerFileSystemProvider('easel-memory', memory);
			atEnd(() => registration.dispose());
			const virtual = vscode.Uri.parse('easel-memory:/pictures');
			await put(virtual, 'a');
			const reserved: string[] = [];
			const request = requestOf({ target: { folder: virtual.toString(), stem: 'a' } });
			const destination = destinations.destinationFor(request, resultOf());
			const uri = await destination.put(source.fsPath, (one) => {
				reserved.push(one);
				return Promise.resolve();
			});
			assert.deepEqual(reserved, [uri]);
			assert.equal(await destination.find(source.fsPath, uri), uri);
			assert.equal(await destination.find(source.fsPath, `${uri}.not`), undefined);
			assert.equal(await destination.find(source.fsPath, undefined), undefined);
			await destination.tidy();
			assert.deepEqual(memory.names(), ['pictures/a-1.png', 'pictures/a.png']);
			assert.ok(picture.equals(memory.readFile(vscode.Uri.joinPath(virtual, 'a.png'))));
		},
	);

	suite('stay within the workspace folder', () => {
		async function refused(relative: string): Promise<void> {
			await assert.rejects(resolveInside(root(), relative), OutsideWorkspaceError, relative);
		}

		test('with paths of every system', async () => {
			for (const [typed, resolved] of [
				['images', 'images'],
				['docs\\images', 'docs/images'],
				['./a/../b/', 'b'],
				['', ''],
				['..images', '..images'],
				['notes: 1/a', 'notes: 1/a'],
			] as const) {
				const uri = await resolveInside(root(), typed);
				assert.equal(path.relative(root().fsPath, uri.fsPath), resolved, typed);
			}
		});

		test('and not with paths that lead out, nor with addresses', async () => {
			for (const typed of [
				'..',
				'../x',
				'a/../../x',
				'/etc',
				'C:\\x',
				'c:/x',
				'..\\x',
				'\\\\host',
				'https://e.x/a',
				'file:///etc',
			]) {
				await refused(typed);
			}
		});

		test('and not through symbolic links, whole, in the middle, or before what is yet to be made', async () => {
			await mkdir(inRoot('made'));
			await symlink(storage, inRoot('made', 'out'));
			for (const typed of ['made/out', 'made/out/deeper', 'made/out/not/yet/there']) {
				await refused(typed);
			}
			await mkdir(inRoot('made', 'real'));
			await symlink(inRoot('made', 'real'), inRoot('made', 'inside'));
			await resolveInside(root(), 'made/inside/deeper');
		});
	});
});
