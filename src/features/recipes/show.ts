import { posix } from 'node:path';
import * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { foreignText } from '../../editor/foreignText.js';
import { imageMeant } from '../../editor/imageMeant.js';
import { mention, notify } from '../../editor/messages.js';
import { askPick } from '../../editor/quickInput.js';
import type { PickItem } from '../../editor/shownItems.js';
import { asUri } from '../../generation/argument.js';
import { provenanceOf } from '../../generation/imageRecipes.js';
import { isAsSaved, madeImageAt } from '../../generation/madeImages.js';
import type { Parts } from '../../generation/parts.js';
import { openSettings } from '../../generation/report.js';
import { openImage } from '../../generation/savedImage.js';
import type { Recipe } from '../../recipes/recipe.js';
import { generateAgain } from './again.js';
import { sectionsOf, textOf, type Section } from './facts.js';
import { findUsed } from './usedImages.js';

type Needs = Pick<Parts, 'gallery' | 'keys'>;

/** An item that says something, and what Enter does with it. */
interface Line extends PickItem {
	readonly run?: () => Promise<unknown>;
}

const title = 'How Was This Image Made?';

/**
 * "How Was This Image Made?": a list of what the file says, and what can be done with it. Enter on
 * what it says copies that; nothing is sent.
 *
 * @param target what a menu names; without it the image in front is meant
 */
export async function showProvenance(target: unknown, needs: Needs): Promise<void> {
	const image = await imageMeant(typeof target === 'string' ? asUri(target) : target);
	if (image === undefined) {
		await notify('info', 'Open or select the image that you want to know about.');
		return;
	}
	const provenance = await provenanceOf(image);
	const made = await madeImageAt(image, needs.gallery).catch(() => undefined);
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
					action('refresh', 'Generate Again…', 'Opens the prompt; nothing is sent yet', () =>
						generateAgain(image, { known: made?.prompt === prompt, recipe, prompt }, needs),
					),
					action('copy', 'Copy Prompt', '', () => copy(prompt)),
				]),
		action('wand', 'Use as Reference…', 'Makes a new image from this one', () =>
			runCommand('easel.editWithPrompt', image),
		),
		...(recipe === undefined || recipe.parents.length + recipe.references.length === 0
			? []
			: [
					action('references', 'Show Parents…', 'The images that it was made from', () =>
						showParents(image, recipe, needs),
					),
				]),
		...(where === undefined || (where === 'inImage' && isSigned)
			? []
			: [
					action('trash', 'Remove Prompt from File…', '', () =>
						runCommand('easel.stripRecipe', image),
					),
				]),
		action('clippy', 'Copy All', 'As text', () => copy(textOf(sections))),
	];
	const answer = await askPick<Line>({
		title: `${title} – ${posix.basename(image.path)}`,
		placeholder: 'What the file says. Enter copies it, or does what is chosen',
		items: itemsOf(sections, actions),
		matchOnDescription: true,
		acceptable: ({ run }) => run !== undefined,
	});
	if (answer?.type === 'value') {
		await answer.value.run?.();
	}
}

function action(icon: string, label: string, description: string, run: Line['run']): Line {
	return { icon, label, description, ...(run === undefined ? {} : { run }) };
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
		separator('What You Can Do'),
		...actions,
		...(isWithinSection ? [separator('Details')] : []),
		...rest,
	];
}

const promptLabel = 'Prompt';

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
			text.length > longestBeside
				? { label: name, detail: text, run: () => copy(text) }
				: { label: name, description: text, run: () => copy(text) },
		),
	];
}

/** In UTF-16 code units. */
const longestBeside = 60;

async function copy(text: string): Promise<void> {
	await vscode.env.clipboard.writeText(text);
	mention('Easel: Copied.', 'check');
}

async function tellUnknown(image: vscode.Uri): Promise<void> {
	const name = foreignText(posix.basename(image.path));
	await notify('info', `This image does not say how it was made: ${name}.`, [
		{
			label: 'Edit with Prompt…',
			run: async () => {
				await runCommand('easel.editWithPrompt', image);
			},
		},
		{ label: 'Open Setting', run: () => openSettings('easel.output.provenance') },
	]);
}

async function showParents(image: vscode.Uri, recipe: Recipe, needs: Needs): Promise<void> {
	const { parents, references } = recipe;
	const found = await findUsed(image, [...parents, ...references], needs.gallery);
	const answer = await askPick<Line>({
		title: `Made from – ${posix.basename(image.path)}`,
		placeholder: 'Select an image to open it',
		items: found.map(({ used, uri }, index): Line => {
			const kind = index < parents.length ? 'Parent' : 'Reference';
			const hash = `an image with the hash ${used.sha256.slice(0, 8)}…`;
			return uri === undefined
				? { label: used.path ?? hash, description: `${kind}, not found` }
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
