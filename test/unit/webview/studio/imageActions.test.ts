import assert from 'node:assert/strict';
import type { Image, ImageAction } from '../../../../src/protocol/studioModel';
import { actionsFor, divideActions, removes } from '../../../../src/webview/studio/imageActions';

const image: Image = {
	id: '00000000-0000-4000-8000-000000000001',
	prompt: 'a harbor at night',
	name: 'harbor.png',
	path: 'images/harbor.png',
	details: '1024 × 1024',
	width: 1024,
	height: 1024,
	final: false,
	label: '1a',
	isFavorite: false,
	chain: [],
	exists: true,
	thumbnail: 'thumbnail',
	source: 'source',
};

suite('actionsFor', () => {
	const offers = (of: Image, action: ImageAction) => actionsFor(of).flat().includes(action);

	test('everything can be done with a draft that is there', () => {
		assert.deepEqual(actionsFor(image), [
			['insert', 'edit', 'addReference', 'useAsStyle', 'usePrompt', 'useInHighQuality'],
			['addFavorite', 'compare'],
			['copyImage', 'copyImageLink', 'copyPrompt', 'writeBrief'],
			['export', 'makeDark', 'open', 'reveal', 'saveAs'],
			['remove'],
		]);
	});

	test('what is final is not made in high quality again', () => {
		assert.ok(!offers({ ...image, final: true }, 'useInHighQuality'));
	});

	test('a favorite can be removed from the favorites, and another image added', () => {
		const actions = actionsFor({ ...image, isFavorite: true }).flat();
		assert.ok(actions.includes('removeFavorite') && !actions.includes('addFavorite'));
	});

	test('what was made from another image can take its place, as long as it is there', () => {
		const edited = { ...image, hasOriginal: true };
		assert.ok(offers(edited, 'replace'));
		assert.ok(!offers({ ...edited, exists: false }, 'replace'));
	});

	test('the rest is kept for an answer to marks that lacks it, as long as it is there', () => {
		const answer = { ...image, lacksRest: true };
		assert.ok(offers(answer, 'keepRest') && !offers(image, 'keepRest'));
		assert.ok(!offers({ ...answer, exists: false }, 'keepRest'));
	});

	test('what the page cannot load, it can neither copy nor compare', () => {
		const actions = actionsFor({ ...image, source: undefined }).flat();
		assert.ok(!actions.includes('copyImage') && !actions.includes('compare'));
		assert.ok(actions.includes('insert') && actions.includes('copyImageLink'));
	});

	test('a file that is not in the gallery offers what needs no prompt', () => {
		const file = { ...image, isUnlisted: true, final: true, label: '', prompt: '' };
		assert.deepEqual(actionsFor({ ...file, name: 'a.PNG' }), [
			['edit', 'addReference', 'useAsStyle'],
			['compare'],
			['copyImage'],
			['showProvenance', 'export', 'makeDark', 'open', 'reveal', 'saveAs'],
		]);
		assert.ok(!offers({ ...file, name: 'a.gif' }, 'showProvenance'));
		assert.deepEqual(
			actionsFor({ ...file, name: 'a.gif' }).flat(),
			['copyImage', 'open', 'reveal', 'saveAs'],
			'the service takes no GIF',
		);
	});

	test('without its file there is nothing but the prompt', () => {
		assert.deepEqual(actionsFor({ ...image, exists: false }), [
			['usePrompt', 'useInHighQuality'],
			['addFavorite'],
			['copyPrompt'],
			['remove'],
		]);
	});
});

suite('divideActions', () => {
	test('the most used have buttons, all others are in the menu, none is lost', () => {
		const [buttons, menu] = divideActions(actionsFor(image));
		assert.deepEqual(buttons, ['insert', 'edit', 'usePrompt']);
		assert.deepEqual(menu[0], ['addReference', 'useAsStyle', 'useInHighQuality']);
		assert.deepEqual([...buttons, ...menu.flat()].toSorted(), actionsFor(image).flat().toSorted());
	});

	test('no group of the menu is empty', () => {
		const [, menu] = divideActions(actionsFor({ ...image, exists: false, final: true }));
		assert.deepEqual(menu, [['addFavorite'], ['copyPrompt'], ['remove']]);
	});
});

suite('removes', () => {
	const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
	const key = (name: string, modifiers: Partial<typeof none> = {}) =>
		removes({ key: name, ...none, ...modifiers } as KeyboardEvent);

	test('Delete alone, and Backspace with the command key', () => {
		assert.ok(key('Delete'));
		assert.ok(key('Backspace', { metaKey: true }));
	});

	test('nothing that is pressed while writing', () => {
		assert.ok(!key('Backspace'));
		assert.ok(!key('Delete', { ctrlKey: true }));
		assert.ok(!key('Delete', { shiftKey: true }));
		assert.ok(!key('Delete', { metaKey: true }));
		assert.ok(!key('a'));
	});
});
