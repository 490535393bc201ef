import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the absolute path of a folder that a text names.
 *
 * @param text a path, also one that begins with `~`, or a `file:` or `vscode-remote:` address
 * @param base folder that a relative path starts from, absolute
 */
export function namedFolder(text: string, base: string): string {
	try {
		return path.resolve(
			base,
			/^file:/i.test(text) ? fileURLToPath(text) : (remotePath(text) ?? withHome(text)),
		);
	} catch {
		// An address of another machine, or none.
		return path.resolve(base, text);
	}
}

/** Returns a path with the user's home folder in place of a leading `~`. */
export function withHome(text: string): string {
	return /^~(?:[/\\]|$)/.test(text) ? path.join(homedir(), text.slice(1)) : text;
}

/**
 * Returns the path of a `vscode-remote:` address.
 *
 * @param remoteName that of the window, such as `ssh-remote`; any by default
 * @returns `undefined` for any other text, and for the address of another machine
 * @throws an `URIError` where it is encoded wrongly
 */
export function remotePath(text: string, remoteName?: string): string | undefined {
	const [, authority = '', place = '/'] = /^vscode-remote:\/\/([^/]+)(\/.*)?$/is.exec(text) ?? [];
	const [name] = decodeURIComponent(authority).split('+');
	return name !== '' && (remoteName ?? name) === name ? decodeURIComponent(place) : undefined;
}
