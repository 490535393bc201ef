import assert from 'node:assert/strict';
import { flattened, safeText, markdownText, shortened } from '../../../src/editor/untrustedText.js';

suite('editor › foreign text', () => {
	/** Patterns by which VS Code finds links in notifications and input boxes, and icons in lists. */
	const rendered = /\[[^\]]+\]\((?:https?:\/\/|command:|file:)[^)\s]+|\$\([a-z\d~-]+\)/i;
	const evil = [
		'[Repair it here](command:workbench.action.quit)',
		'[see](https://evil.example.net "a title")',
		'[a](file:///etc/passwd)',
		'[hidden]\u202e(COMMAND:x)',
		'[colored]\u001b[31m(command:x)',
		'[[nested]](command:x)',
		'$(sync~spin) busy',
		'$\u2066(sync~spin) busy',
		'$\u009b1m(check) done',
	];

	test('has no link and no icon left, whatever stands between their signs', () => {
		for (const text of evil) {
			assert.doesNotMatch(safeText(text), rendered, text);
			assert.doesNotMatch(safeText(text), /command:/i, text);
		}
	});

	test('makes no link of two parts that are none', () => {
		const parts = ['[Repair it here]', '(command:workbench.action.quit)'].map((one) =>
			safeText(one),
		);
		assert.doesNotMatch(safeText(parts.join('')), rendered);
	});

	test('that has been made fit stays as it is', () => {
		for (const text of [
			...evil,
			'a\nb',
			'🦊'.repeat(1000),
			'docs/a picture.png',
			' x ',
			'$\u200b(a)',
		]) {
			const once = safeText(text, 40);
			assert.equal(safeText(once, 40), once, text);
		}
	});

	test('loses all marks of direction, the sequences of terminals and halves of characters', () => {
		assert.equal(safeText('a\u061cb\u200ec\u200fd\u2069'), 'abcd');
		assert.equal(safeText('\u001b[1;31mred\u001b[0m'), 'red');
		assert.equal(safeText('a\ud83d'), 'a\ufffd');
		assert.equal(safeText('a\u2028b\u0085c'), 'a b c');
		const gone = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u;
		const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
		for (const sign of all.filter((one) => gone.test(one))) {
			assert.doesNotMatch(safeText(`a${sign}b`), gone, JSON.stringify(sign));
		}
	});

	test('is bounded too where one character has thousands of marks', () => {
		assert.ok(safeText(`e${'\u0301'.repeat(100_000)} and more`, 10).length < 100);
	});

	test('stands in one line of the log, with its breaks in view', () => {
		assert.equal(
			flattened('a\r\n2026-01-01 [info] forged\u001b[2K\n', ' ⏎ '),
			'a ⏎ 2026-01-01 [info] forged ⏎',
		);
	});

	test('is text in Markdown, sign by sign', () => {
		assert.equal(markdownText('a fox, 2 cubs', 50), 'a fox, 2 cubs');
		assert.equal(markdownText('<command:x>', 50), '&#60;command&#58;x&#62;');
		for (const text of [
			...[...evil, '<command:x>', '<? swallowed', '<!-- x', '<b>', '&lt;', '&#60;', '`x`', '**x**'],
			...['https://evil.example.net', 'www.example.net', 'a@example.net', '1. x', '# x', '> x'],
			...['%22,%22count%22:4', '20%25', '| a | b |', '![x](y)', '~~~', '$(sync)', '$x$', '\\'],
		]) {
			assert.match(markdownText(text, 100), /^(?:[a-z\d ,]|&#\d+;)*$/i, text);
		}
	});

	test('is bounded in length in a notification, by whole characters', () => {
		assert.equal(safeText('🦊'.repeat(1000), 10), `${'🦊'.repeat(9)}…`);
		assert.equal(safeText('short', 10), 'short');
	});

	test('is shortened to so many code units, and never within what a reader takes for one', () => {
		const family = '👩‍👩‍👧';
		assert.equal(shortened('a lighthouse', 12), 'a lighthouse');
		assert.equal(shortened('a lighthouse', 11), 'a lighthou…');
		assert.equal(shortened(`a ship 🚢🚢`, 10), 'a ship 🚢…');
		assert.equal(shortened(`four ${family}${family}`, 14), `four ${family}…`);
	});
});
