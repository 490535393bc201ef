import type { Finding } from '../finding.js';
import { ruleIds, type RuleId } from '../rules.js';

/** Result of a run, as the formats need it. */
export interface RunResult {
	readonly findings: readonly Finding[];
	readonly documents: number;
	/** Sentences about the run itself. */
	readonly notes: readonly string[];
	/** Returns a path relative to the repository, with `/`. */
	readonly nameOf: (file: string) => string;
	readonly version: string;
}

/** Formats of the output, by the name of the option. */
export const formats: Readonly<Record<string, (result: RunResult) => string>> = {
	text,
	json,
	github,
	sarif,
};

function text({ findings, documents, notes, nameOf }: RunResult): string {
	let document: string | undefined;
	const lines = findings.flatMap((finding) => {
		const { line, column } = finding.lines;
		const head = finding.document === document ? [] : ['', nameOf(finding.document)];
		document = finding.document;
		const place = `${String(line)}:${String(column)}`.padEnd(8);
		return [
			...head,
			`  ${place} ${finding.severity.padEnd(8)} ${plain(finding.message)}  ${finding.rule}`,
		];
	});
	const sum =
		findings.length === 0
			? `No findings in ${counted(documents, 'document')}.`
			: `${counted(findings.length, 'finding')} in ${counted(documents, 'document')}.`;
	return [...lines, ...(lines.length > 0 ? [''] : []), sum, ...notes.map(plain), '']
		.join('\n')
		.trimStart();
}

function counted(count: number, noun: string): string {
	return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Leaves out what a terminal would take for an order: paths and texts are those of strangers. */
function plain(message: string): string {
	return message.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ');
}

function json({ findings, documents, notes, nameOf }: RunResult): string {
	const shown = findings.map(
		({ rule, severity, document, lines, image, destination, message, fix }) => ({
			...{ rule, severity, document: nameOf(document), ...lines },
			...{ image: image && nameOf(image), destination, message },
			fix: fix?.newText,
		}),
	);
	return `${JSON.stringify({ findings: shown, documents, notes }, undefined, 2)}\n`;
}

/** Workflow commands of GitHub Actions; a run shows 10 of each kind, the log all of them. */
function github({ findings, documents, notes, nameOf }: RunResult): string {
	const escape = (value: string) =>
		plain(value).replaceAll('%', '%25').replaceAll(',', '%2C').replaceAll(':', '%3A');
	const lines = findings.map(({ rule, severity, document, lines: at, message }) => {
		const kind = { off: 'notice', hint: 'notice', warning: 'warning', error: 'error' }[severity];
		const { line, column, endLine, endColumn } = at;
		// Columns count only within one line.
		const columns = line === endLine ? `,col=${String(column)},endColumn=${String(endColumn)}` : '';
		const place = `file=${escape(nameOf(document))},line=${String(line)},endLine=${String(endLine)}${columns}`;
		return `::${kind} ${place},title=${rule}::${plain(message).replaceAll('%', '%25')}`;
	});
	return [
		...lines,
		text({ findings: [], documents, notes, nameOf, version: '' }).replace(
			/^No findings/,
			counted(findings.length, 'finding'),
		),
	].join('\n');
}

/** SARIF 2.1.0, as GitHub's code scanning and GitLab's reports take it. */
function sarif({ findings, nameOf, version }: RunResult): string {
	const level = (severity: Finding['severity']) =>
		({ off: 'none', hint: 'note', warning: 'warning', error: 'error' })[severity];
	const results = findings.map(({ rule, severity, document, lines, message }) => {
		const { line: startLine, column: startColumn, endLine, endColumn } = lines;
		return {
			...{ ruleId: rule, ruleIndex: ruleIds.indexOf(rule), level: level(severity) },
			message: { text: message },
			locations: [
				{
					physicalLocation: {
						artifactLocation: {
							uri: encodeURI(nameOf(document)).replace(/[?#]/g, encodeURIComponent),
						},
						region: { startLine, startColumn, endLine, endColumn },
					},
				},
			],
		};
	});
	const rules = ruleIds.map((id) => ({
		...{ id, name: id, shortDescription: { text: descriptions[id] } },
	}));
	const driver = { name: 'Easel', version, rules };
	const run = { tool: { driver }, columnKind: 'utf16CodeUnits', results };
	const $schema = 'https://json.schemastore.org/sarif-2.1.0.json';
	return `${JSON.stringify({ $schema, version: '2.1.0', runs: [run] }, undefined, 2)}\n`;
}

const descriptions: Readonly<Record<RuleId, string>> = {
	'alt-missing': 'An image has no alternative text.',
	'alt-generic': 'An alternative text does not say what its image shows.',
	'alt-long': 'An alternative text is too long.',
	'alt-duplicate': 'Different images of a page have the same alternative text.',
	'image-missing': 'An image does not exist.',
	'image-case': 'A link to an image differs from its file in letter case.',
	'image-weight': 'The file of an image is too large.',
	'image-dimensions': 'An image is too wide.',
	'image-format': 'An image has a format that is not allowed.',
	recipe: 'An image of Easel has lost its recipe.',
	style: 'An image was made with another version of its style guide.',
	words: 'An image may have wrong words in it.',
};
