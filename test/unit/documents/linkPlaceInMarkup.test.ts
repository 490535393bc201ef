import { places } from './inserting';

suite('linkPlace, in AsciiDoc and reStructuredText', () => {
	const macro = 'image::a.png[x]';

	places('asciidoc', 'is a block, behind the paragraph', {
		'One.¦': `One.\n\n${macro}`,
		'One\n¦two': `One\ntwo\n\n${macro}`,
		'One ¦ two': 'One  two\n\nimage::a.png[x]',
		'== One ¦ two': '== One image:a.png[x] two',
		'= Title¦\n:toc:\n\nOne': `= Title\n:toc:\n\n${macro}\n\nOne`,
		'== One¦\nTwo': `== One\n\n${macro}\n\nTwo`,
		'image::b.png[⟦b]⟧]': `image::b.png[b]]\n\n${macro}`,
		'One image:b.png[⟦b⟧] two': 'One image:b.png[b] two\n\nimage::a.png[x]',
		'One image:b.png[⟦a fox⟧] two': 'One image:b.png[a fox] two\n\nimage::a.png[x]',
		'See image::b.png[⟦b⟧] two': 'See image::b.png[image:a.png[x]] two',
		'----\na¦\n----': '----\na\n----\n\nimage::a.png[x]',
		'====\nOne¦\n====': `====\nOne\n\n${macro}\n\n====`,
		'|===\n|¦ |b\n|===': '|===\n|image:a.png[x] |b\n|===',
		'|===\n|One\n|====\n|¦\n|===': '|===\n|One\n|====\n|image:a.png[x]\n|===',
		'|===\n|a¦\n|===': '|===\n|a image:a.png[x]\n|===',
	});

	places('asciidoc', 'is behind code, what is shown as it is, and comments', {
		'----\na¦\n----': '----\na\n----\n\nimage::a.png[x]',
		'----\n-----\na¦\n----': '----\n-----\na\n----\n\nimage::a.png[x]',
		'....\na¦\n....': '....\na\n....\n\nimage::a.png[x]',
		'++++\na¦\n++++': '++++\na\n++++\n\nimage::a.png[x]',
		'////\na¦\n////': '////\na\n////\n\nimage::a.png[x]',
		'```ruby\na¦\n```': '```ruby\na\n```\n\nimage::a.png[x]',
		'```c++,linenums\na¦\n```': '```c++,linenums\na\n```\n\nimage::a.png[x]',
		'One ----\n\nTwo¦': `One ----\n\nTwo\n\n${macro}`,
		'````\n\nTwo¦': `\`\`\`\`\n\nTwo\n\n${macro}`,
	});

	places('asciidoc', 'is not between a block and its title, attributes or delimiters', {
		'One\n\n.Title¦\n----\na\n----': `One\n\n${macro}\n\n.Title\n----\na\n----`,
		'.Title\n[source,js]¦\n----\na\n----': `${macro}\n\n.Title\n[source,js]\n----\na\n----`,
		'.Title\n¦----\na\n----': `${macro}\n\n.Title\n----\na\n----`,
		'.Title image:b.png[b¦]\n----\na\n----': `${macro}\n\n.Title image:b.png[b]\n----\na\n----`,
		'.Title\n----¦\na\n----': `${macro}\n\n.Title\n----\na\n----`,
		'----¦  \na\n----': `${macro}\n\n----  \na\n----`,
		'[[a]]¦\n== One': `${macro}\n\n[[a]]\n== One`,
		'----\na\n¦----\n\nOne': `----\na\n----\n\n${macro}\n\nOne`,
		'----\na\n--¦--  \n\nOne': `----\na\n----\n\n${macro}\n\nOne`,
		'[cols="1"]\n|===¦\n|a\n|===': `${macro}\n\n[cols="1"]\n|===\n|a\n|===`,
		'|===\n|a\n¦|===': `|===\n|a\n|===\n\n${macro}`,
		'|===\n¦|a |b\n|===': '|===\n|image:a.png[x] a |b\n|===',
		'====\n* One\n* Two\n====¦\n\nThree': `====\n* One\n* Two\n====\n\n${macro}\n\nThree`,
		'|===\na|\n* One\n|===¦': `|===\na|\n* One\n|===\n\n${macro}`,
		'// No¦te\nOne': `// Note\n\n${macro}\n\nOne`,
		'// image:b.png[b¦] note\nOne': `// image:b.png[b] note\n\n${macro}\n\nOne`,
		'=¦= One': `${macro}\n\n== One`,
		'One\n\nSee [a]¦': `One\n\nSee [a]\n\n${macro}`,
		'[a] One¦': `[a] One\n\n${macro}`,
		'.Title\nOn¦e': '.Title\nOne\n\nimage::a.png[x]',
		'.Title\n  ¦listing': `${macro}\n\n.Title\n  listing`,
		'One\n\n.Title\n¦\n\nTwo': `One\n\n.Title\n\n${macro}\n\nTwo`,
		'video::v.mp4[]¦\nOne': `video::v.mp4[]\n\n${macro}\n\nOne`,
		'One¦\n[NOTE]\nTwo': `One\n\n${macro}\n\n[NOTE]\nTwo`,
	});

	places('asciidoc', 'is in the cell of a table, and leaves all others', {
		'|===\n|a |b  \n¦\n|c |d\n|===\n\nOne': '|===\n|a |b  image:a.png[x]\n\n|c |d\n|===\n\nOne',
		'|===\n|a\n\n  ¦\n|b\n|===': '|===\n|a image:a.png[x]\n\n  \n|b\n|===',
		'|===\n¦\n|a |b\n\n|c |d\n|===': '|===\n\n|image:a.png[x] a |b\n\n|c |d\n|===',
		',===\n¦\n  a,b\n,===': ',===\n\n  image:a.png[x] a,b\n,===',
		'|===\n¦\n|===': '|===\nimage:a.png[x]\n|===',
		'|===\n¦': '|===\nimage:a.png[x]',
		'|===\n  ¦ 2+|a\n|===': '|===\n   2+|image:a.png[x] a\n|===',
		'|===\n2.3¦+^.>s|a\n|===': '|===\n2.3+^.>s|image:a.png[x] a\n|===',
		'|===\n|a\n¦One |b\n|===': '|===\n|a\nimage:a.png[x] One |b\n|===',
		'|===\n2*|a ¦ b\n|===': '|===\n2*|a image:a.png[x] b\n|===',
	});

	const delimiters = ['--', '----', '====', '****', '____', '....', '++++', '////', '|===', '```'];

	places(
		'asciidoc',
		'is between a paragraph and the block that ends it',
		Object.fromEntries(
			delimiters.map((delimiter) => [
				`One¦\n${delimiter}\nTwo\n${delimiter}`,
				`One\n\n${macro}\n\n${delimiter}\nTwo\n${delimiter}`,
			]),
		),
	);

	places(
		'asciidoc',
		'leaves a paragraph whole of which a line looks as if it began or ended a block',
		{
			'One¦\n== two': `One\n== two\n\n${macro}`,
			'One == two¦\nthree': `One == two\nthree\n\n${macro}`,
			'One¦\n.5 mm': `One\n.5 mm\n\n${macro}`,
			'One¦\ntwo ----': `One\ntwo ----\n\n${macro}`,
			'One¦\n--two': `One\n--two\n\n${macro}`,
			'One¦\nsee https://a.b': `One\nsee https://a.b\n\n${macro}`,
			'See https://a.b¦\ntwo': `See https://a.b\ntwo\n\n${macro}`,
			'One¦\n[red]#two# three': `One\n[red]#two# three\n\n${macro}`,
			'One¦\n+two+ three': `One\n+two+ three\n\n${macro}`,
			'One - two¦': `One - two\n\n${macro}`,
		},
	);

	places('asciidoc', 'leaves a list in one piece', {
		'* One\n¦* Two': `* One\n+\n${macro}\n* Two`,
		'* One\n¦\n* Two': `* One\n+\n${macro}\n\n* Two`,
		'. One\n.. Two\n\n¦. Three': `. One\n.. Two\n+\n${macro}\n\n. Three`,
		'*¦ One': '* One\n+\nimage::a.png[x]',
		'  *¦ One': '  * One\n+\nimage::a.png[x]',
		'* One\n*¦* Two': '* One\n** Two\n+\nimage::a.png[x]',
		'. One\n.¦. Two': '. One\n.. Two\n+\nimage::a.png[x]',
		'-¦ One': '- One\n+\nimage::a.png[x]',
		'1¦2. One': '12. One\n+\nimage::a.png[x]',
		'<1¦2> One': '<12> One\n+\nimage::a.png[x]',
		'<.¦> One': '<.> One\n+\nimage::a.png[x]',
		'O¦ne - two': 'One - two\n\nimage::a.png[x]',
		'*One*¦ Two': '*One* Two\n\nimage::a.png[x]',
		'¦* One': `${macro}\n\n* One`,
		'* One\n  ¦* Two': `* One\n+\n${macro}\n  * Two`,
		'* One  \n¦* Two': `* One\n+\n${macro}\n* Two`,
		'* One\n\n¦': `* One\n\n${macro}`,
		'Term:: One¦\nOther:: Two': `Term:: One\n+\n${macro}\nOther:: Two`,
		'Term::\n  One¦\n\nTwo': `Term::\n  One\n+\n${macro}\n\nTwo`,
		'* One\n¦+\nTwo': `* One\n+\n${macro}\n+\nTwo`,
		'* One\n+¦\nTwo': `* One\n+\n${macro}\n+\nTwo`,
		'* One\n+\n¦Two': `* One\n+\n${macro}\n+\nTwo`,
		'* One\n+\n¦----\na\n----': `* One\n+\n${macro}\n+\n----\na\n----`,
		'* One\n+\n----\na\n----¦\n* Two': `* One\n+\n----\na\n----\n+\n${macro}\n* Two`,
	});

	places('asciidoc', 'is not indented, which would make it a listing', {
		'One\n\n  ¦': `One\n\n${macro}`,
		'One\n\n ¦listing': `One\n\n${macro}\n\n listing`,
		'One\n\n listing¦': `One\n\n listing\n\n${macro}`,
	});

	places('asciidoc', 'is behind the header of the document', {
		'¦= Title\n:toc:\n\nOne': `= Title\n:toc:\n\n${macro}\n\nOne`,
		'= Title\n¦:imagesdir: .\n\nOne': `= Title\n:imagesdir: .\n\n${macro}\n\nOne`,
		'// a\n¦\n= Title\nOne Two\n': `// a\n\n= Title\nOne Two\n\n${macro}\n`,
		'¦=  Title\nOne Two\n:toc:\n\nOne': `=  Title\nOne Two\n:toc:\n\n${macro}\n\nOne`,
		'¦= Title\n// a\n:toc:\n\nOne': `= Title\n// a\n:toc:\n\n${macro}\n\nOne`,
		'¦= Title\r\nOne Two\r\n\r\nOne': `= Title\r\nOne Two\n\n${macro}\r\n\r\nOne`,
		'¦=Text\n\nOne': `${macro}\n\n=Text\n\nOne`,
		'¦// a\n:toc:\n\n= Title\n\nOne': `// a\n:toc:\n\n= Title\n\n${macro}\n\nOne`,
		' \t\n¦= Title\n\nOne': ` \t\n= Title\n\n${macro}\n\nOne`,
		'¦////\n= Comment\n////\nOne': `${macro}\n\n////\n= Comment\n////\nOne`,
		'¦:toc:\n\nOne': `:toc:\n\n${macro}\n\nOne`,
		'¦:!toc:\n:sect-nums!:\n:a: b\n\nOne': `:!toc:\n:sect-nums!:\n:a: b\n\n${macro}\n\nOne`,
		'¦:toc:\r\n:a: b\r\n\r\nOne': `:toc:\r\n:a: b\n\n${macro}\r\n\r\nOne`,
		'¦:toc: left': `:toc: left\n\n${macro}`,
		'¦One': `${macro}\n\nOne`,
	});

	places('asciidoc', 'belongs to the item of a list', {
		'* One¦\n* Two': `* One\n+\n${macro}\n* Two`,
		'. One\n. Two¦': `. One\n. Two\n+\n${macro}`,
		'* One\n+\nTwo¦\n* Three': `* One\n+\nTwo\n+\n${macro}\n* Three`,
		'** One¦': `** One\n+\n${macro}`,
		'.. One¦': `.. One\n+\n${macro}`,
		'10. One¦': `10. One\n+\n${macro}`,
		'----\na <10>\n----\n<10> One¦': `----\na <10>\n----\n<10> One\n+\n${macro}`,
		'----\na <.>\n----\n<.> One¦': `----\na <.>\n----\n<.> One\n+\n${macro}`,
		'* One\n+\n////\ntwo\n////¦\n* Three': `* One\n+\n////\ntwo\n////\n+\n${macro}\n* Three`,
		'* One\n////\nnote\n////\nTwo¦\n\nThree': `* One\n////\nnote\n////\nTwo\n\n${macro}\n\nThree`,
		'* One\ntwo\nthree¦\n* Four': `* One\ntwo\nthree\n+\n${macro}\n* Four`,
		'* One\nimage::b.png[]\nTwo¦\n* Three': `* One\nimage::b.png[]\nTwo\n+\n${macro}\n* Three`,
		'* One\n// A note\ntwo¦\n* Three': `* One\n// A note\ntwo\n+\n${macro}\n* Three`,
		'* One\n+\n.Title\n----\na\n----¦\n* Two': `* One\n+\n.Title\n----\na\n----\n+\n${macro}\n* Two`,
		'.... One¦': `.... One\n+\n${macro}`,
		'* One\n+\n¦': `* One\n+\n${macro}`,
		'* One\n+¦': `* One\n+\n${macro}`,
	});

	places('asciidoc', 'is behind a list that a block or an empty line has ended', {
		'* A long item\n----\na\n----\nTwo¦': `* A long item\n----\na\n----\nTwo\n\n${macro}`,
		'* One\n\nTwo¦': `* One\n\nTwo\n\n${macro}`,
	});

	const directive = '.. image:: a.png\n   :alt: x';

	places('restructuredtext', 'is a block behind the paragraph', {
		'One.¦': `One.\n\n${directive}`,
		'One ¦ two\nthree.\n\nFour.': `One  two\nthree.\n\n${directive}\n\nFour.`,
		'One¦\n===\n\nTwo': `One\n===\n\n${directive}\n\nTwo`,
		'- One¦\n- two': `- One\n\n  .. image:: a.png\n     :alt: x\n\n- two`,
		'10. One¦': `10. One\n\n    .. image:: a.png\n       :alt: x`,
		'iv. One¦': `iv. One\n\n    .. image:: a.png\n       :alt: x`,
		'(a) One¦': `(a) One\n\n    .. image:: a.png\n       :alt: x`,
		'-¦': `- .. image:: a.png\n     :alt: x`,
		'One¦\ntwo .. three': `One\ntwo .. three\n\n${directive}`,
		'#. One\n¦#. Two': `#. One\n\n   .. image:: a.png\n      :alt: x\n\n#. Two`,
		'1. One\n\n¦\n\n#. Two': `1. One\n\n   .. image:: a.png\n      :alt: x\n\n#. Two`,
		'.. note::\n\n   One¦\n\nTwo': `.. note::\n\n   One\n\n   .. image:: a.png\n      :alt: x\n\nTwo`,
		'.. image:: b.png\n   :alt: ⟦b⟧': `.. image:: b.png\n   :alt: b\n\n${directive}`,
		'.. image:: b.png\n   :alt: b¦\n\nTwo': `.. image:: b.png\n   :alt: b\n\n${directive}\n\nTwo`,
		'- .. image:: b.png\n     :alt: ⟦b⟧': `- .. image:: b.png\n     :alt: b\n\n  .. image:: a.png\n     :alt: x`,
		'1. .. image:: b.png\n      :alt: ⟦b⟧': `1. .. image:: b.png\n      :alt: b\n\n   .. image:: a.png\n      :alt: x`,
		'-  .. image:: b.png\n      :alt: ⟦b⟧': `-  .. image:: b.png\n      :alt: b\n\n   .. image:: a.png\n      :alt: x`,
		'.. image:: b.png\n :alt: ⟦b⟧': `.. image:: b.png\n :alt: b\n\n${directive}`,
		'.. image:: ⟦b.png⟧\n\nTwo': `.. image:: b.png\n\n${directive}\n\nTwo`,
		'.. image:: b.png\n   :alt: b\n   :name: ⟦c⟧': `.. image:: b.png\n   :alt: b\n   :name: c\n\n${directive}`,
		'-     One¦\n-     two': `-     One\n\n      .. image:: a.png\n         :alt: x\n\n-     two`,
	});

	places('restructuredtext', 'has nothing below it that would be its own, and is no literal', {
		'¦:Author: Me\n:Date: now\n\nOne': `:Author: Me\n:Date: now\n\n${directive}\n\nOne`,
		'¦:Abstract: One\n   two\n:Date: now\n\nThree': `:Abstract: One\n   two\n:Date: now\n\n${directive}\n\nThree`,
		'¦:Date: now\n:Abstract: One\n   two\n\n   three\n\nFour': `:Date: now\n:Abstract: One\n   two\n\n   three\n\n${directive}\n\nFour`,
		'¦:Abstract: One\n two\n \n three\n:Date: now\n\nFour': `:Abstract: One\n two\n \n three\n:Date: now\n\n${directive}\n\nFour`,
		'¦:orphan:\n\nOne': `:orphan:\n\n${directive}\n\nOne`,
		'¦:orphan:': `:orphan:\n\n${directive}`,
		'¦:Author: Me\r\n:Date: now\r\n\r\nOne': `:Author: Me\r\n:Date: now\r\n\n${directive}\n\r\nOne`,
		'¦One\n\n:Author: Me\n\nTwo': `${directive}\n\nOne\n\n:Author: Me\n\nTwo`,
		'¦:ref:`a` is here': `${directive}\n\n:ref:\`a\` is here`,
		'One::¦\n\n  code\n\nTwo': `One::\n\n  code\n\n${directive}\n\nTwo`,
		'One::\n\n  code\n\n  co¦de\n\nTwo': `One::\n\n  code\n\n  code\n\n${directive}\n\nTwo`,
		'.. code-block:: js\n   :caption: a¦\n\n   let a;': `.. code-block:: js\n   :caption: a\n\n   let a;\n\n${directive}`,
		'.. note:: One¦\n   two\n\n   Three\n\nFour': `.. note:: One\n   two\n\n   Three\n\n${directive}\n\nFour`,
		'.. figure:: q.png\n   :alt: q\n¦\n   Caption\n\nTwo': `.. figure:: q.png\n   :alt: q\n\n   Caption\n\n${directive}\n\nTwo`,
		'.. figure:: q.png\n   :alt: ⟦q⟧\n\n   Caption\n\nTwo': `.. figure:: q.png\n   :alt: q\n\n   Caption\n\n${directive}\n\nTwo`,
		'.. A com¦ment\n   more\n\nTwo': `.. A comment\n   more\n\n${directive}\n\nTwo`,
		'term¦\n  One\n\n  Two\n\nThree': `term\n  One\n\n  Two\n\n${directive}\n\nThree`,
		'One\n\n¦\n\n  A quotation': `One\n\n  .. image:: a.png\n     :alt: x\n\n  A quotation`,
		'One¦\n\n  A quotation\n\nTwo': `One\n\n  A quotation\n\n${directive}\n\nTwo`,
		'.. note::\n\n   One\n¦\n   Two': `.. note::\n\n   One\n\n   .. image:: a.png\n      :alt: x\n\n   Two`,
	});

	places('restructuredtext', 'takes the place of what is selected, also of a literal', {
		'Write::\n\n   ⟦this⟧\n\nTwo': `Write::\n\n   .. image:: a.png\n      :alt: x\n\nTwo`,
	});
});
