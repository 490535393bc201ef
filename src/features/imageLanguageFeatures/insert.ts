import * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { insertAtCursor } from '../../generation/insertAtCursor.js';
import { findCommandContext } from '../../generation/commandContext.js';
import type { Parts } from '../../generation/parts.js';
import { oneLine } from '../../generation/questions.js';
import { savedImageOf } from '../../generation/savedImage.js';
import { notify } from '../../editor/messages.js';
import { askPick } from '../../editor/quickInput.js';
import { readableDimensions } from '../../images/readableSize.js';
import { ageWords } from '../../editor/age.js';
import { latestImages, type LatestImage } from './latest.js';

/** So many are listed; older ones lie in the explorer. */
const mostListed = 100;

/** "Insert Generated Image…": one of the latest images goes to the cursor. */
export async function insertImage({
	gallery,
	marks,
}: Pick<Parts, 'gallery' | 'marks'>): Promise<void> {
	const images = await latestImages(gallery, mostListed);
	if (images.length === 0) {
		await notify('info', 'Easel has made no image in this workspace yet.', [
			{
				label: 'Generate Image',
				run: async () => {
					await runCommand('easel.generateImage');
				},
			},
		]);
		return;
	}
	const answer = await askPick({
		title: 'Insert Generated Image',
		placeholder: 'Select an image to insert',
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
