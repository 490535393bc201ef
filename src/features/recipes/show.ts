import { posix } from 'node:path';
import * as vscode from 'vscode';
import { commandButton, runCommand } from '../../editor/commands.js';
import { commandTitles } from '../../editor/commandTable.js';
import { assertInside, uriExists } from '../../editor/files.js';
import { copyText, notify, runDetached } from '../../editor/messages.js';
import { askPick } from '../../editor/quickInput.js';
import { safeName, type PickItem } from '../../editor/untrustedText.js';
import { ensureReady } from '../../editor/service.js';
import { imageOfArgument } from '../../asking/argument.js';
import { provenanceOf } from '../../library/imageRecipes.js';
import type { Draft } from '../../asking/draft.js';
import { besideImage, asReferences } from '../../editor/imageRequest.js';
import { galleryImageAt, isAsSaved, type KnownImages } from '../../library/galleryLookup.js';
import { separator } from '../../asking/questions.js';
import { runRequestCommand } from '../../asking/requestCommands.js';
import { openSettings } from '../../generation/report.js';
import { openImage } from '../../generation/savedImage.js';
import type { Services } from '../../services.js';
import type { Recipe, UsedImage } from '../../recipes/recipe.js';
import { recipeMessages } from '../messages.js';
import { sectionsOf, formatFacts, type Section } from './facts.js';

/** An item that says something, and what Enter does with it. */
interface Line extends PickItem {
	readonly run?: () => Promise<unknown>;
}

/** "How Was This Image Made?": lists what the file says, for Enter to copy, and what can be done. */
export async function showProvenance(target: unknown, deps: Services): Promise<void> {
	const image = await imageOfArgument(target, recipeMessages.selectImage);
	if (image === undefined) {
		return;
	}
	const provenance = await provenanceOf(image);
	const made = await galleryImageAt(image, deps.gallery).catch(() => undefined);
	const isChanged = made !== undefined && !(await isAsSaved(image, made));
	const sections = sectionsOf(provenance, made && { ...made, isChanged });
	if (sections.length === 0) {
		await notify('info', recipeMessages.unknown(safeName(image)), [
			commandButton('easel.editWithPrompt', image),
			{ label: recipeMessages.openSetting, run: () => openSettings('easel.output.provenance') },
		]);
		return;
	}
	const { recipe, where, isSigned } = provenance;
	const prompt = sections.find((section) => section.prompt !== undefined)?.prompt;
	const canStrip = where !== undefined && !(where === 'inImage' && isSigned);
	const actions: (Line | false)[] = [
		prompt !== undefined && {
			icon: 'refresh',
			label: recipeMessages.reusePrompt,
			description: recipeMessages.reusePromptDetail,
			run: () => reusePrompt(image, made?.prompt === prompt ? undefined : recipe, deps),
		},
		prompt !== undefined && {
			icon: 'copy',
			label: recipeMessages.copyPrompt,
			run: () => copy(prompt),
		},
		{
			icon: 'wand',
			label: recipeMessages.useAsReference,
			description: recipeMessages.useAsReferenceDetail,
			run: () => runCommand('easel.editWithPrompt', image),
		},
		recipe !== undefined &&
			recipe.parents.length + recipe.references.length > 0 && {
				icon: 'references',
				label: recipeMessages.showSources,
				description: recipeMessages.showSourcesDetail,
				run: () => showSources(image, recipe, deps),
			},
		canStrip && {
			icon: 'trash',
			label: commandTitles['easel.stripRecipe'],
			run: () => runCommand('easel.stripRecipe', image),
		},
		{
			icon: 'clippy',
			label: recipeMessages.copyAll,
			description: recipeMessages.copyAllDetail,
			run: () => copy(formatFacts(sections)),
		},
	];
	const lines = itemsOf(
		sections,
		actions.filter((one) => one !== false),
	);
	const title = recipeMessages.titleOf(posix.basename(image.path));
	await runLine(title, recipeMessages.placeholder, lines);
}

/** Shows lines, and does what the one stands for that was chosen. */
async function runLine(title: string, placeholder: string, items: Line[]): Promise<void> {
	const answer = await askPick<Line>({
		title,
		placeholder,
		items,
		matchOnDescription: true,
		acceptable: ({ run }) => run !== undefined,
	});
	if (answer?.type === 'value') {
		await answer.value.run?.();
	}
}

/** Puts the actions behind the first prompt, where they are seen without scrolling. */
function itemsOf(sections: readonly Section[], actions: readonly Line[]): Line[] {
	const lines = sections.flatMap(linesOf);
	const prompt = lines.findIndex(({ label }) => label === promptLabel);
	const end = prompt === -1 ? lines.length : prompt + 1;
	const rest = lines.slice(end);
	const isWithinSection = rest[0] !== undefined && rest[0].kind === undefined;
	return [
		...lines.slice(0, end),
		separator(recipeMessages.actions),
		...actions,
		...(isWithinSection ? [separator(recipeMessages.details)] : []),
		...rest,
	];
}

const promptLabel = recipeMessages.prompt;

/** A prompt takes a line of its own; all else stands beside its name. */
function linesOf({ title, prompt, facts }: Section): Line[] {
	return [
		separator(title),
		...(prompt === undefined
			? []
			: [{ label: promptLabel, detail: prompt, run: () => copy(prompt) }]),
		...facts.map(({ name, text }) =>
			text.length > maxBesideLength
				? { label: name, detail: text, run: () => copy(text) }
				: { label: name, description: text, run: () => copy(text) },
		),
	];
}

/** In UTF-16 code units. */
const maxBesideLength = 60;

function copy(text: string): Promise<void> {
	return copyText(text, recipeMessages.copied);
}

async function showSources(image: vscode.Uri, recipe: Recipe, deps: Services): Promise<void> {
	const { parents, references } = recipe;
	const found = await findUsed(image, [...parents, ...references], deps.history);
	const lines = found.map(({ used, uri }, index): Line => {
		const kind = index < parents.length ? recipeMessages.source : recipeMessages.reference;
		const hash = recipeMessages.hash(used.sha256);
		return uri === undefined
			? { label: used.path ?? hash, description: recipeMessages.notFound(kind) }
			: {
					label: posix.basename(uri.path),
					description: `${kind}, ${vscode.workspace.asRelativePath(uri)}`,
					run: () => openImage(uri),
				};
	});
	const title = recipeMessages.sourcesTitle(posix.basename(image.path));
	await runLine(title, recipeMessages.sourcesPlaceholder, lines);
}

/**
 * "Reuse Prompt": asks as the first try has asked, with the prompt filled in.
 *
 * @param recipe missing where the gallery knows the image, and so all that is asked for
 */
async function reusePrompt(
	image: vscode.Uri,
	recipe: Recipe | undefined,
	deps: Services,
): Promise<void> {
	if (recipe === undefined) {
		await runCommand('easel.regenerateImage', image);
	} else if (await ensureReady(deps.keys)) {
		const draft = await draftOfRecipe(image, recipe, deps);
		await runRequestCommand('change', draft.operation, draft);
	}
}

/** Returns the request as it was, as far as its images are found; no edit without the edited one. */
async function draftOfRecipe(image: vscode.Uri, recipe: Recipe, deps: Services): Promise<Draft> {
	const { operation, prompt, size, quality, background, parents, references, style } = recipe;
	// The style of now comes with its own images.
	const own = references.slice(0, Math.max(0, references.length - (style?.references ?? 0)));
	const found = await findUsed(image, [...parents, ...own], deps.history);
	const missing = found.filter(({ uri }) => uri === undefined).length;
	if (missing > 0) {
		runDetached(notify('warning', recipeMessages.sourcesNotFound(missing)));
	}
	const uris = found.flatMap(({ uri }) => uri ?? []);
	return {
		...besideImage(image),
		operation: operation === 'edit' && found[0]?.uri !== undefined ? 'edit' : 'generate',
		...{ prompt, size, quality, background, count: 1, references: asReferences(uris) },
		regeneratedFrom: image.toString(),
	};
}

/** An image that a recipe names, and where it lies now; `undefined` where that is unknown. */
interface FoundImage {
	readonly used: UsedImage;
	readonly uri: vscode.Uri | undefined;
}

/**
 * Looks for images that the recipe of another one names: where it says, within the same workspace
 * folder, symbolic links included, and else where the gallery has seen those bytes.
 *
 * @param image that has the recipe
 */
export async function findUsed(
	image: vscode.Uri,
	all: readonly UsedImage[],
	gallery: KnownImages,
): Promise<FoundImage[]> {
	const known = await gallery.list().catch(() => []);
	return Promise.all(
		all.map(async (used): Promise<FoundImage> => {
			const saved = known
				.filter(({ sha256 }) => sha256 === used.sha256)
				.map(({ target }) => vscode.Uri.parse(target, true));
			for (const uri of [...(await targetFile(image, used)), ...saved]) {
				// What cannot be looked at now cannot be used either.
				if (await uriExists(uri).catch(() => false)) {
					return { used, uri };
				}
			}
			return { used, uri: undefined };
		}),
	);
}

/** The file may come from anybody, with any path in it and any link there. */
async function targetFile(image: vscode.Uri, { path }: UsedImage): Promise<vscode.Uri[]> {
	const folder = vscode.workspace.getWorkspaceFolder(image)?.uri;
	if (path === undefined || folder === undefined) {
		return [];
	}
	const uri = vscode.Uri.joinPath(image, '..', path);
	try {
		await assertInside(folder, uri);
		return [uri];
	} catch {
		return [];
	}
}
