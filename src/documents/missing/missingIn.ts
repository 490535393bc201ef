import { lstatSync } from 'node:fs';
import path from 'node:path';
import { nameProblem } from '../../files/nameProblem.js';
import { isGenericAlt } from '../../images/genericAlt.js';
import { findImages, type FoundImage } from '../findImages.js';
import {
	isInside,
	isUnderstood,
	localPaths,
	wallAround,
	type LinkingDocument,
} from '../localPath.js';
import type { LineRange } from '../check/finding.js';
import { frontMatter } from '../metadata.js';
import { publishedFolders, rulesOf, siteOfPage, sitesFor } from '../sites.js';
import { foldedPath } from './nameIndex.js';
import { isLocalized, whyUnknown, type UnknownReason } from './proof.js';

/** A reference to a file that does not exist. */
export interface MissingImage {
	/** Absolute path of the document. */
	readonly document: string;
	readonly reference: FoundImage;
	/** Absolute path of the file that is not there. */
	readonly path: string;
	/**
	 * Why no image can be made there: `format` where the name does not end in `.png`, `outside`
	 * where the path leaves its {@link wallAround} (symbolic links not considered), `name` where the
	 * system can have no file or folder of a name in it, `unknown` where only a generator knows where it
	 * leads.
	 */
	readonly obstacle: 'format' | 'outside' | 'name' | 'unknown' | undefined;
	/** Why it is not known whether it is missing. */
	readonly unknown: UnknownReason | undefined;
	/** Why it may not be wanted: its alt text does not say what it shows, or its path is an example. */
	readonly doubt: 'alt' | 'example' | undefined;
	/** Folded, what its path may be anywhere in the workspace; see `NameIndex`. */
	readonly names: readonly string[];
	/** The folder in which any file of such a path is the one that the link means. */
	readonly anywhereIn: string | undefined;
	/** Absolute paths of the folders that the site of the document publishes for it. */
	readonly reach: readonly string[];
	/** Absolute paths of files that the link may mean; see `decideMissing`. */
	readonly candidates: readonly string[];
	/** Place of its path, where many documents were checked. */
	readonly lines?: LineRange;
}

/** The missing images of one document, for example of one that is open. */
export function missingIn(
	text: string,
	place: LinkingDocument,
	system: NodeJS.Platform = process.platform,
): Generator<MissingImage> {
	const isMissing = (href: string) => missingFile(href, place) !== undefined;
	return missingAmong(findImages(text, isMissing), text, place, system);
}

/** Those of the images of a document that are not where it has them. */
export function* missingAmong(
	references: readonly FoundImage[],
	text: string,
	place: LinkingDocument,
	system: NodeJS.Platform = process.platform,
): Generator<MissingImage> {
	const { document, workspaceFolder, sites = [] } = place;
	const wall = wallAround(document, workspaceFolder);
	const { opening, closing } = frontMatter(text) ?? {};
	const metadata = opening && closing ? text.slice(opening.end, closing.start) : '';
	const reach = reachOf(place);
	const isOfSite = siteIn(place) !== undefined;
	for (const reference of references) {
		const file = missingFile(reference.href, place);
		if (file !== undefined) {
			const isKnown = isUnderstood(reference, sites);
			const vault = sites.find((site) => rulesOf(site).findsByName)?.root;
			const files = localPaths(reference, place);
			// A site may have its pages outside of its own folder.
			const isServed = reference.href.startsWith('/') && !isOfSite;
			const names = namesOf(reference);
			yield {
				document,
				reference,
				path: file,
				unknown: whyUnknown(reference, place, files, metadata),
				obstacle: isKnown ? obstacleTo(file, wall, system) : 'unknown',
				doubt: doubtAbout(reference),
				names: isServed ? names.flatMap((name) => [`static/${name}`, `public/${name}`]) : names,
				anywhereIn: isKnown && !isServed ? vault : wall,
				reach,
				candidates: [],
			};
		}
	}
}

/** The site that a document is a page of, where its generator is known. */
function siteIn({ document, workspaceFolder, publicFolder = '', sites = [] }: LinkingDocument) {
	const site = siteOfPage(document, sitesFor(workspaceFolder, publicFolder, sites, path), path);
	return site?.generator === 'other' ? undefined : site;
}

/** The folders, absolute, of which a link of a document may be made to mean a file. */
function reachOf(place: LinkingDocument): readonly string[] {
	const { document, workspaceFolder, sites = [] } = place;
	const site = siteIn(place);
	if (site !== undefined) {
		return publishedFolders(document, site, path);
	}
	const root = sites.find(({ generator }) => generator === 'GitHub')?.root;
	return [root ?? wallAround(document, workspaceFolder)];
}

/**
 * The file that a link of a document names and that is not there, absolute: the likeliest where it
 * may lie in several places, and none of them has it. Missing is what the file system says it did not
 * find, so that it can be made there; a broken link, or what lies in a folder that may not be looked
 * into, is not.
 *
 * @param href as in `FoundImage`
 */
export function missingFile(href: string, place: LinkingDocument): string | undefined {
	const files = localPaths({ href }, place);
	if (files.length === 0 && !isUnderstood({ href }) && imageEnding.test(href)) {
		return path.join(path.dirname(place.document), href.slice(0, 1000));
	}
	try {
		const isMissing = files.every((file) => !lstatSync(file, { throwIfNoEntry: false }));
		return isMissing && !isLocalized(files, place) ? files[0] : undefined;
	} catch {
		return undefined;
	}
}

const imageEnding = /\.(?:png|jpe?g|webp|gif|svg|avif)\b/i;

function obstacleTo(file: string, wall: string, system: NodeJS.Platform): MissingImage['obstacle'] {
	if (!/\.png$/i.test(file)) {
		return 'format';
	}
	if (!isInside(file, wall)) {
		return 'outside';
	}
	const names = path.relative(wall, file).split(path.sep);
	// Another system would take a backslash for a slash.
	const isNone = names.some((name) => name.includes('\\') || nameProblem(name, system));
	return names.at(-1)?.toLowerCase() === '.png' || isNone ? 'name' : undefined;
}

function doubtAbout({ alt, href }: FoundImage): MissingImage['doubt'] {
	return examplePath.test(href) ? 'example' : isGenericAlt(alt) ? 'alt' : undefined;
}

/** Paths that documentation writes as examples. */
const examplePath =
	/(?:^|\/)(?:path[-_/]?to|your[-_]|my[-_]?image|example[-_.]|some[-_](?:image|path)|placeholder|image[-_]?(?:name|file|url|path|link)?\.|foo\b|bar\.|<|\.\.\.)/i;

/** Returns the path as it is read, and as it is written, where a backslash may be no escape. */
function namesOf({ href, raw }: FoundImage): string[] {
	const names = [href, raw.replace(/^<|>$/g, '')].map((written) =>
		foldedPath(written.slice(0, 1000).replace(/(?<!&)[?#][^]*/, ''))
			.replace(/^.*\}/, '')
			.replace(/^(?:[@~$%][^/]*\/|\.{0,2}\/)+/, ''),
	);
	return [...new Set(names.filter((name) => name !== ''))];
}
