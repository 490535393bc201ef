import { existsSync, lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { EaselError } from '../../../easelError.js';
import { readBoundedSync } from '../../../files/boundedRead.js';
import { isInside } from '../../localPath.js';
import { scanDocuments } from '../../missing/scanDocuments.js';
import type { Finding } from '../finding.js';
import {
	defaultSettings,
	ruleIds,
	type CheckSettings,
	type RuleId,
	type Severity,
} from '../rules.js';
import { isRule, maxSettingsBytes, parseCheckSettings, settingsFile } from '../settings.js';
import { baselineText, countFindings, newFindings, parseBaseline } from './baseline.js';
import { formats } from './formats.js';
import { changedSince, repositoryOf } from './git.js';

/** The command could not run; the message is for the user. */
class UsageError extends Error {}

function fail(words: string): never {
	throw new UsageError(words);
}

const usage = `Usage: easel check [options] [paths]

Checks the images of Markdown, MDX, HTML, Vue, AsciiDoc, reStructuredText, LaTeX,
Typst and notebooks. Without paths, all documents of the repository.

  --changed-since <ref>  only what was changed since a commit or branch
  --rules <a,b>          only these rules
  --format <name>        text, json, github or sarif; the default is text
  --output <file>        write there instead of to the terminal
  --baseline <file>      known findings; the default is .easel/check-baseline.json
  --update-baseline      write what is found as the baseline
  --config <file>        settings; the default is .easel/check.json
  --warn                 exit with 0 also where there are findings
  --help, --version

Exits with 0 for no findings, 1 for findings, 2 where it could not run.
Rules: ${ruleIds.join(', ')}
The rule words counts in VS Code alone.
`;

const wordsNote =
	'The rule “words” needs a language model: Check Images… in VS Code checks it, this command does not.';
const defaultBaseline = '.easel/check-baseline.json';
const maxBaselineBytes = 64 * 1024 * 1024;
/** Number of findings; a repository with more needs no list of them. */
const maxFindings = 200_000;
/** Time for one document or folder. */
const maxStallMs = 10_000;

/**
 * Runs the command.
 *
 * @param script the bundle of the worker threads, absolute
 * @returns the exit code
 */
export async function run(args: readonly string[], script: string): Promise<number> {
	try {
		return await check(args, script);
	} catch (error) {
		const { message } = error as Error;
		const words = error instanceof EaselError ? stalledWords(error) : message;
		process.stderr.write(`easel check: ${words}\n`);
		if (!(error instanceof UsageError) && !(error instanceof EaselError)) {
			process.stderr.write(`${(error as Error).stack ?? ''}\n`);
		}
		return 2;
	}
}

async function check(args: readonly string[], script: string): Promise<number> {
	const options = optionsOf(args);
	if (options.help || options.version) {
		process.stdout.write(options.help ? usage : `${versionOf()}\n`);
		return 0;
	}
	const format = formats[options.format];
	if (format === undefined) {
		return fail(`There is no format “${options.format}”. Use text, json, github or sarif.`);
	}
	const paths = options.paths.map((one) => path.resolve(one));
	const gone = paths.find((one) => !existsSync(one));
	if (gone !== undefined) {
		fail(`${path.relative('.', gone)} does not exist.`);
	}
	const root = realpathSync(repositoryOf(process.cwd()));
	const starts = paths.length === 0 ? [root] : paths.map((one) => realpathSync(one));
	const given = settingsOf(options.config, root);
	const settings = withRules(given, options.rules);
	const changed =
		options.changedSince === undefined ? undefined : changes(options.changedSince, root);
	const collection = await scanDocuments(
		script,
		starts.map((start) => ({
			path: start,
			workspaceFolder: isInside(start, root) ? root : undefined,
			publicFolder: settings.publicFolder,
			exclude: { exclude: Object.fromEntries(settings.exclude.map((glob) => [glob, true])) },
		})),
		{ check: settings, threads: Math.min(4, availableParallelism()), maxFindings, maxStallMs },
	);
	const nameOf = (file: string) => path.relative(root, file).replaceAll(path.sep, '/');
	const isChanged = ({ document, image, destination }: Finding) =>
		changed === undefined ||
		changed.has(document) ||
		(image !== undefined && changed.has(image)) ||
		// The image may have been removed.
		changed.has(path.join(path.dirname(document), destination));
	const all = collection.findings.filter(isChanged);
	const notes = [
		...collection.problems.map(({ path: file, code }) => `Not read: ${nameOf(file)} (${code}).`),
		...(collection.complete ? [] : ['There are more findings than are listed.']),
		...(given.rules.words === 'off' ? [] : [wordsNote]),
	];
	const baseline = path.resolve(root, options.baseline ?? defaultBaseline);
	if (options.updateBaseline) {
		assertInside(baseline, root);
		mkdirSync(path.dirname(baseline), { recursive: true });
		writeFileSync(baseline, baselineText(countFindings(collection.findings, nameOf)));
		process.stderr.write(
			`${String(collection.findings.length)} findings are in ${nameOf(baseline)}.\n`,
		);
		return 0;
	}
	let findings: readonly Finding[] = all;
	if (options.baseline !== undefined || existsSync(baseline)) {
		const compared = newFindings(all, baselineOf(baseline), nameOf);
		({ findings } = compared);
		if (compared.known > 0) {
			notes.push(`${String(compared.known)} more are in the baseline.`);
		}
		// With a part of the documents, nothing is known of the others.
		if (compared.gone > 0 && changed === undefined && paths.length === 0) {
			notes.push(
				`${String(compared.gone)} of the baseline are mended: run with --update-baseline.`,
			);
		}
	}
	const { documents } = collection;
	const said = format({ findings, documents, notes, nameOf, version: versionOf() });
	if (options.output === undefined) {
		process.stdout.write(said);
	} else {
		writeFileSync(options.output, said);
	}
	return findings.length > 0 && !options.warn ? 1 : 0;
}

/** A repository may have a link in the place of the file. */
function assertInside(file: string, root: string): void {
	const folder = path.dirname(file);
	const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
	if (
		isLink ||
		(existsSync(folder) && isInside(file, root) && !isInside(realpathSync(folder), root))
	) {
		fail(`${path.relative('.', file)} is a link. Remove it, or name another file.`);
	}
}

function optionsOf(args: readonly string[]) {
	try {
		const { values, positionals } = parseArgs({
			args: [...args],
			allowPositionals: true,
			options: {
				...{ 'changed-since': { type: 'string' }, rules: { type: 'string' } },
				...{ format: { type: 'string', default: 'text' }, output: { type: 'string' } },
				...{ baseline: { type: 'string' }, 'update-baseline': { type: 'boolean', default: false } },
				...{ config: { type: 'string' }, warn: { type: 'boolean', default: false } },
				...{
					help: { type: 'boolean', default: false },
					version: { type: 'boolean', default: false },
				},
			} as const,
		});
		return {
			...values,
			changedSince: values['changed-since'],
			updateBaseline: values['update-baseline'],
			// The program is called `easel`, and this its only command.
			paths: positionals[0] === 'check' ? positionals.slice(1) : positionals,
		};
	} catch (error) {
		fail(`${(error as Error).message}\n\n${usage}`);
	}
}

function settingsOf(given: string | undefined, root: string): CheckSettings {
	const file = path.resolve(given ?? path.join(root, settingsFile));
	if (given === undefined && !existsSync(file)) {
		return defaultSettings;
	}
	const problems: string[] = [];
	const settings = parseCheckSettings(textOf(file, maxSettingsBytes), (one) => problems.push(one));
	if (problems.length > 0) {
		fail(`${path.relative('.', file)}: ${problems.join(' ')}`);
	}
	return settings;
}

/**
 * Turns all rules off but those of a list, which count as warnings where they were off, and the one that
 * needs a language model.
 */
function withRules(settings: CheckSettings, list: string | undefined): CheckSettings {
	if (list === undefined) {
		return { ...settings, rules: { ...settings.rules, words: 'off' } };
	}
	const wanted = list.split(',').map((name) => name.trim());
	const unknown = wanted.find((name) => !isRule(name));
	if (unknown !== undefined) {
		fail(`There is no rule “${unknown}”. Rules: ${ruleIds.join(', ')}.`);
	}
	if (wanted.includes('words')) {
		fail(wordsNote);
	}
	const severityOf = (rule: RuleId): Severity => {
		const { [rule]: severity } = settings.rules;
		return !wanted.includes(rule) ? 'off' : severity === 'off' ? 'warning' : severity;
	};
	const rules = Object.fromEntries(ruleIds.map((rule) => [rule, severityOf(rule)]));
	return { ...settings, rules: rules as CheckSettings['rules'] };
}

function changes(ref: string, root: string): Set<string> {
	try {
		return changedSince(ref, root);
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

function baselineOf(file: string) {
	try {
		return parseBaseline(textOf(file, maxBaselineBytes));
	} catch (error) {
		fail(`${path.relative('.', file)}: ${(error as Error).message}`);
	}
}

function textOf(file: string, maxBytes: number): string {
	try {
		return readBoundedSync(file, { maxBytes }).toString('utf8');
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

/** A file or a pattern takes longer than it may. */
function stalledWords({ facts }: EaselError): string {
	const { name, glob } = facts as { name?: string; glob?: string };
	return `${glob ?? name ?? facts.code} takes longer than ${String(maxStallMs / 1000)} s. Leave it out by “exclude” in ${settingsFile}.`;
}

function versionOf(): string {
	return process.env['EASEL_VERSION'] ?? '0.0.0';
}
