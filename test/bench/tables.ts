import type { Goal, Unit } from './bench.js';
import { fallsShort, type Result, type Spread } from './results.js';

/** The whole table, for a terminal: medians, and from quartile to quartile. */
export function terminalTable(results: readonly Result[]): string {
	const lines = [
		[
			...['', 'rounds', 'median', 'quartiles'],
			...['beside', 'median', 'quartiles', 'ratio', 'quartiles', 'goal', ''],
		],
		...results.map((result) => {
			const { row, rounds, ours, beside, ratio } = result;
			return [
				row.what,
				String(rounds),
				figure(ours.median, row.unit),
				quartiles(ours),
				row.beside ?? '',
				beside === undefined ? '' : figure(beside.median, row.unit),
				quartiles(beside),
				ratio === undefined ? '' : ratio.median.toFixed(2),
				ratio === undefined ? '' : `${ratio.lower.toFixed(2)}–${ratio.upper.toFixed(2)}`,
				goalWords(row.goal, row.unit),
				row.goal === undefined ? '' : fallsShort(result) ? 'FALLS SHORT' : 'met',
			];
		}),
	];
	const widths = lines[0]!.map((_, column) =>
		Math.max(...lines.map((line) => line[column]!.length)),
	);
	const isText = (column: number) => [0, 4, 10].includes(column);
	return lines
		.map((line) =>
			line
				.map((cell, column) =>
					isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
				)
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}

/** Returns a line for each result that misses its goal. */
export function shortfalls(results: readonly Result[]): string[] {
	let above = '';
	return results.flatMap((result) => {
		const { row, ours, ratio } = result;
		// Rows that begin with dots belong to the one above.
		const belongs = row.what.startsWith('…');
		above = belongs ? above : row.what;
		if (!fallsShort(result)) {
			return [];
		}
		const isRatio = row.goal !== undefined && 'ratio' in row.goal;
		const measured = !isRatio
			? figure(ours.median, row.unit)
			: ratio === undefined
				? `not measured beside ${row.beside!}`
				: `${ratio.median.toFixed(2)} of ${row.beside!}`;
		const what = belongs ? `${above},${row.what.slice(1)}` : row.what;
		return [`${what}: ${measured}, should be ${goalWords(row.goal, row.unit)}`];
	});
}

/** Returns the table of the guide's page on performance, in Markdown. */
export function guideTable(results: readonly Result[]): string {
	const rows = results.filter(({ row }) => row.inGuide);
	return [
		'| What | Easel | Beside | Ratio |',
		'|---|--:|---|--:|',
		...rows.map(({ row, ours, beside, ratio }) => {
			const mark = beside && `${row.beside!}: ${figure(beside.median, row.unit)}`;
			const cells = [row.what, figure(ours.median, row.unit), mark, ratio?.median.toFixed(2)];
			return `|${cells.map((cell) => (cell === undefined ? ' ' : ` ${cell} `)).join('|')}|`;
		}),
		'',
		...new Set(rows.map(({ machine }) => `Medians on ${machine}.`)),
	].join('\n');
}

function goalWords(goal: Goal | undefined, unit: Unit): string {
	if (goal === undefined) {
		return '';
	}
	return 'ratio' in goal ? `≤ ${goal.ratio.toFixed(2)}` : `≤ ${figure(goal.most, unit)}`;
}

function quartiles(spread: Spread | undefined): string {
	return spread === undefined ? '' : `${number(spread.lower)}–${number(spread.upper)}`;
}

function figure(value: number, unit: Unit): string {
	return unit === 'ms' && value >= 10_000
		? `${number(value / 1000)} s`
		: `${number(value)} ${unit}`;
}

/** With as many digits as say something. */
function number(value: number): string {
	return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
}
