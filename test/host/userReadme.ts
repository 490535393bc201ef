import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** Sections for those who have the repository in front of them. */
const forDevelopers = ['Try it without an account', 'Test it', 'Contributing'];

/**
 * Returns the README as the package holds it while the repository has no public address. VS Code's
 * extension page follows no relative path: pictures become part of the text, links to files become
 * their words, and sections for developers go.
 *
 * @param readme the README of the repository, in Markdown
 * @param folder where its pictures are, absolute
 */
export async function userReadme(readme: string, folder: string): Promise<string> {
	const sections = readme.split(/^(?=## )/m);
	const text = sections
		.filter((section) => !forDevelopers.some((title) => section.startsWith(`## ${title}\n`)))
		.join('')
		// Code is an example.
		.replace(
			/`[^`\n]*`|(?<!!)\[([^\]\n]*)\]\((?!https:|#)[^)\n]*\)/g,
			(found: string, words: string | undefined) => (found.startsWith('`') ? found : (words ?? '')),
		);
	const parts = text.split(/(`[^`\n]*`|!\[[^\]\n]*\]\((?!https:)[^)\n]*\))/);
	return (await Promise.all(parts.map((part) => withPicture(part, folder)))).join('');
}

async function withPicture(text: string, folder: string): Promise<string> {
	const [, words, file] = /^!\[([^\]\n]*)\]\(([^)\n]*)\)$/.exec(text) ?? [];
	if (words === undefined || file === undefined) {
		return text;
	}
	const bytes = await readFile(join(folder, file));
	return `![${words}](data:image/${extname(file).slice(1)};base64,${bytes.toString('base64')})`;
}
