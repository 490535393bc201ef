import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import * as vscode from 'vscode';
import { registerRequestCommand } from '../../src/asking/requestCommands.js';
import { exportForAgent } from '../../src/features/agents/exports.js';
import { updateReferences } from '../../src/features/edit/references.js';
import { Exporter } from '../../src/generation/exporter.js';
import { inspectImage } from '../../src/images/inspect.js';
import { readProvenance } from '../../src/recipes/provenance.js';
import { writeWithRecipe } from '../../src/recipes/rewrite.js';
import { rare } from '../host/rare.js';
import { until } from '../host/until.js';
import { recipe } from '../unit/recipes/pngs.js';
import { QuickPicks } from './quickPicks.js';
import { ShownMessages } from './shownMessages.js';
import { ShownProgress } from './shownProgress.js';
import { inRoot, remove, setSetting } from './workspace.js';

suite('Export…', () => {
	let picks: QuickPicks;
	let messages: ShownMessages;
	/** The button of the next message. */
	let press: string | undefined;

	const file = (name: string) => inRoot('exports', name);
	const uri = (name: string) => vscode.Uri.file(file(name));

	setup(async () => {
		await mkdir(inRoot('exports'), { recursive: true });
		const canvas = createCanvas(600, 400);
		const context = canvas.getContext('2d');
		for (let at = 0; at < 600; at++) {
			context.fillStyle = `hsl(${String(at)} 70% 50%)`;
			context.fillRect(at, 0, 1, 400);
		}
		await writeFile(file('bare.png'), canvas.toBuffer('image/png'));
		await writeWithRecipe(file('bare.png'), file('pier.png'), recipe);
		picks = new QuickPicks();
		press = undefined;
		messages = new ShownMessages(['showInformationMessage', 'showWarningMessage'], ({ buttons }) =>
			buttons.includes(press ?? '') ? press : undefined,
		);
	});

	teardown(async () => {
		picks.dispose();
		messages.dispose();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('exports');
	});

	/** A list that is gone is none that is shown next. */
	function forgetLists(): void {
		picks.dispose();
		picks = new QuickPicks();
	}

	/** Runs the command, chooses by the typed words, and waits for the message. */
	async function exportAs(typed: string, image = 'pier.png'): Promise<string> {
		messages.clear();
		forgetLists();
		const running = vscode.commands.executeCommand('easel.exportImage', uri(image));
		const pick = await picks.shown(/^Export /);
		pick.value = typed;
		await until(
			() => pick.items.some(({ description = '' }) => /\d (?:kB|MB)$/.test(description)),
			'the weight of it',
		);
		await picks.accept();
		await running;
		await until(() => messages.all.length > 0, 'the message');
		return messages.texts[0]!;
	}

	test('shows the weight of a preset first, and saves it beside the image with its recipe', async () => {
		const text = await exportAs('png 300');
		assert.match(text, /^Saved pier-300\.png \(300 × 200, .*; the original has /);
		const facts = await inspectImage(file('pier-300.png'));
		assert.deepEqual([facts.format, facts.width, facts.height], ['png', 300, 200]);
		const { recipe: found } = await readProvenance(file('pier-300.png'));
		assert.equal(found?.prompt, recipe.prompt);
		assert.equal(found.exportedFrom?.path, 'pier.png');
		// The same once more is the same file.
		assert.match(await exportAs('png 300'), /^pier-300\.png is up to date\./);
	});

	test('offers the last choice first, and leaves the recipe out where that is asked for', async () => {
		await exportAs('png 200 norecipe');
		assert.equal((await readProvenance(file('pier-200.png'))).recipe, undefined);
		forgetLists();
		const running = vscode.commands.executeCommand('easel.exportImage', uri('pier.png'));
		const pick = await picks.shown(/^Export /);
		assert.equal(pick.items[0]?.label.replace(/^\$\(.*?\) /, ''), 'png 200 norecipe');
		await picks.leave();
		await running;
	});

	test('has documents show the export, with the larger one of a pair where they use a tag', async () => {
		const before = '![A pier](pier.png)\n\n<img src="pier.png" alt="">\n';
		await writeFile(file('note.md'), before);
		press = 'Use in Document';
		await exportAs('webp @2x');
		await until(() => messages.texts.some((text) => text.includes('shows pier.webp')), 'the links');
		const document = await vscode.workspace.openTextDocument(uri('note.md'));
		assert.equal(
			document.getText(),
			'![A pier](pier.webp)\n\n<img src="pier.webp" srcset="pier@2x.webp 2x" alt="">\n',
		);
		const [one, two] = await Promise.all(
			['pier.webp', 'pier@2x.webp'].map((name) => inspectImage(file(name))),
		);
		assert.deepEqual([one!.width, two!.width], [300, 600]);
		const { recipe: found } = await readProvenance(file('pier@2x.webp'));
		assert.equal(found?.exportedFrom?.path, 'pier.png');
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
	});

	test('deletes the export by Undo, but none that has changed', async () => {
		press = 'Undo';
		await exportAs('jpeg 100');
		await until(
			() =>
				stat(file('pier.jpg')).then(
					() => false,
					() => true,
				),
			'it to be gone',
		);
		assert.ok((await readFile(file('pier.png'))).length > 0);
	});

	test('says which weight is possible, and what is no image', async () => {
		const running = vscode.commands.executeCommand('easel.exportImage', uri('pier.png'));
		const pick = await picks.shown(/^Export /);
		pick.value = 'jpeg 600 1kB';
		const words = () => pick.items[0]?.description ?? '';
		await until(() => words().includes('not possible: at least '), 'the reached weight');
		await picks.leave();
		await running;
		await writeFile(file('text.png'), 'text');
		await assert.rejects(
			Promise.resolve(vscode.commands.executeCommand('easel.exportImage', uri('text.png'))),
			/text\.png/,
		);
	});

	rare('tells an agent which documents do not show the export', async () => {
		await writeFile(file('paper.tex'), '\\includegraphics{pier.png}');
		const links = registerRequestCommand('updateLinks', 'edit', updateReferences);
		const { extensionPath } = vscode.extensions.getExtension('easel.easel')!;
		const worker = path.join(extensionPath, 'dist/thumbnails.js');
		const exporter = new Exporter(file('storage'), worker);
		try {
			await assert.rejects(
				exportForAgent({ image: file('pier.png'), update_links: true }, { exporter }),
				/pier\.webp is saved, but not every document .*paper\.tex stay: LaTeX takes no WebP\./,
			);
		} finally {
			links.dispose();
		}
	});

	rare('leaves no half of a pair where the other half cannot be saved', async () => {
		// Its name is too long for the larger one alone.
		const name = `${'x'.repeat(249)}.png`;
		await copyFile(file('pier.png'), file(name));
		await assert.rejects(exportAs('webp @2x', name));
		assert.deepEqual((await readdir(inRoot('exports'))).sort(), ['bare.png', 'pier.png', name]);
	});

	suite('of the images that the check finds too heavy', () => {
		/** Pictures of noise, each about 700 kB. */
		async function writeHeavy(...names: string[]): Promise<void> {
			const canvas = createCanvas(600, 400);
			const context = canvas.getContext('2d');
			for (const name of names) {
				const noise = context.createImageData(600, 400);
				randomFillSync(noise.data);
				context.putImageData(noise, 0, 0);
				await writeFile(file(name), canvas.toBuffer('image/png'));
			}
		}

		/** Checks the folder, and exports what is ticked then. */
		async function exportTicked(typed: string): Promise<void> {
			messages.clear();
			forgetLists();
			const running = vscode.commands.executeCommand('easel.checkImages', uri(''));
			await picks.shownTicked(/findings/);
			await picks.accept();
			const pick = await picks.shown(/the heaviest/);
			pick.value = typed;
			await until(() => /\d kB$/.test(pick.items[0]?.description ?? ''), 'the weight of it');
			await picks.accept();
			await running;
		}

		const textOf = async (name: string) =>
			(await vscode.workspace.openTextDocument(uri(name))).getText();

		test('changes all links, goes on behind errors, and moves the originals', async () => {
			await writeHeavy('a.png', 'b.png', 'c.png');
			await writeFile(file('broken.png'), 'x'.repeat(600_000));
			const links = ['a', 'b', 'broken'].map((name) => `![A ${name}](${name}.png)`);
			await writeFile(file('one.md'), links.join('\n'));
			await writeFile(file('two.md'), '![Once more](./a.png "A") ![C](c.png)');
			await writeFile(file('style.css'), '.hero { background: url(b.png); }');
			press = 'Move Originals';
			await exportTicked('webp 300');
			const said = (words: RegExp) => messages.texts.find((text) => words.test(text));
			await until(() => said(/moved to/) !== undefined, 'the originals to be moved');
			assert.match(said(/exported/)!, /^3 of 4 images exported: .* 2 documents show the exports/);
			assert.match(said(/exported/)!, /Not exported: broken\.png\. /);
			assert.match(
				said(/moved to/)!,
				/^2 images moved to images\/originals\. .* still name b\.png/,
			);
			assert.equal(
				await textOf('one.md'),
				'![A a](a.webp)\n![A b](b.webp)\n![A broken](broken.png)',
			);
			assert.equal(await textOf('two.md'), '![Once more](./a.webp "A") ![C](c.webp)');
			const { width } = await inspectImage(file('c.webp'));
			assert.equal(width, 300);
			await stat(inRoot('images/originals/a.png'));
			await stat(file('b.png'));
			await remove('images');
		});

		rare('goes on though no alternative text can be written', async () => {
			await setSetting('easel.words.provider', 'off');
			try {
				await writeHeavy('a.png');
				await writeFile(file('one.md'), '![](a.png)');
				await writeFile(file('paper.tex'), '\\includegraphics{a.png}');
				forgetLists();
				const running = vscode.commands.executeCommand('easel.checkImages', uri(''));
				const list = await picks.shownTicked(/findings/);
				await picks.toggle(list, 'kB');
				await picks.accept();
				const pick = await picks.shown(/the heaviest/);
				pick.value = 'webp 300';
				await until(() => /\d kB$/.test(pick.items[0]?.description ?? ''), 'the weight of it');
				await picks.accept();
				await running;
				await until(() => messages.texts.some((text) => /exported/.test(text)), 'the message');
				assert.match(messages.texts.join(), /paper\.tex stay: LaTeX takes no WebP\./);
				assert.equal(await textOf('one.md'), '![](a.webp)');
			} finally {
				await setSetting('easel.words.provider', undefined);
			}
		});

		rare('keeps what came before Cancel', async () => {
			await writeHeavy('a.png', 'b.png', 'c.png');
			await writeFile(file('one.md'), '![A](a.png) ![B](b.png) ![C](c.png)');
			const progress = new ShownProgress((_title, words) => words.startsWith('1 of 3'));
			try {
				await exportTicked('webp 300');
				await until(() => messages.texts.some((text) => text.startsWith('1 of 3')), 'the message');
			} finally {
				progress.dispose();
			}
			assert.equal((await textOf('one.md')).match(/\.webp/g)?.length, 1);
		});
	});
});
