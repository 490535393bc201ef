import assert from 'node:assert/strict';
import { markdownLanguages } from '../../src/documents/languages.js';
import { commandTitles, type CommandId } from '../../src/editor/commandTable.js';
import { manifest, type MenuEntry } from './manifest.js';

const { menus } = manifest.contributes;

/** The entry of a command in a menu, or several. */
function entries(menu: string, command: CommandId): readonly MenuEntry[] {
	return (menus[menu] ?? []).filter((entry) => entry.command === command);
}

/** Those that do what they say as soon as they are chosen; all others ask for something first. */
const asksNothing: readonly CommandId[] = [
	'easel.generateFromEditor',
	'easel.getStarted',
	'easel.keepRest',
	'easel.openGuide',
	'easel.openStudio',
	'easel.replaceImage',
	'easel.showLog',
	'easel.showProvenance',
	'easel.testConnection',
	'easel.writePrompt',
];

const image = 'resourceExtname =~ /^\\.(png|jpe?g|webp)$/i';
const imageInFront = `activeCustomEditorId == 'imagePreview.previewEditor' && ${image}`;

suite('The titles of commands', () => {
	test('end in an ellipsis where the command asks for something, and only there', () => {
		const without = Object.entries(commandTitles).filter(([, title]) => !title.endsWith('…'));
		assert.deepEqual(without.map(([id]) => id).sort(), asksNothing);
	});
});

suite('Menus', () => {
	test('of others have nothing of Easel for ever: the explorer has no entry in its title', () => {
		assert.equal(menus['view/title'], undefined);
		for (const [menu, all] of Object.entries(menus)) {
			for (const { command, submenu, when } of all) {
				const what = `${String(command ?? submenu)} in ${menu}`;
				assert.ok(menu === 'file/newFile' || when !== undefined, what);
			}
		}
	});

	test('of images have what is for images where one is shown, and of a kind that can be sent', () => {
		for (const command of ['easel.editWithPrompt', 'easel.openStudio'] as const) {
			assert.deepEqual(
				entries('editor/title', command).map(({ when }) => when),
				[imageInFront],
				command,
			);
		}
		// In the palette they are always found, and ask for an image where none is in front.
		for (const command of [
			'easel.editWithPrompt',
			'easel.regenerateImage',
			'easel.compareImages',
			'easel.showProvenance',
		] as const) {
			assert.deepEqual(entries('commandPalette', command), [], command);
		}
		const inPreview = `webviewId == 'imagePreview.previewEditor' && ${image}`;
		assert.deepEqual(
			(menus['webview/context'] ?? []).map(({ when }) => when),
			[inPreview, inPreview],
		);
		const [inTab] = entries('editor/title/context', 'easel.editWithPrompt');
		assert.equal(inTab?.when, image);
		for (const command of ['easel.editWithPrompt', 'easel.compareImages'] as const) {
			const [entry] = entries('explorer/context', command);
			assert.match(entry?.when ?? '', /!explorerResourceIsFolder/, command);
			assert.ok(entry?.when?.endsWith(image), command);
		}
	});

	test('offer what needs an image that Easel made for those alone, once they are known', () => {
		const made = '(!easel.madeImages || resourcePath in easel.madeImages)';
		for (const command of ['easel.regenerateImage', 'easel.stripRecipe'] as const) {
			assert.ok(entries('easel.menu', command)[0]?.when?.includes(made), command);
		}
		// So the submenu is there for any image: programs of others say how they made theirs, too.
		const [provenance] = entries('easel.menu', 'easel.showProvenance');
		assert.match(provenance?.when ?? '', /resourceExtname/);
		assert.doesNotMatch(provenance?.when ?? '', /madeImages/);
		const [submenu] = (menus['explorer/context'] ?? []).filter((entry) => entry.submenu);
		assert.ok(
			submenu?.when?.includes(
				'explorerResourceIsFolder && (!easel.folders || resourcePath in easel.folders)',
			),
		);
	});

	test('offer missing images of every document that is searched for them, and on a disk alone', () => {
		assert.deepEqual(manifest.capabilities.virtualWorkspaces.supported, 'limited');
		const extensions = markdownLanguages.flatMap((language) => language.extensions).join('|');
		assert.deepEqual(
			entries('easel.menu', 'easel.generateMissingImages').map(({ when }) => when),
			[
				`!virtualWorkspace && (explorerResourceIsFolder || resourceExtname =~ /^\\.(${extensions})$/i)`,
			],
		);
		assert.deepEqual(
			entries('commandPalette', 'easel.generateMissingImages').map(({ when }) => when),
			['!virtualWorkspace'],
		);
	});

	test('of prompts have the command that asks nothing, and those of all else the one that asks', () => {
		assert.deepEqual(
			(['easel.generateFromEditor', 'easel.generateImage'] as const).map((command) => [
				...entries('editor/title', command).map(({ when }) => when),
				...entries('commandPalette', command).map(({ when }) => when),
			]),
			[
				['resourceLangId == easel-prompt', 'editorLangId == easel-prompt'],
				['editorLangId != easel-prompt'],
			],
		);
	});
});
