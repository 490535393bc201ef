import * as vscode from 'vscode';
import type { Finding } from '../../documents/check/finding.js';
import type { WrongWords } from '../../images/pictureWords.js';
import { galleryImageAt } from '../../library/galleryLookup.js';
import { readPicture } from '../../models/picture.js';
import { compareWords, wordsQuestion } from '../../models/wordsInPicture.js';
import type { Services } from '../../services.js';
import { checkMessages, wordsMessages } from '../messages.js';
import { askForEach, hasPicture, textAround } from './askForEach.js';

/** Words in a picture that are wrong, or missing. */
export interface WordsFinding extends Finding {
	/** Prompt of the edit that mends them. */
	readonly editPrompt: string;
}

/** Result of reading the words of pictures. */
interface CheckedWords {
	/** One for each wrong word. */
	readonly findings: readonly WordsFinding[];
	/** Number of pictures that were not read, because the user did not want it, or a call failed. */
	readonly unchecked: number;
}

/**
 * Has a language model read the words of pictures, after one question that says how many calls that is.
 *
 * @param pictures one finding for each
 */
export async function checkWordsOfPictures(
	pictures: readonly Finding[],
	deps: Services,
): Promise<CheckedWords> {
	const items = pictures.filter(hasPicture);
	const findings: WordsFinding[] = [];
	if (items.length === 0) {
		return { findings, unchecked: 0 };
	}
	const uriOf = ({ image }: Finding) => vscode.Uri.file(image ?? '');
	const answers = await askForEach(
		{
			title: checkMessages.wordsTitle,
			verb: checkMessages.checkWords(items.length),
			summary: checkMessages.calls(items.length),
			items,
			taskFor: async (item) => ({ ...wordsQuestion, image: await readPicture(uriOf(item), deps) }),
			onAnswer: async (item, answer) => {
				const uri = uriOf(item);
				const made = await galleryImageAt(uri, deps.history);
				const around = await textAround(item);
				const { wrong } = await compareWords(answer, { uri, around }, made?.prompt, deps);
				findings.push(...wrong.map((words) => ({ ...item, ...textsFor(words) })));
			},
		},
		deps,
	);
	return { findings, unchecked: items.length - (answers ?? 0) };
}

function textsFor({ seen, expected }: WrongWords): Pick<WordsFinding, 'message' | 'editPrompt'> {
	const { addWords, missingWords, replaceWords, wrongWords } = wordsMessages;
	return seen === undefined
		? { message: missingWords(expected), editPrompt: addWords(expected) }
		: { message: wrongWords(seen, expected), editPrompt: replaceWords(seen, expected) };
}
