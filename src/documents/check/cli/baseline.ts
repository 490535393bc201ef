import type { Finding } from '../finding.js';
import { isRule } from '../settings.js';

/** Numbers of findings that are known, by document and rule; lines may move without a change. */
export type Baseline = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Returns the findings as a baseline, in the order of the documents' names. */
export function countFindings(
	findings: readonly Finding[],
	nameOf: (document: string) => string,
): Baseline {
	const counts: Record<string, Record<string, number>> = {};
	for (const { document, rule } of findings) {
		const ofDocument = (counts[nameOf(document)] ??= {});
		ofDocument[rule] = (ofDocument[rule] ?? 0) + 1;
	}
	return Object.fromEntries(
		Object.entries(counts)
			.sort(([one], [other]) => (one < other ? -1 : 1))
			.map(([name, rules]) => [name, Object.fromEntries(Object.entries(rules).sort())]),
	);
}

/** Returns a baseline as the text of its file. */
export function baselineText(counts: Baseline): string {
	return `${JSON.stringify({ format: 1, counts }, undefined, '\t')}\n`;
}

/** @throws {Error} where it is none, in words for the user */
export function parseBaseline(text: string): Baseline {
	const given = JSON.parse(text) as { format?: unknown; counts?: unknown } | null;
	if (given?.format !== 1 || typeof given.counts !== 'object' || given.counts === null) {
		throw new Error('it is no baseline of this version');
	}
	return given.counts as Baseline;
}

/**
 * Leaves out the findings of each document and rule that are not more than the baseline has. Where they
 * are more, all of them are there: none of them says that it is new.
 *
 * @returns also how many the baseline has that were not found, for a smaller one to be written
 */
export function newFindings(
	findings: readonly Finding[],
	baseline: Baseline,
	nameOf: (document: string) => string,
): { readonly findings: readonly Finding[]; readonly known: number; readonly gone: number } {
	const counts = countFindings(findings, nameOf);
	const allowed = (name: string, rule: string) =>
		Object.hasOwn(baseline, name) ? Number(baseline[name]?.[rule] ?? 0) : 0;
	const left = findings.filter(({ document, rule }) => {
		const name = nameOf(document);
		return (counts[name]?.[rule] ?? 0) > allowed(name, rule);
	});
	let gone = 0;
	for (const [name, rules] of Object.entries(baseline)) {
		for (const rule of Object.keys(rules).filter(isRule)) {
			gone += Math.max(0, allowed(name, rule) - (counts[name]?.[rule] ?? 0));
		}
	}
	return { findings: left, known: findings.length - left.length, gone };
}
