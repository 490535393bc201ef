import { randomBytes } from 'node:crypto';
import type * as vscode from 'vscode';

/**
 * The page of the studio. It may load its own script, the icons, and images below the panel's
 * local resource roots, nothing else from nowhere else; what it shows comes in messages.
 *
 * @param dist the folder of the bundles
 */
export function studioPage(webview: vscode.Webview, dist: (file: string) => vscode.Uri): string {
	const nonce = randomBytes(16).toString('base64url');
	const source = (file: string) => webview.asWebviewUri(dist(file)).toString();
	const policy = [
		`default-src 'none'`,
		`img-src ${webview.cspSource}`,
		`font-src ${webview.cspSource}`,
		`script-src 'nonce-${nonce}'`,
		`style-src 'nonce-${nonce}'`,
	].join('; ');
	return `<!DOCTYPE html>
<html lang="en">
<head>
	<meta charset="UTF-8">
	<meta http-equiv="Content-Security-Policy" content="${policy}">
	<meta name="viewport" content="width=device-width, initial-scale=1">
	<title>Image Studio</title>
	<link rel="stylesheet" id="vscode-codicon-stylesheet" href="${source('codicon.css')}" nonce="${nonce}">
	<style nonce="${nonce}">
		html, body { height: 100%; margin: 0; padding: 0; }
	</style>
</head>
<body>
	<script nonce="${nonce}" src="${source('studio.js')}"></script>
</body>
</html>`;
}
