import * as vscode from 'vscode';
import type { Finding } from '../../documents/check/finding.js';
import { galleryImageAt } from '../../library/galleryLookup.js';
import { readPicture } from '../../models/picture.js';
import { compareWords, wordsQuestion } from '../../models/wordsInPicture.js';
import type { Services } from '../../services.js';
import { checkMessages, wordsMessages } from '../messages.js';
import { askForEach, hasPicture, textAround } from './askForEach.js';

/** Result of reading the words of pictures. */
interface CheckedWords {
	/** One for each wrong word. */
	readonly findings: readonly Finding[];
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
	const findings: Finding[] = [];
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
				findings.push(
					...wrong.map(({ seen, expected }) => ({
						...item,
						message:
							seen === undefined
								? wordsMessages.missingWords(expected)
								: wordsMessages.wrongWords(seen, expected),
					})),
				);
			},
		},
		deps,
	);
	return { findings, unchecked: items.length - (answers ?? 0) };
}
