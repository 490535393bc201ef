import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path, { posix } from 'node:path';
import esbuild from 'esbuild';
import { linkText } from '../../src/documents/imageLink';
import { checkAltTexts } from '../../src/documents/check/altRules';
import { defaultSettings } from '../../src/documents/check/rules';
import { shownImages } from '../../src/documents/check/shownImages';
import { formatOf, languageOfFile } from '../../src/documents/languages';
import { scanDocuments } from '../../src/documents/missing/scanDocuments';
import { sitesAbove } from '../../src/documents/reading/sitesAbove';
import { siteImagesFolder } from '../../src/documents/sites';
import { imageLinkFor } from '../../src/documents/writeImageLink';
import { commonImages, fateOf, linksOf, siteFixtures, type Fate } from '../process/siteFixtures';
import { say } from '../host/cache';
import { writeTree } from '../unit/documents/missing/tree';
import { file as fileUri } from '../unit/documents/troublesome';
import { pictureOfWidth, widthOfPicture } from '../unit/documents/pictures';
import { buildSite, siteGenerators, type BuiltSite, type SiteGenerator } from './siteGenerators';
import { genericAlts, writeSkeleton, type SkeletonPage } from './skeletons';

/** A page with one image. */
interface Page {
	/** Relative to the fixture. */
	readonly file: string;
	readonly text: string;
	/** Width of the picture that it shows. */
	readonly width?: number;
	readonly what?: string;
}

const names = [
	...['red-fox.png', 'two words.png', 'Ärger & 家の前.png', '100% (draft).png', "it's #1.png"],
];

/** Limitations of a generator. */
interface Limits {
	/** Links that Easel reads and it does not show, besides those with a size. */
	readonly unfound?: RegExp;
	/** Combinations of document, form and name that it cannot show. */
	readonly unshown?: RegExp;
	/** True where the alternative texts that Easel reads are compared with those of the pages. */
	readonly judgesAlts?: true;
}

/**
 * Defines the tests of a generator: what Easel writes shows in what it builds, and what it shows or finds
 * is never offered for money.
 */
export function testSite(
	name: string,
	{ unfound = /(?!)/, unshown = /(?!)/, judgesAlts }: Limits = {},
): void {
	const generator = siteGenerators[name]!;
	const fixture = siteFixtures.find((one) => one.name === name)!;

	suite(`Images of a site, built by ${name}`, () => {
		let scratch: string;
		let folder: string;
		let written: readonly Page[];
		let read: readonly Page[];
		let judged: readonly Page[] = [];
		let skeleton: readonly SkeletonPage[] = [];
		let counts: Readonly<Record<string, number>> = {};
		let fates: ReadonlyMap<string, Fate>;
		let site: BuiltSite;

		suiteSetup(async function () {
			this.timeout(600_000);
			scratch = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-built-')));
			folder = path.join(scratch, 'site');
			let width = 0;
			const pictures = Object.fromEntries(
				[
					...Object.keys(fixture.files).filter((file) => file.endsWith('.png')),
					...commonImages.map((image) => `${fixture.images[0]}/${image}`),
				].map((file) => [file, pictureOfWidth(++width)]),
			);
			const links = linksOf(fixture).filter(([text]) => generator.unbuilt?.test(text) !== true);
			read = links.map(([text], index) => ({
				file: fixture.page.replace(/page(?=\.)/, `page-${String(index + 1)}`),
				text,
			}));
			await writeTree(folder, { ...fixture.files, ...pictures, ...textsOf(read, generator) });
			await writeTree(path.join(folder, generator.root), generator.files);
			written = await writePages(generator, folder, width, unshown);
			if (judgesAlts !== undefined) {
				judged = await writeAlts(generator, folder);
				const used = width + written.length;
				skeleton = await writeSkeleton(name, generator.root, folder, used, generator.opening);
			}
			const { summary, root } = generator;
			if (summary !== undefined) {
				const pages = new Set([...read, ...written].map(({ file }) => posix.relative(root, file)));
				const list = [...pages].map((page) => `- [A page](${page})\n`).join('');
				await writeTree(path.join(folder, root), { [summary]: list });
			}
			await scanAll();
			const start = performance.now();
			site = await buildSite(folder, generator);
			const shown = read.filter(({ file }) => isShown(file));
			const seconds = Math.round((performance.now() - start) / 1000);
			say(
				`${name}: ${shown.length} of ${read.length} forms resolve, ${written.length} images inserted, built in ${seconds} s`,
			);
		});

		suiteTeardown(() => rm(scratch, { recursive: true, force: true }));

		test('judges at least 20 forms of links', () => {
			assert.ok(read.length >= 20, String(read.length));
		});

		test('shows every image that Easel writes, and neither finds one of them missing', () => {
			const wrong = written.filter(
				({ file, width }) =>
					complainsOf(file) ||
					fates.get(file) !== 'found' ||
					!imagesOf(file).some((image) => image && widthOfPicture(image) === width),
			);
			assert.deepEqual(
				wrong.map(({ text, what }) => [what, text]),
				[],
			);
		});

		test('shows no image that Easel offers for money, and finds those missing that it checks', () => {
			assert.ok(
				read.some(({ file }) => isShown(file)),
				site.said,
			);
			const paid = read.filter(({ file }) => fates.get(file) === 'money');
			const isChecked = generator.complaint !== undefined;
			assert.equal(
				paid.some(({ file }) => complainsOf(file)),
				isChecked,
			);
			assert.deepEqual(
				paid.filter(({ file }) => isShown(file)).map(({ text }) => text),
				[],
			);
		});

		test('shows no image of which Easel says that it is elsewhere', () => {
			const wrong = read.filter(({ file }) => fates.get(file) !== 'found' && isShown(file));
			assert.deepEqual(
				wrong.map(({ text }) => text),
				[],
			);
		});

		test('shows what Easel takes for there, except as listed', () => {
			const wrong = read.filter(({ file }) => fates.get(file) === 'found' && !isShown(file));
			assert.deepEqual(
				wrong
					.map(({ text }) => text)
					.filter((text) => !/ =300x200/.test(text) && !unfound.test(text)),
				[],
			);
		});

		if (judgesAlts !== undefined) {
			test('reads the alternative texts that its pages have', () => {
				assert.ok(judged.length > 0);
				for (const { file, text } of judged) {
					const format = formatOf(languageOfFile(file) ?? '') ?? assert.fail(file);
					const read = shownImages(text, format).map(({ alt }) =>
						alt.type === 'text' ? alt.text : '',
					);
					const built = site.altsOf(posix.relative(generator.root, file));
					// Docutils writes the path for none.
					const shown = built.map((alt = '') => (/\.png$/.test(alt) ? '' : alt));
					assert.deepEqual(read, shown, file);
					const { length } = checkAltTexts(shownImages(text, format), { maxAltLength: 250 }).filter(
						({ rule }) => rule === 'alt-missing',
					);
					const decorative = text.match(/alt=""|:alt:$/gm)?.length ?? 0;
					assert.equal(length, shown.filter((alt) => alt === '').length - decorative, file);
				}
			});
		}

		if (judgesAlts !== undefined) {
			test('counts by rule in the layout of a real site what its pages have', () => {
				const built: Record<string, number> = {};
				const count = (rule: string, isOne: boolean) => {
					built[rule] = (built[rule] ?? 0) + (isOne ? 1 : 0);
				};
				for (const { file, decorative } of skeleton) {
					const images = imagesOf(file);
					const alts = site.altsOf(posix.relative(generator.root, file));
					assert.equal(alts.length, images.length, file);
					/** Pictures by the texts that they had first. */
					const first = new Map<string, string>();
					for (const [index, alt = ''] of alts.entries()) {
						const image = images[index];
						const isNone = alt.trim() === '' || /\.png$/.test(alt);
						const isGeneric = genericAlts.includes(alt);
						const picture = image ? String(widthOfPicture(image)) : `gone ${String(index)}`;
						const known = isNone || isGeneric ? picture : (first.get(alt) ?? picture);
						first.set(alt, known);
						count('alt-missing', isNone);
						count('alt-generic', isGeneric);
						count('alt-long', alt.length > 250);
						count('alt-duplicate', known !== picture);
						count('broken', image === undefined);
					}
					built['alt-missing']! -= decorative;
				}
				say(`${name}: ${Object.entries(built).join(' · ')}`);
				assert.ok(
					Object.values(built).every((number) => number > 0),
					JSON.stringify(built),
				);
				assert.deepEqual(counts, built);
			});
		}

		function imagesOf(file: string) {
			return site.imagesOf(posix.relative(generator.root, file));
		}

		function complainsOf(file: string): boolean {
			return site.complainsOf(posix.relative(generator.root, file));
		}

		function isShown(file: string): boolean {
			return !complainsOf(file) && imagesOf(file).some((image) => image !== undefined);
		}

		/** Looks for missing images in all pages, and checks those of the skeleton. */
		async function scanAll(): Promise<void> {
			const script = path.join(scratch, 'worker.js');
			await esbuild.build({
				entryPoints: ['src/documents/reading/worker.ts'],
				...{ bundle: true, platform: 'node', outfile: script, logLevel: 'warning' },
			});
			const roots = [{ path: folder, workspaceFolder: folder, exclude: {} }];
			const { images } = await scanDocuments(script, roots);
			fates = new Map(
				[...read, ...written].map(({ file }) => [
					file,
					fateOf(images.find(({ document }) => document === path.join(folder, file))),
				]),
			);
			const { findings } = await scanDocuments(script, roots, { check: defaultSettings });
			const files = new Set(skeleton.map(({ file }) => path.join(folder, file)));
			const found = findings.filter(({ document }) => files.has(document));
			counts = Object.fromEntries(
				Object.entries(
					Object.groupBy(found, ({ rule }) => (rule.startsWith('image-') ? 'broken' : rule)),
				).map(([rule, { length } = []]) => [rule, length]),
			);
		}
	});
}

/** Writes pages with links as Easel writes them, in each form and place, and their images. */
async function writePages(
	generator: SiteGenerator,
	folder: string,
	usedWidth: number,
	unshown: RegExp,
): Promise<Page[]> {
	const { root, documents, starts, showsMetadata } = generator;
	const pages: Page[] = [];
	for (const document of [...documents, ...Object.keys(starts)]) {
		const isMarkdown = document.endsWith('.md');
		const maxValues = document.includes('#') ? 3 : 1;
		const forms = [
			...(isMarkdown && showsMetadata === true ? (['value'] as const) : []),
			...(document.endsWith('.rst') ? (['block'] as const) : (['block', 'inline'] as const)),
			...(isMarkdown ? (['html', 'wide'] as const) : []),
		];
		for (const form of forms) {
			for (const name of form === 'value' ? names.slice(0, maxValues) : names) {
				const what = `${document}: ${form}: ${name}`;
				if (unshown.test(what)) {
					continue;
				}
				const width = usedWidth + pages.length + 1;
				const file = posix.join(root, document.replace('#', `written-${String(width)}`));
				const absolute = posix.join(folder, file);
				const sites = sitesAbove(path.dirname(absolute), folder);
				const images = siteImagesFolder(absolute, sites) ?? posix.dirname(absolute);
				const image = posix.join(images, `${String(width)}-${name}`);
				await writeTree(folder, { [posix.relative(folder, image)]: pictureOfWidth(width) });
				const link = linkText(
					imageLinkFor(languageOfFile(document) ?? '', {
						document: fileUri(absolute),
						workspaceFolder: fileUri(folder),
						...{ sites, image: fileUri(image), alt: 'A red fox' },
						form: form === 'wide' ? 'block' : form,
						htmlWidth: form === 'wide' ? 300 : undefined,
					}),
				);
				pages.push({ file, width, text: textWith[form](link), what });
			}
		}
	}
	await writeTree(folder, textsOf(pages, generator));
	return pages;
}

/** Writes a page of each format with images that have alternative texts in all forms, and none; generators differ about marks within them. */
async function writeAlts(generator: SiteGenerator, folder: string): Promise<Page[]> {
	const extensions = new Set(generator.documents.map((one) => path.extname(one)));
	const pages = [...extensions].map((extension): Page => {
		const document = generator.documents.find((one) => one.endsWith(extension))!;
		const file = posix.join(
			generator.root,
			document.replace('#', `alternatives-${extension.slice(1)}`),
		);
		const links = extension === '.rst' ? restructuredTextAlts : markdownAlts;
		const opening = extension === '.rst' ? 'A page\n======\n' : (generator.opening ?? '# A page\n');
		return { file, text: `${opening}\n${links.join('\n\n')}\n` };
	});
	await writeTree(folder, Object.fromEntries(pages.map(({ file, text }) => [file, text])));
	for (const { file } of pages) {
		await writeTree(folder, { [posix.join(posix.dirname(file), 'fox.png')]: pictureOfWidth(1) });
	}
	return pages;
}

const markdownAlts = [
	'![](./fox.png)',
	'![A red fox](./fox.png)',
	'![image](./fox.png "A title")',
	'Within ![a gray fox](./fox.png) a line, and ![](./fox.png).',
	'| a |\n|---|\n| ![In a table](./fox.png) |\n| ![](./fox.png) |',
	'![In a reference][fox]\n\n[fox]: ./fox.png',
	'<img src="./fox.png" alt="" />',
	'<img src="./fox.png" alt="In a tag" />',
	'<img src="./fox.png" />',
	'`![](./fox.png)`',
	'```md\n![](./fox.png)\n```',
	'> - ![](./fox.png)',
];

const restructuredTextAlts = [
	'.. image:: fox.png',
	'.. image:: fox.png\n   :width: 20\n   :alt: A red fox',
	'.. image:: fox.png\n   :alt:',
	'.. figure:: fox.png\n   :alt: A caption and more\n\n   A caption',
	'.. figure:: fox.png\n\n   A caption',
	'* .. image:: fox.png\n     :alt: In a list\n       of two lines',
	'Code::\n\n   .. image:: fox.png',
	'.. A comment\n   .. image:: fox.png',
	'.. list-table::\n\n   * - .. image:: fox.png\n     - b',
];

const textWith = {
	block: (link: string) => `Before.\n\n${link}\n\nAfter.`,
	wide: (link: string) => `Before.\n\n${link}\n\nAfter.`,
	inline: (link: string) => `Before ${link} and after.`,
	html: (link: string) => `<div>\n${link}\n</div>`,
	value: (link: string) => `---\nimage: ${link}\n---\n`,
};

/** Returns the texts of pages, of which start pages have several images. */
function textsOf(pages: readonly Page[], generator: SiteGenerator): Record<string, string> {
	const { opening = '', root, files } = generator;
	const texts: Record<string, string> = {};
	for (const { file, text } of pages) {
		const isWhole = /^(?:---|\+\+\+)\n/.test(text) || file.endsWith('.rst');
		const begun = files[posix.relative(root, file)] ?? (isWhole ? '' : `${opening}# A page\n`);
		const before = texts[file] ?? begun;
		texts[file] = `${before}${before && '\n'}${text}\n`;
	}
	return texts;
}
