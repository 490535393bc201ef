import { testDarkPages } from './darkPages';

testDarkPages(
	'MkDocs with Material',
	'MkDocs',
	{
		'mkdocs.yml': [
			'site_name: A',
			'docs_dir: pages',
			'theme:',
			'  name: material',
			'  font: false',
			'  palette:',
			"    - media: '(prefers-color-scheme: light)'",
			'      scheme: default',
			"    - media: '(prefers-color-scheme: dark)'",
			'      scheme: slate',
			'markdown_extensions: [attr_list]',
			'',
		].join('\n'),
	},
	{
		'pages/index.md': '# A\n\n![A pier](a.png)\n',
		'pages/guide/page.md': [
			'# A page\n',
			'![A pier](a.png "A title"){ width=300 }\n',
			'- In a list ![A pier](./a.png) of words\n',
			'![A pier][pier]\n\n[pier]: <./a.png>\n',
			'<img src="../a.png" alt="A pier" width="200">\n',
		].join('\n'),
	},
);
