import path from 'node:path';
import * as vscode from 'vscode';
import { verdictOn } from '../../documents/missing/decide.js';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import type { UnknownReason } from '../../documents/missing/proof.js';
import { fileOfDocument } from '../../editor/documentImages.js';
import { registerCommand, registerProvider } from '../../editor/commands.js';
import { safeText } from '../../editor/untrustedText.js';
import { rememberAsked } from '../../asking/questions.js';
import type { Services } from '../../services.js';
import { choose, notify } from '../../editor/messages.js';
import { ensureReady } from '../../editor/service.js';
import { selectedUris } from '../../editor/targetImage.js';
import { StyleOption } from '../../asking/styleOption.js';
import { requestsOfDraft } from '../../asking/target.js';
import {
	WantedStyles,
	askForOne,
	chooseImages,
	draftFor,
	promptOf,
	showObstructed,
	type Wanted,
} from './choose.js';
import { collect, isObstructed, missingInDocument } from './collect.js';
import { fixLinks, isFixable, quickFixes, workspacePath } from './fixLinks.js';
import { missingMessages } from '../messages.js';

/** "Generate Missing Images…": images that documents refer to and that do not exist. */
export function registerMissing(deps: Services): vscode.Disposable {
	return vscode.Disposable.from(
		registerCommand('easel.generateMissingImages', (target, selected) =>
			target !== undefined && typeof selected === 'string'
				? makeOne(target, selected, deps)
				: makeMany(rootsOf(target, selected), deps),
		),
		registerProvider('quickFixes', quickFixes),
	);
}

/** The quick fix: one image of one document, under exactly the path that the document names. */
async function makeOne(document: vscode.Uri, file: string, deps: Services): Promise<void> {
	const { generator, keys, preferences, styles } = deps;
	const open = await vscode.workspace.openTextDocument(document);
	const [image] = await missingInDocument(open, (one) => one.path === file);
	// A caller of the command can name an image that the quick fix does not offer.
	if (image === undefined || isObstructed(image)) {
		await notify('info', missingMessages.notMissing(safeText(path.basename(file))));
		return;
	}
	if (image.candidates.length > 0 && !(await confirmDespiteMatch(image))) {
		return;
	}
	if (image.unknown !== undefined && !(await confirmUnknown(image.unknown, image.path))) {
		return;
	}
	if (!(await ensureReady(keys))) {
		return;
	}
	const folder = vscode.workspace.getWorkspaceFolder(fileOfDocument(document))?.uri;
	const start = draftFor(image, promptOf(image), await styles.sizeFor(folder));
	const style = await StyleOption.of(folder, styles);
	const asked = await askForOne(image, start, style, preferences);
	const requests = asked && (await requestsOfDraft(asked));
	if (requests !== undefined) {
		await rememberAsked(requests, preferences);
		await generator.make(requests);
	}
}

/** Asks whether an image is to be made although its link may mean one that is there; fixes the link. */
async function confirmDespiteMatch(image: MissingImage): Promise<boolean> {
	const names = image.candidates.map(workspacePath);
	const [fix, generate] = [missingMessages.fixLink, missingMessages.generateAnyway] as const;
	const answer = isFixable(image)
		? await choose(missingMessages.exists(names), [missingMessages.linkMayMeanIt], fix, generate)
		: await choose(missingMessages.filesExist, names, generate);
	if (answer === fix) {
		await fixLinks([image]);
	}
	return answer === generate;
}

/** Asks whether an image is to be made although it may be there. */
async function confirmUnknown(reason: UnknownReason, file: string): Promise<boolean> {
	const { generateAnyway, mayBeThere, whyUnknown } = missingMessages;
	const name = safeText(path.basename(file));
	return (await choose(mayBeThere(name), [whyUnknown[reason]], generateAnyway)) !== undefined;
}

async function makeMany(roots: readonly vscode.Uri[], deps: Services): Promise<void> {
	const { generator, keys, styles } = deps;
	if (roots.length === 0) {
		await notify('info', missingMessages.openFolder);
		return;
	}
	if (roots.some(({ scheme }) => scheme !== 'file')) {
		await notify('info', missingMessages.needsLocalFolder);
		return;
	}
	const all = await collect(roots);
	if (all === undefined || all.length === 0) {
		return;
	}
	const images = onePerFile(all);
	const obstructed = images.filter(isObstructed);
	const possible = images.filter((image) => !isObstructed(image));
	if (possible.length === 0 && !images.some(isFixable)) {
		await showObstructed(obstructed);
		return;
	}
	// Nothing is needed for links alone.
	const isPaid = possible.some((image) => ['missing', 'doubtful'].includes(verdictOn(image)));
	if (isPaid && !(await ensureReady(keys))) {
		return;
	}
	const style = await WantedStyles.of(
		images.map(({ document }) => document),
		styles,
	);
	const wanted = possible.map((image): Wanted => {
		const { prompt, size } = draftFor(image, promptOf(image), style.sizeFor(image.document));
		return { image, prompt, size };
	});
	const chosen = await chooseImages(wanted, obstructed, all, style, deps);
	if (chosen === undefined || !(await ensureReady(keys))) {
		return;
	}
	const requests = await Promise.all(
		chosen.map((wanted) => requestsOfDraft(style.draftOf(wanted))),
	);
	await generator.makeSeries(requests.flatMap((all) => all ?? []));
}

/** Each file once, however often it is shown: of several references the one that says most. */
function onePerFile(images: readonly MissingImage[]): MissingImage[] {
	const unique = new Map<string, MissingImage>();
	for (const image of images) {
		const known = unique.get(image.path);
		if (known === undefined || promptOf(known).length < promptOf(image).length) {
			unique.set(image.path, image);
		}
	}
	return [...unique.values()];
}

/** Returns the folders that a menu names, else the whole workspace. */
function rootsOf(target: vscode.Uri | undefined, selected: unknown): readonly vscode.Uri[] {
	const uris = selectedUris(selected);
	return uris.length > 0
		? uris
		: target instanceof vscode.Uri
			? [target]
			: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
}
