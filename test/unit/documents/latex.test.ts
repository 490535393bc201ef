import assert from 'node:assert/strict';
import {
	graphicsPath,
	latexImage,
	latexPath,
	latexRoot,
	latexText,
	withoutGraphicsPath,
} from '../../../src/documents/latex';
import { linkText, maxPathLength } from '../../../src/documents/imageLink';
import { file } from './troublesome';

suite('latexImage', () => {
	test('is a figure with the alt text as its caption', () => {
		const image = latexImage({ path: 'images/red-fox.png', alt: 'A red fox, 100%' });
		assert.equal(
			linkText(image),
			[
				'\\begin{figure}',
				'\t\\centering',
				'\t\\includegraphics[width=\\linewidth]{images/red-fox.png}',
				'\t\\caption{A red fox, 100\\%}',
				'\\end{figure}',
			].join('\n'),
		);
		assert.equal(image.alt, 'A red fox, 100\\%');
	});

	for (const [path, argument] of [
		['my images/über_狐&$~.png', 'my images/über_狐&$~.png'],
		['C#.png', 'C\\csname c_hash_str\\endcsname .png'],
		['100% a.png', '100\\csname c_percent_str\\endcsname \\space a.png'],
		['a  b.png', 'a\\space \\space b.png'],
		['a^b^^c.png', 'a^b\\csname c_circumflex_str\\endcsname ^c.png'],
		['~/a.png', './~/a.png'],
		['{a.png', '\\csname c_left_brace_str\\endcsname a.png'],
		['a}.png', 'a\\csname c_right_brace_str\\endcsname .png'],
		['a\\b.png', 'a\\csname c_backslash_str\\endcsname b.png'],
	] as const) {
		test(`writes the path ${path} as ${argument}`, () => assert.equal(latexPath(path), argument));
	}

	for (const [text, escaped] of [
		['R&D_1 {50%} #1 $5', 'R\\&D\\_1 \\{50\\%\\} \\#1 \\$5'],
		['a\\b~c^d', 'a\\textbackslash{}b\\textasciitilde{}c\\textasciicircum{}d'],
		['a "red" fox', "a ``red'' fox"],
		['24" wide', "24'' wide"],
		['a -- b --- c', 'a -{}- b -{}-{}- c'],
		["``a'' ,,b", "`{}`a'{}' ,{},b"],
		['<<a>> ?`b !`c', '<{}<a>{}> ?{}`b !{}`c'],
		["it's `so`, a < b > c? d! e", "it's `so`, a < b > c? d! e"],
	] as const) {
		test(`writes the text ${text} as ${escaped}`, () => assert.equal(latexText(text), escaped));
	}
});

suite('latexRoot', () => {
	const chapter = file('/repo/chapters/one.tex');
	for (const [textBefore, root] of [
		['%!TeX root=..\\main.tex\r\n', '/repo/main.tex'],
		['% !TeX program = xelatex\n% !TeX root = ../my thesis.tex  \n', '/repo/my thesis.tex'],
		['  %% ! TEX  root = ../main.tex', '/repo/main.tex'],
		['See % !TEX root = x', '/repo/chapters/one.tex'],
	] as const) {
		test(`of ${JSON.stringify(textBefore)} is ${root}`, () => {
			assert.deepEqual(latexRoot(chapter, textBefore), file(root));
		});
	}

	test('is what is named as long as a path may be', () => {
		const name = `/${'a'.repeat(maxPathLength - 1)}`;
		assert.deepEqual(latexRoot(chapter, `% !TEX root = ${name}`), file(name));
		assert.deepEqual(latexRoot(chapter, `% !TEX root = ${name}a`), chapter);
	});
});

suite('graphicsPath', () => {
	for (const [textBefore, folder] of [
		['\\graphicspath{{../a b/}{c/}}', '../a b/'],
		['\\graphicspath{{a/}}\n\\graphicspath{{b/}}', 'b/'],
		['% \\graphicspath{{images/}}', undefined],
		['50\\% \\graphicspath{{images/}}', 'images/'],
		['\\graphicspath {\n\t{ ././images/ } }', 'images/'],
		['\\graphicspath{% of the book\n{images/}}', 'images/'],
		['\\graphicspath{{images/new}}', undefined],
		['\\graphicspath{{\\home/images/}}', undefined],
		['\\graphicspath{{/images/}}', undefined],
	] as const) {
		test(`of ${textBefore} is ${folder}`, () => assert.equal(graphicsPath(textBefore), folder));
	}

	test('is left out of names in it, and of no others', () => {
		const preamble = '\\graphicspath{{images/}}';
		assert.equal(withoutGraphicsPath('images/x/a.png', graphicsPath(preamble)), 'x/a.png');
		assert.equal(
			withoutGraphicsPath('other/images/a.png', graphicsPath(preamble)),
			'other/images/a.png',
		);
		assert.equal(withoutGraphicsPath('images-2/a.png', graphicsPath(preamble)), 'images-2/a.png');
		assert.equal(withoutGraphicsPath('undefined/a.png', graphicsPath('')), 'undefined/a.png');
	});
});
