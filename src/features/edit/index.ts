import * as vscode from 'vscode';
import { BackupStore } from '../../editor/backupStore.js';
import { registerCommand } from '../../editor/commands.js';
import type { GenerateArgument } from '../../editor/commandTable.js';
import { uriExists } from '../../editor/files.js';
import { notify, runDetached } from '../../editor/messages.js';
import { ensureReady, nearestOffered } from '../../editor/service.js';
import { readSetting } from '../../editor/settings.js';
import { targetImage, targetImages } from '../../editor/targetImage.js';
import { safeText } from '../../editor/untrustedText.js';
import {
	asUri,
	parseArgument,
	type ParsedArgument,
	documentInFront,
	referencesFromArgument,
} from '../../asking/argument.js';
import { withOtherReferences, type Draft } from '../../asking/draft.js';
import { asReferences, knownQuality, urisOf } from '../../editor/imageRequest.js';
import { askReferences } from '../../asking/options.js';
import { needsEditor, rememberAsked, requestsOfAnswer } from '../../asking/questions.js';
import { registerRequestCommand } from '../../asking/requestCommands.js';
import { galleryImageAt, masterOf } from '../../library/galleryLookup.js';
import { messages } from '../../messages.js';
import type { Services } from '../../services.js';
import { requestsOfDraft } from '../../asking/target.js';
import type { ImageRequest } from '../../jobs/request.js';
import { editMessages } from '../messages.js';
import { askForEdit, offerOthers, readReferences, type Facts } from './ask.js';
import { registerAtCursor } from './atCursor.js';
import { moveUnnamed } from './moveUnnamed.js';
import { offerToUpdateReferences, updateReferences } from './references.js';
import { Replacements } from './replace.js';

/** "Edit with Prompt…": a new image from others and an instruction; the originals stay. */
export function registerEdit(deps: Services): vscode.Disposable {
	const { exporter, gallery, storage } = deps;
	const replacements = new Replacements(new BackupStore(storage), notify, (image) =>
		exporter.refresh(image, gallery),
	);
	return vscode.Disposable.from(
		registerCommand('easel.makeDarkVariant', (target) => makeDark(target, deps)),
		registerCommand('easel.editWithPrompt', (target, selected) => edit(target, selected, deps)),
		registerRequestCommand('change', 'edit', (draft) => change(draft, deps)),
		registerRequestCommand('requests', 'edit', requestsOfWritten),
		registerRequestCommand('replaceOriginal', 'edit', async (original, made) =>
			replacements.replace(original, made, await noteOfAnswer(made, deps)),
		),
		registerRequestCommand('offerLinks', 'edit', offerToUpdateReferences),
		registerRequestCommand('updateLinks', 'edit', updateReferences),
		registerRequestCommand('moveUnnamed', 'edit', moveUnnamed),
		registerAtCursor(deps),
	);
}

/** Says where the whole answer stays of which an image with the rest of its original was made. */
async function noteOfAnswer(made: vscode.Uri, { history }: Services): Promise<string[]> {
	const { keptRest, references = [] } = (await galleryImageAt(made, history)) ?? {};
	const answer = keptRest && references[0] && vscode.Uri.parse(references[0], true);
	const isThere = answer && (await uriExists(answer).catch(() => false));
	return isThere ? [messages.wholeUsed(safeText(vscode.workspace.asRelativePath(answer)))] : [];
}

/**
 * The command: takes the images that a menu or an argument names, else the one in front, else asks;
 * then asks for the instruction. Returns the saved images, or `undefined` where the user cancelled.
 *
 * @throws {ArgumentError} naming the field that is wrong
 * @throws {SettingError}
 */
async function edit(
	called: vscode.Uri | string | GenerateArgument | undefined,
	selected: unknown,
	deps: Services,
): Promise<vscode.Uri[] | undefined> {
	const target = typeof called === 'string' ? (asUri(called) ?? called) : called;
	// Menus pass the file's URI; that of a webview an object of its own kind, which names no file.
	const isFromWebview = target instanceof Object && 'webview' in target;
	const given = parseArgument('edit', isFromWebview ? undefined : target);
	const found = await findReferences(target, selected, given);
	return editImages(found, given, deps, given.prompt === undefined);
}

/** "Make Dark Variant…": an edit whose result documents show on dark pages. */
async function makeDark(called: vscode.Uri | string | undefined, deps: Services): Promise<void> {
	const image = await targetImage(typeof called === 'string' ? asUri(called) : called);
	if (image === undefined) {
		await notify('info', editMessages.selectForDark);
		return;
	}
	const given = { ...parseArgument('edit', undefined), prompt: editMessages.darkPrompt };
	await editImages([image], given, deps, true, image.toString());
}

/**
 * @param asks true where the user is asked for the instruction
 * @param darkOf as in the request
 */
async function editImages(
	references: readonly vscode.Uri[],
	given: ParsedArgument,
	deps: Services,
	asks: boolean,
	darkOf?: string,
): Promise<vscode.Uri[] | undefined> {
	const masters = await Promise.all(references.map((uri) => masterOf(uri, deps.gallery)));
	const [first] = masters;
	if (first === undefined) {
		return undefined;
	}
	const read = await readReferences(masters);
	if (read.problems.size > 0) {
		// A user who has chosen other images wants to see what is made of them.
		runDetached(
			offerOthers(read).then((others) => others && editImages(others, given, deps, true, darkOf)),
		);
		return [];
	}
	if (!(await ensureReady(deps.keys))) {
		return undefined;
	}
	const draft = { ...startingPoint(given, masters, read.facts, first), darkOf };
	const asked = asks ? await askForEdit(draft, read.facts, deps) : { type: 'make' as const, draft };
	const requests = asked && (await requestsOfAnswer(asked, deps.prompts));
	return requests && (asks || (await deps.callConfirmation.allows(requests)))
		? make(requests, deps)
		: undefined;
}

/** Asks once more for a request that has failed, with everything as it was. */
async function change(draft: Draft, deps: Services): Promise<void> {
	const read = await readReferences(urisOf(draft.references));
	if (read.problems.size > 0) {
		runDetached(
			offerOthers(read).then(
				(others) => others && change(withOtherReferences(draft, asReferences(others)), deps),
			),
		);
		return;
	}
	const asked = needsEditor(draft.prompt)
		? { type: 'write' as const, draft }
		: await askForEdit(draft, read.facts, deps);
	const requests = asked && (await requestsOfAnswer(asked, deps.prompts));
	await (requests && make(requests, deps));
}

/** Returns the requests of an instruction that was written in an editor, if its images can still be used. */
async function requestsOfWritten(
	draft: Draft,
	change: (draft: Draft) => Promise<void>,
): Promise<ImageRequest[] | undefined> {
	const read = await readReferences(urisOf(draft.references));
	if (read.problems.size === 0) {
		return requestsOfDraft(draft);
	}
	// With other images the user goes on in the editor.
	runDetached(
		offerOthers(read).then(
			(others) => others && change(withOtherReferences(draft, asReferences(others))),
		),
	);
	return undefined;
}

async function make(
	requests: readonly ImageRequest[],
	{ generator, preferences }: Services,
): Promise<vscode.Uri[] | undefined> {
	await rememberAsked(requests, preferences);
	return generator.make(requests);
}

async function findReferences(
	target: unknown,
	selected: unknown,
	given: ParsedArgument,
): Promise<readonly vscode.Uri[]> {
	if (given.references !== undefined && given.references.length > 0) {
		const root = vscode.workspace.workspaceFolders?.[0]?.uri;
		return referencesFromArgument(given.references, root, 'edit');
	}
	const images = await targetImages(target, selected);
	if (images.length > 0) {
		return images;
	}
	return (await askReferences(editMessages.title, [])) ?? [];
}

/** An edit belongs to the folder of its first reference, and to the document in front, if any. */
function startingPoint(
	{ prompt = '', size, background, count = 1, style, output }: ParsedArgument,
	references: readonly vscode.Uri[],
	facts: Facts,
	first: vscode.Uri,
): Draft {
	const dimensions = facts.get(first.toString());
	const nearest = dimensions && nearestOffered(dimensions);
	const folder =
		vscode.workspace.getWorkspaceFolder(first) ?? vscode.workspace.workspaceFolders?.[0];
	return {
		operation: 'edit',
		document: documentInFront()?.uri.toString(),
		workspaceFolder: folder?.uri.toString(),
		prompt,
		size: size ?? nearest ?? readSetting('image.size', first),
		quality: knownQuality(readSetting('image.quality', first)),
		background,
		count,
		withoutStyle: style === false || undefined,
		references: asReferences(references),
		output,
	};
}
