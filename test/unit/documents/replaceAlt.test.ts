import assert from 'node:assert/strict';
import { replaceAlt } from '../../../src/documents/replaceAlt.js';

suite('documents › replaceAlt', () => {
	function replaced(link: string, alt: string): string | undefined {
		const found = replaceAlt(link, alt);
		return found && link.slice(0, found.start) + found.text + link.slice(found.end);
	}

	for (const [link, alt, expected] of [
		['![](a.png)', 'A pier', '![A pier](a.png)'],
		['![Old [one] \\] here](a.png "t")', 'A pier', '![A pier](a.png "t")'],
		['![a](a.png)', '](http://x) `[b]', '![\\](http://x) &#96;\\[b\\]](a.png)'],
		['![a][ref]', 'A pier', '![A pier][ref]'],
		['![a](a.png)', '{x} <b>', '![&#123;x} &lt;b>](a.png)'],
		[
			'<img src="a.png" alt="">',
			'A "pier" & more',
			'<img src="a.png" alt="A &quot;pier&quot; &amp; more">',
		],
		["<img alt='old' src=a.png>", "A pier's end", '<img alt="A pier\'s end" src=a.png>'],
		['<img src="x alt=\'no\'" alt="old">', 'A pier', '<img src="x alt=\'no\'" alt="A pier">'],
		['<img src="a.png">', 'A pier', undefined],
		['image::a.png[Old]', 'A pier', undefined],
		['![a](a.png)', '', '![](a.png)'],
	] as const) {
		test(`${link} ← ${alt}`, () => {
			assert.equal(replaced(link, alt), expected);
		});
	}
});
