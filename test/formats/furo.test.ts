import { testDarkPages } from './darkPages';

testDarkPages(
	'Sphinx with Furo',
	'Sphinx',
	{
		'conf.py': [
			"project = 'A'",
			'html_theme = "furo"',
			"extensions = ['myst_parser']",
			"myst_enable_extensions = ['colon_fence']",
			'',
		].join('\n'),
		'index.rst': 'A\n=\n\n.. toctree::\n   :glob:\n\n   guide/*\n',
	},
	{
		'guide/directives.rst': [
			'Directives\n==========\n',
			'.. image:: a.png\n   :alt: A pier\n   :width: 200\n',
			'.. figure:: a.png\n   :alt: A pier\n\n   A caption\n   of two lines\n',
			'* A list\n\n  .. image:: a.png\n\nThe end.\n',
		].join('\n'),
		'guide/markdown.md': [
			'# Markdown\n',
			'![A "red" pier](a.png)\n',
			'```{image} ./a.png\n:alt: A pier\n```\n',
			':::{figure} a.png\n:alt: A pier\n\nA caption\n:::\n',
		].join('\n'),
	},
);
