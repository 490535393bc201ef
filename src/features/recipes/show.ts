import { posix } from 'node:path';
import * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { safeText } from '../../editor/untrustedText.js';
import { targetImage } from '../../editor/targetImage.js';
import { showStatus, notify } from '../../editor/messages.js';
import { askPick } from '../../editor/quickInput.js';
import type { PickItem } from '../../editor/shownItems.js';
import { asUri } from '../../generation/argument.js';
import { provenanceOf } from '../../generation/imageRecipes.js';
import { isAsSaved, galleryImageAt } from '../../generation/galleryLookup.js';
import type { Services } from '../../generation/services.js';
import { openSettings } from '../../generation/report.js';
import { openImage } from '../../generation/savedImage.js';
import type { Recipe } from '../../recipes/recipe.js';
import { generateAgain } from './again.js';
import { sectionsOf, textOf, type Section } from './facts.js';
import { findUsed } from './usedImages.js';
import { recipeMessages } from '../messages.js';
import { commandTitles } from '../../editor/commandTable.js';

type Deps = Pick<Services, 'gallery' | 'keys'>;

/** An item that says something, and what Enter does with it. */
interface Line extends PickItem {
	readonly run?: () => Promise<unknown>;
}

/**
 * "How Was This Image Made?": a list of what the file says, and what can be done with it. Enter on
 * what it says copies that; nothing is sent.
 *
 * @param target what a menu names; without it the image in front is meant
 */
export async function showProvenance(target: unknown, deps: Deps): Promise<void> {
	const image = await targetImage(typeof target === 'string' ? asUri(target) : target);
	if (image === undefined) {
		await notify('info', recipeMessages.selectImage);
		return;
	}
	const provenance = await provenanceOf(image);
	const made = await galleryImageAt(image, deps.gallery).catch(() => undefined);
	const isChanged = made !== undefined && !(await isAsSaved(image, made));
	const sections = sectionsOf(provenance, made && { ...made, isChanged });
	if (sections.length === 0) {
		await tellUnknown(image);
		return;
	}
	const { recipe, where, isSigned } = provenance;
	const prompt = sections.find((section) => section.prompt !== undefined)?.prompt;
	const actions: Line[] = [
		...(prompt === undefined
			? []
			: [
					action('refresh', recipeMessages.reusePrompt, recipeMessages.reusePromptDetail, () =>
						generateAgain(image, { known: made?.prompt === prompt, recipe, prompt }, deps),
					),
					action('copy', recipeMessages.copyPrompt, '', () => copy(prompt)),
				]),
		action('wand', recipeMessages.useAsReference, recipeMessages.useAsReferenceDetail, () =>
			runCommand('easel.editWithPrompt', image),
		),
		...(recipe === undefined || recipe.parents.length + recipe.references.length === 0
			? []
			: [
					action('references', recipeMessages.showSources, recipeMessages.showSourcesDetail, () =>
						showParents(image, recipe, deps),
					),
				]),
		...(where === undefined || (where === 'inImage' && isSigned)
			? []
			: [
					action('trash', commandTitles['easel.stripRecipe'], '', () =>
						runCommand('easel.stripRecipe', image),
					),
				]),
		action('clippy', recipeMessages.copyAll, recipeMessages.copyAllDetail, () =>
			copy(textOf(sections)),
		),
	];
	const answer = await askPick<Line>({
		title: recipeMessages.titleOf(posix.basename(image.path)),
		placeholder: recipeMessages.placeholder,
		items: itemsOf(sections, actions),
		matchOnDescription: true,
		acceptable: ({ run }) => run !== undefined,
	});
	if (answer?.type === 'value') {
		await answer.value.run?.();
	}
}

function action(icon: string, label: string, description: string, run: Line['run']): Line {
	return { icon, label, description, run };
}

/** What can be done is seen without scrolling: it stands behind the first prompt. */
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

function separator(label: string): Line {
	return { label, kind: vscode.QuickPickItemKind.Separator };
}

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

async function copy(text: string): Promise<void> {
	await vscode.env.clipboard.writeText(text);
	showStatus(recipeMessages.copied, 'check');
}

async function tellUnknown(image: vscode.Uri): Promise<void> {
	const name = safeText(posix.basename(image.path));
	await notify('info', recipeMessages.unknown(name), [
		{
			label: commandTitles['easel.editWithPrompt'],
			run: async () => {
				await runCommand('easel.editWithPrompt', image);
			},
		},
		{ label: recipeMessages.openSetting, run: () => openSettings('easel.output.provenance') },
	]);
}

async function showParents(image: vscode.Uri, recipe: Recipe, deps: Deps): Promise<void> {
	const { parents, references } = recipe;
	const found = await findUsed(image, [...parents, ...references], deps.gallery);
	const answer = await askPick<Line>({
		title: recipeMessages.sourcesTitle(posix.basename(image.path)),
		placeholder: recipeMessages.sourcesPlaceholder,
		items: found.map(({ used, uri }, index): Line => {
			const kind = index < parents.length ? recipeMessages.source : recipeMessages.reference;
			const hash = recipeMessages.hash(used.sha256);
			return uri === undefined
				? { label: used.path ?? hash, description: recipeMessages.notFound(kind) }
				: {
						label: posix.basename(uri.path),
						description: `${kind}, ${vscode.workspace.asRelativePath(uri)}`,
						run: () => openImage(uri),
					};
		}),
		acceptable: ({ run }) => run !== undefined,
	});
	if (answer?.type === 'value') {
		await answer.value.run?.();
	}
}
