import * as vscode from 'vscode';
import { notify, runDetached } from '../../editor/messages.js';
import type { Problem, Problems } from '../../editor/problems.js';
import { safeName, shortened } from '../../editor/untrustedText.js';
import type { Arrival } from '../../generation/jobRunner.js';
import { galleryImageAt } from '../../library/galleryLookup.js';
import { editPicture } from '../../asking/editPicture.js';
import { receiveAnswer } from '../../models/languageModels.js';
import type { Services } from '../../services.js';
import type { WrongWords } from '../../images/pictureWords.js';
import { readableSize } from '../../images/readableSize.js';
import { log } from '../../log.js';
import { compareWords, wordsQuestion, type ComparedWords } from '../../models/wordsInPicture.js';
import { wordsMessages } from '../messages.js';
import { linkedImage, linkToImage, readPicture, type ImageAtCursor } from '../../models/picture.js';

const title = wordsMessages.checkTitle;

/** Length of one text of a picture in a message, in UTF-16 code units. */
const maxShownLength = 40;

/** "Check Words in Picture": a language model reads them, and what is wrong is shown as problems. */
export async function checkWords(
	given: vscode.Uri | undefined,
	problems: Problems,
	deps: Services,
): Promise<void> {
	const image = await linkedImage(given);
	if (image === undefined) {
		return;
	}
	const picture = await readPicture(image.uri, deps);
	const send = await deps.models.ask({
		title,
		verb: wordsMessages.checkVerb,
		summary: wordsMessages.sentImage(readableSize(picture.bytes.length), image.name),
		...wordsQuestion,
		image: picture,
	});
	const answer = send && (await receiveAnswer(title, send));
	if (answer !== undefined) {
		const made = await galleryImageAt(image.uri, deps.history);
		const compared = await compareWords(answer, image, made?.prompt, deps);
		showProblems(image, compared, problems);
		if (compared.wrong.length === 0) {
			const seen = compared.seen.map((text) => shortened(text, maxShownLength));
			const { allRight, noWords } = wordsMessages;
			const sources = compared.sources.map((one) => wordsMessages.sources[one]);
			runDetached(notify('info', seen.length === 0 ? noWords : allRight(seen, sources)));
		}
	}
}

/**
 * The same by itself for an image that has arrived, where the user has turned that on. Without a link
 * in a document, the first problem is a notification.
 */
export async function checkArrived(
	{ image: uri, document, request }: Arrival,
	problems: Problems,
	deps: Services,
): Promise<void> {
	const image = await readPicture(uri, deps);
	const send = await deps.models.askUnattended({ ...wordsQuestion, image });
	if (send === undefined) {
		log.info('The words of a new picture were not checked: no language model may be asked.');
		return;
	}
	let answer = '';
	for await (const piece of send(new AbortController().signal)) {
		answer += piece;
	}
	const link = await linkToImage(uri, document);
	const compared = await compareWords(answer, link ?? { uri }, request.prompt, deps);
	if (link !== undefined) {
		showProblems(link, compared, problems);
		return;
	}
	const [first] = problemsOf(compared.wrong, uri, undefined);
	if (first !== undefined) {
		const words = `${safeName(uri, 80)}: ${first.text}`;
		runDetached(notify('warning', words, [first.fix]));
	}
}

function showProblems(image: ImageAtCursor, { wrong }: ComparedWords, problems: Problems): void {
	const { document, link, span } = image;
	const at = document.getText().startsWith(link, span.start)
		? span.start
		: document.getText().indexOf(link);
	if (at < 0) {
		runDetached(notify('info', wordsMessages.linkChanged));
		return;
	}
	const range = new vscode.Range(document.positionAt(at), document.positionAt(at + link.length));
	const found = problemsOf(wrong, image.uri, document.uri).map((one) => ({ ...one, range }));
	problems.show(document.uri, range, found);
	if (found.length > 0) {
		runDetached(
			notify('warning', wordsMessages.found(found.length, image.name), [
				{
					label: wordsMessages.showProblems,
					run: async () => {
						await vscode.commands.executeCommand('workbench.actions.view.problems');
					},
				},
			]),
		);
	}
}

/** The words for what is wrong, each with an edit as its fix. @param document in front of which it is */
function problemsOf(
	wrong: readonly WrongWords[],
	image: vscode.Uri,
	document: vscode.Uri | undefined,
): Omit<Problem, 'range'>[] {
	return wrong.map(({ seen, expected }) => {
		const isMissing = seen === undefined;
		const { addWords, fix, missingWords, replaceWords } = wordsMessages;
		const prompt = isMissing ? addWords(expected) : replaceWords(seen, expected);
		return {
			text: isMissing ? missingWords(expected) : wordsMessages.wrongWords(seen, expected),
			fix: { label: fix(expected), run: () => editPicture(image, prompt, document) },
		};
	});
}
