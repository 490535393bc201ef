import assert from 'node:assert/strict';
import { mkdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { WantedStyles } from '../../src/features/missing/choose.js';
import { sha256Of } from '../../src/images/hash.js';
import { RequestPreview } from '../../src/style/requestPreview.js';
import type { Styles } from '../../src/style/styles.js';
import { promptHeading } from '../../src/style/requestPreviewText.js';
import { until } from '../host/until.js';
import { atEnd } from './atEnd.js';
import { acceptingQuickInputs, answering, closingQuickInputs } from './questions.js';
import { drawPng } from './images.js';
import { service, useService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { inRoot, remove, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';

const useGuide = 'Use Style Guide';
const show = 'Show What Is Sent';

suite('The style guide of a workspace', () => {
	useService();

	teardown(async () => {
		service.faults.clear();
		await setSetting('easel.style.file', undefined);
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('images');
		await remove('out');
		await remove('.easel');
	});

	async function writeGuide(content: string): Promise<void> {
		await mkdir(inRoot('.easel'), { recursive: true });
		await writeFile(inRoot('.easel/style.md'), content);
	}

	function generate(argument: object): Thenable<vscode.Uri[] | undefined> {
		return vscode.commands.executeCommand('easel.generateImage', argument);
	}

	/** Makes one while every question is answered in the same way. */
	function answered(answer: string | undefined, argument: object) {
		return answering(answer, () => generate(argument));
	}

	function sent(): Record<string, unknown> {
		const fields = service.requests.at(-1)?.fields ?? [];
		// A form has other line breaks.
		return Object.fromEntries(
			fields.map(({ name, value }) => [name, String(value).replaceAll('\r\n', '\n')]),
		);
	}

	/** The prompt that the preview shows. */
	function previewed(): string | undefined {
		const text = vscode.workspace.textDocuments
			.find(({ uri }) => uri.scheme === 'easel-sent')
			?.getText();
		return text?.split(`${promptHeading}\n`)[1];
	}

	rare('is not there: nothing is asked, and the prompt goes as it is', async () => {
		const { asked } = await answered(undefined, { prompt: 'A plain fox' });
		assert.deepEqual(asked, []);
		assert.equal(sent()['prompt'], 'A plain fox');
	});

	test('goes with every prompt, is asked about before it is used the first time, and never again as it is', async () => {
		await writeGuide(`Flat colors ${crypto.randomUUID()}`);
		const guide = await readFile(inRoot('.easel/style.md'), 'utf8');
		const first = await answered(useGuide, { prompt: 'A fox' });
		assert.equal(first.asked.length, 1);
		assert.match(first.asked[0]!.text, /Use the style guide \.easel\/style\.md\?/);
		assert.ok(first.asked[0]!.detail.includes(guide));
		assert.deepEqual(first.asked[0]!.buttons, [useGuide, show, 'Without Style']);
		assert.equal(sent()['prompt'], `A fox\n\nStyle:\n${guide}`);
		assert.match(first.result![0]!.path, /\/images\/fox\.png$/);

		const second = await answered(undefined, { prompt: 'A crow' });
		assert.deepEqual(second.asked, []);
		assert.equal(sent()['prompt'], `A crow\n\nStyle:\n${guide}`);
	});

	rare('changed, it changes the next request exactly as it was shown', async () => {
		await writeGuide(`Flat ${crypto.randomUUID()}`);
		await answered(useGuide, { prompt: 'A fox' });
		const changed = `Woodcut ${crypto.randomUUID()},\nthick lines.`;
		await writeGuide(`---\nsize: 1536x1024\n---\n${changed}\n`);

		const { asked, result } = await acceptingQuickInputs(answered(show, { prompt: 'A crow' }));
		assert.match(asked[0]!.detail, /It has changed since you last used it/);
		assert.equal(result?.length, 1);
		const effective = `A crow\n\nStyle:\n${changed}`;
		assert.equal(previewed(), effective);
		assert.equal(sent()['prompt'], effective);
		assert.equal(sent()['size'], '1536x1024');
		assert.ok(
			vscode.workspace.textDocuments.some(({ uri }) => uri.path.endsWith('.easel/style.md')),
		);
	});

	rare('is not used where its question is dismissed, and nothing is sent then', async () => {
		await writeGuide(`Flat ${crypto.randomUUID()}`);
		const before = service.requests.length;
		assert.equal((await answered(undefined, { prompt: 'A fox' })).result, undefined);
		const shown = await closingQuickInputs(answered(show, { prompt: 'A fox' }));
		assert.equal(shown.result, undefined);
		assert.equal(service.requests.length, before);

		assert.equal((await answered('Without Style', { prompt: 'A fox' })).result?.length, 1);
		assert.equal(sent()['prompt'], 'A fox');
		// It was not agreed to.
		assert.equal((await answered(useGuide, { prompt: 'A fox' })).asked.length, 1);
	});

	rare(
		'that is longer than a dialog shows cannot be agreed to unseen, nor what no dialog shows',
		async () => {
			for (const text of ['Flat. '.repeat(200), 'Flat.\u{E0041}\u{E0042}', 'Flat.\u202etalF']) {
				await writeGuide(text);
				const { asked } = await answered(undefined, { prompt: 'A fox' });
				assert.deepEqual(asked[0]!.buttons, [show, 'Without Style']);
			}
		},
	);

	rare('sends its reference images behind the others, and no quality', async () => {
		await generate({ prompt: 'mine', output: 'out/mine.png' });
		await generate({ prompt: 'hero', output: 'out/hero.png' });
		await writeGuide('---\nreferences:\n- ../out/hero.png\n---\nLike this.');
		const { asked } = await answered(useGuide, {
			prompt: 'A fox',
			quality: 'high',
			references: ['out/mine.png'],
		});
		assert.match(
			asked[0]!.detail,
			/It sends hero\.png as reference image, so the service ignores quality\.$/,
		);
		const request = service.requests.at(-1)!;
		assert.equal(request.endpoint, 'edits');
		assert.deepEqual(
			request.references.map(({ sha256 }) => sha256),
			[await sha256Of(inRoot('out/mine.png')), await sha256Of(inRoot('out/hero.png'))],
		);
		assert.ok(!('quality' in sent()));
		assert.match(
			String(sent()['prompt']),
			/^A fox\n\nStyle, as in the last image\..*:\nLike this\.$/,
		);

		// Another picture under that name is another style.
		await writeFile(inRoot('out/hero.png'), await readFile(inRoot('out/mine.png')));
		const changed = await answered(undefined, { prompt: 'A fox' });
		assert.match(changed.asked[0]!.detail, /changed/);
	});

	rare(
		'with an image that only looks as it did is refused once, and asked about then',
		async () => {
			const file = inRoot('out/hero.png');
			await generate({ prompt: 'hero', output: 'out/hero.png' });
			await writeGuide('---\nreferences: [/out/hero.png]\n---\nLike this.');
			await answered(useGuide, { prompt: 'A fox' });
			const { atime, mtime } = await stat(file);
			const bytes = await readFile(file);
			// Nothing is read behind the last chunk.
			bytes[bytes.length - 1]! ^= 1;
			await writeFile(file, bytes);
			await utimes(file, atime, mtime);
			const before = service.requests.length;
			const refused = await answered(undefined, { prompt: 'A fox' });
			assert.deepEqual([refused.asked, refused.result], [[], []]);
			assert.equal(service.requests.length, before);
			const { asked } = await answered(undefined, { prompt: 'A fox' });
			assert.match(asked[0]!.detail, /changed/);
		},
	);

	rare(
		'that cannot be used is reported with the line, and nothing is sent unless the user goes on without it',
		async () => {
			const before = service.requests.length;
			// The editor keeps the text of one line that it has shown before, for a while.
			await writeGuide('Flat.');
			await vscode.window.showTextDocument(vscode.Uri.file(inRoot('.easel/style.md')));
			await vscode.commands.executeCommand('workbench.action.closeAllEditors');
			await writeGuide('---\ncolor: red\n---\nFlat.');
			const { asked, result } = await answered('Open Style Guide', { prompt: 'A fox' });
			assert.equal(result, undefined);
			assert.match(asked[0]!.detail, /\.easel\/style\.md cannot be used\. Line 2: /);
			assert.deepEqual(asked[0]!.buttons, ['Open Style Guide', 'Generate Without Style']);
			const editor = vscode.window.activeTextEditor!;
			assert.ok(editor.document.uri.path.endsWith('.easel/style.md'));
			// An editor that was open before tells of its new selection a moment later.
			await until(() => editor.selection.active.line === 1, 'the cursor to stand on line 2');
			assert.equal(service.requests.length, before);

			await answered('Generate Without Style', { prompt: 'A fox' });
			assert.equal(sent()['prompt'], 'A fox');
		},
	);

	rare('names nothing outside of the workspace folder, nor what is no image', async () => {
		await mkdir(inRoot('out'), { recursive: true });
		await writeFile(inRoot('out/none.png'), 'no image');
		await writeFile(inRoot('../outside.png'), 'no image');
		const links = process.platform !== 'win32';
		if (links) {
			await symlink(inRoot('../outside.png'), inRoot('out/link.png'));
		}
		const paths = ['../../outside.png', '/../outside.png', '../out/none.png', '../out/gone.png'];
		for (const reference of [...paths, '../out', ...(links ? ['../out/link.png'] : [])]) {
			await writeGuide(`---\nreferences: [${reference}]\n---\nFlat.`);
			const { asked, result } = await answered(undefined, { prompt: 'A fox' });
			assert.equal(result, undefined);
			assert.match(asked[0]!.detail, /\.easel\/style\.md cannot be used\./, reference);
		}
		if (links) {
			await remove('.easel');
			await symlink(path.resolve(inRoot('..')), inRoot('.easel'));
			const { asked, result } = await answered(undefined, { prompt: 'A fox' });
			assert.equal(result, undefined);
			assert.match(asked[0]!.detail, /easel\.style\.file .* is outside the workspace folder/);
		}
		await remove('../outside.png');
	});

	rare(
		'is read once for each folder of missing images, however many documents lie there',
		async () => {
			let looks = 0;
			const look = () => {
				looks += 1;
				return Promise.resolve(undefined);
			};
			const preview = new RequestPreview();
			const styles = { look, sizeFor: look, preview } as unknown as Styles;
			atEnd(() => preview.dispose());
			const documents = Array.from({ length: 10_000 }, (_, index) => inRoot(`${String(index)}.md`));
			const wanted = await WantedStyles.of(documents, styles);
			assert.deepEqual([...new Set(documents.map((one) => wanted.sizeFor(one)))], [undefined]);
			assert.equal(looks, 2, 'for what it says, and for its size');
		},
	);

	suite('that gets an image by Add to Style Guide…', () => {
		/** Another one in each test: the editor keeps the text of one that it has shown, for a while. */
		let name: string;

		setup(async () => {
			name = `.easel/${crypto.randomUUID()}.md`;
			await setSetting('easel.style.file', name);
		});

		const guide = () => readFile(inRoot(name)).catch(() => undefined);

		async function writeNamed(content: string): Promise<void> {
			await mkdir(inRoot('.easel'), { recursive: true });
			await writeFile(inRoot(name), content);
		}

		/** Adds an image, has something happen, and presses Undo. Returns what was shown then. */
		async function addAndUndo(meanwhile: () => Promise<unknown>): Promise<string[]> {
			await mkdir(inRoot('out'), { recursive: true });
			await writeFile(inRoot('out/pier.png'), await drawPng('a pier'));
			const pressed = Promise.withResolvers<string>();
			const messages = new ShownMessages(['showInformationMessage'], ({ buttons }) =>
				buttons.includes('Undo') ? pressed.promise : undefined,
			);
			try {
				await vscode.commands.executeCommand(
					'easel.useAsStyle',
					vscode.Uri.file(inRoot('out/pier.png')),
				);
				assert.deepEqual(messages.reported, [
					'out/pier.png is now part of the style guide. Requests are sent as edits, so quality does not apply. | Undo | Open Style Guide',
				]);
				assert.ok((await guide())?.includes('../out/pier.png'));
				messages.clear();
				await meanwhile();
				pressed.resolve('Undo');
				await until(
					async () => messages.all.length > 0 || (await guide())?.includes('pier.png') !== true,
					'it to be undone, or refused',
				);
				return messages.reported;
			} finally {
				messages.dispose();
			}
		}

		const nothing = () => Promise.resolve();
		const refused = () => `${name} has changed since, so it was not undone. | Open Style Guide`;

		rare('is as it was after Undo, byte for byte', async () => {
			const before = '\uFEFF---\r\nsize: 1024x1024\n---\r\n\nFlat colors  \n';
			await writeNamed(before);
			assert.deepEqual(await addAndUndo(nothing), []);
			assert.equal((await guide())?.toString(), before);
		});

		rare('is gone after Undo where it was not there before', async () => {
			assert.deepEqual(await addAndUndo(nothing), []);
			assert.equal(await guide(), undefined);
		});

		rare('stays as it is where it was changed before Undo', async () => {
			await writeNamed('Flat colors\n');
			const added = await addAndUndo(async () => {
				const text = `${String(await guide())}And thick outlines\n`;
				await writeFile(inRoot(name), text);
			});
			assert.deepEqual(added, [refused()]);
			assert.match(String(await guide()), /pier\.png[^]*And thick outlines/);
		});

		rare('keeps what is not saved yet', async () => {
			await writeNamed('Flat colors\n');
			const uri = vscode.Uri.file(inRoot(name));
			const { document } = await vscode.window.showTextDocument(uri);
			const type = async (text: string) => {
				const edit = new vscode.WorkspaceEdit();
				edit.insert(uri, new vscode.Position(0, 0), text);
				assert.ok(await vscode.workspace.applyEdit(edit));
			};
			await type('Warm. ');
			assert.deepEqual(await addAndUndo(nothing), []);
			assert.equal((await guide())?.toString(), 'Warm. Flat colors\n');
			await until(() => document.getText() === 'Warm. Flat colors\n', 'the editor to read it');
			assert.deepEqual(await addAndUndo(() => type('Cold. ')), [refused()]);
			assert.match(document.getText(), /^Cold\. [^]*pier\.png/);
			await vscode.commands.executeCommand('workbench.action.files.revert');
		});
	});

	rare('is the one that the setting names, or none', async () => {
		await writeGuide('Flat.');
		await setSetting('easel.style.file', '');
		const none = await answered(undefined, { prompt: 'A fox' });
		assert.deepEqual(none.asked, []);
		assert.equal(sent()['prompt'], 'A fox');
		await setSetting('easel.style.file', 'docs/gone.md');
		const gone = await answered(undefined, { prompt: 'A fox' });
		assert.match(gone.asked[0]!.detail, /the file is missing\. Create it with Create Style Guide…/);
		assert.equal(gone.result, undefined);
	});
});
