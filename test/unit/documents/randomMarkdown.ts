import { randomText } from '../images/random.js';

/** A document of pieces that work with and against each other. */
export function randomMarkdown(random: () => number): string {
	const below = (limit: number) => Math.floor(random() * limit);
	const one = <T>(from: readonly T[]): T => from[below(from.length)] as T;
	const piece = () => (below(12) === 0 ? randomText(random, 3).replace(/[<\0]/g, '') : one(pieces));
	const lines = Array.from({ length: 1 + below(9) }, () => {
		const prefix = Array.from({ length: below(3) }, () => one(prefixes)).join('');
		return prefix + Array.from({ length: below(6) }, piece).join('');
	});
	return lines.join(one(['\n', '\n', '\n\n', '\r\n', '\r']));
}

const prefixes = ['> ', '- ', '1. ', '    ', '  ', '\t', '# ', '|', '```', '~~~', '---', '>', '* '];

const pieces = [
	...['![a](b.png)', '![c](<d e.png>)', '![f](g%20h.png "t")', '![i](j\\)k.png)'],
	...['![l](m(n).png)', '![x]', '![o][x]', '![p][]', '[x]: q.png', '[p]:', ' <r.png>'],
	...["'t'", '[x]: s.png "t"', '[y]:', '<img src="t.png">', '<IMG alt="a>b" src=u.png />'],
	...["<img src='v&amp;w.png'>", '<img alt="x">', '<!-- ', ' -->', '<div>', '</div>'],
	...['<p>', '<script>', '</script>', '<b>', '</b>', '<?php ?>', '[![z](a.png)](b)', '!['],
	...['](c.png)', '[', ']', '(', ')', '!', '\\', '`', '``', '*', '**', '_', '|', ' | '],
	...['\\|', '|-|-|', '-|-', '---', '===', '#', '&amp;', '&#91;', ' ', ' ', 'word', 'ä😀'],
	...['https://example.com/d.png', '"', "'", '\\!', '\\[', '<https://e.f/g.png>'],
	...['![h](i.png', '~~'],
];
