import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');
const tables = [
	...['messages', 'features/messages', 'editor/texts', 'webview/messages'],
	'mcp/messages',
];

interface Text {
	/** As `messages.saved`, or the path of a value in the manifest. */
	readonly name: string;
	/** With `X` for each value in it. */
	readonly text: string;
}

/** Every text of a table: of a template its whole, not the parts of its values. */
function textsOf(file: string): Text[] {
	const source = readFileSync(path.join(root, 'src', `${file}.ts`), 'utf8');
	const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
	const texts: Text[] = [];
	const visit = (node: ts.Node, name: string): void => {
		if (ts.isImportDeclaration(node)) {
			return;
		}
		if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
			texts.push({ name, text: node.text });
		} else if (ts.isTemplateExpression(node)) {
			const parts = node.templateSpans.map(({ literal }) => `X${literal.text}`);
			texts.push({ name, text: node.head.text + parts.join('') });
		} else {
			const isNamed = ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node);
			const own = isNamed ? [name, node.name.getText()].filter(Boolean).join('.') : name;
			node.forEachChild((child) => visit(child, own));
		}
	};
	visit(parsed, '');
	// Arguments such as the noun of a count are no texts of their own.
	return texts.filter(({ text }) => /\s|\.$|^[A-Z]/.test(text));
}

/** What the manifest says to a user. */
function textsOfManifest(value: unknown, name: string): Text[] {
	if (typeof value === 'string') {
		return /(title|escriptions?|altText|enumItemLabels)(\.\d+)?$/.test(name)
			? [{ name, text: value }]
			: [];
	}
	return Object.entries(value ?? {}).flatMap(([key, one]) =>
		textsOfManifest(one, `${name}.${key}`),
	);
}

const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const all = [...tables.flatMap(textsOf), ...textsOfManifest(manifest, 'package')];
const named = (texts: readonly Text[]) => texts.map(({ name, text }) => `${name}: ${text}`);

suite('The texts that a user reads', () => {
	test('have no sentence of more than twenty words', () => {
		const sentences = all.flatMap(({ name, text }) =>
			text.split(/(?<=[.?!])\s|\n/).map((sentence) => ({ name, text: sentence })),
		);
		const long = sentences.filter(({ text }) => text.split(/\s+/).length > 20);
		assert.deepEqual(named(long), []);
	});

	test('have words of the field alone', () => {
		const others =
			/\b(told|whoever|somebody|nobody|a person|there (is|are) no|any more|not there|kept|elsewhere|meanwhile|just now|hand over|style sheet|try again all|stands?|lies)\b/i;
		// The other program's version is what the user looks for.
		const allowed = ['replaceMessages.otherVersion'];
		const wrong = all.filter(({ name, text }) => others.test(text) && !allowed.includes(name));
		assert.deepEqual(named(wrong), []);
	});

	test('end with a full stop where they are sentences, and without one where they are titles', () => {
		const isTitle = ({ name }: Text) => /^labels\.|title$|Label|Title$/.test(name);
		const isSentence = ({ name, text }: Text) =>
			/^(messages|money)\./.test(name) || /[a-z]\. [A-Z]/.test(text);
		const wrong = all.filter((one) =>
			isTitle(one) ? one.text.endsWith('.') : isSentence(one) && !/([.?…:”]|X|\))$/.test(one.text),
		);
		assert.deepEqual(named(wrong), []);
	});
});
