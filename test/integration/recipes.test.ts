import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { extensionId } from '../../src/editor/extensionId.js';
import { Preferences } from '../../src/editor/preferences.js';
import { notifyOfRecipes } from '../../src/generation/resultNotifier.js';
import { readProvenance } from '../../src/recipes/provenance.js';
import { drawPicture } from '../service/picture.js';
import { picture } from '../unit/recipes/pngs.js';
import { atEnd } from './atEnd.js';
import { service, useService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { inRoot, remove, root, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

suite('How an image was made', () => {
	useService();

	suiteTeardown(async () => {
		await setSetting('easel.output.provenance', undefined);
	});

	setup(() => {
		service.faults.clear();
		service.faults.add({ small: true });
	});

	teardown(() => remove('made'));

	async function make(name: string, argument: object = {}): Promise<Buffer> {
		const output = `made/${name}.png`;
		await vscode.commands.executeCommand('easel.generateImage', {
			...{ prompt: 'a harbor', output },
			...argument,
		});
		return readFile(inRoot(output));
	}

	const { version } = vscode.extensions.getExtension(extensionId)?.packageJSON as {
		version: string;
	};
	const read = (name: string) => readProvenance(inRoot('made', `${name}.png`));
	const names = async () => (await readdir(inRoot('made'))).sort();
	const drawn = (quality?: 'low') =>
		drawPicture({ prompt: 'a harbor', size: '1024x1024', quality, references: [], small: true });

	test('stands in the image, by default', async () => {
		await setSetting('easel.output.provenance', undefined);
		const bytes = await make('a', { quality: 'low' });
		const { recipe, where } = await read('a');
		assert.equal(where, 'inImage');
		assert.equal(recipe?.prompt, 'a harbor');
		assert.equal(recipe.quality, 'low');
		assert.ok(Math.abs(Date.parse(recipe.createdAt) - Date.now()) < 60_000);
		assert.equal(recipe.easel, version);
		assert.ok(picture(bytes).equals(picture(await drawn('low'))));
		assert.deepEqual(await names(), ['a.png']);
	});

	rare('stands beside the image where that is set, and writes nothing over', async () => {
		await setSetting('easel.output.provenance', 'besideImage');
		const bytes = await make('a');
		assert.ok(bytes.equals(await drawn()));
		const { recipe, where, isOfOther } = await read('a');
		assert.deepEqual([where, isOfOther], ['besideImage', false]);
		assert.equal(recipe?.image, hashOf(bytes));
		assert.deepEqual(await names(), ['a.png', 'a.png.json']);
		await writeFile(inRoot('made', 'b.png.json'), 'mine');
		await make('b');
		assert.equal(await readFile(inRoot('made', 'b.png.json'), 'utf8'), 'mine');
		assert.deepEqual(await names(), ['a.png', 'a.png.json', 'b.png', 'b.png.json']);
	});

	rare('is written nowhere where the setting forbids it', async () => {
		await setSetting('easel.output.provenance', 'none');
		assert.ok((await make('a')).equals(await drawn()));
		service.faults.add({ signed: true });
		await make('b');
		assert.deepEqual(await names(), ['a.png', 'b.png']);
	});

	rare('follows the setting of the folder that gets the image', async () => {
		await setSetting('easel.output.provenance', 'none');
		const settings = vscode.workspace.getConfiguration('easel', root());
		const ofWorkspace = vscode.ConfigurationTarget.Workspace;
		await settings.update('output.provenance', 'inImage', ofWorkspace);
		atEnd(() => settings.update('output.provenance', undefined, ofWorkspace));
		await make('a');
		assert.equal((await read('a')).where, 'inImage');
	});
});

suite('The notice that an image holds its recipe', () => {
	let messages: ShownMessages;

	setup(() => {
		messages = new ShownMessages(['showInformationMessage']);
	});

	function newMachine(): Preferences {
		const kept = new Map<string, unknown>();
		return new Preferences({
			keys: () => [...kept.keys()],
			get: (key: string) => kept.get(key),
			update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
		} as vscode.Memento);
	}

	test('is shown once on a machine, with the setting', async () => {
		const preferences = newMachine();
		await notifyOfRecipes([], preferences);
		assert.deepEqual(messages.reported, []);
		for (let round = 0; round < 2; round += 1) {
			await notifyOfRecipes([{ where: 'inImage' }, { where: 'inImage' }], preferences);
		}
		assert.equal(messages.reported.length, 1);
		assert.match(
			messages.reported[0]!,
			/^The prompt is saved inside the image; anyone who gets the file can read it\. \| OK \| Change…$/,
		);
		await notifyOfRecipes([{ where: 'besideImage' }], newMachine());
		assert.match(messages.reported[1]!, /^The prompt is saved in a file beside the image;/);
	});

	test('says why it lies beside what is signed, once', async () => {
		const preferences = newMachine();
		await notifyOfRecipes([{ where: 'inImage' }], preferences);
		messages.clear();
		for (let round = 0; round < 2; round += 1) {
			await notifyOfRecipes([{ where: 'besideImage', isSigned: true }], preferences);
		}
		assert.equal(messages.reported.length, 1);
		assert.match(messages.reported[0]!, /^The service has signed this image/);
	});
});
