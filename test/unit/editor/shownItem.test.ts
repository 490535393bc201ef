import assert from 'node:assert/strict';
import { shownItem, type PickItem } from '../../../src/editor/untrustedText.js';

suite('editor › items of a list', () => {
	test('make no icon of a text; their own stands apart from it', () => {
		const given: PickItem[] = [
			{ label: '$(sync~spin) busy', description: 'a $(x) b', detail: 'c\u202e\nd' },
			{ icon: 'file-media', label: '$(error) name.png' },
			{ label: '' },
		];
		const items = given.map((item) => ({ ...shownItem(item), given: undefined }));
		// What is missing is missing there, too.
		assert.deepEqual(JSON.parse(JSON.stringify(items)), [
			{
				label: '$\u200b(sync~spin) busy',
				description: 'a $\u200b(x) b',
				detail: 'c d',
			},
			{ label: '$(file-media) $\u200b(error) name.png' },
			{ label: '' },
		]);
	});

	test('are given back as they were given, whatever was shown since', () => {
		const one = { label: 'one\nline', value: 1 };
		const shown = shownItem(one);
		shownItem({ label: 'two', value: 2 });
		assert.equal(shown.given, one);
	});
});
