import { posix } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { formatOf } from '../../documents/languages.js';
import { indexFiles } from '../../documents/missing/decide.js';
import { foldedPath, lastName } from '../../documents/missing/nameIndex.js';
import { documentReader } from '../../editor/documentReader.js';
import { wordsOf } from '../../editor/errorTexts.js';
import { uriExists } from '../../editor/files.js';
import { inspectUri } from '../../editor/images.js';
import { languageOf } from '../../editor/nearImage.js';
import { foldersOnDisk } from '../../editor/searchExcludes.js';
import { readSetting } from '../../editor/settings.js';
import type { Draft } from '../../asking/draft.js';
import {
	targetFile,
	parseUri,
	asReferences,
	knownQuality,
	type CommandContext,
} from '../../editor/imageRequest.js';
import { masterOf } from '../../library/galleryLookup.js';
import type { Services } from '../../services.js';
import { requestsOfDraft } from '../../asking/target.js';
import { assertTarget } from '../../generation/target.js';
import { documentAt } from '../../editor/documents.js';
import { ImageError } from '../../images/inspect.js';
import type { ImageRequest, Operation, RequestOrigin } from '../../jobs/request.js';
import type { AgentArguments } from '../../protocol/agents.js';
import { assertServiceOffers, nearestOffered } from '../../editor/service.js';
import { agentMessages } from '../messages.js';
import type { ArgumentProblem } from './callArguments.js';
import { exportWordsOf } from './exports.js';
import { AgentError, pathFor, placeOfText, rootFolder } from './paths.js';

/** Arguments of generating and editing, in one form. */
type Wanted = Omit<AgentArguments<'generate_image'>, 'request_key'> & {
	readonly operation: Operation;
	/** Image that is changed, of an edit. */
	readonly image?: string;
};

/** A call of `generate_image` or `edit_image`. */
export type AgentImageCall = (
	| { readonly tool: 'generate_image'; readonly input: AgentArguments<'generate_image'> }
	| { readonly tool: 'edit_image'; readonly input: AgentArguments<'edit_image'> }
) & {
	/** The workspace folder that it is for; the first one by default. */
	readonly root: vscode.Uri | undefined;
	/** Files of it that do not exist. */
	readonly unfound: readonly ArgumentProblem[];
};

/**
 * Returns the requests of a call, checked by the same walls as those of a command. Nothing is bought
 * that exists: a target that is there, or may be meant by a file that is, throws.
 *
 * @throws {AgentError | ArgumentError | RequestError | SettingError} saying what is wrong
 */
export async function requestsOfCall(
	call: AgentImageCall,
	origin: RequestOrigin,
	{ anchors, gallery, styles }: Pick<Services, 'anchors' | 'gallery' | 'styles'>,
): Promise<readonly ImageRequest[]> {
	const wanted = wantedBy(call);
	const { operation, prompt, image } = wanted;
	const files = [...(image === undefined ? [] : [image]), ...(wanted.references ?? [])];
	const references = await Promise.all(files.map((file) => masterOf(placeOfText(file), gallery)));
	const context = await checkedContext(call, wanted, anchors);
	try {
		const folder = parseUri(context.workspaceFolder);
		const scope = parseUri(context.document) ?? folder;
		const [original] = references;
		const size =
			wanted.size ??
			(operation === 'edit' && original !== undefined
				? nearestOffered(await inspectUri(original))
				: ((await styles.sizeFor(folder)) ?? readSetting('image.size', scope)));
		const draft: Draft = {
			operation,
			...context,
			prompt,
			size,
			quality: knownQuality(
				wanted.draft === true ? 'low' : (wanted.quality ?? readSetting('image.quality', scope)),
			),
			background: wanted.background,
			count: wanted.count ?? 1,
			references: asReferences(references),
			output: wanted.target === undefined ? undefined : placeOfText(wanted.target),
		};
		assertServiceOffers(draft, references.length);
		const requests = await requestsOfDraft(draft);
		if (requests?.[0] === undefined) {
			throw new AgentError(agentMessages.noFolder);
		}
		await assertTarget(requests[0].target);
		if (namesFile(call)) {
			await assertNew(requests[0]);
		}
		const preset = exportWordsOf(wanted);
		return requests.map((request) => ({
			...{ ...request, origin, altText: wanted.alt_text },
			...(preset !== undefined && {
				publish: { preset, folder: request.publish?.folder ?? request.target.folder },
			}),
		}));
	} catch (error) {
		anchors.forget(context.insertion);
		throw error;
	}
}

/** Returns `true` if a call names the file of its image, and not only its folder. */
export function namesFile({ input: { target } }: AgentImageCall): boolean {
	return target !== undefined && !/[/\\]$/.test(target);
}

function wantedBy(call: AgentImageCall): Wanted {
	if (call.tool === 'generate_image') {
		return { operation: 'generate', ...call.input };
	}
	const { instruction, ...input } = call.input;
	return { operation: 'edit', ...input, prompt: instruction };
}

/** Returns the context of a call whose files can be used. @throws {AgentError} naming all that cannot */
async function checkedContext(
	{ root = rootFolder(), unfound }: AgentImageCall,
	{ image, references = [], insert_into: place }: Wanted,
	anchors: Services['anchors'],
): Promise<CommandContext> {
	const named = references.map((one, index) => [`references[${String(index)}]`, one] as const);
	const images = image === undefined ? named : [['image', image] as const, ...named];
	const isFound = (field: string) => !unfound.some((one) => one.field === field);
	const problems = await Promise.all(
		images
			.filter(([field]) => isFound(field))
			.map(([field, text]) => imageProblem(field, placeOfText(text))),
	);
	const context =
		place === undefined || !isFound('insert_into.document')
			? { workspaceFolder: root.toString() }
			: await contextIn(place, root, anchors);
	const wrong = [...unfound.map(({ words }) => words), ...problems, context].filter(
		(one) => typeof one === 'string',
	);
	if (typeof context === 'string' || wrong.length > 0) {
		anchors.forget(typeof context === 'string' ? undefined : context.insertion);
		throw new AgentError(agentMessages.wrongArguments(wrong));
	}
	return context;
}

/** @returns words where no link can be written there */
async function contextIn(
	{ document: text, line }: NonNullable<Wanted['insert_into']>,
	root: vscode.Uri,
	anchors: Services['anchors'],
): Promise<CommandContext | string> {
	const uri = placeOfText(text);
	const path = pathFor(uri);
	const document = await documentAt(uri);
	if (document === undefined) {
		return agentMessages.noDocument(path);
	}
	if (line !== undefined && line > document.lineCount) {
		return agentMessages.lineBeyondEnd(path, document.lineCount);
	}
	const isKnown = formatOf(languageOf(document)) !== undefined;
	const insertion = isKnown ? anchors.trackLine(document, line) : undefined;
	if (insertion === undefined) {
		return agentMessages.notADocument(path);
	}
	const workspaceFolder = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? root;
	return {
		document: document.uri.toString(),
		insertion,
		workspaceFolder: workspaceFolder.toString(),
	};
}

/** Returns words on each image of print that a call names, which services may refuse. */
export async function printNotes(call: AgentImageCall): Promise<string[]> {
	const { image, references = [] } = wantedBy(call);
	const uris = [...(image === undefined ? [] : [image]), ...references].map(placeOfText);
	const notes = uris.map(async (uri) => {
		const facts = await inspectUri(uri).catch(() => undefined);
		return facts?.isCmyk === true ? [agentMessages.cmyk(pathFor(uri))] : [];
	});
	return (await Promise.all(notes)).flat();
}

/** Returns words where a file is missing, or no image that the service takes. */
async function imageProblem(field: string, uri: vscode.Uri): Promise<string | undefined> {
	try {
		await inspectUri(uri);
		return undefined;
	} catch (error) {
		if (error instanceof ImageError) {
			return agentMessages.notAnImage(`${field}: ${pathFor(uri)}`, wordsOf(error));
		}
		throw error;
	}
}

/** Time for the search for files that may be meant, in milliseconds. */
const maxSearchMs = 15_000;

/** @throws {AgentError} where the file exists, or another one may be meant */
async function assertNew(request: ImageRequest): Promise<void> {
	await assertMissing(request);
	const file = wishedFile(request);
	const near = await filesNear(file);
	if (near.length > 0) {
		throw new AgentError(agentMessages.targetNear(pathFor(file), near));
	}
}

/** @throws {AgentError} where the file exists */
export async function assertMissing(request: ImageRequest): Promise<void> {
	const file = wishedFile(request);
	if (await uriExists(file)) {
		throw new AgentError(agentMessages.targetExists(pathFor(file)));
	}
}

/** Returns the file that a request is to make, as agents name it. */
export function wishedFile({ target }: ImageRequest): vscode.Uri {
	return targetFile({ ...target, number: undefined });
}

/** Returns files that the path may mean, by the rules of missing images, as agents name them. */
async function filesNear(file: vscode.Uri): Promise<string[]> {
	const folders = foldersOnDisk();
	const path = foldedPath(vscode.workspace.asRelativePath(file, false));
	if (file.scheme !== 'file' || folders.length === 0 || posix.basename(path) === '') {
		return [];
	}
	const searched = indexFiles(folders, documentReader(), [lastName(path)]);
	const ending = new AbortController();
	try {
		const late = delay(maxSearchMs, undefined, { signal: ending.signal });
		const index = await Promise.race([searched, late]);
		if (index === undefined) {
			throw new AgentError(agentMessages.lookingTakesLong);
		}
		return index.find(path).files.map((found) => pathFor(vscode.Uri.file(found)));
	} finally {
		ending.abort();
		searched.catch(() => undefined);
	}
}
