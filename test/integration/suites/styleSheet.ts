import assert from 'node:assert/strict';
import { linkSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { OutsideWorkspaceError } from '../../../src/editor/files.js';
import type { Sheet, SheetPicture } from '../../../src/protocol/studio.js';
import { until } from '../../host/until.js';
import { drawPng } from '../images.js';
import { contextIn, Memory, partsIn, StudioPage } from '../studioPage.js';
import { inRoot, remove, root } from '../workspace.js';
import { testsOf, type Tier } from '../tiers.js';

/** A GIF of a single pixel. */
const gif = Buffer.from('R0lGODlhAQABAIAAAICAgAAAACwAAAAAAQABAAACAkQBADs=', 'base64');

export function styleSheetTests(tier: Tier): void {
	const { core, more } = testsOf(tier);

	suite('the style sheet', () => {
		let storage: string;
		let memory: Memory;
		let parts: ReturnType<typeof partsIn>;
		let page: StudioPage;
		let png: Buffer;

		suiteSetup(async () => {
			png = await drawPng('a harbor');
		});

		setup(async () => {
			storage = await mkdtemp(path.join(tmpdir(), 'easel-sheet-'));
			memory = new Memory();
			await mkdir(inRoot('sheet'), { recursive: true });
			await writeFile(inRoot('sheet', 'a.png'), png);
			await writeFile(inRoot('sheet', 'b.png'), await drawPng('a bridge'));
			parts = partsIn(storage, memory);
			page = new StudioPage(parts, contextIn(storage, memory));
			await page.ask({ type: 'ready' });
		});

		teardown(async () => {
			page.dispose();
			parts.dispose();
			assert.deepEqual(page.refused, [], 'what the page could not read');
			await vscode.commands.executeCommand('notifications.clearAll');
			await rm(storage, { recursive: true, maxRetries: 10 });
			await remove('sheet');
			await remove('renamed');
		});

		const folder = () => vscode.Uri.joinPath(root(), 'sheet');

		/** The sheet as it was told last, once it is as it should be. */
		async function reported(isMeant: (sheet: Sheet) => boolean = () => true): Promise<Sheet> {
			const { sheet } = await page.reported(
				'sheet',
				(event) =>
					event.sheet !== undefined && event.sheet.state !== 'reading' && isMeant(event.sheet),
			);
			return sheet!;
		}

		const namesOf = ({ files }: Sheet) => files.map(({ name }) => name);
		const isOf =
			(...names: string[]) =>
			(sheet: Sheet) =>
				namesOf(sheet).join() === names.join();

		async function show(): Promise<Sheet> {
			await page.showSheet(folder());
			return reported();
		}

		const idOf = ({ files }: Sheet, name: string) => files.find((file) => file.name === name)!.id;

		const lookAt = (files: string[]) => page.ask({ type: 'look', rounds: [], images: [], files });

		/** What was told last of a file. */
		async function picture(
			id: string,
			isMeant: (picture: SheetPicture) => boolean = () => true,
		): Promise<SheetPicture> {
			const find = () =>
				page
					.all('described')
					.flatMap(({ files }) => files)
					.findLast((one) => one.id === id && isMeant(one));
			await until(() => find() !== undefined, 'the picture');
			return find()!;
		}

		core('shows all images of a folder, whoever has made them, and no others', async () => {
			await writeFile(inRoot('sheet', 'c.JPG'), 'no image');
			await writeFile(inRoot('sheet', 'd.gif'), gif);
			await writeFile(inRoot('sheet', 'e10.webp'), '');
			await writeFile(inRoot('sheet', 'e9.webp'), '');
			await writeFile(inRoot('sheet', 'notes.md'), '# Notes');
			await mkdir(inRoot('sheet', 'below.png'));
			const sheet = await show();
			assert.deepEqual(namesOf(sheet), ['a.png', 'b.png', 'c.JPG', 'd.gif', 'e9.webp', 'e10.webp']);
			assert.deepEqual([sheet.folder, sheet.more, sheet.elsewhere], ['sheet', 0, 0]);
			await lookAt(sheet.files.map(({ id }) => id));
			const a = await picture(idOf(sheet, 'a.png'));
			assert.match(a.details, /^1024 × 1024 · \d.* [KM]B$/);
			assert.match(a.thumbnail ?? '', /^https:.*\/thumbnails\/[\da-f]{64}-256\.webp$/);
			const other = await picture(idOf(sheet, 'd.gif'));
			assert.equal(other.details, `${String(gif.length)} B`);
			assert.match(other.thumbnail ?? '', /\/sheet\/d\.gif\?v(=|%3D)\d+$/);
			const wrong = await picture(idOf(sheet, 'c.JPG'));
			assert.equal(wrong.thumbnail, undefined);
			assert.match(wrong.problem ?? '', /is not a PNG, JPEG or WebP/);
			assert.match((await picture(idOf(sheet, 'e9.webp'))).problem ?? '', /is empty/);
		});

		core('is of folders of the workspace alone, links considered', async () => {
			await mkdir(path.join(storage, 'secret'));
			await writeFile(path.join(storage, 'secret', 'x.png'), png);
			await symlink(path.join(storage, 'secret'), inRoot('sheet', 'out'));
			for (const outside of [
				vscode.Uri.file(path.join(storage, 'secret')),
				vscode.Uri.joinPath(folder(), 'out'),
				vscode.Uri.joinPath(root(), '..'),
			]) {
				await assert.rejects(page.showSheet(outside), OutsideWorkspaceError, outside.path);
			}
			await symlink(path.join(storage, 'secret', 'x.png'), inRoot('sheet', 'c.png'));
			await symlink('a.png', inRoot('sheet', 'd.png'));
			const sheet = await show();
			assert.deepEqual(namesOf(sheet), ['a.png', 'b.png', 'd.png']);
			assert.equal(sheet.elsewhere, 1);
		});

		core(
			'shows nothing of a file that leads out only after it was listed, and does nothing with it',
			async () => {
				await writeFile(path.join(storage, 'x.png'), png);
				const sheet = await show();
				const id = idOf(sheet, 'a.png');
				await unlink(inRoot('sheet', 'a.png'));
				await symlink(path.join(storage, 'x.png'), inRoot('sheet', 'a.png'));
				await lookAt([id]);
				// At once: when the folder is read anew, the file is not on the sheet any more.
				await page.ask({ type: 'sheetFiles', files: [id], action: 'addReference' });
				const found = await picture(id);
				assert.deepEqual([found.thumbnail, found.details], [undefined, '']);
				assert.match(found.problem ?? '', /is outside the workspace folder/);
				await page.reported('notice', ({ text }) =>
					text.includes('is outside the workspace folder'),
				);
				assert.deepEqual(page.all('references').at(-1)?.references ?? [], []);
			},
		);

		core('is left when its folder leads out, and says so', async () => {
			await show();
			await mkdir(path.join(storage, 'secret'));
			await writeFile(path.join(storage, 'secret', 'x.png'), png);
			await rename(inRoot('sheet'), inRoot('renamed'));
			await symlink(path.join(storage, 'secret'), inRoot('sheet'));
			const sheet = await reported(({ state }) => state === 'unreadable');
			assert.deepEqual(sheet.files, []);
			await unlink(inRoot('sheet'));
		});

		core('follows the folder; what stays keeps its identifier', async () => {
			const before = await show();
			await writeFile(inRoot('sheet', 'aa.png'), png);
			const with3 = await reported(isOf('a.png', 'aa.png', 'b.png'));
			assert.equal(with3.id, before.id);
			assert.equal(idOf(with3, 'b.png'), idOf(before, 'b.png'));
			await rename(inRoot('sheet', 'aa.png'), inRoot('sheet', 'c.png'));
			await reported(isOf('a.png', 'b.png', 'c.png'));
			await unlink(inRoot('sheet', 'a.png'));
			const after = await reported(isOf('b.png', 'c.png'));
			assert.equal(idOf(after, 'b.png'), idOf(before, 'b.png'));
			await rm(inRoot('sheet'), { recursive: true });
			const gone = await reported(({ state }) => state === 'unreadable');
			assert.equal(gone.problem, 'The folder is missing.');
			await mkdir(inRoot('sheet'));
			await writeFile(inRoot('sheet', 'new.png'), png);
			await reported(isOf('new.png'));
		});

		core('goes with its folder when that is renamed in the editor', async () => {
			await show();
			const edit = new vscode.WorkspaceEdit();
			edit.renameFile(folder(), vscode.Uri.joinPath(root(), 'renamed'));
			assert.ok(await vscode.workspace.applyEdit(edit));
			const sheet = await reported((one) => one.folder === 'renamed' && one.files.length === 2);
			await lookAt([idOf(sheet, 'a.png')]);
			assert.ok((await picture(idOf(sheet, 'a.png'))).thumbnail !== undefined);
		});

		core('tells a file on the screen again when it is another picture', async () => {
			const sheet = await show();
			const id = idOf(sheet, 'a.png');
			await lookAt([id]);
			const { thumbnail } = await picture(id);
			await writeFile(inRoot('sheet', 'a.png'), await readFile(inRoot('sheet', 'b.png')));
			await picture(id, (one) => one.thumbnail !== undefined && one.thumbnail !== thumbnail);
			await writeFile(inRoot('sheet', 'a.png'), png.subarray(0, 20));
			await picture(id, ({ problem }) => problem !== undefined);
		});

		core('is there again after a reload, until somebody leaves it', async () => {
			await show();
			const reloaded = () => new StudioPage(parts, contextIn(storage, memory));
			page.dispose();
			page = reloaded();
			await page.ask({ type: 'ready' });
			assert.deepEqual(page.all('sheet'), [], 'nobody has asked for it');
			await page.ask({ type: 'sheet', action: 'resume' });
			assert.deepEqual(namesOf(await reported()), ['a.png', 'b.png']);
			// A panel that was hidden has a new page.
			const count = page.all('sheet').length;
			await page.ask({ type: 'ready' });
			assert.equal(page.all('sheet').length, count + 1);
			await page.ask({ type: 'sheet', action: 'close' });
			await until(() => memory.get('studio.sheet') === undefined, 'the folder to be forgotten');
			await writeFile(inRoot('sheet', 'c.png'), png);
			await page.ask({ type: 'sheet', action: 'resume' });
			await page.reported('sheet', ({ sheet }) => sheet === undefined);
			assert.equal(page.all('sheet').length, count + 2, 'what is left is not followed');
		});

		core('does not come back where its folder has left the workspace', async () => {
			await memory.update('studio.sheet', vscode.Uri.file(storage).toString());
			await page.ask({ type: 'sheet', action: 'resume' });
			await page.reported('sheet', ({ sheet }) => sheet === undefined);
			await page.reported('notice', ({ text }) => text.includes('is outside this workspace'));
		});

		core(
			'gives files to the composer, and nothing for identifiers that it does not know',
			async () => {
				const sheet = await show();
				const ids = sheet.files.map(({ id }) => id);
				await page.ask({
					type: 'sheetFiles',
					files: [crypto.randomUUID()],
					action: 'addReference',
				});
				await page.ask({ type: 'sheetFiles', files: ids.toReversed(), action: 'addReference' });
				const { references } = await page.reported(
					'references',
					(event) => event.references.length === 2,
				);
				assert.deepEqual(
					references.map(({ name }) => name),
					['b.png', 'a.png'],
				);
				await page.ask({ type: 'sheetFiles', files: [ids[0]!], action: 'edit' });
				const composed = await page.reported('compose');
				assert.deepEqual(
					composed.references.map(({ name, edited, size }) => [name, edited, size]),
					[
						['a.png', true, '1024x1024'],
						['b.png', false, undefined],
					],
				);
				assert.equal(composed.prompt, undefined, 'what is written stays');
				await page.ask({ type: 'sheet', action: 'close' });
				await lookAt(ids);
				assert.deepEqual(page.all('described'), []);
			},
		);

		more(
			'of ten thousand images is listed, and what is scrolled past is given up',
			async function () {
				this.timeout(120_000);
				// What the editor itself needs for so many new files is not ours.
				const watcher = vscode.workspace.createFileSystemWatcher(
					new vscode.RelativePattern(folder(), '*'),
				);
				let isKnown = false;
				watcher.onDidCreate(({ path: file }) => {
					isKnown ||= file.endsWith('/last');
				});
				for (let index = 0; index < 10_020; index++) {
					linkSync(inRoot('sheet', 'a.png'), inRoot('sheet', `p${String(index)}.png`));
				}
				await writeFile(inRoot('sheet', 'last'), '');
				await until(() => isKnown, 'the editor to know all files');
				watcher.dispose();
				const sheet = await show();
				assert.equal(sheet.files.length, 10_000);
				assert.equal(sheet.more, 22);
				assert.deepEqual(namesOf(sheet).slice(0, 4), ['a.png', 'b.png', 'p0.png', 'p1.png']);
				assert.equal(namesOf(sheet).at(-1), 'p9997.png');
				// As who drags the scroll bar from one end to the other.
				for (let at = 0; at < 10_000; at += 500) {
					await lookAt(sheet.files.slice(at, at + 150).map(({ id }) => id));
					// Messages of a page do not come all at once.
					await new Promise((resolve) => setImmediate(resolve));
				}
				const seen = sheet.files.slice(9850).map(({ id }) => id);
				await lookAt(seen);
				await until(() => {
					const known = new Set(
						page.all('described').flatMap(({ files }) => files.map((one) => one.id)),
					);
					return seen.every((id) => known.has(id));
				}, 'all that is seen');
				const all = page.all('described').flatMap(({ files }) => files);
				assert.ok(
					all.length < 1500,
					`${String(all.length)} were told: what is scrolled past is given up`,
				);
			},
		);
	});
}
