import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const src = path.join(import.meta.dirname, '../../src');

/** Limits are `max…` and `…LimitMs`; actors are user, window, worker and page. */
const forbidden =
	/(?:^#?|[a-z])(?:[tT]old|[tT]ell|[wW]hoever|[nN]obody|[sS]omebody)(?![a-z])|(?:^#?|[a-z])(?<!outer)(?:[mM]ost|[lL]ongest|[lL]east|[lL]argest)[A-Z]/;

/** Words of no field in texts that a user reads. */
const vague =
	/\b(told|whoever|somebody|nobody|a person|any more|kept|elsewhere|meanwhile|just now|hand over|style sheet|try again all)\b/i;
const texts = [
	...['src/messages.ts', 'src/features/messages.ts', 'src/editor/texts.ts'],
	...['src/webview/messages.ts', 'src/mcp/messages.ts', 'package.json'],
];

const filesOf = (...rooms: string[]) =>
	rooms.flatMap((room) =>
		readdirSync(path.join(src, room), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => path.posix.join(room, name.replaceAll('\\', '/'))),
	);

function read(file: string): ts.SourceFile {
	const text = readFileSync(path.join(src, file), 'utf8');
	return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

/** Returns the names that a file declares; those that it imports belong to other rooms. */
function declaredIn(node: ts.Node): string[] {
	const { name } = node as Partial<ts.NamedDeclaration>;
	const isUse = [ts.isPropertyAccessExpression, ts.isImportSpecifier, ts.isPropertyAssignment].some(
		(is) => is(node),
	);
	const own =
		!isUse && name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))
			? [name.text]
			: [];
	const inner: string[] = [];
	ts.forEachChild(node, (child) => void inner.push(...declaredIn(child)));
	return [...own, ...inner];
}

function exportsOf(file: string): string[] {
	const statements = read(file).statements.filter(
		(one) =>
			ts.canHaveModifiers(one) &&
			ts.getModifiers(one)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
	);
	const names = statements.flatMap((one) =>
		ts.isVariableStatement(one)
			? one.declarationList.declarations.flatMap(({ name }) =>
					ts.isIdentifier(name) ? name.text : name.elements.flatMap(declaredIn),
				)
			: ((one as Partial<ts.NamedDeclaration>).name as ts.Identifier | undefined)?.text,
	);
	// A function may be declared once for each of its signatures.
	return [...new Set(names.filter((name) => name !== undefined))];
}

suite('names', () => {
	test('are words of the field', () => {
		const found = filesOf('.').flatMap((file) =>
			declaredIn(read(file))
				.filter((name) => forbidden.test(name))
				.map((name) => `${file}: ${name}`),
		);
		assert.deepEqual(found, []);
	});

	test('are words of the field in what a user reads', () => {
		const found = texts.flatMap((file) =>
			readFileSync(path.join(src, '..', file), 'utf8')
				.replace(/\/\*[^]*?\*\/|\/\/ .*/g, '')
				.split('\n')
				.filter((line) => vague.test(line) && !line.includes('that version was kept as'))
				.map((line) => `${file}: ${line.trim()}`),
		);
		assert.deepEqual(found, []);
	});

	test('stand for one export', () => {
		const files = new Map<string, string[]>();
		for (const file of filesOf('.')) {
			for (const name of exportsOf(file)) {
				files.set(name, [...(files.get(name) ?? []), file]);
			}
		}
		const doubles = [...files].filter(([, of]) => of.length > 1);
		assert.deepEqual(doubles, []);
	});
});
