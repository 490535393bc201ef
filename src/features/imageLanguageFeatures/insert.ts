import * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { insertAtCursor } from '../../generation/insertAtCursor.js';
import { findCommandContext } from '../../generation/commandContext.js';
import type { Services } from '../../generation/services.js';
import { oneLine } from '../../generation/questions.js';
import { savedImageOf } from '../../generation/savedImage.js';
import { notify } from '../../editor/messages.js';
import { askPick } from '../../editor/quickInput.js';
import { readableDimensions } from '../../images/readableSize.js';
import { ageWords } from '../../editor/age.js';
import { latestImages, type LatestImage } from './latest.js';
import { documentMessages } from '../messages.js';
import { commandTitles } from '../../editor/commandTable.js';

/** So many are listed; older ones lie in the explorer. */
const maxListed = 100;

/** "Insert Generated Image…": one of the latest images goes to the cursor. */
export async function insertImage({
	gallery,
	marks,
}: Pick<Services, 'gallery' | 'marks'>): Promise<void> {
	const images = await latestImages(gallery, maxListed);
	if (images.length === 0) {
		await notify('info', documentMessages.noImages, [
			{
				label: commandTitles['easel.generateImage'],
				run: async () => {
					await runCommand('easel.generateImage');
				},
			},
		]);
		return;
	}
	const answer = await askPick({
		title: documentMessages.insertTitle,
		placeholder: documentMessages.insertPlaceholder,
		items: images.map(itemOf),
		matchOnDescription: true,
	});
	const context = answer?.type === 'value' ? await findCommandContext() : undefined;
	if (answer?.type === 'value' && context !== undefined) {
		const { image } = answer.value;
		await insertAtCursor(await savedImageOf(image, await gallery.list(), marks), context);
	}
}

function itemOf(image: LatestImage): vscode.QuickPickItem & { readonly image: LatestImage } {
	const { prompt, savedAt, uri } = image;
	return {
		label: oneLine(prompt, 80),
		description: ageWords(new Date(savedAt)),
		detail: `${vscode.workspace.asRelativePath(uri)} · ${readableDimensions(image)}`,
		iconPath: uri,
		image,
	};
}
