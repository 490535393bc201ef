import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { registerBrief } from '../../src/features/brief/index.js';
import {
	imageAction,
	imagesAction,
	type ImageAction,
	type ImagesAction,
} from '../../src/protocol/studioModel.js';
import { extensionId } from '../../src/editor/extensionId.js';
import { until } from '../host/until.js';
import { signPng } from '../service/png.js';
import type { ImageService } from '../service/server.js';
import { drawPng, galleryImage } from './images.js';
import { acceptingQuickInputs, answering, closingQuickInputs } from './questions.js';
import { QuickPicks } from './quickPicks.js';
import { closeService, openService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { contextIn, Memory, partsIn, StudioPage } from './studioPage.js';
import { inRoot, remove, root } from './workspace.js';
import { rare } from '../host/rare.js';

const twoMebibytes = 2 * 1024 * 1024;

/** Commands that get no image of the workspace, whatever they do otherwise. */
const takeNoImage = [
	...['getStarted', 'setUp', 'removeAllData', 'showLog', 'copyMcpConfiguration', 'showSpending'],
	'testConnection',
	...['generateFromEditor', 'choosePromptOptions', 'draftPrompt', 'improvePrompt'],
	...['chooseDraft', 'showImagesInProgress'],
	// A language model, or a worker, gets a copy; the file is only read.
	...['proposeAltText', 'checkWords', 'checkImages'],
].map((name) => `easel.${name}`);

suite('A signed image is the same file, byte for byte,', () => {
	let service: ImageService;
	let picks: QuickPicks;
	let before: string;

	suiteSetup(async () => {
		service = await openService();
	});

	suiteTeardown(() => closeService(service));

	setup(async () => {
		picks = new QuickPicks();
		await mkdir(inRoot('signed'), { recursive: true });
		service.faults.add({ prompt: 'a signed pier', signed: true, bytes: twoMebibytes, times: 1 });
		await generate({ prompt: 'a signed pier', output: 'signed/pier.png' });
		const bytes = await readFile(file('pier.png'));
		assert.ok(bytes.length >= twoMebibytes && bytes.includes('caBX'));
		await readFile(file('pier.png.json'));
		before = hashOf(bytes);
	});

	teardown(async () => {
		service.faults.clear();
		await picks.leave();
		picks.dispose();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await vscode.commands.executeCommand('notifications.clearAll');
		await remove('signed');
		await remove('.easel');
	});

	const file = (name: string) => inRoot('signed', name);
	const uri = (name = 'pier.png') => vscode.Uri.joinPath(root(), 'signed', name);
	const names = () => readdir(file(''));
	const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
	const hashAt = async (name: string) =>
		hashOf(await readFile(file(name)).catch(() => Buffer.of()));
	const run = (command: string, ...args: unknown[]) =>
		vscode.commands.executeCommand(`easel.${command}`, ...args);
	const generate = (argument: object) => run('generateImage', argument);
	const edit = () => run('editWithPrompt', { prompt: 'at night', references: ['signed/pier.png'] });

	/** Has every dialog answered with this button. */
	const answered = (button: string, task: () => PromiseLike<unknown>) => answering(button, task);

	async function untilHash(name: string, hash: string): Promise<void> {
		await until(async () => (await hashAt(name)) === hash, `the bytes of ${name}`);
	}

	/** Uses of each command with the image. */
	const commands: Readonly<Record<string, () => Promise<unknown>>> = {
		'easel.generateImage': async () => {
			await generate({
				prompt: 'a boat',
				references: ['signed/pier.png'],
				output: 'signed/b.png',
			});
			assert.equal(service.requests.at(-1)?.references.length, 1);
		},
		'easel.editWithPrompt': async () => {
			await edit();
			assert.equal(service.requests.at(-1)?.endpoint, 'edits');
		},
		'easel.regenerateImage': async () => {
			await acceptingQuickInputs(run('regenerateImage', uri()));
			assert.ok((await names()).includes('pier-1.png'));
		},
		'easel.replaceImage': async () => {
			await edit();
			const made = await hashAt('pier-at-night.png');
			assert.equal(await replaceAndUndo(uri('pier-at-night.png'), 'pier.png'), made);
			await untilHash('pier.png', before);
		},
		'easel.compareImages': async () => {
			await writeFile(file('other.png'), await drawPng('another'));
			await run('compareImages', uri(), uri('other.png'));
		},
		'easel.exportImage': () => exportAs(Promise.resolve(run('exportImage', uri()))),
		'easel.makeDarkVariant': async () => {
			await acceptingQuickInputs(run('makeDarkVariant', uri()));
			assert.ok((await names()).includes('pier-dark.png'));
		},
		'easel.keepRest': () => Promise.resolve(run('keepRest', uri())),
		'easel.showProvenance': () => closingQuickInputs(run('showProvenance', uri())),
		'easel.stripRecipe': async () => {
			for (const target of [uri(), uri('')]) {
				await answered('Remove Prompt from File', () => {
					void run('stripRecipe', target);
					return until(
						async () => !(await names()).includes('pier.png.json'),
						'the recipe beside it to go',
					);
				});
			}
		},
		'easel.insertImage': async () => {
			await writeFile(file('note.md'), '\n');
			await vscode.window.showTextDocument(uri('note.md'));
			await acceptingQuickInputs(run('insertImage'));
			assert.match(vscode.window.activeTextEditor!.document.getText(), /!\[.*\]\(pier\.png\)/);
			await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		},
		'easel.generateMissingImages': async () => {
			await writeFile(file('note.md'), '![A pier](pier.png)\n\n![A boat](boat.png)\n');
			await acceptingQuickInputs(run('generateMissingImages', uri('')));
			assert.ok((await names()).includes('boat.png'));
		},
		'easel.openStudio': () => Promise.resolve(run('openStudio')),
		'easel.showContactSheet': () => Promise.resolve(run('showContactSheet', uri(''))),
		'easel.createStyleGuide': async () => {
			const creating = run('createStyleGuide');
			(await picks.askedForText()).value = 'Flat';
			await picks.accept();
			const pick = await picks.shown(/Reference Images/);
			await picks.toggle(pick, 'pier.png');
			await picks.accept();
			await creating;
			await generateInStyle();
		},
		'easel.useAsStyle': async () => {
			await run('useAsStyle', uri());
			await generateInStyle();
		},
		'easel.showOlderStyle': async () => {
			await mkdir(inRoot('.easel'), { recursive: true });
			await writeFile(inRoot('.easel/style.md'), `Flat ${crypto.randomUUID()}`);
			await run('showOlderStyle');
		},
	};

	async function exportAs(running: Promise<unknown>): Promise<void> {
		const pick = await picks.shown(/^Export /);
		pick.value = 'webp 100';
		await picks.accept();
		await running;
		await until(async () => (await names()).includes('pier.webp'), 'the export');
	}

	/** Presses Undo of the message; returns the hash of the original when the message was there. */
	async function replaceAndUndo(made: vscode.Uri, original: string): Promise<string> {
		let replaced = '';
		const messages = new ShownMessages(['showInformationMessage'], () => {
			replaced = hashOf(readFileSync(file(original)));
			return 'Undo';
		});
		try {
			await run('replaceImage', made);
			return replaced;
		} finally {
			messages.dispose();
		}
	}

	/** Its own bytes are sent. */
	async function generateInStyle(): Promise<void> {
		await answered('Use Style Guide', () =>
			generate({ prompt: 'a boat', output: 'signed/styled.png' }),
		);
		assert.equal(
			service.requests.at(-1)?.references.at(-1)?.sha256,
			hashOf(await readFile(file('pier.png'))),
		);
	}

	rare('after commands that are all listed here: a new one takes no image, or is tested', () => {
		const { contributes } = vscode.extensions.getExtension(extensionId)!.packageJSON as {
			contributes: { commands: { command: string }[] };
		};
		const all = contributes.commands.map(({ command }) => command);
		const isListed = (command: string) => command in commands || takeNoImage.includes(command);
		assert.deepEqual(
			all.filter((command) => !isListed(command)),
			[],
		);
	});

	for (const [command, take] of Object.entries(commands)) {
		(command === 'easel.stripRecipe' ? test : rare)(`after ${command}`, async () => {
			await take();
			assert.equal(await hashAt('pier.png'), before);
		});
	}

	rare(
		'after it has taken the place of another one, and where that takes its place again',
		async () => {
			await writeFile(file('plain.png'), await drawPng('plain'));
			const plain = await hashAt('plain.png');
			service.faults.add({
				prompt: 'signed at night',
				signed: true,
				bytes: twoMebibytes,
				times: 1,
			});
			const [edited] = (await run('editWithPrompt', {
				prompt: 'signed at night',
				references: ['signed/plain.png'],
			})) as vscode.Uri[];
			const name = path.basename(edited!.fsPath);
			const made = await hashAt(name);
			assert.notEqual(made, plain);
			assert.equal(await replaceAndUndo(edited!, 'plain.png'), made);
			await untilHash('plain.png', plain);
			await untilHash(name, made);
		},
	);

	rare('after it was renamed, and its recipe with it', async () => {
		const renaming = new vscode.WorkspaceEdit();
		renaming.renameFile(uri(), uri('quay.png'));
		assert.ok(await vscode.workspace.applyEdit(renaming));
		assert.equal(await hashAt('quay.png'), before);
		await readFile(file('quay.png.json'));
	});

	suite('whatever the studio does with it:', () => {
		let storage: string;
		let parts: ReturnType<typeof partsIn>;
		let page: StudioPage;
		let writeBrief: vscode.Disposable;
		let id: string;
		const { showSaveDialog } = vscode.window;

		setup(async () => {
			storage = await mkdtemp(path.join(tmpdir(), 'easel-signed-'));
			const memory = new Memory();
			parts = partsIn(storage, memory);
			writeBrief = registerBrief(parts);
			const sizes = { bytes: (await readFile(file('pier.png'))).length, sha256: before };
			const image = galleryImage(uri(), sizes);
			({ id } = image);
			await parts.gallery.restore(image);
			page = new StudioPage(parts, contextIn(storage, memory));
			await page.ask({ type: 'ready' });
			// Its thumbnail is made.
			await page.described({ images: [id] });
			Object.assign(vscode.window, { showSaveDialog: () => Promise.resolve(uri('copy.png')) });
		});

		teardown(async () => {
			Object.assign(vscode.window, { showSaveDialog });
			page.dispose();
			writeBrief.dispose();
			parts.dispose();
			await rm(storage, { recursive: true, maxRetries: 10 });
		});

		const act = (action: ImageAction) => page.ask({ type: 'image', id, action });
		const actOnAll = (action: ImagesAction) => page.ask({ type: 'images', ids: [id], action });
		/** Resolves with the next message, by which what is done beside the answer is done. */
		const plain = (action: ImageAction) => async () => {
			await act(action);
			await page.described({ images: [id] });
		};
		const actions: Readonly<Record<ImageAction | ImagesAction | 'edit', () => Promise<unknown>>> = {
			edit: async () => {
				await page.ask({ type: 'edit', id, how: 'alone' });
				await page.described({ images: [id] });
			},
			showProvenance: plain('showProvenance'),
			export: () => exportAs(act('export')),
			makeDark: () => acceptingQuickInputs(act('makeDark')),
			compare: () => actOnAll('compare'),
			addReference: () => actOnAll('addReference'),
			useAsStyle: async () => {
				await act('useAsStyle');
				const guide = () => readFile(inRoot('.easel/style.md'), 'utf8').catch(() => '');
				await until(async () => (await guide()).includes('pier.png'), 'the style guide');
				await generateInStyle();
			},
			usePrompt: plain('usePrompt'),
			useInHighQuality: plain('useInHighQuality'),
			insert: plain('insert'),
			copyImageLink: plain('copyImageLink'),
			copyPrompt: plain('copyPrompt'),
			open: plain('open'),
			reveal: plain('reveal'),
			// It was made from no other one.
			replace: plain('replace'),
			// Nor has it marks.
			keepRest: plain('keepRest'),
			writeBrief: async () => {
				await actOnAll('writeBrief');
				await picks.askedForText();
				await picks.accept();
				await until(async () => (await names()).includes('pier.brief.md'), 'the brief');
			},
			saveAs: async () => {
				await act('saveAs');
				await untilHash('copy.png', before);
			},
			remove: async () => {
				await actOnAll('remove');
				await until(async () => !(await names()).includes('pier.png'), 'it to be gone');
				await page.reported('notice', ({ undo }) => undo?.join() === id);
				await page.ask({ type: 'undoRemove', ids: [id] });
				await untilHash('pier.png', before);
			},
		};

		for (const action of ['edit', ...imageAction.options, ...imagesAction.options] as const) {
			rare(action, async () => {
				await actions[action]();
				assert.equal(await hashAt('pier.png'), before);
				assert.deepEqual(page.refused, []);
			});
		}

		rare('another try with the current style', async () => {
			await mkdir(inRoot('.easel'), { recursive: true });
			await writeFile(inRoot('.easel/style.md'), `Flat ${crypto.randomUUID()}`);
			await page.ask({ type: 'search', query: { text: '', among: 'older' } });
			const { rounds } = await page.reported('rounds', ({ query }) => query.among === 'older');
			const images = rounds.flatMap(({ slots }) => slots.map((slot) => slot.id));
			await page.ask({ type: 'restyle', images });
			await picks.shown(/Regenerate 1 Image/);
			await answered('Use Style Guide', async () => {
				await picks.accept();
				await until(async () => (await names()).includes('pier-1.png'), 'the new image');
			});
			assert.equal(await hashAt('pier.png'), before);
		});
	});

	rare('in a place that the user has given it, which no service has signed', async () => {
		await writeFile(file('own.png'), signPng(await drawPng('own', twoMebibytes)));
		const own = await hashAt('own.png');
		await run('editWithPrompt', { prompt: 'at night', references: ['signed/own.png'] });
		await answered('Remove Prompt from File', () => {
			void run('stripRecipe', uri('own.png'));
			return Promise.resolve();
		});
		assert.equal(await hashAt('own.png'), own);
	});
});
