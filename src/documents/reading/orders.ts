import type { CheckedDocument } from '../check/checkDocument.js';
import type { CheckSettings } from '../check/rules.js';
import type { CopyTarget } from '../copyFiles.js';
import type { FoundImage } from '../findImages.js';
import type { LinkingDocument } from '../localPath.js';
import type { MendedLink } from '../missing/mended.js';
import type { MissingImage } from '../missing/missingIn.js';
import type { ScanAnswer, ScanOrder } from '../missing/scan.js';
import type { Site } from '../sites.js';
import type { FindAnswer, FindOrder, ShownOrder } from './find.js';

/** Orders to the worker, with its answers. */
export interface Readings {
	/** The images of a Markdown text. */
	readonly images: {
		readonly order: { readonly text: string };
		readonly answer: readonly ImagePlace[];
	};
	/** Those of a document whose files do not exist; see `missingIn`. */
	readonly missing: {
		readonly order: { readonly text: string } & LinkingDocument;
		readonly answer: readonly MissingImage[];
	};
	/** Returns whether a link would mean a file; see `isMended`. */
	readonly mended: {
		readonly order: MendedLink & LinkingDocument;
		readonly answer: boolean;
	};
	/** The sites that documents of a folder lie in; see `sitesAbove`. */
	readonly sites: {
		readonly order: { readonly folder: string; readonly workspaceFolder: string | undefined };
		readonly answer: readonly Site[];
	};
	/** A step of a search for them in many documents, or of a check of these; see `scan`. */
	readonly scan: { readonly order: ScanOrder; readonly answer: ScanAnswer };
	/** One document that is open; see `checkDocument`. */
	readonly check: {
		readonly order: {
			readonly text: string;
			readonly language: string;
			readonly settings: CheckSettings;
		} & LinkingDocument;
		readonly answer: CheckedDocument;
	};
	/** Which files of a list the settings show; see `shown`. */
	readonly shown: { readonly order: ShownOrder; readonly answer: readonly string[] };
	/** A step of a search for files by their names; see `find`. */
	readonly find: { readonly order: FindOrder; readonly answer: FindAnswer };
	/** Place that `markdown.copyFiles.destination` gives an image; see `copyFilesDestination`. */
	readonly destination: {
		readonly order: {
			readonly setting: Readonly<Record<string, unknown>>;
			readonly target: CopyTarget;
		};
		readonly answer: string | undefined;
	};
}

/** Image of a document: its place, its target and its alt text. */
export type ImagePlace = Pick<FoundImage, 'href' | 'span' | 'destinationSpan' | 'alt'>;

export type ReadingOrder = {
	[Type in keyof Readings]: { readonly type: Type } & Readings[Type]['order'];
}[keyof Readings];

export type ReadingAnswer = Readings[keyof Readings]['answer'];

/** Maximum number of images of one text: transferring answers takes time here too. */
export const maxImagesRead = 5000;
/** Maximum number of missing images: they come with their surroundings. */
export const maxMissing = 500;
