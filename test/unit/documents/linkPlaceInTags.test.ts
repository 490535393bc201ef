import { places } from './inserting';

suite('linkPlace, in HTML, LaTeX and Typst', () => {
	const tag = '<img src="a.png" alt="x">';

	places('html', 'is within the body', {
		'¦<!doctype html>\n<title>a</title>\n<p>One': `<!doctype html>\n${tag}\n<title>a</title>\n<p>One`,
		'<html>\n<head>¦\n</head>\n<body class="a">\n<p>One': `<html>\n<head>\n</head>\n<body class="a">\n${tag}\n<p>One`,
		'\n¦<!doctype html>\n<p>One': `\n<!doctype html>\n${tag}\n<p>One`,
		'¦<p>One</p>\n<script>\nwrite("<!doctype html>");\n</script>': `${tag}\n<p>One</p>\n<script>\nwrite("<!doctype html>");\n</script>`,
		'<head>¦\n<title>a</title>\n</head >\n<p>One': `<head>\n<title>a</title>\n</head >\n${tag}\n<p>One`,
		'¦<p>One</p>\n<!-- </headline> -->': `${tag}\n<p>One</p>\n<!-- </headline> -->`,
		'<html><head><tit¦le>a</title></head>\n<p>One</p>': `<html><head><title>a</title></head>\n${tag}\n<p>One</p>`,
		'<p>¦One</p>': `<p>${tag} One</p>`,
	});

	places('html', 'is not within a tag, a comment or an expression', {
		'<p cla¦ss="a">One</p>': `<p class="a">${tag} One</p>`,
		'<!-- a¦ -->\n<p>One</p>': `<!-- a -->\n${tag}\n<p>One</p>`,
		'<!-- <img src="b¦.png"> -->\n<p>One</p>': `<!-- <img src="b.png"> -->\n${tag}\n<p>One</p>`,
		'<p>{{ a¦ }} One</p>': `<p>{{ a }} ${tag} One</p>`,
	});

	places('astro', 'is behind the script', {
		'¦---\nlet a;\n---\n<p>One</p>': `---\nlet a;\n---\n${tag}\n<p>One</p>`,
		'---\nlet ¦a;\n---\n<p>One</p>': `---\nlet a;\n---\n${tag}\n<p>One</p>`,
		'<p>One</p>\n<script>let ¦a;</script>\n<p>Two</p>': `<p>One</p>\n<script>let a;</script>\n${tag}\n<p>Two</p>`,
		'---\nlet a;\n¦---\n<p>One</p>': `---\nlet a;\n---\n${tag}\n<p>One</p>`,
		'---\nlet a;\n-¦--\n<p>One</p>': `---\nlet a;\n---\n${tag}\n<p>One</p>`,
	});

	const asset = '<img src="./a.png" alt="x">';
	const template = '<template>\n\t<p>One</p>\n</template>';
	const atStart = `<template>\n${asset}\n\t<p>One</p>\n</template>`;
	const atEnd = `<template>\n\t<p>One</p>\n${asset}\n</template>`;

	places('vue', 'is within the template', {
		[`¦<script></script>\n${template}`]: `<script></script>\n${atStart}`,
		[`\n¦\n<script></script>\n${template}`]: `\n\n<script></script>\n${atStart}`,
		[`<script></script>¦\n${template}`]: `<script></script>\n${atStart}`,
		[`<script></script>\n\n¦\n\n${template}`]: `<script></script>\n\n\n\n${atStart}`,
		[`${template}¦`]: atEnd,
		[`${template}\n¦`]: `${atEnd}\n`,
		[`${template}\n¦\n<style></style>`]: `${atEnd}\n\n<style></style>`,
		'¦<template lang="html">\n</template>': `<template lang="html">\n${asset}\n</template>`,
		'¦<script></script>\n<template>\n\t<p>One': `<script></script>\n<template>\n${asset}\n\t<p>One`,
		'<template></template>¦': `<template>${asset}</template>`,
		'<template>\n\t<p></p>¦\n\t<p></p>': `<template>\n\t<p></p>\n\t${asset}\n\t<p></p>`,
		'<template>\n\t<p></p>¦\n\t<p></p>\n</template>': `<template>\n\t<p></p>\n\t${asset}\n\t<p></p>\n</template>`,
		'<template>\n\t<p>One</p>\n¦</template>': atEnd,
		'<template>\n<img src="b.png" alt="⟦b⟧">\n</template>': `<template>\n<img src="b.png" alt="b">\n<img src="./a.png" alt="x">\n</template>`,
	});

	places('vue-html', 'stays where it is among what is shown', {
		'<p>¦One</p>\n<template></template>': `<p>${asset} One</p>\n<template></template>`,
		'<p>One¦</p>\n<template></template>': `<p>One ${asset}</p>\n<template></template>`,
		'<a-b>¦<b></b>\n\t<template #c></template>\n</a-b>': `<a-b>${asset}<b></b>\n\t<template #c></template>\n</a-b>`,
	});

	places('html', 'is a line of its own, without blank ones', {
		'<p>¦</p>': `<p>${tag}</p>`,
		'¦<p>One</p>': `${tag}\n<p>One</p>`,
		'<p>One\n ¦ two</p>': `<p>One\n  ${tag}\n  two</p>`,
		'<p>One ¦two</p>': `<p>One ${tag} two</p>`,
		'<div>\n\t¦\n</div>': `<div>\n\t${tag}\n</div>`,
		'<div>\n\t<p>One\n¦\n\t<p>Two\n</div>': `<div>\n\t<p>One\n\t${tag}\n\t<p>Two\n</div>`,
		'<div>\n\t<p>One¦\n</div>': `<div>\n\t<p>One\n\t${tag}\n</div>`,
		'<div>\n\t¦<p>One\n</div>': `<div>\n\t${tag}\n\t<p>One\n</div>`,
		'<img alt="⟦b⟧" src="b.png">': `<img alt="b" src="b.png">\n${tag}`,
		"<img alt='⟦b > c⟧' src='b.png'>": `<img alt='b > c' src='b.png'>\n${tag}`,
		'<p><img alt="⟦b⟧" src="b.png"></p>': `<p><img alt="b" src="b.png"> ${tag}</p>`,
	});

	const figure = [
		'\\begin{figure}',
		'\t\\centering',
		'\t\\includegraphics[width=\\linewidth]{a.png}',
		'\t\\caption{x}',
		'\\end{figure}',
	];

	const float = figure.join('\n');

	places('latex', 'floats, and the paragraph goes on', {
		'One.¦': `One.\n\n${float}`,
		'One¦\ntwo.': `One\n${float}\ntwo.`,
		'One ¦ two.': `One\n${float}\ntwo.`,
		'One\n¦two.': `One\n${float}\ntwo.`,
		'One % no¦te\ntwo.': `One % note\n${float}\ntwo.`,
		'One % ⟦no⟧te\ntwo.': `One % note\n${float}\ntwo.`,
		'Of 5\\% ⟦one⟧ two.': `Of 5\\%\n${float}\ntwo.`,
		'One.\n\n¦Two.': `One.\n\n${float}\n\nTwo.`,
		'One.\n¦\nTwo.': `One.\n\n${float}\n\nTwo.`,
		'One.\n¦\n': `One.\n\n${float}\n`,
		'One.\r\n¦\r\n': `One.\r\n\n${float}\r\n`,
		'One ¦\\textbf{two}': `One\n${float}\n\\textbf{two}`,
		'One ¦$a$ two': `One\n${float}\n$a$ two`,
		'  \\item One¦\n  \\item Two': `  \\item One\n${figure.map((line) => `  ${line}`).join('\n')}\n  \\item Two`,
		'\\begin{figure}\n\\caption{⟦b⟧}\n\\end{figure}': `\\begin{figure}\n\\caption{b}\n\\end{figure}\n\n${float}`,
		'\\begin{sidewaysfigure}\n\\caption{⟦b⟧}\n\\end{sidewaysfigure}': `\\begin{sidewaysfigure}\n\\caption{b}\n\\end{sidewaysfigure}\n\n${float}`,
		'One \\includegraphics{⟦b.png⟧} two': `One \\includegraphics{b.png}\n${float}\ntwo`,
		'\\includegraphics[width=⟦5cm⟧]{b.png}\n\nTwo': `\\includegraphics[width=5cm]{b.png}\n\n${float}\n\nTwo`,
	});

	places('latex', 'is behind what has no room for a float', {
		'\\section{One¦ two}\nThree': `\\section{One two}\n${float}\nThree`,
		'One \\textbf{two ¦three} four': `One \\textbf{two three}\n${float}\nfour`,
		'One \\textbf{two \\emph{three}¦ four} five': `One \\textbf{two \\emph{three} four}\n${float}\nfive`,
		'One \\textbf{two ¦$a$ three} four': `One \\textbf{two $a$ three}\n${float}\nfour`,
		'\\textbf{One % two }\nthr¦ee} four': `\\textbf{One % two }\nthree}\n${float}\nfour`,
		'\\textbf{One \\\ntwo ¦three} four': `\\textbf{One \\\ntwo three}\n${float}\nfour`,
		'One.\n\n\\textbf{two ¦three} four': `One.\n\n\\textbf{two three}\n${float}\nfour`,
		'One} \\textbf{two ¦three} four': `One} \\textbf{two three}\n${float}\nfour`,
		'One $a¦ + b$ two': `One $a + b$\n${float}\ntwo`,
		'One $\\alpha¦ + b$ two': `One $\\alpha + b$\n${float}\ntwo`,
		'One $a_{1¦} + b$ two': `One $a_{1} + b$\n${float}\ntwo`,
		'One \\(a¦ + b\\) two': `One \\(a + b\\)\n${float}\ntwo`,
		'One\n$$\na¦\n$$\ntwo': `One\n$$\na\n$$\n${float}\ntwo`,
		'One \\$5 ¦two\\$': `One \\$5\n${float}\ntwo\\$`,
		'\\[\na¦\n\\]\nTwo': `\\[\na\n\\]\n${float}\nTwo`,
		'\\begin{tabular}{l}\na¦ & b\\\\\n\\end{tabular}\n\nTwo': `\\begin{tabular}{l}\na & b\\\\\n\\end{tabular}\n\n${float}\n\nTwo`,
		'\\begin{table}\n\\begin{tabular}{l}\na¦\n\\end{tabular}\n\\end{table}': `\\begin{table}\n\\begin{tabular}{l}\na\n\\end{tabular}\n\\end{table}\n\n${float}`,
		'\\begin{figure}\nOne\n\\end{figure}\n\n\\begin{tabular}{l}\na¦\n\\end{tabular}\n\nTwo': `\\begin{figure}\nOne\n\\end{figure}\n\n\\begin{tabular}{l}\na\n\\end{tabular}\n\n${float}\n\nTwo`,
		'\\begin{tabular}{l}\na¦ & \\begin{tabular}{l}b\\end{tabular}\n\\end{tabular}\n\nTwo': `\\begin{tabular}{l}\na & \\begin{tabular}{l}b\\end{tabular}\n\\end{tabular}\n\n${float}\n\nTwo`,
		'\\begin{align*}\na¦\n\\end{align*}\nTwo': `\\begin{align*}\na\n\\end{align*}\n${float}\nTwo`,
		'\\begin{sidewaystable}\na¦\n\\end{sidewaystable}\n\nTwo': `\\begin{sidewaystable}\na\n\\end{sidewaystable}\n\n${float}\n\nTwo`,
		'\\begin{verbatim}\n\n¦\n\\end{verbatim}': `\\begin{verbatim}\n\n\n\\end{verbatim}\n\n${float}`,
		'\\begin{itemize}\n\\item One¦\n\\end{itemize}': `\\begin{itemize}\n\\item One\n${float}\n\\end{itemize}`,
	});

	places('latex', 'stays where a group ends in another paragraph, which has room for a float', {
		'{One¦\n\ntwo} three': `{One\n\n${float}\n\ntwo} three`,
		'{One¦\n \t\ntwo} three': `{One\n\n${float}\n \t\ntwo} three`,
		'{One¦\r\n\r\ntwo} three': `{One\n\n${float}\r\n\r\ntwo} three`,
		'{One\n\ntwo¦ three} four': `{One\n\ntwo\n${float}\nthree} four`,
		'{One\n \t\ntwo¦ three} four': `{One\n \t\ntwo\n${float}\nthree} four`,
		'{One\r\n\r\ntwo¦ three} four': `{One\r\n\r\ntwo\n${float}\nthree} four`,
		'{One\n¦\ntwo} three': `{One\n\n${float}\n\ntwo} three`,
	});

	places('latex', 'is within the document', {
		'¦\\documentclass{article}\n\\begin{document}\nOne\n\\end{document}': `\\documentclass{article}\n\\begin{document}\n${float}\nOne\n\\end{document}`,
		'\\documentclass{article}\n¦\n\\begin{document}\n\n\\end{document}': `\\documentclass{article}\n\n\\begin{document}\n\n${float}\n\n\\end{document}`,
		'\\begin{document}\nOne\n\\end{document}\n¦': `\\begin{document}\nOne\n${float}\n\\end{document}\n`,
		'¦One': `${float}\n\nOne`,
		'¦% A comment\n\\usepackage{a}%\n\\begin{document}\nOne': `% A comment\n\\usepackage{a}%\n\\begin{document}\n${float}\nOne`,
		'¦% No \\begin{document} yet\n\\begin{document}\nOne': `% No \\begin{document} yet\n\\begin{document}\n${float}\nOne`,
		'¦% A \\begin{document} is elsewhere\nOne': `${float}\n\n% A \\begin{document} is elsewhere\nOne`,
		'¦\\documentclass{article}\\begin{document}\nOne': `\\documentclass{article}\\begin{document}\n${float}\nOne`,
		'\\begin{document}\nOne\n¦\\end{document}': `\\begin{document}\nOne\n${float}\n\\end{document}`,
	});

	const call = '#image("a.png", alt: "x")';

	places('typst', 'is a block, or in a box', {
		'One.¦': `One.\n\n${call}`,
		'One ¦ two': `One  two\n\n${call}`,
		'= One ¦two': '= One #box(image("a.png", alt: "x")) two',
		'- One¦\n- two': `- One\n\n  ${call}\n- two`,
		'10. One¦': `10. One\n\n    ${call}`,
		'-¦': `- ${call}`,
		'= One¦\nTwo': `= One\n\n${call}\n\nTwo`,
		'== One¦\nTwo': `== One\n\n${call}\n\nTwo`,
		'One¦\n= Two': `One\n\n${call}\n\n= Two`,
		'One¦\n== Two': `One\n\n${call}\n\n== Two`,
		'One¦\n```\nTwo\n```': `One\n\n${call}\n\n\`\`\`\nTwo\n\`\`\``,
		'#image("b.png", alt: "⟦(b⟧")': `#image("b.png", alt: "(b")\n\n${call}`,
		'#image("b.png", alt: "a \\") \\"⟦b⟧")': `#image("b.png", alt: "a \\") \\"b")\n\n${call}`,
		'#image("b.png")\n\n#image("c.png", alt: "⟦b⟧")': `#image("b.png")\n\n#image("c.png", alt: "b")\n\n${call}`,
		'#figure(\n  image("b.png", alt: "⟦b⟧"),\n  caption: [b],\n)\n\nTwo': `#figure(\n  image("b.png", alt: "b"),\n  caption: [b],\n)\n\n${call}\n\nTwo`,
		'```\n¦\n```': `\`\`\`\n\n\`\`\`\n\n${call}`,
		'#set page(wid¦th: 1cm)\n\nOne': `#set page(width: 1cm)\n\n${call}\n\nOne`,
		'One // ```\n\nTwo¦': `One // \`\`\`\n\nTwo\n\n${call}`,
		'One // no¦te\n\nTwo': `One // note\n\n${call}\n\nTwo`,
		'https://exa¦mple.com end': `https://example.com end\n\n${call}`,
	});

	places(
		'typst',
		'leaves a paragraph whole of which a line looks as if it began or ended a block',
		{
			'One¦\ntwo #emph[three]': `One\ntwo #emph[three]\n\n${call}`,
			'One #emph[two]¦\nthree': `One #emph[two]\nthree\n\n${call}`,
			'One¦\n`two` three': `One\n\`two\` three\n\n${call}`,
			'`One` two¦\nthree': `\`One\` two\nthree\n\n${call}`,
		},
	);
});
