/** Sections for those who have the repository in front of them. */
const forDevelopers = ['Try it without an account', 'Test it', 'Contributing'];

/**
 * Returns the README as the package holds it while the repository has no public address. VS Code's
 * extension page shows pictures from `https:` alone, neither those of the package nor `data:`, and
 * follows no relative path. So pictures go, links to files become their words, and sections for
 * developers go.
 *
 * @param readme the README of the repository, in Markdown
 */
export function userReadme(readme: string): string {
	const sections = readme.split(/^(?=## )/m);
	return (
		sections
			.filter((section) => !forDevelopers.some((title) => section.startsWith(`## ${title}\n`)))
			.join('')
			// Code is an example.
			.replace(
				/`[^`\n]*`|!\[[^\]\n]*\]\((?!https:)[^)\n]*\)\n+|\[([^\]\n]*)\]\((?!https:|#)[^)\n]*\)/g,
				(found: string, words: string | undefined) =>
					found.startsWith('`') ? found : (words ?? ''),
			)
	);
}
