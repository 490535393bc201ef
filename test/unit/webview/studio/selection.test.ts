import assert from 'node:assert/strict';
import {
	nothingSelected,
	selectionAmong,
	selectOnly,
	selectTo,
	toggle,
	type Selection,
} from '../../../../src/webview/studio/selection';

const all = ['a', 'b', 'c', 'd', 'e'];
const shown = ({ ids }: Selection) => [...ids].join('');

suite('webview › studio › selection', () => {
	test('is one alone, and more or fewer by one', () => {
		let selection = selectOnly('b');
		assert.equal(shown(selection), 'b');
		selection = toggle(selection, 'a');
		assert.equal(shown(selection), 'ba', 'in the order in which they were selected');
		assert.equal(shown(toggle(selection, 'b')), 'a');
		assert.equal(shown(selection), 'ba', 'what was selected before is left as it was');
		assert.equal(shown(toggle(nothingSelected, 'c')), 'c');
	});

	test('reaches from where it was begun, in both directions, and is not added up', () => {
		const begun = selectOnly('c');
		const down = selectTo(begun, 'e', all);
		assert.equal(shown(down), 'cde');
		assert.equal(shown(selectTo(down, 'a', all)), 'cba');
		assert.equal(shown(selectTo(down, 'c', all)), 'c');
	});

	test('reaches from where the focus was if nothing was selected before', () => {
		assert.equal(shown(selectTo(nothingSelected, 'd', all, 'b')), 'bcd');
		assert.equal(shown(selectTo(nothingSelected, 'd', all)), 'd');
	});

	test('is one alone where what it was begun with is not there', () => {
		assert.equal(shown(selectTo(selectOnly('gone'), 'b', all)), 'b');
		assert.equal(shown(selectTo(selectOnly('a'), 'gone', all)), 'gone');
	});

	test('loses what has gone, and is the same where nothing has', () => {
		const selection = selectTo(selectOnly('b'), 'd', all);
		assert.equal(
			selectionAmong(selection, (id) => all.includes(id)),
			selection,
		);
		const left = selectionAmong(selection, (id) => id !== 'b');
		assert.equal(shown(left), 'cd');
		assert.equal(left.from, undefined);
		assert.equal(selectionAmong(selection, (id) => id === 'b').from, 'b');
	});
});
