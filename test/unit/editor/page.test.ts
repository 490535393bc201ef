import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { pageHtml } from '../../../src/editor/page';

/** Part of a URI that the page needs. */
const uri = (path: string): vscode.Uri =>
	({
		path,
		with: (change: { path: string }) => uri(change.path),
		toString: () => `https://resource${path}`,
	}) as vscode.Uri;

const webview = { cspSource: 'https://resource', asWebviewUri: (file: vscode.Uri) => file };

function policyOf(html: string): Map<string, string> {
	const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
	return new Map(
		policy.split('; ').map((directive) => {
			const [name = '', ...values] = directive.split(' ');
			return [name, values.join(' ')];
		}),
	);
}

suite('pageHtml', () => {
	const compare = { title: 'Compare Images', dist: uri('/easel/dist'), script: 'compare.js' };

	test('allows its own script and style, images of the panel, and nothing else', () => {
		const html = pageHtml(webview, compare);
		const nonce = /<script nonce="([\w-]{22})" src="([^"]*)">/.exec(html);
		assert.equal(nonce?.[2], 'https://resource/easel/dist/compare.js');
		assert.deepEqual(
			policyOf(html),
			new Map([
				['default-src', "'none'"],
				['base-uri', "'none'"],
				['form-action', "'none'"],
				['img-src', 'https://resource'],
				['script-src', `'nonce-${nonce[1] ?? ''}'`],
				['style-src', `'nonce-${nonce[1] ?? ''}'`],
			]),
		);
		assert.doesNotMatch(html, /unsafe/);
	});

	test('has another nonce each time', () => {
		assert.notEqual(pageHtml(webview, compare), pageHtml(webview, compare));
	});
});
