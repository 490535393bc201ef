import assert from 'node:assert/strict';
import { findImages } from '../../../../src/documents/findImages.js';
import { everyImageIsThere } from '../../../../src/documents/missing/quickLook.js';
import { seeded } from '../../images/random.js';
import { randomMarkdown } from '../randomMarkdown.js';

suite('everyImageIsThere', () => {
	const look = (text: string, isThere = (href: string) => href.startsWith('there')) =>
		everyImageIsThere(text, isThere);

	const table: [text: string, expected: boolean][] = [
		['no image', true],
		['![a](there.png) [b](gone.png)', true],
		['![](there.png) ![a boat](<there b.png>) <img src="there.png">', true],
		['<img  width="1" \t src="there.png">', true],
		['![a](<there b.png> "t")\n<IMG alt="b" src="there.png" />', true],
		['[![a](there.png)](gone.md)', true],
		['![a](<gone b.png>)', false],
		['<img alt="a">', false],
		// It takes a parser to be sure.
		['![a]\n\n[a]: there.png', false],
		['<img alt="![" src="there.png">', false],
		['<img src="there.png" alt="a" data-b="{c}">', false],
		['![a](there\\_.png)', false],
		['![a](there&amp;.png)', false],
		['![a](\nthere.png)', false],
		['<img\nsrc="there.png">', false],
		['<img alt=" src="there.png">', false],
		['![[there.png]]', false],
		['{{< figure src="there.png" >}}', false],
		['```{figure} gone.png\n```', false],
		[':::{image} gone.png\n:::', false],
		['<img src="there.png" srcset="gone.png 2x">', false],
		['<source srcset="gone.png">', false],
		["import gone from './gone.png'", false],
		["<img src={require('./gone.png').default} />", false],
		['---\ncover: gone.png\n---\n![](there.png)', false],
		['---\ntitle: A\n---\n![](there.png)', true],
	];
	for (const [text, expected] of table) {
		test(JSON.stringify(text), () => {
			assert.equal(look(text), expected);
		});
	}

	test('is certain when it says yes', () => {
		const random = seeded(3);
		let yes = 0;
		for (let round = 0; round < 5000; round++) {
			const text = randomMarkdown(random);
			const hrefs = [...new Set(findImages(text).map(({ href }) => href))];
			const there = new Set(hrefs.filter(() => random() < 0.8));
			if (look(text, (href) => there.has(href))) {
				yes += hrefs.length > 0 ? 1 : 0;
				assert.deepEqual(hrefs, [...there], JSON.stringify(text));
			}
		}
		assert.ok(yes > 200, String(yes));
	});
});
