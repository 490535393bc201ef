import { posix } from 'node:path';
import * as vscode from 'vscode';
import { wordsOf } from '../../editor/errorTexts.js';
import { lfsButtons } from '../../editor/gitLfs.js';
import { inspectUri } from '../../editor/images.js';
import { notify, runDetached } from '../../editor/messages.js';
import { inputButton } from '../../editor/quickInput.js';
import { safeText } from '../../editor/untrustedText.js';
import type { Draft } from '../../asking/draft.js';
import { parseUri, urisOf, asReferences } from '../../editor/imageRequest.js';
import { askReferences } from '../../asking/options.js';
import {
	askForImages,
	oneLine,
	recentPrompts,
	separator,
	type PromptAnswer,
	type PromptItem,
} from '../../asking/questions.js';
import type { Services } from '../../services.js';
import { StyleOption } from '../../asking/styleOption.js';
import { ImageError, isNamedByFormat, type ImageFacts } from '../../images/inspect.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import type { RequestReference } from '../../jobs/request.js';
import { nearestSize, type Size } from '../../service/contract.js';
import { editMessages } from '../messages.js';

/** Above this a note says that the service may refuse; it names no limit (specification, "Limits"). */
const manyBytes = 20 * 1024 * 1024;

const { title } = editMessages;

const earlierButton = inputButton('arrow-up', editMessages.moveUp);
const laterButton = inputButton('arrow-down', editMessages.moveDown);
const removeButton = inputButton('close', editMessages.remove);

type EditItem = PromptItem & { readonly reference?: RequestReference };

/**
 * Asks for the instruction, with the reference images in view; `undefined` where it is cancelled.
 *
 * @param draft is changed
 * @param facts of every reference, by its URI; what is added is added here too
 */
export async function askForEdit(
	draft: Draft,
	facts: Facts,
	{ preferences, styles }: Services,
): Promise<PromptAnswer | undefined> {
	const style = await StyleOption.of(parseUri(draft.workspaceFolder), styles);
	let proposal = nearestToFirst(draft, facts);
	// Another image may stand first now; a size that was chosen on purpose stays.
	const followFirst = () => {
		const nearest = nearestToFirst(draft, facts);
		draft.size = draft.size === proposal ? (nearest ?? draft.size) : draft.size;
		proposal = nearest;
	};
	const addItem: EditItem = {
		icon: 'add',
		label: editMessages.addReferences,
		alwaysShow: true,
		run: async () => {
			const goesOn = await addReferences(draft, facts);
			followFirst();
			return goesOn ? 'again' : undefined;
		},
	};
	const recent = recentPrompts(preferences, 'edit', editMessages.recent);
	return askForImages(draft, {
		title,
		placeholder: editMessages.placeholder,
		verb: editMessages.verb,
		preferences,
		style,
		options: ['size', 'count'],
		sizeReason: () => {
			const first = firstOf(draft, facts);
			if (first === undefined || draft.size !== proposal) {
				return undefined;
			}
			return draft.size === `${String(first.width)}x${String(first.height)}`
				? editMessages.sameSize
				: editMessages.nearestSize(readableDimensions(first));
		},
		more: (text) => [
			separator(referenceHeading(draft, facts)),
			...draft.references.map((_, index) => referenceItem(index, draft, facts)),
			addItem,
			...recent(text),
		],
		onItemButton: ({ reference }: EditItem, button) => {
			if (reference !== undefined) {
				rearrange(draft, reference, button);
				followFirst();
			}
		},
	});
}

/** Lets the user add images; what is none is left out, with a message. */
async function addReferences(draft: Draft, facts: Facts): Promise<boolean> {
	const chosen = await askReferences(title, urisOf(draft.references));
	if (chosen === undefined) {
		return false;
	}
	const problems = await inspectAll(chosen, facts);
	for (const problem of problems.values()) {
		runDetached(notify('warning', editMessages.leftOut(safeText(wordsOf(problem)))));
	}
	const usable = chosen.filter((uri) => !problems.has(uri));
	// Without any reference it would be no edit.
	draft.references = usable.length > 0 ? asReferences(usable) : draft.references;
	return true;
}

function referenceItem(index: number, { references }: Draft, facts: Facts): EditItem {
	const reference = references[index]!;
	const path = vscode.workspace.asRelativePath(vscode.Uri.parse(reference.source, true));
	const folder = posix.dirname(path);
	const image = facts.get(reference.source);
	const words = image && `${readableDimensions(image)} · ${readableSize(image.bytes)}`;
	const isOther = image !== undefined && !isNamedByFormat(path, image);
	return {
		icon: 'file-media',
		label: oneLine(posix.basename(path)),
		description: [isOther && image.format.toUpperCase(), words, folder === '.' ? undefined : folder]
			.filter(Boolean)
			.join(' · '),
		alwaysShow: true,
		reference,
		buttons: [
			...(index > 0 ? [earlierButton] : []),
			...(index < references.length - 1 ? [laterButton] : []),
			...(references.length > 1 ? [removeButton] : []),
		],
	};
}

function rearrange(
	draft: Draft,
	reference: RequestReference,
	button: vscode.QuickInputButton,
): void {
	const references = [...draft.references];
	const index = references.findIndex(({ source }) => source === reference.source);
	references.splice(index, 1);
	if (button !== removeButton) {
		references.splice(button === earlierButton ? index - 1 : index + 1, 0, reference);
	}
	draft.references = references;
}

function referenceHeading({ references }: Draft, facts: Facts): string {
	const bytes = references.reduce((sum, { source }) => sum + (facts.get(source)?.bytes ?? 0), 0);
	const words = editMessages.references(references.length);
	return bytes > manyBytes ? editMessages.largeReferences(words, readableSize(bytes)) : words;
}

/** What the first reference is; the result goes beside it and takes its ratio. */
function firstOf({ references: [first] }: Draft, facts: Facts): ImageFacts | undefined {
	return first && facts.get(first.source);
}

function nearestToFirst(draft: Draft, facts: Facts): Size | undefined {
	const first = firstOf(draft, facts);
	return first && nearestSize(first);
}

/** What images are, by their URIs. */
export type Facts = Map<string, ImageFacts>;

interface ValidReferences {
	readonly references: readonly vscode.Uri[];
	readonly first: vscode.Uri;
	readonly facts: Facts;
	/** Whether they were chosen in the place of others. */
	readonly again: boolean;
}

/** Reads what images are, by their bytes, into `facts`; returns what is wrong with the others. */
async function inspectAll(
	uris: readonly vscode.Uri[],
	facts: Facts,
): Promise<ReadonlyMap<vscode.Uri, ImageError>> {
	const problems = new Map<vscode.Uri, ImageError>();
	for (const uri of uris) {
		try {
			facts.set(uri.toString(), facts.get(uri.toString()) ?? (await inspectUri(uri)));
		} catch (error) {
			if (!(error instanceof ImageError)) {
				throw error;
			}
			problems.set(uri, error);
		}
	}
	return problems;
}

/**
 * Reads what the references are, and goes on with them. Where some cannot be used a message says so,
 * and nothing is sent; it goes on when others were chosen in their place.
 */
export async function withValidReferences(
	references: readonly vscode.Uri[],
	goOn: (usable: ValidReferences) => Promise<vscode.Uri[] | undefined>,
	again = false,
): Promise<vscode.Uri[] | undefined> {
	const [first] = references;
	if (first === undefined) {
		return undefined;
	}
	const facts: Facts = new Map();
	const problems = await inspectAll(references, facts);
	if (problems.size === 0) {
		return goOn({ references, first, facts, again });
	}
	const chooseOthers = async () => {
		const left = references.filter((uri) => !problems.has(uri));
		const chosen = await askReferences(editMessages.title, left, [...problems.keys()]);
		await (chosen && withValidReferences(chosen, goOn, true));
	};
	const errors = [...problems.values()];
	const words = errors.map(wordsOf).join(' ');
	runDetached(
		notify('error', editMessages.nothingSent(safeText(words)), [
			...lfsButtons(errors),
			{ label: editMessages.chooseOthers, run: chooseOthers },
		]),
	);
	return [];
}
