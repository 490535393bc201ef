import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const pages = path.join(__dirname, '../../../src/webview');

/** The rules of a style sheet, each with its selector; what is put into it stands as `@name`. */
function rulesOf(file: string): string[] {
	const text = readFileSync(path.join(pages, file), 'utf8').replace(/\$\{(\w+)\}/g, '@$1');
	return text.match(/[^{}]+\{[^{}]*\}/g) ?? [];
}

suite('Secondary buttons', () => {
	test('nowhere have the border of primary ones, which is blue in the default theme', () => {
		const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((file) =>
			/\.(?:ts|css)$/.test(file),
		);
		const secondary = files.flatMap((file) =>
			rulesOf(file)
				.filter((rule) => /background:[^;]*--vscode-button-secondaryBackground/.test(rule))
				.map((rule) => ({ file, rule })),
		);
		assert.ok(secondary.length > 0);
		for (const { file, rule } of secondary) {
			assert.doesNotMatch(rule, /border[^;]*--vscode-button-border/, file);
		}
	});
});
