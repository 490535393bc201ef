import type * as vscode from 'vscode';
import { wordsOf } from '../../editor/errorTexts.js';
import { lfsButtons } from '../../editor/gitLfs.js';
import { inspectUri } from '../../editor/images.js';
import { notify, runDetached } from '../../editor/messages.js';
import { safeText } from '../../editor/untrustedText.js';
import { askReferences } from '../../generation/options.js';
import { ImageError, type ImageFacts } from '../../images/inspect.js';
import { editMessages } from '../messages.js';

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
export async function inspectAll(
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
		const left = { references: references.filter((uri) => !problems.has(uri)) };
		if (await askReferences(editMessages.title, left, [...problems.keys()])) {
			await withValidReferences(left.references, goOn, true);
		}
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
