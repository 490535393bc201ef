import * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { insertAtCursor } from '../../editor/generation/insertion.js';
import type { MadeImage, MadeImages } from '../../editor/generation/madeImages.js';
import { findOrigin } from '../../editor/generation/origin.js';
import { oneLine } from '../../editor/generation/questions.js';
import { notify } from '../../editor/messages.js';
import { askPick } from '../../editor/quickInput.js';
import { ageWords } from './age.js';
import { latestImages } from './latest.js';

/** So many are listed; older ones lie in the explorer. */
const mostListed = 100;

/** "Insert Generated Image…": one of the latest images goes to the cursor. */
export async function insertImage(made: MadeImages): Promise<void> {
	const images = await latestImages(made, mostListed);
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
		placeholder: 'The image that goes to the cursor',
		items: images.map(itemOf),
		matchOnDescription: true,
	});
	const origin = answer?.type === 'value' ? await findOrigin() : undefined;
	if (answer?.type === 'value' && origin !== undefined) {
		const { image } = answer.value;
		const { state } = image.entry;
		const dimensions = state.state === 'saved' ? state.result : { width: 0, height: 0 };
		await insertAtCursor(
			{ uri: image.uri, prompt: image.entry.request.prompt, image: dimensions },
			origin,
		);
	}
}

function itemOf(image: MadeImage): vscode.QuickPickItem & { readonly image: MadeImage } {
	const { request, state } = image.entry;
	const dimensions =
		state.state === 'saved'
			? ` · ${String(state.result.width)} × ${String(state.result.height)}`
			: '';
	return {
		label: oneLine(request.prompt, 80),
		description: ageWords(image.madeAt),
		detail: `${vscode.workspace.asRelativePath(image.uri)}${dimensions}`,
		iconPath: image.uri,
		image,
	};
}
