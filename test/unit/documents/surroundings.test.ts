import assert from 'node:assert/strict';
import { surroundingsAt, type Surroundings } from '../../../src/documents/delimited';
import type { DocumentFormat } from '../../../src/documents/languages';

suite('surroundingsAt', () => {
	/** Surroundings of each place between `⟦` and `⟧`, these included; all others lie in text. */
	function are(
		surroundings: Surroundings,
		cases: readonly (readonly [format: DocumentFormat, marked: string])[],
	): void {
		for (const [format, marked] of cases) {
			test(`in ${format} are ${surroundings} in ${JSON.stringify(marked)}`, () => {
				const text = marked.replace(/[⟦⟧]/g, '');
				const start = marked.indexOf('⟦');
				const end = marked.indexOf('⟧') - 1;
				for (let offset = 0; offset <= text.length; offset++) {
					const isWithin = start >= 0 && start <= offset && offset <= end;
					assert.equal(
						surroundingsAt(format, text, offset),
						isWithin ? surroundings : 'text',
						`at ${String(offset)}`,
					);
				}
			});
		}
	}

	are('verbatim', [
		['markdown', '+++\n⟦a = 1⟧\n+++\n\nOne'],
		['mdx', '---\n⟦a: b⟧\n---\n\nOne'],
		['html', '---\n⟦a: b⟧\n---\n<p>One</p>'],
		['markdown', 'One\n\n```\n⟦a\n``⟧`\nTwo'],
		['asciidoc', '----\n⟦a\n---⟧-\nOne'],
	]);

	are('cells', [['asciidoc', '|===\n⟦|a\n|==⟧=\nOne']]);

	are('text', [
		['markdown', 'One\n\n---\na: b\n---\nTwo'],
		['asciidoc', '---\na: b\n---\nOne'],
		['restructuredText', '---\na: b\n---\nOne'],
		['vue', '---\na: b\n---\nOne'],
		['typst', '---\na: b\n---\nOne'],
	]);
});
