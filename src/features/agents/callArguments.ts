import type * as vscode from 'vscode';
import * as z from 'zod';
import { shortened } from '../../editor/untrustedText.js';
import {
	fieldMeanings,
	limitsOf,
	mapPaths,
	normalizeArguments,
	type NamedPath,
} from '../../protocol/agentArguments.js';
import { agentTools, type AgentArguments, type AgentToolName } from '../../protocol/agents.js';
import { agentMessages } from '../messages.js';
import { placeMeantBy, type PathMeaning } from './namedPaths.js';
import { AgentError, callFolders, textOfPlace, type CallPlace } from './paths.js';

/** A wrong argument: its field, and a sentence about it. */
export interface ArgumentProblem {
	readonly field: string;
	readonly words: string;
}

/** Arguments of a call that were checked; their paths are absolute. */
export interface ResolvedArguments<Name extends AgentToolName> {
	readonly input: AgentArguments<Name>;
	/** Files that do not exist; they do not matter to a call that repeats an earlier one. */
	readonly unfound: readonly ArgumentProblem[];
}

/**
 * Checks the arguments of a call and makes their paths absolute.
 *
 * @throws {AgentError} with all that is wrong with them
 */
export async function resolveArguments<Name extends AgentToolName>(
	name: Name,
	args: unknown,
	place: CallPlace,
): Promise<ResolvedArguments<Name>> {
	const { schema }: { readonly schema: z.ZodObject } = agentTools[name];
	const normal = normalizeArguments(schema, args);
	const checked = schema.safeParse(normal);
	const wrong = (checked.error?.issues ?? []).map((issue) => problemWith(issue, schema, normal));
	const input = checked.success ? checked.data : normal;
	const unfound: ArgumentProblem[] = [];
	const refused: ArgumentProblem[] = [];
	const resolve = async (path: NamedPath, document?: vscode.Uri) => {
		const meaning = await placeMeantBy(path, place, document);
		if (meaning.type === 'found' || (meaning.type === 'missing' && path.kind === 'target')) {
			return meaning.uri;
		}
		const problem = { field: path.field, words: pathWords(meaning, path, place) };
		(meaning.type === 'missing' ? unfound : refused).push(problem);
		return meaning.type === 'missing' ? meaning.uri : undefined;
	};
	const isToResolve = ({ kind, field }: NamedPath) =>
		kind !== 'workspace' && !wrong.some((one) => field.startsWith(one.field));
	// The site of the document decides what the other paths mean.
	let document: vscode.Uri | undefined;
	const placed = await mapPaths(schema, input, async (path) => {
		if (path.kind === 'document' && isToResolve(path)) {
			document = await resolve(path);
		}
		return document !== undefined && path.kind === 'document' ? textOfPlace(document) : path.text;
	});
	const resolved = await mapPaths(schema, placed, async (path) => {
		const isLeft = path.kind === 'document' || !isToResolve(path);
		const uri = isLeft ? undefined : await resolve(path, document);
		return uri === undefined ? path.text : textOfPlace(uri);
	});
	if (wrong.length > 0 || refused.length > 0) {
		throw wrongArguments([...wrong, ...refused, ...unfound]);
	}
	return { input: resolved as AgentArguments<Name>, unfound };
}

/** As {@link resolveArguments}, where all files of a call have to exist. */
export async function resolveExisting<Name extends AgentToolName>(
	name: Name,
	args: unknown,
	place: CallPlace,
): Promise<AgentArguments<Name>> {
	const { input, unfound } = await resolveArguments(name, args, place);
	if (unfound.length > 0) {
		throw wrongArguments(unfound);
	}
	return input;
}

function wrongArguments(problems: readonly ArgumentProblem[]): AgentError {
	return new AgentError(agentMessages.wrongArguments(problems.map(({ words }) => words)));
}

function pathWords(
	meaning: Exclude<PathMeaning, { type: 'found' }>,
	{ text, kind, field, example }: NamedPath,
	{ base, root }: CallPlace,
): string {
	const given = shownValue(text);
	const start = base ?? root;
	const { paths, suchAs } = agentMessages.expected;
	switch (meaning.type) {
		case 'outside':
			return agentMessages.outsideField(field, given, callFolders(), example);
		case 'missing':
			return agentMessages.unfoundField(field, given, start ? textOfPlace(start) : '', example);
		case 'refused':
			return agentMessages.refusedField(field, given, meaning.reason);
		case 'notAPath':
			return agentMessages.wrongField(field, given, suchAs(paths[kind], example));
	}
}

function problemWith(issue: z.core.$ZodIssue, schema: z.ZodType, args: unknown): ArgumentProblem {
	let part: unknown = schema;
	let value = args;
	let field = '';
	for (const key of issue.path) {
		part = partOf(part, key);
		value = (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key];
		field += typeof key === 'number' ? `[${String(key)}]` : `${field && '.'}${String(key)}`;
	}
	if (issue.code === 'unrecognized_keys') {
		const known = Object.keys((inner(part) as z.ZodObject).shape);
		const names = issue.keys.map((key) =>
			shortened(`${field && `${field}.`}${key}`, maxShownLength),
		);
		return { field: names.join(), words: agentMessages.unknownFields(names, known) };
	}
	const expected = expectedBy(part);
	const words =
		value === undefined
			? agentMessages.missingField(field, expected)
			: agentMessages.wrongField(field, shownValue(value), expected);
	return { field: field || 'arguments', words };
}

function inner(schema: unknown): unknown {
	return schema instanceof z.ZodOptional ? inner(schema.unwrap()) : schema;
}

function partOf(schema: unknown, key: PropertyKey): unknown {
	const whole = inner(schema);
	if (whole instanceof z.ZodArray) {
		return whole.element;
	}
	return whole instanceof z.ZodObject ? whole.shape[key as string] : undefined;
}

/** Returns words for what a field takes, with an example. */
function expectedBy(schema: unknown): string {
	const { choice, suchAs } = agentMessages.expected;
	const plain = inner(schema);
	return plain instanceof z.ZodEnum
		? choice(plain.options.map(String))
		: suchAs(kindOf(plain), JSON.stringify(exampleOf(plain)));
}

function kindOf(schema: unknown): string {
	const { paths, ...words } = agentMessages.expected;
	const plain = inner(schema);
	if (plain instanceof z.ZodString) {
		const { path, isSize } = fieldMeanings.get(plain) ?? {};
		return isSize
			? words.size
			: path === undefined
				? words.text(limitsOf(plain).max ?? 0)
				: paths[path];
	}
	if (plain instanceof z.ZodNumber) {
		const { min = 0, max } = limitsOf(plain);
		return words.number(min, max);
	}
	if (plain instanceof z.ZodArray) {
		return words.list(limitsOf(plain).max ?? 0, kindOf(plain.element));
	}
	if (plain instanceof z.ZodObject) {
		const all = Object.keys(plain.shape);
		const isNeeded = (name: string) => !(plain.shape[name] instanceof z.ZodOptional);
		return words.object(
			all.filter(isNeeded),
			all.filter((name) => !isNeeded(name)),
		);
	}
	return words.boolean;
}

function exampleOf(schema: unknown): unknown {
	const plain = inner(schema);
	if (plain instanceof z.ZodString) {
		return fieldMeanings.get(plain)?.example;
	}
	if (plain instanceof z.ZodNumber) {
		return Math.max(1, limitsOf(plain).min ?? 1);
	}
	if (plain instanceof z.ZodArray) {
		return [exampleOf(plain.element)];
	}
	if (plain instanceof z.ZodObject) {
		const needed = Object.entries(plain.shape).filter(([, one]) => !(one instanceof z.ZodOptional));
		return Object.fromEntries(needed.map(([name, one]) => [name, exampleOf(one)]));
	}
	return true;
}

/** Length of a given value in an answer, in graphemes. */
const maxShownLength = 60;

/** Returns a given value for an answer: short, and without the content of a file. */
function shownValue(value: unknown): string {
	if (typeof value !== 'string') {
		const short = (_name: string, part: unknown) =>
			typeof part === 'string' && part.length > 40 ? agentMessages.givenLong(part.length) : part;
		return shortened(JSON.stringify(value, short).slice(0, 1000), maxShownLength);
	}
	const [type] = /^data:[^,]{0,60},/i.exec(value) ?? [];
	if (type !== undefined) {
		return agentMessages.givenData(type, value.length);
	}
	const isEncoded = /^[\w+/=-]{61,}$/.test(value);
	return isEncoded
		? agentMessages.givenLong(value.length)
		: `“${shortened(value.slice(0, 1000), maxShownLength)}”`;
}
