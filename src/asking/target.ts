import { posix } from 'node:path';
import * as vscode from 'vscode';
import { wordsOf } from '../editor/errorTexts.js';
import type { CopyTarget } from '../documents/copyFiles.js';
import { languageOfFile, takesImageFile } from '../documents/languages.js';
import { ReadingTooSlowError } from '../documents/reading/reader.js';
import { publishesFolder, siteImagesFolder, siteOfPage, sitesFor } from '../documents/sites.js';
import { documentImagesFolder } from '../documents/writeImageLink.js';
import { languageOf } from '../editor/nearImage.js';
import { documentReader } from '../editor/documentReader.js';
import {
	assertImageFolder,
	assertInside,
	OutsideWorkspaceError,
	resolveInside,
	uriExists,
} from '../editor/files.js';
import {
	readEditorSetting,
	readSetting,
	readSettingIfSet,
	SettingError,
} from '../editor/settings.js';
import {
	candidateNames,
	editedStem,
	FileNameError,
	fileNameFrom,
	type FileNameValues,
} from '../images/fileName.js';
import { ownPresets, parseExport } from '../images/exports/preset.js';
import { ArgumentError, resolveField } from './argument.js';
import type { ImageRequest, Operation } from '../jobs/request.js';
import { draftOf, requestsOf, type Draft } from './draft.js';
import {
	targetFile,
	targetIn,
	parseUri,
	urisOf,
	type Target,
	type CommandContext,
} from '../editor/imageRequest.js';
import { linkContextOf, openDocument, fileOf } from '../editor/documents.js';
import { labels, messages } from '../messages.js';
import { firstFree } from '../generation/target.js';

/**
 * Finds out where the images go: the command's argument, else the settings, else (where no folder
 * is open) a place that the user chooses; `undefined` where that was cancelled.
 *
 * @throws {ArgumentError} where the argument names a place that is not allowed
 * @throws {SettingError} where a setting does
 */
export async function findTarget(draft: Draft): Promise<Target | undefined> {
	const original = originalOf(draft);
	const stem =
		original === undefined
			? stemFromPattern(draft)
			: draft.darkOf === undefined
				? editedStem(posix.basename(original.path), draft.prompt)
				: `${posix.parse(original.path).name}-dark`;
	const root = parseUri(draft.workspaceFolder);
	if (draft.output !== undefined) {
		return fromArgument(draft.operation, root, draft.output, stem);
	}
	if (original !== undefined) {
		// The user has pointed at that very file, so its folder may lie anywhere.
		return targetIn(vscode.Uri.joinPath(original, '..'), undefined, stem);
	}
	if (root === undefined) {
		const document = savedDocument(draft);
		return chooseTarget(document && vscode.Uri.joinPath(document, '..', `${stem}.png`));
	}
	const ofDocument = await fromDocument(draft, root, stem);
	if (ofDocument !== undefined) {
		return ofDocument;
	}
	const setting = readSetting('output.folder', parseUri(draft.document) ?? root);
	try {
		const folder = await resolveInside(root, setting);
		await assertImageFolder(root, folder);
		return targetIn(folder, root, stem);
	} catch (error) {
		throw asSettingError('easel.output.folder', error);
	}
}

/** The image that an edit changes. */
function originalOf({ operation, references }: Draft): vscode.Uri | undefined {
	return operation === 'edit' ? urisOf(references)[0] : undefined;
}

async function fromArgument(
	operation: Operation,
	workspaceFolder: vscode.Uri | undefined,
	output: vscode.Uri | string,
	namedStem: string,
): Promise<Target> {
	const { uri, root } = await resolveField(operation, 'output', output, workspaceFolder);
	const isFolder = /[/\\]$/.test(typeof output === 'string' ? output : output.path);
	const folder = isFolder ? uri : uri.with({ path: posix.dirname(uri.path) });
	await assertImageFolder(root, folder).catch((error: unknown) => {
		throw error instanceof OutsideWorkspaceError
			? new ArgumentError(operation, 'output', error.message)
			: error;
	});
	if (isFolder) {
		return targetIn(folder, root, namedStem);
	}
	const name = posix.basename(uri.path);
	const stem = name.replace(/\.png$/i, '');
	if (stem === '' || stem === name) {
		throw new ArgumentError(operation, 'output', messages.mustBePng);
	}
	return targetIn(folder, root, stem);
}

/**
 * Returns the place that the document's own conventions name: what it says itself (`imagesdir` and
 * the like), else where its site has images, unless `easel.output.folder` is set, else, where it is no
 * page of a site, where VS Code's paste and drop put images (`markdown.copyFiles.destination`).
 */
async function fromDocument(
	draft: Draft,
	root: vscode.Uri,
	stem: string,
): Promise<Target | undefined> {
	const document = openDocument(parseUri(draft.document));
	if (document === undefined) {
		return undefined;
	}
	const file = fileOf(document.uri);
	const at = (path: string) => file.with({ path });
	const linking = await linkContextOf(document.uri, document.getText());
	const { sites = [] } = linking;
	const isFolderSet = readSettingIfSet('output.folder', file) !== undefined;
	const path =
		documentImagesFolder(languageOf(document), { ...linking, workspaceFolder: root }) ??
		(isFolderSet ? undefined : siteImagesFolder(file.path, sites));
	// A folder elsewhere is not ours to write into; the settings decide then.
	const isOurs =
		path !== undefined &&
		assertInside(root, at(path))
			.then(() => assertImageFolder(root, at(path)))
			.then(
				() => true,
				() => false,
			);
	if (path !== undefined && (await isOurs)) {
		return targetIn(at(path), root, stem);
	}
	const recognized = sites.filter(({ generator }) => generator !== 'setting');
	if (document.languageId !== 'markdown' || siteImagesFolder(file.path, recognized) !== undefined) {
		return undefined;
	}
	const setting = 'markdown.copyFiles.destination';
	const copied = await copyDestination(readEditorSetting(setting, file), {
		document: file.path,
		fileName: `${stem}.png`,
		workspaceFolder: root.path,
		workspaceFolders: (vscode.workspace.workspaceFolders ?? []).map((one) => one.uri.path),
	}).catch((error: unknown) => {
		throw asSettingError(setting, error);
	});
	if (copied === undefined) {
		// Of a site that is not understood, the folder of the document is published in any case.
		const isOfOther = siteOfPage(file.path, sites)?.generator === 'other' && !isFolderSet;
		return isOfOther ? targetIn(at(posix.dirname(file.path)), root, stem) : undefined;
	}
	const folder = at(posix.dirname(copied));
	await assertInside(root, folder)
		.then(() => assertImageFolder(root, folder))
		.catch((error: unknown) => {
			throw asSettingError(setting, error);
		});
	return targetIn(folder, root, safeStem(posix.basename(copied), draft));
}

/** Not on this thread: the setting may be a workspace's, with globs and expressions without an end. */
async function copyDestination(
	setting: Readonly<Record<string, unknown>>,
	target: CopyTarget,
): Promise<string | undefined> {
	// As a plain object: what VS Code returns goes into no worker.
	const plain = JSON.parse(JSON.stringify(setting)) as typeof setting;
	return Object.keys(plain).length === 0
		? undefined
		: documentReader().read('destination', { setting: plain, target });
}

async function chooseTarget(start: vscode.Uri | undefined): Promise<Target | undefined> {
	const chosen = await vscode.window.showSaveDialog({
		title: labels.whereToSave,
		saveLabel: labels.saveHere,
		filters: { Images: ['png'] },
		defaultUri: start,
	});
	if (chosen === undefined) {
		return undefined;
	}
	const stem = posix.basename(chosen.path).replace(/\.png$/i, '');
	return targetIn(chosen.with({ path: posix.dirname(chosen.path) }), undefined, stem);
}

/** The document, where it lies in a file. */
function savedDocument({ document }: CommandContext): vscode.Uri | undefined {
	const uri = parseUri(document);
	return uri?.scheme === 'untitled' ? undefined : uri;
}

function stemFromPattern(draft: Draft): string {
	const scope = parseUri(draft.document ?? draft.workspaceFolder);
	const pattern = readSetting('output.fileName', scope);
	try {
		return fileNameFrom(pattern, valuesOf(draft), '');
	} catch (error) {
		throw asSettingError('easel.output.fileName', error);
	}
}

/**
 * A name that is not ours, as one that we would give: without what means a folder, a stream or a
 * device on any system. Where nothing is left of it, it is made of the prompt.
 */
function safeStem(name: string, draft: Draft): string {
	// What a pattern would read in it means nothing here.
	const plain = name.replace(/\.png$/i, '').replace(/[/\\$]+/g, '-');
	return fileNameFrom(plain, valuesOf(draft), '');
}

function valuesOf(draft: Draft): FileNameValues {
	const document = savedDocument(draft);
	const documentName = document && posix.basename(document.path);
	const { prompt, size } = draft;
	return {
		prompt,
		size,
		time: new Date(),
		documentBaseName: documentName?.replace(/(?!^)\.[^.]*$/, ''),
	};
}

function asSettingError(setting: string, error: unknown): unknown {
	if (error instanceof ReadingTooSlowError) {
		return new SettingError(setting, messages.slowPattern);
	}
	return error instanceof FileNameError || error instanceof OutsideWorkspaceError
		? new SettingError(setting, wordsOf(error))
		: error;
}

/**
 * Returns the requests of a draft; `undefined` where the user cancelled. @throws {@link findTarget}
 */
export async function requestsOfDraft(draft: Draft): Promise<ImageRequest[] | undefined> {
	const target = draft.target ?? (await findTarget(draft));
	return target && requestsOf(...(await withMaster(draft, target)));
}

/**
 * Returns a new image and its place as `easel.output.publish` has them: the image itself among the
 * masters, and its export where the image would go. A place that was chosen is that of the image.
 *
 * @throws {SettingError}
 */
async function withMaster(draft: Draft, target: Target): Promise<[Draft, Target]> {
	const { operation, output, regeneratedFrom, workspaceFolder } = draft;
	const root = parseUri(workspaceFolder);
	const scope = parseUri(draft.document) ?? root;
	const isChosen = output !== undefined || draft.target !== undefined;
	const isNew = operation === 'generate' && regeneratedFrom === undefined;
	const preset = isNew && !isChosen && root ? publishedPreset(scope) : undefined;
	const language = languageOfFile(parseUri(draft.document)?.path ?? '') ?? '';
	const { format = '' } = parseExport(preset ?? '') ?? {};
	if (preset === undefined || root === undefined || !takesImageFile(language, `.${format}`)) {
		return [draft, target];
	}
	const publish = { preset, folder: target.folder };
	const masters = await mastersFolder(root, scope);
	return [{ ...draft, publish }, targetIn(masters, root, target.stem)];
}

/**
 * Returns the folder of images that documents show an export of.
 *
 * @throws {SettingError}
 */
export async function mastersFolder(
	root: vscode.Uri,
	scope: vscode.Uri | undefined,
): Promise<vscode.Uri> {
	try {
		const masters = await resolveInside(root, readSetting('output.masters', scope));
		await assertImageFolder(root, masters);
		const linking = await linkContextOf(vscode.Uri.joinPath(masters, 'README.md'), '');
		const { publicFolder = '', sites = [] } = linking;
		const all = sitesFor(root.path, publicFolder, sites);
		if (all.some((site) => publishesFolder(site, masters.path))) {
			const folder = vscode.workspace.asRelativePath(masters);
			throw new SettingError('easel.output.masters', messages.mastersPublished(folder));
		}
		return masters;
	} catch (error) {
		throw asSettingError('easel.output.masters', error);
	}
}

/** Returns the export that documents show, in words; `undefined` for none. */
function publishedPreset(scope: vscode.Uri | undefined): string | undefined {
	const name = readSetting('output.publish', scope).trim();
	const words = { ...ownPresets, ...readSetting('export.presets', scope) }[name] ?? name;
	if (words !== '' && parseExport(words) === undefined) {
		throw new SettingError('easel.output.publish', messages.notAnExport);
	}
	return words === '' ? undefined : words;
}

/** Limit of names that are tried for a place that is only shown. */
const maxShownNames = 100;

/**
 * Returns the file of a draft's first image, relative to the workspace, as it would be named now;
 * `undefined` where the user will be asked for the place, or where something is wrong with it.
 */
export async function plannedPlace(draft: Draft): Promise<string | undefined> {
	const { count } = draft;
	try {
		const planned = await plannedTarget(draft);
		const [, target] = planned === undefined ? [] : await withMaster(draft, planned);
		return (
			target &&
			vscode.workspace.asRelativePath(
				count === 1
					? await plannedFile(target)
					: targetFile({ ...target, number: await firstFree(target, count, new Set()) }),
			)
		);
	} catch {
		return undefined;
	}
}

/** Lets the user choose name and folder of a draft's images; `undefined` where that is cancelled. */
export async function askTarget(draft: Draft): Promise<Target | undefined> {
	const target = await plannedTarget(draft);
	return chooseTarget(target && (await plannedFile(target)));
}

async function plannedTarget(draft: Draft): Promise<Target | undefined> {
	const { prompt, output, workspaceFolder } = draft;
	const original = originalOf(draft);
	const isKnown = original !== undefined || output !== undefined || workspaceFolder !== undefined;
	return draft.target ?? (isKnown && prompt.trim() !== '' ? findTarget(draft) : undefined);
}

/** As one image would be named now. */
async function plannedFile({ folder, stem }: Target): Promise<vscode.Uri> {
	let file = targetFile({ folder, stem });
	let tries = 0;
	for (const name of candidateNames(`${stem}.png`)) {
		file = vscode.Uri.joinPath(file, '..', name);
		tries += 1;
		if (tries > maxShownNames || !(await uriExists(file))) {
			break;
		}
	}
	return file;
}

/**
 * Returns the draft of a request that is asked for again. Its image goes where it went although the
 * prompt is changed; a name that was made of the prompt is made anew.
 */
export async function draftAgain(request: ImageRequest, count = 1): Promise<Draft> {
	const draft = draftOf(request, count);
	const target = { ...request.target, number: undefined };
	const original = originalOf(draft);
	const beside = original && vscode.Uri.joinPath(original, '..').toString();
	// The user has chosen it, and need not do so again.
	const isChosen = target.root === undefined && target.folder !== beside;
	const isFixed = isChosen || draft.regeneratedFrom !== undefined;
	const isNamedAnew = !isFixed && (await findTarget(draft))?.stem === target.stem;
	return { ...draft, target: isNamedAnew ? undefined : target };
}
