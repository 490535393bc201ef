import { posix } from 'node:path';
import * as vscode from 'vscode';
import { wordsOf } from '../../editor/errorTexts.js';
import { lfsButtons } from '../../editor/gitLfs.js';
import { inspectUri } from '../../editor/images.js';
import { notify, runDetached } from '../../editor/messages.js';
import { inputButton } from '../../editor/quickInput.js';
import { safeText } from '../../editor/untrustedText.js';
import { withOtherReferences, type Draft } from '../../asking/draft.js';
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
import { nearestOffered, readService } from '../../editor/service.js';
import type { Size } from '../../service/contract.js';
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
 * @param start the draft to begin with
 * @param facts of every reference, by its URI; those of references that are added are added here
 */
export async function askForEdit(
	start: Draft,
	facts: Facts,
	{ preferences, styles }: Services,
): Promise<PromptAnswer | undefined> {
	const style = await StyleOption.of(parseUri(start.workspaceFolder), styles);
	const addItem: EditItem = {
		icon: 'add',
		label: editMessages.addReferences,
		alwaysShow: true,
		run: async (draft) => {
			const chosen = await addReferences(draft, facts);
			return chosen && withReferences(draft, chosen, facts);
		},
	};
	const recent = recentPrompts(preferences, 'edit', editMessages.recent);
	return askForImages(start, {
		title,
		placeholder: editMessages.placeholder,
		verb: editMessages.verb,
		preferences,
		style,
		options: [
			'size',
			...(readService().editsTakeQuality ? (['quality'] as const) : []),
			...(['background', 'count'] as const),
		],
		sizeReason: (draft) => {
			const first = firstOf(draft, facts);
			if (first === undefined || draft.size !== nearestOffered(first)) {
				return undefined;
			}
			return draft.size === `${String(first.width)}x${String(first.height)}`
				? editMessages.sameSize
				: editMessages.nearestSize(readableDimensions(first));
		},
		more: (draft) => [
			separator(referenceHeading(draft, facts)),
			...draft.references.map((_, index) => referenceItem(index, draft, facts)),
			addItem,
			...recent(draft),
		],
		onItemButton: (draft, { reference }: EditItem, button) =>
			reference === undefined
				? draft
				: withReferences(draft, rearranged(draft, reference, button), facts),
	});
}

/** Lets the user add images; a file that is none is left out, with a message. `undefined` for cancel. */
async function addReferences(
	{ references }: Draft,
	facts: Facts,
): Promise<readonly RequestReference[] | undefined> {
	const chosen = await askReferences(title, urisOf(references));
	if (chosen === undefined) {
		return undefined;
	}
	const problems = await inspectAll(chosen, facts);
	for (const problem of problems.values()) {
		runDetached(notify('warning', editMessages.leftOut(safeText(wordsOf(problem)))));
	}
	const usable = chosen.filter((uri) => !problems.has(uri));
	// Without any reference it would be no edit.
	return usable.length > 0 ? asReferences(usable) : references;
}

/** Another image may stand first now: its size is taken, unless another one was chosen on purpose. */
function withReferences(
	draft: Draft,
	references: readonly RequestReference[],
	facts: Facts,
): Draft {
	const changed = withOtherReferences(draft, references);
	const follows = draft.size === nearestToFirst(draft, facts);
	return { ...changed, size: (follows ? nearestToFirst(changed, facts) : undefined) ?? draft.size };
}

function referenceItem(index: number, { references, marks = [] }: Draft, facts: Facts): EditItem {
	const reference = references[index]!;
	const path = vscode.workspace.asRelativePath(vscode.Uri.parse(reference.source, true));
	const folder = posix.dirname(path);
	const image = facts.get(reference.source);
	const words = image && `${readableDimensions(image)} · ${readableSize(image.bytes)}`;
	const isOther = image !== undefined && !isNamedByFormat(path, image);
	return {
		icon: 'file-media',
		label: oneLine(posix.basename(path)),
		description: [
			isOther && image.format.toUpperCase(),
			words,
			index === 0 && marks.length > 0 && editMessages.marks(marks.length),
			folder === '.' ? undefined : folder,
		]
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

function rearranged(
	draft: Draft,
	reference: RequestReference,
	button: vscode.QuickInputButton,
): readonly RequestReference[] {
	const references = [...draft.references];
	const index = references.findIndex(({ source }) => source === reference.source);
	references.splice(index, 1);
	if (button !== removeButton) {
		references.splice(button === earlierButton ? index - 1 : index + 1, 0, reference);
	}
	return references;
}

function referenceHeading({ references }: Draft, facts: Facts): string {
	const bytes = references.reduce((sum, { source }) => sum + (facts.get(source)?.bytes ?? 0), 0);
	const words = editMessages.references(references.length);
	return bytes > manyBytes ? editMessages.largeReferences(words, readableSize(bytes)) : words;
}

/** Returns the facts of the first reference; the result goes beside it and takes its ratio. */
function firstOf({ references: [first] }: Draft, facts: Facts): ImageFacts | undefined {
	return first && facts.get(first.source);
}

function nearestToFirst(draft: Draft, facts: Facts): Size | undefined {
	const first = firstOf(draft, facts);
	return first && nearestOffered(first);
}

/** Facts of images, by their URIs. */
export type Facts = Map<string, ImageFacts>;

/** Reference images with their facts, and the problem of each that cannot be used. */
interface ReadReferences {
	readonly references: readonly vscode.Uri[];
	readonly facts: Facts;
	readonly problems: ReadonlyMap<vscode.Uri, ImageError>;
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

export async function readReferences(references: readonly vscode.Uri[]): Promise<ReadReferences> {
	const facts: Facts = new Map();
	return { references, facts, problems: await inspectAll(references, facts) };
}

/**
 * Says which references cannot be used, and that nothing was sent. Resolves to those that the user
 * chooses in their place, perhaps minutes later; to `undefined` where the user does not.
 */
export async function offerOthers({
	references,
	problems,
}: ReadReferences): Promise<readonly vscode.Uri[] | undefined> {
	const errors = [...problems.values()];
	const usable = references.filter((uri) => !problems.has(uri));
	const words = editMessages.nothingSent(safeText(errors.map(wordsOf).join(' ')));
	const chosen = await notify<readonly vscode.Uri[] | undefined | void>('error', words, [
		...lfsButtons(errors),
		{
			label: editMessages.chooseOthers,
			run: () => askReferences(editMessages.title, usable, [...problems.keys()]),
		},
	]);
	return chosen ?? undefined;
}
