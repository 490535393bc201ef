import assert from 'node:assert/strict';
import { isNotebook, partsOf } from '../../../src/documents/notebook.js';

suite('partsOf', () => {
	const source = ['# Größe "x"\n', '\t![a](art/ä.png)\\\n', 'end \ud83e\udd8a'];

	test('are the Markdown cells, whichever way their source is written', () => {
		for (const one of [source, source.join('')]) {
			const notebook = {
				metadata: { cells: [{ cell_type: 'markdown', source: 'none' }], source: '{' },
				cells: [
					{ cell_type: 'code', source: ['![b](b.png)'], outputs: [{ data: { text: '"}' } }] },
					{ cell_type: 'markdown', metadata: { source: ['x'], a: [[1]] }, source: one },
					{ source: 'first', attachments: { a: { source: 'y' } }, cell_type: 'markdown' },
					{ cell_type: 'raw', source: 'raw' },
				],
			};
			for (const indent of [undefined, 1, '\t']) {
				assert.deepEqual(
					partsOf('a.ipynb', JSON.stringify(notebook, undefined, indent)).map(({ text }) => text),
					[source.join(''), 'first'],
				);
			}
		}
	});

	test('know where a piece of them stands in the file', () => {
		const file = JSON.stringify({ cells: [{ cell_type: 'markdown', source }] }, undefined, 1);
		const escaped = file.replaceAll('ä', '\\u00e4');
		for (const text of [file, escaped]) {
			const [cell] = partsOf('a.ipynb', text);
			assert.ok(cell);
			const start = cell.text.indexOf('art/');
			const place = cell.place({ start, end: start + 'art/ä.png'.length });
			assert.equal(JSON.parse(`"${text.slice(place.start, place.end)}"`), 'art/ä.png');
			const all = cell.place({ start: 0, end: cell.text.length });
			assert.ok(text.slice(all.start, all.end).endsWith('end \ud83e\udd8a'));
		}
	});

	test('are all of another document', () => {
		const [part, ...others] = partsOf('a.md', '{"cells": []}');
		assert.deepEqual([part?.text, others], ['{"cells": []}', []]);
		assert.deepEqual(part?.place({ start: 1, end: 3 }), { start: 1, end: 3 });
	});

	test('are none in what is no notebook', () => {
		for (const text of ['', '{', '[]]]}}"', '{"cells": [', '"cells": ["', '# Text']) {
			assert.deepEqual(partsOf('a.ipynb', text), []);
		}
		assert.ok(isNotebook('/a/b.IPYNB'));
		assert.ok(!isNotebook('/a/ipynb.md'));
	});
});
