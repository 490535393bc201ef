import { places } from './inserting';

suite('linkPlace, in lists and quotations', () => {
	const image = '![x](a.png)';

	places('markdown', 'belongs to the list or the quotation that it was asked for in', {
		'- ¦': `- ${image}`,
		'- ¦\n- two': `- ${image}\n- two`,
		'- One¦\n- two': `- One\n\n  ${image}\n- two`,
		'- One\n  two¦\n  three\n\nFour': `- One\n  two\n  three\n\n  ${image}\n\nFour`,
		'- One\n- ¦two': `- One\n- ${image}\n\n  two`,
		'- One\n¦- two': `- One\n\n  ${image}\n- two`,
		'12. One¦': `12. One\n\n    ${image}`,
		'- One\n\n  ¦\n- two': `- One\n\n  ${image}\n- two`,
		'- One\n  - two¦\n- three': `- One\n  - two\n\n    ${image}\n- three`,
		'- One\n  ¦- two': `- One\n\n  ${image}\n\n  - two`,
		'> One¦': `> One\n>\n> ${image}`,
		'> One¦\n> two\n> \n> three': `> One\n> two\n>\n> ${image}\n> \n> three`,
		'> One\n> ¦\n> two': `> One\n>\n> ${image}\n>\n> two`,
		'One\n> ¦': `One\n> ${image}`,
		'> ¦\ntwo': `> ${image}\n>\ntwo`,
		'> ¦Two': `> ${image}\n>\n> Two`,
		'> - One¦\n\nTwo': `> - One\n>\n>   ${image}\n\nTwo`,
	});

	places('markdown', 'leaves a list and a quotation in one piece', {
		'1. One\n¦2. two': `1. One\n\n   ${image}\n2. two`,
		'1. One\n\n¦\n2. two': `1. One\n\n   ${image}\n2. two`,
		'- One\n  - two\n¦- three': `- One\n  - two\n\n  ${image}\n- three`,
		'- One\n¦\n  two': `- One\n\n  ${image}\n\n  two`,
		'- One\n\n ¦ two': `- One\n\n  ${image}\n\n  two`,
		'- One\n¦\n    two': `- One\n\n  ${image}\n\n    two`,
		'- One\n\n    two\n¦\n        code': `- One\n\n    two\n\n  ${image}\n\n        code`,
		'- One\nlazy¦\n- two': `- One\nlazy\n\n  ${image}\n- two`,
		'-¦\n- two': `- ${image}\n- two`,
		'-¦': `- ${image}`,
		'-\n¦- two': `- ${image}\n- two`,
		'- One\n\n¦\n1. two': `- One\n\n${image}\n\n1. two`,
		'- One\n\n¦': `- One\n\n${image}`,
		'> One\n>\n¦> two': `> One\n>\n> ${image}\n>\n> two`,
		'> One\nlazy¦': `> One\nlazy\n>\n> ${image}`,
		'¦> One': `${image}\n\n> One`,
		'- One\n\n> two\n\n¦- three': `- One\n\n> two\n\n${image}\n\n- three`,
		'> - One\n>\n> two\n>\n¦> - three': `> - One\n>\n> two\n>\n> ${image}\n>\n> - three`,
		'> - One\n\n¦> - two': `> - One\n\n${image}\n\n> - two`,
		'> One\nlazy\n> ¦': `> One\nlazy\n>\n> ${image}`,
		'> One\nlazy\n> ¦two': `> One\nlazy\n>\n> ${image}\n>\n> two`,
		'One\n> ¦two': `One\n> ${image}\n>\n> two`,
		'> One\nlazy\n¦> two': `> One\nlazy\n>\n> ${image}\n>\n> two`,
		'One\n\n>> Two\n>>\n¦>> - three': `One\n\n>> Two\n>>\n>> ${image}\n>>\n>> - three`,
		'One\n\n>Two\n>\n¦>- three': `One\n\n>Two\n>\n>${image}\n>\n>- three`,
		'One\n\n  > Two\n  >\n  ¦> - three': `One\n\n  > Two\n  >\n  > ${image}\n  >\n  > - three`,
		'One\n\n  > Two\n  >\n  ¦> three': `One\n\n  > Two\n  >\n  > ${image}\n  >\n  > three`,
		'> One\n  ¦- two': `> One\n\n  ${image}\n\n  - two`,
		'- One\nlazy\n¦- two': `- One\nlazy\n\n  ${image}\n- two`,
	});

	places('markdown', 'is indented with tabs where the list is', {
		'-\tOne¦\n-\ttwo': `-\tOne\n\n\t${image}\n-\ttwo`,
		'-\t¦One': `-\t${image}\n\n\tOne`,
		'1.\tOne\n\t-\ttwo¦': `1.\tOne\n\t-\ttwo\n\n\t\t${image}`,
		'-\tOne\n¦\n\ttwo': `-\tOne\n\n\t${image}\n\n\ttwo`,
		'-\tOne\n\n¦\ttwo': `-\tOne\n\n\t${image}\n\n\ttwo`,
		'-   One\n\n\t¦\n\n    two': `-   One\n\n\t${image}\n\n    two`,
		' -\tOne¦': ` -\tOne\n\n \t${image}`,
	});

	places('markdown', 'belongs to the admonition or the tab of MkDocs that it was asked for in', {
		'!!! note\n    One¦\n\n    Two': `!!! note\n    One\n\n    ${image}\n\n    Two`,
		'!!! note "One"¦\n    Two': `!!! note "One"\n\n    ${image}\n\n    Two`,
		'One¦\n??? tip\n    Two': `One\n\n${image}\n\n??? tip\n    Two`,
		'??? tip\n    One\n¦\n    Two': `??? tip\n    One\n\n    ${image}\n\n    Two`,
		'=== "Tab"\n\n    One¦\n\nTwo': `=== "Tab"\n\n    One\n\n    ${image}\n\nTwo`,
	});

	places('markdown', 'stands beside its own paragraph, not behind a rule or another heading', {
		'One¦\n---\nTwo': `One\n---\n\n${image}\n\nTwo`,
		'One\n===\n¦Two': `One\n===\n\n${image}\n\nTwo`,
		'One¦\n***\nTwo': `One\n\n${image}\n\n***\nTwo`,
		'One\n- - -\n¦Two': `One\n- - -\n\n${image}\n\nTwo`,
		'One¦\n-  -- -\nTwo': `One\n\n${image}\n\n-  -- -\nTwo`,
		'One¦\n* * *\nTwo': `One\n\n${image}\n\n* * *\nTwo`,
		'One¦\n_ _ _\nTwo': `One\n\n${image}\n\n_ _ _\nTwo`,
		'One¦\n___\nTwo': `One\n\n${image}\n\n___\nTwo`,
		'One¦\n## Two': `One\n\n${image}\n\n## Two`,
		'One¦\n##': `One\n\n${image}\n\n##`,
		'## One¦\nTwo': `## One\n\n${image}\n\nTwo`,
		'One¦\n<h2>Two</h2>': `One\n\n${image}\n\n<h2>Two</h2>`,
	});

	places(
		'markdown',
		'leaves a paragraph whole of which a line looks as if it began or ended a block',
		{
			'One¦\nC # two': `One\nC # two\n\n${image}`,
			'One¦\n`two` three': `One\n\`two\` three\n\n${image}`,
			'One¦\n~two~ three': `One\n~two~ three\n\n${image}`,
			'One¦\n<b>two</b>': `One\n<b>two</b>\n\n${image}`,
			'One¦\ntwo***': `One\ntwo***\n\n${image}`,
			'One¦\n**two**': `One\n**two**\n\n${image}`,
			'One¦\n***two*** three': `One\n***two*** three\n\n${image}`,
			'One¦\n__two__': `One\n__two__\n\n${image}`,
			'One =\n¦two': `One =\ntwo\n\n${image}`,
			'--one¦\ntwo': `--one\ntwo\n\n${image}`,
			'One!!! Two¦': `One!!! Two\n\n${image}`,
		},
	);

	places('markdown', 'is not indented so far that it is code', {
		'One.\n\n    ¦code': `One.\n\n${image}\n\n    code`,
		'One.\n\n    code¦\n    code': `One.\n\n    code\n    code\n\n${image}`,
		'One.\n\n    ¦': `One.\n\n${image}`,
		'- One\n\n    ¦': `- One\n\n    ${image}`,
		'- One\n\n        ¦': `- One\n\n  ${image}`,
		'One\n      two¦': `One\n      two\n\n${image}`,
	});
});
