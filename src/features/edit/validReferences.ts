import type * as vscode from 'vscode';
import { wordsOf } from '../../editor/errorTexts.js';
import { foreignText } from '../../editor/untrustedText.js';
import { lfsButtons } from '../../editor/gitLfs.js';
import { inspectUri } from '../../editor/images.js';
import { runDetached, notify } from '../../editor/messages.js';
import { askReferences } from '../../generation/questions.js';
import { ImageError, type ImageFacts } from '../../images/inspect.js';
import { editMessages } from '../messages.js';

/** References that can be used, and what they are. */
interface ValidReferences {
	readonly references: readonly vscode.Uri[];
	readonly first: vscode.Uri;
	/** Of each, by its URI. */
	readonly facts: Map<string, ImageFacts>;
	/** Whether they were chosen in the place of others. */
	readonly again: boolean;
}

/**
 * Reads what the references are, by their bytes, and goes on with them. Where some cannot be used
 * this is told, and nothing is sent; it goes on when others were chosen in their place.
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
	const facts = new Map<string, ImageFacts>();
	const problems = new Map<vscode.Uri, ImageError>();
	for (const uri of references) {
		try {
			facts.set(uri.toString(), await inspectUri(uri));
		} catch (error) {
			if (!(error instanceof ImageError)) {
				throw error;
			}
			problems.set(uri, error);
		}
	}
	if (problems.size === 0) {
		return goOn({ references, first, facts, again });
	}
	const chooseOthers = async () => {
		const left = { references: references.filter((uri) => !problems.has(uri)) };
		if (await askReferences(editMessages.title, left, [...problems.keys()])) {
			await withValidReferences(left.references, goOn, true);
		}
	};
	const words = [...problems.values()].map(wordsOf).join(' ');
	runDetached(
		notify('error', editMessages.nothingSent(foreignText(words)), [
			...lfsButtons([...problems.values()]),
			{ label: editMessages.chooseOthers, run: chooseOthers },
		]),
	);
	return [];
}
