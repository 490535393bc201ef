/** Syntax of a document, as far as its images are concerned. */
export type DocumentFormat =
	'markdown' | 'mdx' | 'html' | 'vue' | 'asciidoc' | 'restructuredText' | 'latex' | 'typst';

/** Facts about a format; everything that differs from one to another is derived from it. */
export interface DocumentLanguage {
	readonly format: DocumentFormat;
	/**
	 * The editor's identifiers of its languages: of the editor itself and of the extensions that most
	 * people use. The first one stands for a file that no editor shows.
	 */
	readonly ids: readonly [string, ...string[]];
	/** Extensions of its files, in small letters, without the dot. */
	readonly extensions: readonly string[];
}

/** Documents that can show images. The menus of `package.json` are held against it by a test. */
export const languages: readonly DocumentLanguage[] = [
	{
		format: 'markdown',
		// The last four are Markdown to the editor as well: they have its preview and its paste.
		ids: ['markdown', 'quarto', 'rmd', 'prompt', 'instructions', 'chatagent', 'skill'],
		extensions: ['md', 'markdown', 'mdown', 'mkd', 'qmd', 'rmd'],
	},
	{ format: 'mdx', ids: ['mdx'], extensions: ['mdx'] },
	{
		format: 'html',
		ids: ['html', 'svelte', 'astro', 'handlebars'],
		extensions: ['html', 'htm', 'svelte', 'astro', 'hbs', 'handlebars'],
	},
	{ format: 'vue', ids: ['vue', 'vue-html'], extensions: ['vue'] },
	{ format: 'asciidoc', ids: ['asciidoc'], extensions: ['adoc', 'asciidoc'] },
	{ format: 'restructuredText', ids: ['restructuredtext'], extensions: ['rst'] },
	{ format: 'latex', ids: ['latex', 'tex'], extensions: ['tex'] },
	{ format: 'typst', ids: ['typst'], extensions: ['typ'] },
];

/** The language of a prompt that is written in an editor, which is no document. */
export const promptLanguage = 'easel-prompt';

/** The language of the text that shows what is sent. */
export const sentLanguage = 'easel-sent';

/** Those that are read as Markdown: every image of them is known, with what stands around it. */
export const markdownLanguages: readonly DocumentLanguage[] = languages.filter(
	({ format }) => format === 'markdown' || format === 'mdx',
);

/** The format of a language; `undefined` for one that shows no images. */
export function formatOf(languageId: string): DocumentFormat | undefined {
	return languages.find(({ ids }) => ids.includes(languageId))?.format;
}

/** Returns whether programs that read a language can show a file of this name: LaTeX has no WebP. */
export function takesImageFile(languageId: string, name: string): boolean {
	return formatOf(languageId) !== 'latex' || !/\.webp$/i.test(name);
}

/**
 * The language of a document in an editor: where VS Code has none for it, because its extension is not
 * installed, the one that its name says.
 */
export function languageOfDocument(languageId: string, path: string): string {
	return languageId === 'plaintext' ? (languageOfFile(path) ?? languageId) : languageId;
}

/** The language of a file, by its name; `undefined` where it is none of them. */
export function languageOfFile(name: string): string | undefined {
	const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
	return languages.find(({ extensions }) => extensions.includes(extension))?.ids[0];
}
