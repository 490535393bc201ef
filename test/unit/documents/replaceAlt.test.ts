import assert from 'node:assert/strict';
import { replaceAlt } from '../../../src/documents/replaceAlt.js';

suite('documents › replaceAlt', () => {
	function replaced(languageId: string, link: string, alt: string): string | undefined {
		const found = replaceAlt(languageId, link, alt);
		return found && link.slice(0, found.start) + found.text + link.slice(found.end);
	}

	for (const [languageId, link, alt, expected] of [
		['markdown', '![](a.png)', 'A pier', '![A pier](a.png)'],
		['markdown', '![Old [one] \\] here](a.png "t")', 'A pier', '![A pier](a.png "t")'],
		['markdown', '![a](a.png)', '](http://x) `[b]', '![\\](http://x) \\`\\[b\\]](a.png)'],
		['markdown', '![a][ref]', 'A pier', '![A pier][ref]'],
		['mdx', '![a](a.png)', '{x} <b>', '![\\{x} \\<b>](a.png)'],
		[
			'html',
			'<img src="a.png" alt="">',
			'A "pier" & more',
			'<img src="a.png" alt="A &quot;pier&quot; &amp; more">',
		],
		['html', "<img alt='old' src=a.png>", "A pier's end", '<img alt="A pier\'s end" src=a.png>'],
		[
			'html',
			'<img src="x alt=\'no\'" alt="old">',
			'A pier',
			'<img src="x alt=\'no\'" alt="A pier">',
		],
		['html', '<img src="a.png">', 'A pier', undefined],
		['asciidoc', 'image::a.png[Old]', 'A pier', undefined],
		['markdown', '![a](a.png)', '', '![](a.png)'],
	] as const) {
		test(`${link} ← ${alt}`, () => {
			assert.equal(replaced(languageId, link, alt), expected);
		});
	}
});
