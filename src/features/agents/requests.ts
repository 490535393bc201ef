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
import { referencesFromArgument } from '../../asking/argument.js';
import type { Services } from '../../services.js';
import { requestsOfDraft } from '../../asking/target.js';
import { assertTarget } from '../../generation/target.js';
import { documentAt } from '../../editor/documents.js';
import { ImageError } from '../../images/inspect.js';
import type { ImageRequest, Insertion, Operation, RequestOrigin } from '../../jobs/request.js';
import type { AgentArguments } from '../../protocol/agents.js';
import { nearestOffered } from '../../editor/service.js';
import { agentMessages } from '../messages.js';
import { AgentError, namedPlace, pathFor, resolvePath, rootFolder } from './paths.js';

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
};

/**
 * Returns the requests of a call, checked by the same walls as those of a command. Nothing is bought
 * that exists: a target that is there, or may be meant by a file that is, throws.
 *
 * @throws {AgentError | ArgumentError | SettingError} saying what is wrong
 */
export async function requestsOfCall(
	call: AgentImageCall,
	origin: RequestOrigin,
	{ anchors, styles }: Pick<Services, 'anchors' | 'styles'>,
): Promise<readonly ImageRequest[]> {
	const wanted = wantedBy(call);
	const { operation, prompt } = wanted;
	const context = await contextFor(wanted, { anchors }, call.root ?? rootFolder());
	try {
		const references = await referencesFor(wanted);
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
			count: wanted.count ?? 1,
			references: asReferences(references),
			output: wanted.target === undefined ? undefined : outputOf(wanted.target),
		};
		const requests = await requestsOfDraft(draft);
		if (requests?.[0] === undefined) {
			throw new AgentError(agentMessages.noFolder);
		}
		await assertTarget(requests[0].target);
		if (namesFile(call)) {
			await assertNew(requests[0]);
		}
		return requests.map((request) => ({ ...request, origin, altText: wanted.alt_text }));
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

function outputOf(target: string): vscode.Uri | string {
	const place = namedPlace(target);
	// What it ends with says whether it is a folder.
	const isCut = typeof place !== 'string' && /[/\\]$/.test(target) && !place.path.endsWith('/');
	return isCut ? place.with({ path: `${place.path}/` }) : place;
}

async function contextFor(
	{ operation, insert_into: place }: Wanted,
	{ anchors }: Pick<Services, 'anchors'>,
	root: vscode.Uri,
): Promise<CommandContext> {
	if (place === undefined) {
		return { workspaceFolder: root.toString() };
	}
	const uri = await resolvePath(operation, 'insert_into.document', place.document);
	const document = await documentAt(uri);
	if (document === undefined) {
		throw new AgentError(agentMessages.refused(agentMessages.noDocument(pathFor(uri))));
	}
	const insertion = insertionIn(document, place.line, anchors);
	const workspaceFolder = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? root;
	return {
		document: document.uri.toString(),
		insertion,
		workspaceFolder: workspaceFolder.toString(),
	};
}

function insertionIn(
	document: vscode.TextDocument,
	line: number | undefined,
	anchors: Services['anchors'],
): Insertion {
	const path = pathFor(document.uri);
	if (line !== undefined && line > document.lineCount) {
		throw new AgentError(
			agentMessages.refused(agentMessages.lineBeyondEnd(path, document.lineCount)),
		);
	}
	const isKnown = formatOf(languageOf(document)) !== undefined;
	const insertion = isKnown ? anchors.trackLine(document, line) : undefined;
	if (insertion === undefined) {
		throw new AgentError(agentMessages.refused(agentMessages.notADocument(path)));
	}
	return insertion;
}

/** Returns the reference images; those of an edit begin with the image that is changed. */
async function referencesFor({ operation, image, references = [] }: Wanted): Promise<vscode.Uri[]> {
	const original = image === undefined ? [] : [await resolvePath(operation, 'image', image)];
	const others = await referencesFromArgument(references.map(namedPlace), rootFolder(), operation);
	const all = [...original, ...others];
	for (const uri of all) {
		await assertImage(uri);
	}
	return all;
}

/** @throws {AgentError} where it is missing, or no image that the service takes */
async function assertImage(uri: vscode.Uri): Promise<void> {
	try {
		await inspectUri(uri);
	} catch (error) {
		throw error instanceof ImageError
			? new AgentError(
					agentMessages.refused(agentMessages.notAnImage(pathFor(uri), wordsOf(error))),
				)
			: error;
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
