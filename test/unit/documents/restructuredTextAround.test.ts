import assert from 'node:assert/strict';
import { restructuredTextAround } from '../../../src/documents/restructuredTextAround';

suite('restructuredTextAround', () => {
	/** With `¦` at the place, and `⟦` and `⟧` around what it lies in. */
	function are(sentence: string, cases: readonly string[]): void {
		for (const marked of cases) {
			test(`${sentence}: ${JSON.stringify(marked)}`, () => {
				const text = marked.replace(/[⟦⟧¦]/g, '');
				const offset = marked.replace(/[⟦⟧]/g, '').indexOf('¦');
				const found = restructuredTextAround(text, offset);
				assert.equal(
					found === undefined
						? text
						: `${text.slice(0, found.start)}⟦${text.slice(found.start, found.end)}⟧${text.slice(found.end)}`,
					marked.replace('¦', ''),
				);
			});
		}
	}

	are('knows literal blocks, with the paragraph before them', [
		'One\n\n⟦Code::\n\n  l¦et a;\n\n  let b;⟧\n\nTwo',
		'⟦Code::\n\n  let a;\n¦\n  let b;⟧\n\nTwo',
		'⟦::\n\n  l¦et a;⟧  \n\n\nTwo',
	]);

	are('knows directives whose content is none of the document', [
		'⟦.. code-block:: js\n\n   l¦et a;\n   let b;⟧\n\nOne',
		'⟦..   math::\n\n   a¦ + b⟧\n\nOne',
	]);

	are('knows comments', ['⟦.. One\n   t¦wo⟧\n\nThree', '⟦..\n   O¦ne⟧\n\nTwo']);

	are('knows what has more indented below it', [
		'⟦t¦erm\n  One\n\n  Two⟧\n\nThree',
		'⟦One¦\n\n  A quotation⟧\n\nTwo',
		'⟦O¦ne\n  two⟧  \nthree',
	]);

	are('knows nothing elsewhere', [
		'One\nt¦wo\n\nThree',
		'¦term\n  One',
		'O¦ne\n- two\n\n  three',
		'- Code::\n\n  O¦ne',
		'.. note:: One\n\n   t¦wo',
		'Code::\n\n  let a;\n¦',
		'See .. math:: x\n\n  O¦ne',
		'..   note::\n\n     O¦ne',
		'..  [1] One\n    t¦wo',
		'.. _one: two\n   t¦hree',
		'.. |one| image:: a.png\n   :alt¦: b',
		'..one\n\n  t¦wo',
	]);
});
