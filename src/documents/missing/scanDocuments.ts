import { missingFinding } from '../check/missingFinding.js';
import type { Finding } from '../check/finding.js';
import type { MadeImages } from '../check/imageFiles.js';
import { fileRules, type CheckSettings } from '../check/rules.js';
import { decideMissing, verdictOn } from './decide.js';
import { DocumentReader } from '../reading/reader.js';
import { search } from '../reading/search.js';
import type { SearchOrder, SearchRoot } from '../reading/searchOrder.js';
import type { MissingImage } from './missingIn.js';
import type { ScanProblem } from './scan.js';

export interface ScanOptions {
	/** Called about every 50 ms with the sums so far. */
	readonly onProgress?: (progress: { documents: number; images: number }) => void;
	readonly signal?: AbortSignal;
	/** The longest that one document, or all that lies in one folder, may take, in milliseconds. */
	readonly maxStallMs?: number;
	/** Folders of files that links may mean; by default the workspace folders of the roots. */
	readonly folders?: readonly string[];
	/** With them, documents of all formats are checked; without, Markdown is searched. */
	readonly check?: CheckSettings;
	/** As in `ImageFiles`. */
	readonly made?: MadeImages | undefined;
	/** Number of worker threads. */
	readonly threads?: number;
	/** The default is 10,000. */
	readonly maxFindings?: number;
}

export interface ScanResult {
	/** Number of documents that were read. */
	readonly documents: number;
	/** Ordered by document, then by place; at most 10,000, and 500 of one document. */
	readonly images: readonly MissingImage[];
	/** Results of a check, in the same order, with the images that are proved to be missing. */
	readonly findings: readonly Finding[];
	/** At most 1,000. */
	readonly problems: readonly ScanProblem[];
	/** `false` where there are more missing images than were collected. */
	readonly complete: boolean;
}

const maxImages = 10_000;
const maxProblems = 1000;

/**
 * Scans documents for images that do not exist, and with `check` for all that its rules find. Worker
 * threads do it step by step, so that a document or a pattern that never ends is given up.
 *
 * @param script the bundle of the worker that reads documents, absolute
 * @throws {unknown} the signal's reason, at once when it is aborted
 * @throws {SearchStalledError} where a pattern or a document takes too long, with its name
 * @throws {Error} where the worker cannot start
 */
export async function scanDocuments(
	script: string,
	roots: readonly SearchRoot[],
	{
		onProgress,
		signal,
		maxStallMs = 10_000,
		check,
		made,
		threads = 1,
		...options
	}: ScanOptions = {},
): Promise<ScanResult> {
	const { folders = roots.flatMap((root) => root.workspaceFolder ?? []) } = options;
	const maxFound = options.maxFindings ?? maxImages;
	signal?.throwIfAborted();
	const readers = Array.from(
		{ length: threads },
		() => new DocumentReader(script, { timeLimitMs: maxStallMs }),
	);
	const dispose = () => Promise.all(readers.map((reader) => reader.dispose()));
	// A step that is under way fails then.
	signal?.addEventListener('abort', () => void dispose(), { once: true });
	const steps = readers.map(
		(reader) => (order: SearchOrder) => reader.read('scan', { ...order, check, made }),
	);
	let images: MissingImage[] = [];
	const findings: Finding[] = [];
	const problems = new Map<string, ScanProblem>();
	let documents = 0;
	let complete = true;
	try {
		for await (const answer of search(roots, ...steps)) {
			documents += answer.documents;
			images.push(...answer.images);
			findings.push(...answer.findings);
			const isFull = images.length >= maxImages || findings.length >= maxFound;
			complete &&= answer.complete && !isFull;
			for (const problem of answer.problems.slice(0, maxProblems - problems.size)) {
				problems.set(problem.path, problem);
			}
			onProgress?.({ documents, images: images.length + findings.length });
			signal?.throwIfAborted();
			if (isFull) {
				break;
			}
		}
		images = await decideMissing(
			images.sort(byImagePlace).slice(0, maxImages),
			folders,
			readers[0]!,
		);
	} catch (error) {
		signal?.throwIfAborted();
		throw error;
	} finally {
		await dispose();
	}
	const severity = check?.rules['image-missing'] ?? 'off';
	if (severity !== 'off') {
		const proved = images.filter((image) => verdictOn(image) !== 'unknown');
		findings.push(...proved.map((image) => missingFinding(image, severity)));
	}
	return {
		...{ documents, images, complete, problems: [...problems.values()] },
		findings: oncePerFile(findings.sort(byPlace)).slice(0, maxFound),
	};
}

function byImagePlace(one: MissingImage, other: MissingImage): number {
	return byPlace(
		{ document: one.document, span: one.reference.span },
		{ document: other.document, span: other.reference.span },
	);
}

function byPlace(
	one: Pick<Finding, 'document' | 'span'>,
	other: Pick<Finding, 'document' | 'span'>,
): number {
	if (one.document !== other.document) {
		return one.document < other.document ? -1 : 1;
	}
	return one.span.start - other.span.start;
}

/** Leaves out what was found of a file already, where many documents show it. */
function oncePerFile(findings: readonly Finding[]): Finding[] {
	const known = new Set<string>();
	return findings.filter(({ rule, image }) => {
		const key = `${rule} ${image ?? ''}`;
		if (fileRules.includes(rule) && known.has(key)) {
			return false;
		}
		known.add(key);
		return true;
	});
}
