/** Sections for those who have the repository in front of them. */
const forDevelopers = ['Try it', 'Development'];

/**
 * The README as the package holds it: for people who use the extension. VS Code shows it on the
 * extension's page, where a path leads nowhere, so pictures and links to files of the repository
 * are left out; a link's words stay.
 *
 * @param readme the README of the repository, in Markdown
 */
export function userReadme(readme: string): string {
	const sections = readme.split(/^(?=## )/m);
	return (
		sections
			.filter((section) => !forDevelopers.some((title) => section.startsWith(`## ${title}\n`)))
			.join('')
			// What stands in code is an example.
			.replace(
				/`[^`\n]*`|!\[[^\]\n]*\]\((?!https:)[^)\n]*\)\n+|\[([^\]\n]*)\]\((?!https:|#)[^)\n]*\)/g,
				reduced,
			)
	);
}

function reduced(found: string, words: string | undefined): string {
	return found.startsWith('`') ? found : (words ?? '');
}
