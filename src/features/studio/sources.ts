import * as vscode from 'vscode';
import { log } from '../../log.js';
import type { Thumbnails } from '../../images/thumbnails/thumbnails.js';

/** Addresses from which the page loads pictures. */
export class Sources {
	constructor(
		private readonly webview: Pick<vscode.Webview, 'asWebviewUri'>,
		private readonly thumbnails: Thumbnails,
	) {}

	/**
	 * Returns the address of an image itself; `undefined` where the page may not load it: it may
	 * what lies in the workspace.
	 *
	 * @param version another one for another content of the file
	 */
	of(uri: vscode.Uri, version: number): string | undefined {
		return vscode.workspace.getWorkspaceFolder(uri) === undefined
			? undefined
			: this.webview
					.asWebviewUri(uri)
					.with({ query: `v=${String(version)}` })
					.toString();
	}

	/**
	 * Returns the address by which the workbench knows an image, which is dragged out of the page:
	 * where the extension runs on another machine, files there have the name of that machine.
	 * `asWebviewUri` alone says it, as `scheme+authority.vscode-resource.…`, with other characters
	 * as `-` and four hexadecimal digits.
	 */
	ofWorkbench(uri: vscode.Uri): string {
		const { authority } = this.webview.asWebviewUri(uri);
		const [, scheme, host] = /^([\w-]+)\+(.*)\.vscode-resource\./.exec(authority) ?? [];
		return scheme === undefined || host === undefined || scheme === uri.scheme
			? uri.toString()
			: uri
					.with({
						scheme,
						authority: host.replace(/-([\da-f]{4})/g, (_, code: string) =>
							String.fromCharCode(parseInt(code, 16)),
						),
					})
					.toString();
	}

	/**
	 * Returns the address of its thumbnail, which may have to be made; `undefined` where there is
	 * none.
	 *
	 * @param signal gives it up
	 */
	async ofThumbnail(uri: vscode.Uri, signal?: AbortSignal): Promise<string | undefined> {
		try {
			return await this.madeThumbnail(uri, signal);
		} catch (error) {
			if (signal?.aborted !== true) {
				log.warn(`No thumbnail: ${error instanceof Error ? error.message : ''}`);
			}
			return undefined;
		}
	}

	/**
	 * The same, for who says why there is none.
	 *
	 * @throws {ImageError | ThumbnailError} where there is none; the signal's reason
	 */
	async madeThumbnail(uri: vscode.Uri, signal?: AbortSignal): Promise<string | undefined> {
		if (uri.scheme !== 'file') {
			// Fetching the whole of it for a small picture is what the page does as well.
			return this.of(uri, 0);
		}
		const { file, isTransparent } = await this.thumbnails.get({ path: uri.fsPath }, signal);
		const address = this.webview.asWebviewUri(vscode.Uri.file(file));
		// The style sheet lays a chessboard behind it.
		return (
			isTransparent === true ? address.with({ fragment: 'transparent' }) : address
		).toString();
	}
}
