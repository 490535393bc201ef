import { randomBytes } from 'node:crypto';
import type * as vscode from 'vscode';
import type { EventOf, Protocol } from '../protocol/channel.js';
import { HostChannel, type Handlers } from '../protocol/hostChannel.js';
import { safeText, maxMessageLength } from './untrustedText.js';
import { log } from '../log.js';

interface Page {
	readonly title: string;
	/** The folder of the bundles, which must be one of the panel's local resource roots. */
	readonly dist: vscode.Uri;
	/** The page's script, in `dist`. */
	readonly script: string;
	/** Which of the pages it is, where its script has several. */
	readonly page?: 'drafts';
	/** True where the page is as high as its panel, so that nothing of it ever scrolls. */
	readonly fillsPanel?: boolean;
}

/**
 * Returns the page of a panel as HTML. It may load its own script and images below the
 * panel's local resource roots, nothing else and from nowhere else; what it shows comes in messages.
 */
export function pageHtml(
	webview: Pick<vscode.Webview, 'cspSource' | 'asWebviewUri'>,
	{ title, dist, script, page, fillsPanel = false }: Page,
): string {
	const nonce = randomBytes(16).toString('base64url');
	const source = (file: string) =>
		webview.asWebviewUri(dist.with({ path: `${dist.path}/${file}` })).toString();
	const policy = [
		`default-src 'none'`,
		`base-uri 'none'`,
		`form-action 'none'`,
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
	<title>${title}</title>
	<style nonce="${nonce}">
		html, body { height: 100%; margin: 0; padding: 0;${fillsPanel ? ' overflow: hidden;' : ''} }
	</style>
</head>
<body${page === undefined ? '' : ` data-page="${page}"`}>
	<script nonce="${nonce}" src="${source(script)}"></script>
</body>
</html>`;
}

/** Returns the icon of a panel's tab, by its name in `media/`. */
export function tabIcon(
	extensionUri: vscode.Uri,
	name: 'studio' | 'compare',
): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
	const icon = (theme: string) =>
		extensionUri.with({ path: `${extensionUri.path}/media/${name}-${theme}.svg` });
	return { light: icon('light'), dark: icon('dark') };
}

export interface ConnectedPage<P extends Protocol> extends vscode.Disposable {
	/** A page that is hidden or has gone does not get it. */
	send(event: EventOf<P>): void;
}

interface Connection<P extends Protocol> {
	/** Name of the page in the log. */
	readonly name: string;
	readonly protocol: P;
	readonly handlers: Handlers<P>;
	/** Takes what a handler has thrown, and returns the message for the page. */
	readonly onFailed: (error: unknown) => string;
}

/** Answers a page. To be called before the webview gets its HTML: the page speaks at once. */
export function connectPage<P extends Protocol>(
	webview: vscode.Webview,
	{ name, protocol, handlers, onFailed }: Connection<P>,
): ConnectedPage<P> {
	const warn = (what: string) => (error: unknown) => log.warn(`${name} ${what}: ${String(error)}`);
	const end = new HostChannel(protocol, handlers, {
		post: (message) => {
			webview.postMessage(message).then(undefined, warn('did not get a message'));
		},
		onRefused: warn('rejected a message of its page'),
		onFailed: (error) => safeText(onFailed(error), maxMessageLength),
	});
	const listening = webview.onDidReceiveMessage((data: unknown) => {
		end.receive(data).catch(warn('did not get an answer'));
	});
	return {
		send: (event) => end.send(event),
		dispose: () => {
			listening.dispose();
			end.close();
		},
	};
}
