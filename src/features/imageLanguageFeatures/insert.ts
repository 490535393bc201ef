import * as vscode from 'vscode';
import { ageWords } from '../../editor/age.js';
import { commandButton } from '../../editor/commands.js';
import { notify } from '../../editor/messages.js';
import { askPick } from '../../editor/quickInput.js';
import { findCommandContext } from '../../generation/commandContext.js';
import { insertAtCursor } from '../../generation/insertAtCursor.js';
import { oneLine } from '../../generation/questions.js';
import { savedImageOf } from '../../generation/savedImage.js';
import type { Services } from '../../generation/services.js';
import { readableDimensions } from '../../images/readableSize.js';
import { documentMessages } from '../messages.js';
import { latestImages } from './latest.js';

/** So many are listed; older ones lie in the explorer. */
const maxListed = 100;

/** "Insert Generated Image…": one of the latest images goes to the cursor. */
export async function insertImage({ history, marks }: Services): Promise<void> {
	// In a fresh clone they are known by their files alone, which are read first.
	await history.untilKnown();
	const images = await latestImages(history, maxListed);
	if (images.length === 0) {
		await notify('info', documentMessages.noImages, [commandButton('easel.generateImage')]);
		return;
	}
	const answer = await askPick({
		title: documentMessages.insertTitle,
		placeholder: documentMessages.insertPlaceholder,
		items: images.map((image) => ({
			label: oneLine(image.prompt, 80),
			description: ageWords(new Date(image.savedAt)),
			detail: `${vscode.workspace.asRelativePath(image.uri)} · ${readableDimensions(image)}`,
			iconPath: image.uri,
			image,
		})),
		matchOnDescription: true,
	});
	const context = answer?.type === 'value' ? await findCommandContext() : undefined;
	if (answer?.type === 'value' && context !== undefined) {
		const saved = await savedImageOf(answer.value.image, await history.list(), marks);
		await insertAtCursor(saved, context);
	}
}
