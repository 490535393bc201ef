import { testDarkPages } from './darkPages';
import { testSite } from './siteTests';

// It leaves these to the server, without a base.
testSite('Docusaurus', { unfound: /pathname|srcset/, judgesAlts: true });

testDarkPages(
	'Docusaurus',
	'Docusaurus',
	{
		'docusaurus.config.ts': `export default {
	title: 'A',
	url: 'https://example.org',
	baseUrl: '/product/',
	presets: [['classic', { docs: { routeBasePath: '/' }, blog: false }]],
	themeConfig: { colorMode: { respectPrefersColorScheme: true } },
};
`,
	},
	{
		'docs/README.md': '# A\n\n![A pier](./a.png)\n',
		'docs/guide/page.mdx': [
			'---\ntitle: A page\n---\n',
			'![A "pier"](./a.png "A title")\n',
			'- In a list ![A pier](./a.png) of words\n',
			'<div>\n\n![A pier](./a.png)\n\n</div>\n',
		].join('\n'),
	},
);
