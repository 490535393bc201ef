import assert from 'node:assert/strict';
import { maxTogether, sheetAction } from '../../../../src/protocol/studio';
import {
	buttonsOf,
	sheetActionsFor,
	sheetEntries,
	sheetMenu,
} from '../../../../src/webview/studio/sheetActions';
import { countWords, leftOutWords } from '../../../../src/webview/studio/sheetWords';

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
		const actions = sheetActionsFor(files('a.png'));
		assert.deepEqual(buttonsOf(actions), ['edit', 'addReference']);
		assert.deepEqual(buttonsOf(sheetActionsFor(files('a.png', 'b.png'))), [
			'compare',
			'addReference',
		]);
		const items = sheetMenu(actions).flat();
		assert.deepEqual(
			items.map(({ id }) => id),
			actions.flat(),
		);
		assert.ok(items.every(({ label, icon }) => label !== '' && icon !== undefined));
	});
});

suite('webview › studio › sheetWords', () => {
	const sheet = { files: files('a.png', 'b.png'), more: 0, elsewhere: 0, state: 'read' } as const;

	test('count what is shown, and all where that is more', () => {
		assert.equal(countWords(sheet), '2 images');
		assert.equal(countWords({ ...sheet, files: files('a.png') }), '1 image');
		assert.equal(countWords({ ...sheet, more: 3000 }), '2 of 3,002 images');
		assert.equal(countWords({ ...sheet, state: 'reading' }), '');
		assert.equal(countWords(undefined), '');
	});

	test('say what is left out, and why', () => {
		assert.equal(leftOutWords(sheet), '');
		assert.equal(leftOutWords(undefined), '');
		assert.equal(
			leftOutWords({ ...sheet, more: 1234, elsewhere: 2 }),
			'Showing the first 2 images by name; 1,234 more are not shown. 2 links lead out of the workspace and are not shown.',
		);
		assert.match(leftOutWords({ ...sheet, elsewhere: 1 }), /^1 link leads out/);
	});
});
