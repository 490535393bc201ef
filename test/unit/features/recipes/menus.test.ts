import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const manifest = path.join(__dirname, '../../../../package.json');
const { menus } = (
	JSON.parse(readFileSync(manifest, 'utf8')) as {
		readonly contributes: {
			readonly menus: Readonly<Record<string, readonly { command: string; when?: string }[]>>;
		};
	}
).contributes;

/** Where a command stands, each menu with its condition. */
const placesOf = (command: string) =>
	Object.entries(menus).flatMap(([menu, entries]) =>
		entries.filter((entry) => entry.command === command).map(({ when }) => [menu, when]),
	);

suite('What shows and strips recipes', () => {
	const image = 'resourceExtname =~ /^\\.(png|jpe?g|webp)$/i';
	const made = '(!easel.madeImages || resourcePath in easel.madeImages)';
	const inFront = `activeCustomEditorId == 'imagePreview.previewEditor' && ${image}`;

	test('is offered of every kind of image: other kinds have theirs beside them', () => {
		assert.deepEqual(placesOf('easel.showProvenance'), [
			['easel.menu', `!explorerResourceIsFolder && ${image} && !listMultiSelection && ${made}`],
		]);
		assert.deepEqual(placesOf('easel.stripRecipe'), [
			['easel.menu', `resourceScheme == file && (explorerResourceIsFolder || ${image} && ${made})`],
			['commandPalette', `${inFront} && resourceScheme == file`],
		]);
	});
});
