import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatOf, languageOfFile, type DocumentFormat } from '../languages.js';
import { isUnderstood, localPaths, wallAround, type LinkingDocument } from '../localPath.js';
import { frontMatter } from '../metadata.js';
import { missingAmong, type MissingImage } from '../missing/missingIn.js';
import { whyUnknown } from '../missing/proof.js';
import { partsOf } from '../notebook.js';
import { linkFolders, type LinkContext } from '../writeImageLink.js';
import { checkAltTexts } from './altRules.js';
import { decorativeLink } from './decorativeLink.js';
import { linesIn, type Finding } from './finding.js';
import { type ImageFiles, widthOf, withCaseOf } from './imageFiles.js';
import { findingTexts } from './messages.js';
import { fileRules, type CheckSettings, type RuleId } from './rules.js';
import { shownImages, type ShownImage } from './shownImages.js';

/** Result of one document. */
export interface CheckedDocument {
	readonly findings: readonly Finding[];
	/** Images that are not where the document has them; whether they are missing is decided later. */
	readonly missing: readonly MissingImage[];
}

/** Longest link that goes along with a finding, in UTF-16 code units. */
const maxLinkLength = 3000;

/**
 * Applies the rules to a document of any format, or to the cells of a notebook.
 *
 * @param text of the file
 * @param language the editor's identifier; by default what the file's name says
 */
export async function checkDocument(
	text: string,
	place: LinkingDocument,
	settings: CheckSettings,
	files: ImageFiles,
	language = languageOfFile(place.document) ?? 'markdown',
): Promise<CheckedDocument> {
	const format = formatOf(language) ?? 'markdown';
	const findings: Finding[] = [];
	const missing: MissingImage[] = [];
	const lines = linesIn(text);
	let linkContext: LinkContext | undefined;
	const context = () => (linkContext ??= contextOf(place));
	const isOn = (rule: RuleId) => settings.rules[rule] !== 'off';
	for (const part of partsOf(place.document, text)) {
		const images = shownImages(part.text, format);
		if (images.length === 0) {
			continue;
		}
		const add = (
			rule: RuleId,
			{ reference, caption }: ShownImage,
			message: string,
			{ image, newText }: { readonly image?: string | undefined; readonly newText?: string } = {},
		) => {
			if (!isOn(rule)) {
				return;
			}
			const { destinationSpan, destination, href } = reference;
			const ofPath = (rule.startsWith('image-') || fileRules.includes(rule)) && destination !== '';
			const span = part.place(ofPath ? destinationSpan : reference.span);
			const link = part.place(reference.span);
			const fixed = part.place(destinationSpan);
			findings.push({
				...{ rule, severity: settings.rules[rule], document: place.document, span },
				...{ lines: lines(span), image, destination, message, caption },
				fix: newText === undefined ? undefined : { ...fixed, newText },
				link: text.slice(link.start, link.end).slice(0, maxLinkLength),
				linkStart: link.start,
				decorative:
					rule.startsWith('alt-') && format === 'markdown'
						? decorativeLink(
								{
									link: part.text.slice(reference.span.start, reference.span.end),
									behind: part.text.charAt(reference.span.end),
									href,
								},
								language,
								context(),
								image && asUri(image).path,
							)
						: undefined,
			});
		};
		const known = resolved(images, part.text, format, place, files);
		for (const { rule, image, message } of checkAltTexts(images, settings)) {
			add(rule, image, message, { image: known.get(image)?.file });
		}
		for (const [image, { file, isExact }] of known) {
			const { destination, raw } = image.reference;
			if (!isExact && isProved(image, part.text, place)) {
				const name = path.basename(file);
				const shown = name === path.posix.basename(destination) ? file : name;
				const newText = withCaseOf(file, raw);
				const fix = newText === undefined ? {} : { newText };
				add('image-case', image, findingTexts['image-case'](destination, shown), {
					image: file,
					...fix,
				});
			}
			for (const [rule, message] of await remarksOn(file, destination, place, settings, files)) {
				add(rule, image, message, { image: file });
			}
		}
		if (isOn('image-missing') && isProvable(format, part.text)) {
			const unresolved = images
				.filter((image) => !known.has(image))
				.map(({ reference }) => reference);
			for (const image of missingAmong(unresolved, part.text, place)) {
				const destinationSpan = part.place(image.reference.destinationSpan);
				const reference = {
					...image.reference,
					span: part.place(image.reference.span),
					destinationSpan,
				};
				missing.push({ ...image, reference, lines: lines(destinationSpan) });
			}
		}
	}
	return { findings: findings.sort((one, other) => one.span.start - other.span.start), missing };
}

/** Returns the files of images, where they are there in some letter case. */
function resolved(
	images: readonly ShownImage[],
	text: string,
	format: DocumentFormat,
	place: LinkingDocument,
	files: ImageFiles,
) {
	const { document, workspaceFolder } = place;
	const isMarkdown = format === 'markdown' || format === 'mdx';
	const foldersAt = isMarkdown
		? undefined
		: linkFolders(languageOfFile(document) ?? '', text, contextOf({ ...place, sites: [] }));
	const wall = wallAround(document, workspaceFolder);
	const known = new Map<ShownImage, { readonly file: string; readonly isExact: boolean }>();
	for (const image of images) {
		const { href, destinationSpan } = image.reference;
		const folders = foldersAt?.(destinationSpan.start).map(asPath);
		const named = href === '' ? [] : localPaths({ href }, { ...place, folders });
		const all = format === 'latex' ? named.flatMap(withExtensions) : named;
		const found = files.find(all, wall);
		if (found !== undefined) {
			known.set(image, found);
		}
	}
	return known;
}

/** LaTeX finds files without their extensions. */
function withExtensions(file: string): string[] {
	return [file, ...['.pdf', '.png', '.jpg', '.jpeg', '.eps'].map((one) => file + one)];
}

function contextOf({ document, workspaceFolder, publicFolder, sites = [] }: LinkingDocument) {
	return {
		document: asUri(document),
		...(workspaceFolder !== undefined && { workspaceFolder: asUri(workspaceFolder) }),
		publicFolder,
		sites: sites.map((site) => ({ ...site, root: asUri(site.root).path })),
	};
}

function asUri(file: string) {
	return { scheme: 'file', authority: '', path: decodeURIComponent(pathToFileURL(file).pathname) };
}

function asPath(uriPath: string): string {
	return path.sep === '\\' ? path.normalize(uriPath.replace(/^\/(?=[a-z]:)/i, '')) : uriPath;
}

/** Returns whether it is known that a link leads nowhere else. */
function isProved({ reference }: ShownImage, text: string, place: LinkingDocument): boolean {
	const files = localPaths(reference, place);
	return (
		isUnderstood(reference, place.sites) &&
		whyUnknown(reference, place, files, metadataOf(text)) === undefined
	);
}

function metadataOf(text: string): string {
	const { opening, closing } = frontMatter(text) ?? {};
	return opening && closing ? text.slice(opening.end, closing.start) : '';
}

/** Formats and texts whose relative paths start from the document itself, and from nowhere else. */
function isProvable(format: DocumentFormat, text: string): boolean {
	switch (format) {
		case 'markdown':
		case 'mdx':
		case 'restructuredText':
		case 'typst':
			return true;
		case 'asciidoc':
			return !/^:imagesdir:/m.test(text);
		case 'html':
			return /^\s*<(?:!doctype|html)\b/i.test(text) && !/\{[{%]|<[%?]/.test(text);
		case 'vue':
		case 'latex':
			return false;
	}
}

async function remarksOn(
	file: string,
	destination: string,
	{ document, workspaceFolder }: LinkingDocument,
	settings: CheckSettings,
	files: ImageFiles,
): Promise<(readonly [RuleId, string])[]> {
	const { rules, maxKilobytes, maxWidth, formats } = settings;
	const found: (readonly [RuleId, string])[] = [];
	const extension = path.extname(file).slice(1).toLowerCase();
	if (rules['image-format'] !== 'off' && formats?.includes(extension) === false) {
		found.push(['image-format', findingTexts['image-format'](destination, formats)]);
	}
	if (fileRules.every((rule) => rule === 'image-format' || rules[rule] === 'off')) {
		return found;
	}
	const root = wallAround(document, workspaceFolder);
	const bytes = files.bytesOf(file, root);
	if (bytes === undefined) {
		return found;
	}
	const kilobytes = Math.ceil(bytes / 1000);
	if (rules['image-weight'] !== 'off' && kilobytes > maxKilobytes) {
		found.push([
			'image-weight',
			findingTexts['image-weight'](destination, kilobytes, maxKilobytes),
		]);
	}
	const width = rules['image-dimensions'] === 'off' ? undefined : await widthOf(file);
	if (width !== undefined && width > maxWidth) {
		found.push([
			'image-dimensions',
			findingTexts['image-dimensions'](destination, width, maxWidth),
		]);
	}
	if (rules.recipe !== 'off' || rules.style !== 'off') {
		const { checkRecipe } = await import('./recipeRules.js');
		found.push(...(await checkRecipe(file, destination, root, settings, files)));
	}
	if (rules.words !== 'off') {
		found.push(['words', findingTexts.words(destination)]);
	}
	return found;
}
