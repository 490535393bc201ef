import { posix } from 'node:path';
import picomatch from 'picomatch';

/** The document for which a destination is asked, with absolute paths as in its URI, decoded. */
export interface CopyTarget {
	/** Path of the document; the notebook's, for a cell. On Windows with a drive: `/c:/a.md`. */
	readonly document: string;
	/** Name that the image would have, with its extension. */
	readonly fileName: string;
	/** Path of the innermost workspace folder around the document, if there is one. */
	readonly workspaceFolder?: string | undefined;
	/** Paths of all workspace folders, that one included: a glob with a leading `/` means each. */
	readonly workspaceFolders?: readonly string[];
	readonly now?: Date;
}

/**
 * Returns where `markdown.copyFiles.destination` puts an image, as the editor's own paste and drop
 * understand the setting: the first glob that matches the document counts (extension
 * markdown-language-features, `copyFiles.ts` and `snippets.ts`, of VS Code 1.139).
 *
 * The path is absolute and normalized, but not confined: `../..` leads out of the workspace. The
 * setting may come from the workspace, so the caller has to look where it leads. Whether the name is
 * taken is the caller's to see, too.
 * @returns `undefined` where no glob matches; the editor then takes the document's folder
 */
export function copyFilesDestination(
	setting: Readonly<Record<string, unknown>>,
	target: CopyTarget,
): string | undefined {
	for (const [glob, destination] of Object.entries(setting)) {
		if (typeof destination === 'string' && matches(glob, target)) {
			return resolveDestination(destination, target);
		}
	}
	return undefined;
}

function matches(glob: string, { document, workspaceFolder, workspaceFolders }: CopyTarget) {
	const anchors = workspaceFolders ?? (workspaceFolder === undefined ? [] : [workspaceFolder]);
	const globs = glob.startsWith('/')
		? anchors.map((folder) => posix.join(folder, glob))
		: [glob.startsWith('**') ? glob : `**/${glob}`];
	return globs.some((pattern) => picomatch.isMatch(document, pattern, { dot: true }));
}

function resolveDestination(setting: string, target: CopyTarget): string {
	let destination = setting.trim() || '${fileName}';
	if (destination.startsWith('/')) {
		destination = `\${documentWorkspaceFolder}${destination}`;
	}
	if (destination.endsWith('/')) {
		destination += '${fileName}';
	}
	const path = replaceVariables(destination, variables(target));
	return posix.resolve(posix.dirname(target.document), path);
}

function variables({ document, fileName, workspaceFolder, now = new Date() }: CopyTarget) {
	const folder = posix.dirname(document);
	const extension = posix.extname(document);
	const relative = (path: string) =>
		workspaceFolder === undefined ? path : posix.relative(workspaceFolder, path);
	return new Map([
		['documentDirName', folder],
		['documentRelativeDirName', relative(folder)],
		['documentFileName', posix.basename(document)],
		['documentBaseName', posix.basename(document, extension)],
		['documentExtName', extension.slice(1)],
		['documentFilePath', document],
		['documentRelativeFilePath', relative(document)],
		['documentWorkspaceFolder', workspaceFolder ?? folder],
		['fileName', fileName],
		['fileExtName', posix.extname(fileName).slice(1)],
		['unixTime', String(now.getTime())],
		['isoTime', now.toISOString()],
	]);
}

/**
 * Variables as in snippets: `${name}`, `${name/pattern/replacement/}`, `\$` for a dollar sign. Only
 * the first match of the pattern is replaced; there are no flags. A name that is not known stays as
 * it is written; a transformation without a replacement, or with a pattern that is none, does
 * nothing.
 */
function replaceVariables(text: string, values: ReadonlyMap<string, string>): string {
	return text.replace(
		/\\\$|(?<!\\)\$\{(\w+)(?:\/((?:\\\/|[^}/])+)\/((?:\\\/|[^}/])*)\/)?\}/g,
		(match, name?: string, pattern?: string, replacement?: string) => {
			if (name === undefined) {
				return '$';
			}
			const value = values.get(name);
			if (value === undefined || !pattern || !replacement) {
				return value ?? match;
			}
			try {
				return value.replace(
					new RegExp(pattern.replaceAll('\\/', '/')),
					replacement.replaceAll('\\/', '/'),
				);
			} catch {
				return value;
			}
		},
	);
}
