import assert from 'node:assert/strict';
import { maxTogether, sheetAction } from '../../../../src/protocol/studio';
import {
	buttonsOf,
	sheetActionsFor,
	sheetEntries,
	sheetMenu,
} from '../../../../src/webview/studio/sheetActions';
import type { StudioStore } from '../../../../src/webview/studio/store';

const files = (...names: string[]) => names.map((name) => ({ id: name, name }));
const possible = (...names: string[]) => sheetActionsFor(files(...names)).flat();

suite('webview › studio › sheetActions', () => {
	test('offer for one file what it is good for', () => {
		assert.deepEqual(sheetActionsFor(files('a.PNG')), [
			['edit', 'addReference', 'useAsStyle'],
			['showProvenance'],
			['open', 'reveal'],
		]);
		for (const name of ['a.jpg', 'a.jpeg', 'a.webp']) {
			assert.deepEqual(possible(name), ['edit', 'addReference', 'useAsStyle', 'open', 'reveal']);
		}
		assert.deepEqual(possible('a.gif'), ['open', 'reveal'], 'the service takes no GIF');
	});

	test('compare two, and take as many for references as go into a message', () => {
		assert.deepEqual(possible('a.png', 'b.webp'), ['addReference', 'compare']);
		assert.deepEqual(possible('a.png', 'b.gif'), []);
		assert.deepEqual(possible('a.png', 'b.png', 'c.png'), ['addReference']);
		const many = Array.from({ length: maxTogether + 1 }, (_, index) => `${String(index)}.png`);
		assert.deepEqual(possible(...many), []);
		assert.deepEqual(possible(...many.slice(1)), ['addReference']);
		assert.deepEqual(possible(), []);
	});

	test('have words and an icon each; what is needed most has a button too', () => {
		assert.deepEqual(Object.keys(sheetEntries).sort(), [...sheetAction.options].sort());
		const [one, two] = [files('a.png'), files('a.png', 'b.png')];
		assert.deepEqual(buttonsOf(one), ['edit', 'addReference']);
		assert.deepEqual(buttonsOf(two), ['compare', 'addReference']);
		const store = {} as StudioStore;
		assert.equal(sheetMenu(store, one).name, 'a.png');
		assert.equal(sheetMenu(store, two).name, '2 images');
		const items = sheetMenu(store, one).groups.flat();
		assert.deepEqual(
			items.map(({ label }) => label),
			possible('a.png').map((action) => sheetEntries[action].label),
		);
		assert.ok(items.every(({ label, icon }) => label !== '' && icon !== undefined));
	});
});
