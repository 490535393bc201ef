import path from 'node:path';

/**
 * Where the file of a reference lies, as the editor's own Markdown resolves it: relative to the
 * document, or, where it starts with `/`, to the workspace folder; query and fragment are left out.
 * `undefined` where it names no file: another scheme or host, a fragment alone, a folder, a
 * placeholder of a template such as `{{ site.logo }}`, or `/` without a workspace folder.
 *
 * @param href as in `FoundImage`: percent-encoded. A sequence that is none stays as it is
 * @param documentPath absolute, as `workspaceFolder` is
 * @returns an absolute path, which may lie anywhere
 */
export function localPath(
	{ href }: { readonly href: string },
	documentPath: string,
	workspaceFolder: string | undefined,
): string | undefined {
	if (/^(?:[a-z][a-z\d+.-]*:|\/\/|\\\\)/i.test(href) || /\{[{%]|\$\{|^\{/.test(href)) {
		return undefined;
	}
	const name = decodePercent(href.replace(/[?#][^]*/, ''));
	if (name === '' || /[/\\]$|\0/.test(name)) {
		return undefined;
	}
	if (!name.startsWith('/')) {
		return path.join(path.dirname(documentPath), name);
	}
	return workspaceFolder === undefined ? undefined : path.join(workspaceFolder, name);
}

/**
 * The folder that a missing image may not leave: the path in the document decides where it goes, so
 * a document that lies in no workspace decides about its own folder alone.
 */
export function wallAround(document: string, workspaceFolder: string | undefined): string {
	return workspaceFolder ?? path.dirname(document);
}

/** Undoes percent-encoding; what is no character of UTF-8 stays as it is. */
export function decodePercent(text: string): string {
	return text.replace(encodedCharacter, (sequence) => {
		try {
			return decodeURIComponent(sequence);
		} catch {
			return sequence;
		}
	});
}

/** One at a time, so that a bad byte leaves its neighbours alone (RFC 3629, part 4). */
const encodedCharacter =
	/%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi;
