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
		['![a][ref]', 'A pier', '![A pier][ref]'],
		[
			'<img src="a.png" alt="">',
			'A "pier" & more',
			'<img src="a.png" alt="A &quot;pier&quot; &amp; more">',
		],
		["<img alt='old' src=a.png>", "A pier's end", '<img alt="A pier\'s end" src=a.png>'],
		['<img src="x alt=\'no\'" alt="old">', 'A pier', '<img src="x alt=\'no\'" alt="A pier">'],
		['<img src="a.png">', 'A pier', undefined],
		['image::a.png[Old]', 'A pier', undefined],
	] as const) {
		test(`${link} ← ${alt}`, () => {
			assert.equal(replaced(link, alt), expected);
		});
	}
});
