// Sites with the layouts of real ones (those of OpenKruise, Kubernetes, Argo CD, JupyterHub and Vue):
// where their pages and pictures lie, and how they link them. All names and texts are made up.
import { posix } from 'node:path';
import { seeded } from '../unit/images/random';
import { writeTree } from '../unit/documents/missing/tree';
import { pictureOfWidth } from '../unit/documents/pictures';

/** Pages of a site that are alike; `#` is a name. */
interface Part {
	/** Relative to the site. */
	readonly page: string;
	/** Folder of their pictures, relative to the site or, where it begins with a dot, to the page. */
	readonly pictures: string;
	/** Path in a link before the name of a picture. */
	readonly link: string;
	/** Ways of linking a picture, of which each image has one. */
	readonly forms: readonly Form[];
}

type Form = keyof typeof forms;

const forms = {
	markdown: (path: string, alt: string) => `![${alt}](${path})`,
	linked: (path: string, alt: string) => `[![${alt}](${path})](https://example.org/)`,
	table: (path: string, alt: string) => `| a | b |\n|---|---|\n| ![${alt}](${path}) | c |`,
	list: (path: string, alt: string) => `1. One\n\n   ![${alt}](${path})\n\n2. Two`,
	html: (path: string, alt: string) =>
		`<p align="center">\n  <img src="${path}"${alt && ` alt="${alt}"`} />\n</p>`,
	decorative: (path: string) => `<img src="${path}" alt="" />`,
	figure: (path: string, alt: string) => `{{< figure src="${path}"${alt && ` alt="${alt}"`} >}}`,
	myst: (path: string, alt: string) =>
		`\`\`\`{image} ${path}\n${alt && `:alt: ${alt}\n`}:width: 300px\n\`\`\``,
	directive: (path: string, alt: string) =>
		`.. image:: ${path}\n   :width: 300px${alt && `\n   :alt: ${alt}`}`,
	captioned: (path: string, alt: string) =>
		`.. figure:: ${path}${alt && `\n   :alt: ${alt}`}\n\n   A caption that says more.`,
};

const inText: readonly Form[] = ['markdown', 'markdown', 'markdown', 'linked', 'table', 'list'];

const skeletons: Readonly<Record<string, readonly Part[]>> = {
	Docusaurus: [
		{
			page: 'docs/user-manuals/#.md',
			pictures: 'static/img/docs/user-manuals',
			link: '/img/docs/user-manuals/',
			forms: inText,
		},
		{ page: 'docs/best-practices/#.mdx', pictures: './img', link: './img/', forms: inText },
	],
	Hugo: [
		{
			page: 'content/docs/tutorials/basics/#/index.md',
			pictures: './images',
			link: 'images/',
			forms: [...inText, 'figure', 'figure'],
		},
		{
			page: 'content/docs/concepts/#.md',
			pictures: 'static/images/docs',
			link: '/blog/images/docs/',
			forms: [...inText, 'html', 'decorative'],
		},
	],
	MkDocs: [
		{
			page: 'pages/operator-manual/#.md',
			pictures: 'pages/assets',
			link: '../assets/',
			forms: inText,
		},
		{
			page: 'pages/developer-guide/extensions/#.md',
			pictures: 'pages/assets',
			link: '../../assets/',
			forms: inText,
		},
	],
	Sphinx: [
		{
			page: 'explanation/#.md',
			pictures: '_static/images',
			link: '../_static/images/',
			forms: [...inText, 'myst', 'myst'],
		},
		{
			page: 'contributing/#.rst',
			pictures: '_static/images',
			link: '/_static/images/',
			forms: ['directive', 'directive', 'captioned'],
		},
	],
	VitePress: [
		{
			page: 'src/guide/components/#.md',
			pictures: './images',
			link: './images/',
			forms: [...inText, 'html', 'decorative'],
		},
		{ page: 'src/tutorial/#.md', pictures: 'src/public/images', link: '/images/', forms: inText },
	],
};

/** Alternative texts that say nothing. */
export const genericAlts = ['image', 'Screenshot 2026-11-20 at 9.41.07 PM', 'image of the harbor'];
const longAlt = 'A harbor with boats, '.repeat(13).trim();
const pagesOfPart = 30;
const picturesOfPart = 10;

/** A page of a skeleton. */
export interface SkeletonPage {
	/** Relative to the fixture. */
	readonly file: string;
	/** Number of images that it marks as decorative. */
	readonly decorative: number;
}

/**
 * Writes the skeleton of a site, with its pictures.
 *
 * @param name of the generator
 * @param root of the site, relative to the fixture
 * @param folder of the fixture, absolute
 * @param usedWidth pictures are wider, so that their widths tell them apart
 */
export async function writeSkeleton(
	name: string,
	root: string,
	folder: string,
	usedWidth: number,
	opening = '',
): Promise<readonly SkeletonPage[]> {
	const random = seeded(name.length);
	const below = (limit: number) => Math.floor(random() * limit);
	const pages: SkeletonPage[] = [];
	let width = usedWidth;
	for (const [index, { page, pictures, link, forms: ways }] of (skeletons[name] ?? []).entries()) {
		for (let number = 1; number <= pagesOfPart; number++) {
			const file = posix.join(
				root,
				page.replace('#', `skeleton-${String(index)}-${String(number)}`),
			);
			const beside = pictures.startsWith('.') ? posix.dirname(file) : root;
			const names: string[] = [];
			for (let count = 0; count < (beside === root && number > 1 ? 0 : picturesOfPart); count++) {
				const picture = `view-${String(index)}-${String(count)}.png`;
				const place = posix.join(beside, pictures, picture);
				await writeTree(folder, { [place]: pictureOfWidth(++width) });
			}
			for (let count = 0; count < picturesOfPart; count++) {
				names.push(`view-${String(index)}-${String(count)}.png`);
			}
			const pathAt = (chance: number) => {
				const picture = names[below(names.length)]!;
				return (
					link +
					(chance < 3
						? `gone-${String(below(1000))}.png`
						: chance < 6
							? picture.replace('v', 'V')
							: picture)
				);
			};
			const altAt = (chance: number) =>
				chance < 42
					? ''
					: chance < 52
						? genericAlts[below(genericAlts.length)]!
						: chance < 57
							? longAlt
							: chance < 72
								? 'The settings of a port'
								: `A boat of ${String(below(1000))} tons`;
			let decorative = 0;
			const blocks = Array.from({ length: 1 + below(8) }, () => {
				const form = ways[below(ways.length)]!;
				decorative += form === 'decorative' ? 1 : 0;
				return forms[form](pathAt(below(100)), altAt(below(100)));
			});
			const title = page.endsWith('.rst') ? 'A page\n======' : `${opening}# A page`;
			await writeTree(folder, { [file]: `${title}\n\n${blocks.join('\n\nA sentence.\n\n')}\n` });
			pages.push({ file, decorative });
		}
	}
	return pages;
}
