// Arguments as models send them: what is not ambiguous is understood, by the schema of the tool alone.
import * as z from 'zod';

/** Kinds of paths: one to be read, one to be written, a folder or document to be searched, the project. */
export type AgentPathKind = 'image' | 'document' | 'target' | 'folder' | 'workspace';

/** Facts of a field that its type does not have. */
interface FieldMeaning {
	readonly path?: AgentPathKind;
	/** True if a number beyond a limit counts as the limit. */
	readonly isClamped?: true;
	/** True for the size of an image, of which several ways of writing are understood. */
	readonly isSize?: true;
	/** Value that an answer shows where another one is refused. */
	readonly example?: string;
}

/** The meanings of fields, by their schemas; a described or optional one has that of its origin. */
export const fieldMeanings = z.registry<FieldMeaning>();

/** Returns arguments in the one form that {@link agentTools} check, where they can be understood. */
export function normalizeArguments(schema: z.ZodType, args: unknown): unknown {
	return normalize(schema, args) ?? {};
}

/** @returns `undefined` for what says nothing: `null`, a blank text, a list or object without values */
function normalize(schema: unknown, value: unknown): unknown {
	if (schema instanceof z.ZodOptional) {
		return normalize(schema.unwrap(), value);
	}
	if (schema instanceof z.ZodArray) {
		const list = parsedJson(value, '[') ?? value;
		const items = (Array.isArray(list) ? list : [list])
			.map((item) => normalize(schema.element, item))
			.filter((item) => item !== undefined);
		return items.length === 0 ? undefined : items;
	}
	if (isAbsent(value)) {
		return undefined;
	}
	if (Array.isArray(value) && value.length <= 1 && !Array.isArray(value[0])) {
		return normalize(schema, value[0]);
	}
	if (schema instanceof z.ZodObject) {
		return normalizeObject(schema, parsedJson(value, '{') ?? value);
	}
	if (typeof value !== 'string') {
		return normalizeScalar(schema, value);
	}
	const meaning = schema instanceof z.ZodString ? fieldMeanings.get(schema) : undefined;
	if (schema instanceof z.ZodString && meaning?.path === undefined && meaning?.isSize !== true) {
		return value;
	}
	const text = unquoted(value);
	return /^(?:null|undefined|none)?$/i.test(text) ? undefined : normalizeScalar(schema, text);
}

function normalizeObject(schema: z.ZodObject, value: unknown): unknown {
	const { shape } = schema;
	const required = Object.keys(shape).filter((name) => !(shape[name] instanceof z.ZodOptional));
	// One text means the one field that has to be there.
	const [only] = required;
	const isOne = typeof value === 'string' && !/^\s*\{/.test(value) && required.length === 1;
	const fields = isOne ? { [only!]: value } : value;
	if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
		return value;
	}
	const entries = Object.entries(fields).flatMap(([name, given]): [string, unknown][] => {
		const normal = normalize(Object.hasOwn(shape, name) ? shape[name] : undefined, given);
		return normal === undefined ? [] : [[name, normal]];
	});
	return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function normalizeScalar(schema: unknown, value: unknown): unknown {
	if (schema instanceof z.ZodString) {
		const isPlain = typeof value === 'number' || typeof value === 'boolean';
		const text = isPlain ? String(value) : value;
		const { path, isSize } = fieldMeanings.get(schema) ?? {};
		if (isSize === true && typeof text === 'string') {
			const size = foldedChoice(text);
			return size === 'default' ? undefined : size;
		}
		return path !== undefined && typeof text === 'string' ? plainPath(text) : text;
	}
	if (schema instanceof z.ZodEnum) {
		const wanted = typeof value === 'string' ? foldedChoice(value) : undefined;
		const option = schema.options.find((one) => foldedChoice(String(one)) === wanted);
		return option ?? (wanted === 'auto' || wanted === 'default' ? undefined : value);
	}
	if (schema instanceof z.ZodBoolean) {
		const word = String(value).toLowerCase();
		const isTrue = ['true', 'yes', '1'].includes(word);
		return isTrue || (['false', 'no', '0'].includes(word) ? false : value);
	}
	if (!(schema instanceof z.ZodNumber)) {
		return value;
	}
	const isNumber = typeof value === 'string' && /^[-+]?\d{1,15}(?:\.\d{1,15})?$/.test(value);
	const number = isNumber ? Number(value) : value;
	const { min = -Infinity, max = Infinity } = limitsOf(schema);
	return fieldMeanings.get(schema)?.isClamped === true && typeof number === 'number'
		? Math.trunc(Math.min(max, Math.max(min, number)))
		: number;
}

/**
 * Returns the limits of a number, or of the length of a text or list. Those that zod has itself need its
 * writer of JSON Schema, which the extension leaves out.
 */
export function limitsOf(schema: z.ZodNumber | z.ZodString | z.ZodArray): {
	readonly min?: number;
	readonly max?: number;
} {
	const limits: { min?: number; max?: number } = {};
	for (const check of schema.def.checks ?? []) {
		const { value, minimum, maximum, ...of } = check._zod.def as z.core.$ZodCheckDef & Limits;
		if (of.check === 'greater_than' || of.check === 'min_length') {
			limits.min = value ?? minimum;
		} else if (of.check === 'less_than' || of.check === 'max_length') {
			limits.max = value ?? maximum;
		}
	}
	return limits;
}

/** Fields of zod's checks. */
interface Limits {
	readonly value?: number;
	readonly minimum?: number;
	readonly maximum?: number;
}

function isAbsent(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && !/\S/.test(value));
}

/** Returns a list or an object from its JSON text. */
function parsedJson(value: unknown, start: '[' | '{'): unknown {
	if (typeof value !== 'string' || !value.trimStart().startsWith(start)) {
		return undefined;
	}
	try {
		return JSON.parse(value);
	} catch {
		return undefined;
	}
}

/** Returns a choice without the differences between its usual ways of writing: `1024 × 1024`. */
function foldedChoice(text: string): string {
	return text
		.toLowerCase()
		.replace(/\s+/g, '')
		.replace(/[×✕*]|(?<=\d)by(?=\d)/g, 'x');
}

const quotes = /^(["'`“‘])(.*)["'`”’]$/s;

/** Returns a text without blanks and quotes around it. */
function unquoted(text: string): string {
	const plain = text.trim();
	const [, , inner] = quotes.exec(plain) ?? [];
	return inner === undefined ? plain : inner.trim();
}

/** Limit of a path, in UTF-16 code units. */
export const maxPathTextLength = 4096;

/** Returns the path of an image or link of Markdown, or the path that is given. */
function plainPath(text: string): string {
	if (text.length > maxPathTextLength) {
		return text;
	}
	const [, link] = /^!?\[[^\]]*\]\((.+)\)$/s.exec(text) ?? [];
	const path = unquoted(link?.replace(/ +(?:"[^"]*"|'[^']*')$/, '') ?? text);
	const [, inner] = /^<(.+)>$/s.exec(path) ?? [];
	return inner ?? path;
}

/** A path of arguments, and where it stands. */
export interface NamedPath {
	readonly text: string;
	readonly kind: AgentPathKind;
	/** Such as `references[0]`. */
	readonly field: string;
	/** A path that it could be. */
	readonly example: string;
}

/** Returns normalized arguments with their paths changed. */
export async function mapPaths(
	schema: unknown,
	value: unknown,
	map: (path: NamedPath) => Promise<string>,
	field = '',
): Promise<unknown> {
	if (schema instanceof z.ZodOptional) {
		return mapPaths(schema.unwrap(), value, map, field);
	}
	if (schema instanceof z.ZodArray && Array.isArray(value)) {
		return Promise.all(
			value.map((one: unknown, index) =>
				mapPaths(schema.element, one, map, `${field}[${String(index)}]`),
			),
		);
	}
	if (schema instanceof z.ZodObject && typeof value === 'object' && value !== null) {
		const entries = Object.entries(value).map(async ([name, one]) => {
			const inner: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
			return [name, await mapPaths(inner, one, map, field === '' ? name : `${field}.${name}`)];
		});
		return Object.fromEntries((await Promise.all(entries)) as [string, unknown][]);
	}
	const { path: kind, example } =
		(schema instanceof z.ZodString ? fieldMeanings.get(schema) : undefined) ?? {};
	return kind !== undefined && typeof value === 'string'
		? map({ text: value, kind, field, example: example ?? '' })
		: value;
}
