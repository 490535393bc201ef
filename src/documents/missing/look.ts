import path from 'node:path';
import type { ActivityNote } from './activity.js';
import { MissingFiles } from './missingFiles.js';
import { everyImageIsThere } from './quickLook.js';
import { isUtf16, readBytes } from './readText.js';
import type { Reports } from './reports.js';
import { documentsIn, type Exclude, type ScanRoot } from './walk.js';

/** What is to be looked through. */
export interface ScanOrder {
	readonly roots: readonly ScanRoot[];
	readonly exclude: Exclude;
	readonly respectGitignore: boolean;
}

/** A document that only a parser can tell about. */
export interface Suspect {
	/** Absolute. */
	readonly document: string;
	readonly workspaceFolder: string | undefined;
}

/**
 * Reads all documents, without a pause, and finds those that may have missing images: in most of
 * them every image is there, which is seen without a parser.
 */
export function look(
	order: ScanOrder,
	reports: Reports,
	note: ActivityNote,
	onSuspect: (suspect: Suspect) => void,
): void {
	const files = new MissingFiles();
	const onProblem = (where: string, error: unknown) => {
		reports.problem(path.normalize(where), error);
	};
	for (const { root, folder, names } of documentsIn(order.roots, { ...order, onProblem, note })) {
		const { workspaceFolder } = root;
		for (const name of names) {
			const document = path.normalize(`${folder}/${name}`);
			reports.document();
			try {
				const text = readBytes(document);
				note.reading(document);
				const isThere = (href: string) => files.of(href, document, workspaceFolder) === undefined;
				if (isUtf16(text) || !everyImageIsThere(text, isThere)) {
					onSuspect({ document, workspaceFolder });
				}
			} catch (error) {
				onProblem(document, error);
			}
			note.waiting();
		}
	}
}
