// Tells Stryker which texts it leaves alone: sentences for people. That they are there and what
// they name is tested where it matters; their wording is not. Codes, headers, fields and kinds are
// no sentences. Stryker loads this file by itself, so it imports nothing of ours.
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

interface SyntaxNode {
	readonly type: string;
	readonly value?: unknown;
	readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
	readonly expressions?: readonly SyntaxNode[];
	readonly callee?: SyntaxNode;
	readonly name?: string;
}

/** At least two words side by side. */
const sentence = /\p{L}{2,},? \p{L}{2,}/u;

function isSentence(node: SyntaxNode): boolean {
	if (node.type === 'StringLiteral') {
		return sentence.test(String(node.value));
	}
	return (
		node.type === 'TemplateLiteral' &&
		sentence.test((node.quasis ?? []).map(({ value }) => value.raw).join('${}')) &&
		// Leaving a text alone leaves alone what stands in it, so nothing may be decided there.
		(node.expressions ?? []).every(isName)
	);
}

function isName({ type, callee }: SyntaxNode): boolean {
	return (
		type === 'Identifier' ||
		type === 'MemberExpression' ||
		(type === 'CallExpression' && callee?.name === 'String')
	);
}

export const strykerPlugins = [
	declareValuePlugin(PluginKind.Ignore, 'words', {
		shouldIgnore: (path) =>
			isSentence((path as { readonly node: SyntaxNode }).node) ? 'words for people' : undefined,
	}),
];
