import * as vscode from 'vscode';
import { imageAt } from '../../editor/documentImages.js';
import type { MadeImage, MadeImages } from '../../editor/generation/madeImages.js';
import type { CommandId } from '../../editor/commandTable.js';
import { ageWords } from './age.js';

/** Longest side of the picture in a hover, in pixels. */
const longestSide = 180;
/** Longest prompt in a hover, in UTF-16 code units. */
const longestPrompt = 500;

/** The image under the pointer, its prompt and what can be done; only for images of Easel. */
export async function hoverOver(
	document: vscode.TextDocument,
	position: vscode.Position,
	made: MadeImages,
): Promise<vscode.Hover | undefined> {
	const uri = await imageAt(document, position);
	const image = uri && (await made.find(uri));
	if (uri === undefined || image === undefined) {
		return undefined;
	}
	// VS Code's own Markdown shows the picture already.
	const withPicture = document.languageId !== 'markdown';
	return new vscode.Hover(describe(image, await exists(uri), withPicture));
}

function describe(
	{ uri, entry, madeAt }: MadeImage,
	isThere: boolean,
	withPicture: boolean,
): vscode.MarkdownString {
	const { request, state } = entry;
	const text = new vscode.MarkdownString();
	text.appendText(shortened(request.prompt));
	const facts =
		state.state === 'saved'
			? `${String(state.result.width)} × ${String(state.result.height)} · ${ageWords(madeAt)}`
			: ageWords(madeAt);
	text.appendMarkdown(`\n\n${facts}\n\n`);
	const [original] = request.references;
	const links = [
		...(isThere ? [link('easel.editWithPrompt', 'Edit with Prompt', uri.toString())] : []),
		link('easel.generateImage', 'Regenerate', {
			prompt: request.prompt,
			size: request.size,
			...(request.quality === undefined ? {} : { quality: request.quality }),
			references: request.references.map(({ source }) => source),
			output: uri.toString(),
		}),
		...(isThere && request.operation === 'edit' && original !== undefined
			? [link('easel.compareImages', 'Compare', original.source, uri.toString())]
			: []),
	];
	text.appendMarkdown(links.join(' · '));
	if (withPicture && isThere && state.state === 'saved') {
		const { width, height } = state.result;
		const scale = Math.min(1, longestSide / Math.max(width, height));
		const [shownWidth, shownHeight] = [width, height].map((side) => Math.round(side * scale));
		const size = `width=${String(shownWidth)},height=${String(shownHeight)}`;
		text.appendMarkdown(`\n\n![](${uri.toString()}|${size})`);
	}
	text.isTrusted = {
		enabledCommands: ['easel.editWithPrompt', 'easel.generateImage', 'easel.compareImages'],
	};
	return text;
}

/** Arguments go as JSON, so a URI goes as its text; a bracket would end the link. */
function link(command: CommandId, label: string, ...args: unknown[]): string {
	const query = encodeURIComponent(JSON.stringify(args)).replace(/[()]/g, (sign) =>
		sign === '(' ? '%28' : '%29',
	);
	return `[${label}](command:${command}?${query})`;
}

function shortened(prompt: string): string {
	return prompt.length > longestPrompt ? `${prompt.slice(0, longestPrompt - 1)}…` : prompt;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
	return vscode.workspace.fs.stat(uri).then(
		() => true,
		() => false,
	);
}
