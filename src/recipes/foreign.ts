import { beginningOf } from '../images/shorten.js';
import { parseJson } from './recipe.js';
import type { TextChunk } from './textChunks.js';
import { readXmp, xmpKeyword } from './xmp.js';

/** Something that a file says, by a name; both by the program that has written the file. */
export interface Fact {
	readonly name: string;
	readonly text: string;
}

/** How another program says that it has made an image. All texts are those of strangers. */
export interface ForeignRecipe {
	/** The program, or how it is written where several write it so. */
	readonly source: string;
	readonly prompt: string | undefined;
	/** The rest, in the order in which people want to know it. */
	readonly facts: readonly Fact[];
}

/** In UTF-16 code units; of a longer text the beginning is shown. */
const maxFactLength = 20_000;
/** Of one file. */
const maxFacts = 60;

/**
 * What other programs have written into a PNG, by the keys that they commonly use; what no program
 * knows stands at the end as it is.
 *
 * @param texts those that Easel has not written itself
 */
export function foreignRecipes(texts: readonly TextChunk[]): ForeignRecipe[] {
	const byKey = new Map<string, string>();
	for (const { keyword, text } of texts) {
		if (text !== undefined && text.trim() !== '' && !byKey.has(keyword)) {
			byKey.set(keyword, text);
		}
	}
	const found = readers.flatMap((read) => read(byKey) ?? []);
	const rest = [...byKey].map(([name, text]) => fact(name, text)).slice(0, maxFacts);
	return rest.length === 0
		? found
		: [...found, { source: 'Text in the file', prompt: undefined, facts: rest }];
}

/** Takes what it knows out of the texts. */
type Reader = (texts: Map<string, string>) => ForeignRecipe | undefined;

/** `parameters`: the prompt, the negative prompt, a line of settings; SwarmUI writes JSON there. */
const readParameters: Reader = (texts) => {
	const text = take(texts, 'parameters');
	if (text === undefined) {
		return undefined;
	}
	const swarm = object(object(parseJson(text))?.['sui_image_params']);
	if (swarm !== undefined) {
		const { prompt, ...rest } = swarm;
		return recipeOf('SwarmUI', prompt, factsOf(rest));
	}
	// As many lines as letters would fill memory: none is made of them.
	const lines = `\n${text}`;
	const [words, settings] = divided(lines, lines.lastIndexOf('\nSteps: '));
	const [prompt, without] = divided(words, words.indexOf(`\n${negativeStart}`));
	return recipeOf('AUTOMATIC1111', prompt.trim(), [
		...optional('Negative prompt', without.slice(1 + negativeStart.length).trim()),
		...optional('Settings', settings.trim()),
	]);
};

/** All of it stands before a place that is not there. */
function divided(text: string, at: number): readonly [before: string, behind: string] {
	return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

const negativeStart = 'Negative prompt: ';

/** `prompt`: the nodes that have run, by their numbers; `workflow`: the graph as it was drawn. */
const readComfy: Reader = (texts) => {
	const nodes = object(parseJson(texts.get('prompt') ?? ''));
	const graph = object(parseJson(texts.get('workflow') ?? ''));
	if (!Object.values(nodes ?? {}).some((node) => isText(object(node)?.['class_type']))) {
		if (!Array.isArray(graph?.['nodes'])) {
			return undefined;
		}
	}
	const workflow = take(texts, 'workflow');
	texts.delete('prompt');
	const ran = Object.values(nodes ?? {}).slice(0, maxNodes);
	const models = ran.map((node) => object(object(node)?.['inputs'])?.['ckpt_name']).filter(isText);
	const negatives = comfyTexts(nodes, ran, 'negative');
	const positives = comfyTexts(nodes, ran, 'positive');
	const all = ran.flatMap((node) => comfyText(node) ?? []);
	return recipeOf('ComfyUI', (positives.length > 0 ? positives : all).join('\n'), [
		...optional('Negative prompt', negatives.join('\n')),
		...optional('Model', [...new Set(models)].join(', ')),
		...optional('Workflow', workflow ?? ''),
	]);
};

/** Of a graph; more of it is not looked at. */
const maxNodes = 2000;

/** The texts that nodes of a graph take as this input of theirs. */
function comfyTexts(
	nodes: Readonly<Record<string, unknown>> | undefined,
	ran: readonly unknown[],
	input: string,
): string[] {
	const found = ran.flatMap((node) => {
		const link = object(object(node)?.['inputs'])?.[input];
		const from: unknown = Array.isArray(link) ? link[0] : undefined;
		return isText(from) && nodes !== undefined && Object.hasOwn(nodes, from)
			? (comfyText(nodes[from]) ?? [])
			: [];
	});
	return [...new Set(found)];
}

function comfyText(node: unknown): string | undefined {
	const text = object(object(node)?.['inputs'])?.['text'];
	return isText(text) ? text : undefined;
}

/** `Comment` with JSON, `Description` with the prompt, `Software` with the name. */
const readNovelAi: Reader = (texts) => {
	const comment = object(parseJson(texts.get('Comment') ?? ''));
	const isTheirs = texts.get('Software') === 'NovelAI' || isText(comment?.['uc']);
	if (!isTheirs || comment === undefined) {
		return undefined;
	}
	const description = take(texts, 'Description');
	['Comment', 'Software'].forEach((name) => texts.delete(name));
	const { prompt, uc, ...rest } = comment;
	return recipeOf('NovelAI', isText(prompt) ? prompt : description, [
		...optional('Negative prompt', uc),
		...optional('Model', take(texts, 'Source')),
		...factsOf(rest),
	]);
};

/** `invokeai_metadata`: JSON with words for its fields. */
const readInvokeAi: Reader = (texts) => {
	const metadata = object(parseJson(texts.get('invokeai_metadata') ?? ''));
	if (metadata === undefined) {
		return undefined;
	}
	['invokeai_metadata', 'invokeai_graph', 'invokeai_workflow'].forEach((key) => texts.delete(key));
	const { positive_prompt: prompt, negative_prompt: negative, model, ...rest } = metadata;
	const { name, model_name: earlier } = object(model) ?? {};
	return recipeOf('InvokeAI', prompt, [
		...optional('Negative prompt', negative),
		...optional('Model', isText(name) ? name : isText(earlier) ? earlier : model),
		...factsOf(rest),
	]);
};

const readPacket: Reader = (texts) => {
	const packet = take(texts, xmpKeyword);
	const found = packet === undefined ? {} : readXmp(packet);
	const { 'Iptc4xmpExt:AIPromptInformation': prompt, ...rest } = found;
	return Object.keys(found).length === 0
		? undefined
		: recipeOf(
				'XMP',
				prompt,
				Object.entries(rest).map(([name, text]) => fact(name, text)),
			);
};

const readers: readonly Reader[] = [
	readParameters,
	readComfy,
	readNovelAi,
	readInvokeAi,
	readPacket,
];

function recipeOf(source: string, prompt: unknown, facts: readonly Fact[]): ForeignRecipe {
	return {
		source,
		prompt: isText(prompt) ? beginningOf(prompt, maxFactLength) : undefined,
		facts: facts.slice(0, maxFacts),
	};
}

/** Numbers and words of an object; what lies deeper says nothing to people. */
function factsOf(values: Readonly<Record<string, unknown>>): Fact[] {
	return Object.entries(values)
		.slice(0, maxFacts)
		.flatMap(([name, value]) => optional(name, value));
}

function optional(name: string, value: unknown): Fact[] {
	const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
	return isText(text) ? [fact(name, text)] : [];
}

function fact(name: string, text: string): Fact {
	return { name: beginningOf(name, 100), text: beginningOf(text, maxFactLength) };
}

function take(texts: Map<string, string>, key: string): string | undefined {
	const text = texts.get(key);
	texts.delete(key);
	return text;
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

function object(value: unknown): Readonly<Record<string, unknown>> | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Readonly<Record<string, unknown>>)
		: undefined;
}
