import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import * as vscode from 'vscode';
import { findUsed } from '../../src/features/recipes/show.js';
import { recipeOfCopy } from '../../src/library/imageRecipes.js';
import type { Gallery, GalleryImage } from '../../src/jobs/gallery.js';
import { besideText } from '../../src/recipes/beside.js';
import { writeWithRecipe } from '../../src/recipes/rewrite.js';
import { caBX, inserted, png, recipe, tEXt } from '../unit/recipes/pngs.js';
import { atEnd } from './atEnd.js';
import { QuickPicks } from './quickPicks.js';
import { rare } from '../host/rare.js';
import { service, useService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { inRoot, remove, root } from './workspace.js';

const title = /^How Was This Image Made\?/;

suite('How Was This Image Made?', () => {
	let picks: QuickPicks;
	let messages: ShownMessages;
	const sha256 = createHash('sha256').update(png()).digest('hex');
	const parents = [{ sha256, path: 'bare.png' }];
	/** An edit of bare.png whose images are all there. */
	const ofBare = { ...recipe, prompt: 'a fox at dusk', parents, references: [] };

	useService();

	setup(async () => {
		picks = new QuickPicks();
		messages = new ShownMessages(['showInformationMessage']);
		await mkdir(inRoot('shown'), { recursive: true });
		await writeFile(file('bare.png'), png());
		await writeWithRecipe(file('bare.png'), file('a.png'), { ...recipe, parents });
	});

	teardown(async () => {
		await picks.leave();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('shown');
	});

	// Other suites make images in a folder “made”, and the gallery remembers them by their places.
	const file = (name: string) => inRoot('shown', name);
	const uri = (name: string) => vscode.Uri.joinPath(root(), 'shown', name);

	/** Opens the list; resolves with it and with what ends when the command does. */
	async function show(name: string) {
		const done = vscode.commands.executeCommand('easel.showProvenance', uri(name));
		return { pick: await picks.shown(title), done };
	}

	/** Chooses an item as Enter does. */
	async function choose({ pick }: Awaited<ReturnType<typeof show>>, label: string): Promise<void> {
		const item = pick.items.find((one) => one.label.endsWith(label));
		assert.ok(item, `${label}: ${pick.items.map((one) => one.label).join(', ')}`);
		const active = new Promise<void>((resolve) => {
			pick.onDidChangeActive((items) => {
				if (items.includes(item)) {
					resolve();
				}
			});
			if (pick.activeItems.includes(item)) {
				resolve();
			}
		});
		pick.activeItems = [item];
		await active;
		await picks.accept();
	}

	const labels = ({ pick }: Awaited<ReturnType<typeof show>>) =>
		pick.items.map(({ label }) => label.replace(/^\$\([a-z-]+\) /, ''));

	test('lists what Easel has written, and what can be done with it', async () => {
		const shown = await show('a.png');
		assert.deepEqual(labels(shown), [
			...['Easel 1.2.3', 'Prompt', 'What You Can Do', 'Reuse Prompt…', 'Copy Prompt'],
			...[
				'Use as Reference…',
				'Show Source Images…',
				'Remove Prompt from File…',
				'Copy All',
				'Details',
			],
			...['Sent Prompt', 'Revised Prompt', 'Model', 'Size', 'Quality'],
			...['Made', 'Made From', 'References', 'Round', 'Request', 'Written'],
		]);
		await choose(shown, 'Copy Prompt');
		await shown.done;
		assert.equal(await vscode.env.clipboard.readText(), recipe.prompt);
	});

	test('lists what others have written as text, and offers nothing that it cannot do', async () => {
		const hostile = '[x](command:workbench.action.quit) $(alert)';
		await writeFile(file('b.png'), png(tEXt('parameters', `${hostile}\nSteps: 20`), caBX));
		const shown = await show('b.png');
		assert.deepEqual(labels(shown), [
			...['File', 'Signed Credential', 'AUTOMATIC1111', 'parameters', 'What You Can Do'],
			...['Use as Reference…', 'Copy All'],
		]);
		const { detail, description } = shown.pick.items.find(({ label }) => label === 'parameters')!;
		assert.doesNotMatch(detail ?? description ?? '', /\]\(|command:|\$\(/);
		const signed = shown.pick.items[1];
		assert.equal(signed?.description, 'Is in the file; not verified by Easel');
		assert.ok((await readFile(file('b.png'))).includes('caBX'));
		await picks.leave();
		await shown.done;
	});

	test('says so of an image that says nothing, and what can be done', async () => {
		await vscode.commands.executeCommand('easel.showProvenance', uri('bare.png'));
		assert.deepEqual(messages.reported, [
			'bare.png does not say how it was made. | Edit with Prompt… | Open Setting',
		]);
	});

	rare('asks for an image where none is in front', async () => {
		const done = vscode.commands.executeCommand('easel.showProvenance');
		const pick = await picks.shown(/Open or select an image to see how it was made\./);
		assert.ok(pick.items.some(({ label }) => label.includes('bare.png')));
		await picks.leave();
		await done;
		assert.deepEqual(messages.reported, []);
	});

	for (const [name, format] of [
		['photo.jpg', 'image/jpeg'],
		['photo.WEBP', 'image/webp'],
		['photo.png', 'image/jpeg'],
	] as const) {
		test(`lists what stands beside an image that is no PNG: ${format}, ${name}`, async () => {
			const bytes = createCanvas(6, 4).toBuffer(format as 'image/webp');
			await writeFile(file(name), bytes);
			const own = createHash('sha256').update(bytes).digest('hex');
			await writeFile(file(`${name}.json`), besideText(ofBare, own));
			const shown = await show(name);
			assert.deepEqual(labels(shown).slice(0, 8), [
				...['Easel 1.2.3', 'Prompt', 'What You Can Do', 'Reuse Prompt…', 'Copy Prompt'],
				...['Use as Reference…', 'Show Source Images…', 'Remove Prompt from File…'],
			]);
			const written = () => shown.pick.items.find(({ label }) => label === 'Written')?.description;
			assert.equal(written(), 'Beside the image');
			await choose(shown, 'Copy Prompt');
			await shown.done;
			assert.equal(await vscode.env.clipboard.readText(), ofBare.prompt);
		});
	}

	test('refuses what is no image, or more than it reads, in words that name the file', async () => {
		const refused = async (name: string, bytes: Buffer | string, words: RegExp) => {
			await writeFile(file(name), bytes);
			const shown = vscode.commands.executeCommand('easel.showProvenance', uri(name));
			await assert.rejects(Promise.resolve(shown), words);
		};
		for (const name of ['text.png', 'text.jpg']) {
			await refused(name, 'text', new RegExp(`"${name}" is not a PNG, JPEG or WebP image`));
		}
		const texts = Array.from({ length: 501 }, () => tEXt('k', 't'));
		await refused('much.png', png(...texts), /“much\.png” is a PNG image with more parts than/);
	});

	test('generates again only after a question, with the prompt and the parent filled in', async () => {
		await writeWithRecipe(file('bare.png'), file('b.png'), ofBare);
		const shown = await show('b.png');
		const before = service.requests.length;
		await choose(shown, 'Reuse Prompt…');
		const again = await picks.shown(/Edit with Prompt/);
		assert.equal(again.value, ofBare.prompt);
		await picks.leave();
		await shown.done;
		assert.equal(service.requests.length, before);
	});

	rare('shows the images that it was made from, and opens one', async () => {
		const shown = await show('a.png');
		await choose(shown, 'Show Source Images…');
		const parents = await picks.shown(/^Source Images/);
		assert.deepEqual(
			parents.items.map(({ label, description }) => [label, description]),
			[
				['bare.png', 'Source, shown/bare.png'],
				['an image with the hash bbbbbbbb…', 'Reference, not found'],
			],
		);
		await picks.accept();
		await shown.done;
	});

	rare('changes no signed file, whatever is done', async () => {
		const signed = inserted(await readFile(file('a.png')), 'IDAT', [caBX]);
		await writeFile(file('signed.png'), signed);
		const shown = await show('signed.png');
		assert.ok(!labels(shown).includes('Remove Prompt from File…'));
		await choose(shown, 'Copy All');
		await shown.done;
		await vscode.commands.executeCommand('easel.stripRecipe', uri('signed.png'));
		assert.match(messages.reported.at(-1)!, /1 signed image cannot be changed/);
		assert.ok(signed.equals(await readFile(file('signed.png'))));
	});
});

suite('What is said of a copy of an image', () => {
	setup(async () => {
		await mkdir(inRoot('copied'), { recursive: true });
	});

	teardown(() => remove('copied'));

	test('is where its recipe stays, of a JPEG too', async () => {
		const uri = vscode.Uri.joinPath(root(), 'copied/photo.jpg');
		await writeFile(uri.fsPath, createCanvas(6, 4).toBuffer('image/jpeg'));
		assert.equal(await recipeOfCopy(uri), undefined);
		await writeFile(`${uri.fsPath}.json`, besideText(recipe, 'a'.repeat(64)));
		const words = 'Its prompt was not copied; it stays in photo.jpg.json.';
		assert.equal(await recipeOfCopy(uri), words);
	});
});

suite('The images that a recipe names', () => {
	const image = vscode.Uri.joinPath(root(), 'made/a.png');
	const sha256 = 'a'.repeat(64);

	async function found(path: string | undefined, ...gallery: object[]) {
		const list = () => Promise.resolve(gallery as GalleryImage[]);
		const asGallery = { list } as unknown as Gallery;
		const [one] = await findUsed(image, [{ sha256, path }], asGallery);
		return one?.uri?.toString();
	}

	setup(async () => {
		await mkdir(inRoot('made'), { recursive: true });
		await writeFile(inRoot('made', 'b.png'), png());
	});

	teardown(() => remove('made'));

	test('are found where it says, within the workspace alone', async () => {
		const b = vscode.Uri.joinPath(root(), 'made/b.png').toString();
		assert.equal(await found('b.png'), b);
		assert.equal(await found('../made/b.png'), b);
		assert.equal(await found('gone.png'), undefined);
		assert.equal(await found(undefined), undefined);
		const { path } = root();
		const up = '../'.repeat(path.split('/').length);
		assert.equal(await found(`${up}etc/hostname`), undefined);
		assert.equal(await found(`..${'/..'.repeat(1)}${path}-2/a.png`), undefined);
	});

	test('are not found where a link leads out of the workspace', async () => {
		const outside = await mkdtemp(path.join(tmpdir(), 'easel-outside-'));
		atEnd(() => rm(outside, { recursive: true, maxRetries: 10 }));
		await writeFile(path.join(outside, 'secret.png'), png());
		await symlink(outside, inRoot('made', 'link'), 'junction');
		assert.equal(await found('link/secret.png'), undefined);
	});

	test('are found where the gallery has seen their bytes', async () => {
		const target = vscode.Uri.joinPath(root(), 'made/b.png').toString();
		assert.equal(await found('gone.png', { sha256, target }), target);
		assert.equal(await found(undefined, { sha256: 'b'.repeat(64), target }), undefined);
	});
});
