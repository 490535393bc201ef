import { testDarkPages } from './darkPages';
import { testSite } from './siteTests';

// Its theme shows front matter. Vue makes of these names what it cannot read itself. HTML gets no base.
testSite('VitePress', { unfound: /^<img src="\/base|^---/, unshown: /it's/, judgesAlts: true });

testDarkPages(
	'VitePress',
	'VitePress',
	{ '.vitepress/config.mts': "export default { base: '/base/', srcDir: './src' };\n" },
	{
		'src/guide/page.md': [
			'# A page\n',
			'![A pier](./a.png){width=300}\n',
			'- In a list ![A pier](a.png) of words\n',
			'<img src="./a.png" alt="A pier">\n',
		].join('\n'),
	},
);
