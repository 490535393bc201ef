import { randomBytes } from 'node:crypto';
import type * as vscode from 'vscode';

/**
 * The page of a comparison. It may load its own script and the images below the panel's local
 * resource roots, nothing else from nowhere else; what it shows comes in messages.
 */
export function comparePage(webview: vscode.Webview, script: vscode.Uri): string {
	const nonce = randomBytes(16).toString('base64url');
	const policy = [
		`default-src 'none'`,
		`img-src ${webview.cspSource}`,
		`script-src 'nonce-${nonce}'`,
		`style-src 'nonce-${nonce}'`,
	].join('; ');
	return `<!DOCTYPE html>
<html lang="en">
<head>
	<meta charset="UTF-8">
	<meta http-equiv="Content-Security-Policy" content="${policy}">
	<meta name="viewport" content="width=device-width, initial-scale=1">
	<title>Compare Images</title>
	<style nonce="${nonce}">
		html, body { height: 100%; margin: 0; padding: 0; overflow: hidden; }
	</style>
</head>
<body>
	<script nonce="${nonce}" src="${webview.asWebviewUri(script).toString()}"></script>
</body>
</html>`;
}
