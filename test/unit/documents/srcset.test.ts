import assert from 'node:assert/strict';
import { withTwice } from '../../../src/documents/srcset.js';

suite('A file of twice the dimensions', () => {
	for (const [text, expected, languageId = 'markdown'] of [
		['<img src="a/pier.png">', '<img src="a/pier.webp" srcset="a/pier@2x.webp 2x">'],
		["<img alt='' src='pier.png' />", "<img alt='' src='pier.webp' srcset='pier@2x.webp 2x' />"],
		['<img src="pier.png"/>', '<img src="pier.webp" srcSet="pier@2x.webp 2x"/>', 'mdx'],
		[
			'<img src="x y,z/pier.png">',
			'<img src="x y,z/pier.webp" srcset="x%20y%2Cz/pier@2x.webp 2x">',
		],
		['<img src="pier.png" srcset="o.png 2x">', '<img src="pier.webp" srcset="o.png 2x">'],
		['<img srcset="o.png 2x" src="pier.png">', '<img srcset="o.png 2x" src="pier.webp">'],
		[
			'<img alt="File > Save" src="pier.png">',
			'<img alt="File > Save" src="pier.webp" srcset="pier@2x.webp 2x">',
		],
		[
			'<img src="pier.png" alt="a > b" srcset="o.png 2x">',
			'<img src="pier.webp" alt="a > b" srcset="o.png 2x">',
		],
		['![A](pier.png)', '![A](pier.webp)'],
		['<source src="pier.png">', '<source src="pier.webp">'],
		['<img src=pier.png>', '<img src=pier.webp>'],
	] as const) {
		test(`is named as the format allows it: ${languageId} ${text}`, () => {
			const end = text.indexOf('pier.png') + 'pier.png'.length;
			const before = text.slice(0, end);
			const start =
				Math.max(...['"', "'", '=', '('].map((mark) => before.lastIndexOf(mark, end - 9))) + 1;
			const renamed = { start, end, newText: text.slice(start, end).replace('.png', '.webp') };
			const names = { from: 'pier.png', twice: 'pier@2x.webp' };
			const { newText } = withTwice(text, renamed, languageId, names);
			assert.equal(text.slice(0, start) + newText + text.slice(end), expected);
		});
	}
});
