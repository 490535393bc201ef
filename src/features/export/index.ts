import path from 'node:path';
import * as vscode from 'vscode';
import { askExport } from '../../asking/askExport.js';
import { Estimates } from '../../asking/estimates.js';
import { linksLeftWords, runRequestCommand } from '../../asking/requestCommands.js';
import { registerCommand } from '../../editor/commands.js';
import { inspectUri } from '../../editor/images.js';
import { notify, runDetached, type Button } from '../../editor/messages.js';
import { withJobProgress } from '../../editor/progress.js';
import { targetImage } from '../../editor/targetImage.js';
import { safeName } from '../../editor/untrustedText.js';
import type { ExportedFile, Exporter, SavedExport } from '../../generation/exporter.js';
import { openImage } from '../../generation/savedImage.js';
import { exportWords, parseExport } from '../../images/exports/preset.js';
import { readableDimensions, weightWords } from '../../images/readableSize.js';
import { labels, presetMessages } from '../../messages.js';
import type { Services } from '../../services.js';
import { exportMessages } from '../messages.js';

type Deps = Pick<Services, 'exporter' | 'preferences'>;

/** "Export…": a small file of an image, beside it, for the pages that show the image. */
export function registerExport(deps: Deps): vscode.Disposable {
	return registerCommand('easel.exportImage', async (target) => {
		const given = typeof target === 'string' ? vscode.Uri.parse(target, true) : target;
		const image = await targetImage(given);
		if (image === undefined) {
			await notify('info', exportMessages.selectImage);
			return;
		}
		await exportAs(image, deps);
	});
}

async function exportAs(image: vscode.Uri, { exporter, preferences }: Deps): Promise<void> {
	const before = await inspectUri(image);
	const estimates = new Estimates(image, exporter);
	try {
		const text = await askExport(image, estimates, preferences.exports, {
			title: presetMessages.title(safeName(image)),
			placeholder: presetMessages.placeholder,
		});
		const preset = text === undefined ? undefined : parseExport(text);
		if (text === undefined || preset === undefined) {
			return;
		}
		const made =
			estimates.take(text) ??
			(await withJobProgress(
				exportMessages.exporting,
				() => exportWords(preset),
				(_, signal) =>
					exporter.make(image, preset, signal).catch((error: unknown) => {
						if (signal.aborted) {
							return undefined;
						}
						throw error;
					}),
			));
		if (made === undefined) {
			return;
		}
		try {
			const saved = await exporter.save(image, preset, made);
			await preferences.rememberExport(text);
			runDetached(report(image, made, saved, weightWords(before.bytes), exporter));
		} finally {
			await exporter.discard(made);
		}
	} finally {
		await estimates.dispose();
	}
}

async function report(
	image: vscode.Uri,
	made: readonly ExportedFile[],
	saved: readonly SavedExport[],
	before: string,
	exporter: Exporter,
): Promise<void> {
	const names = saved.map(({ uri }) => safeName(uri));
	const sizes = made.map((one) => `${readableDimensions(one)}, ${weightWords(one.weight)}`);
	const isNew = saved.some((one) => one.isNew);
	const [first, second] = saved;
	const use = async () => {
		const twice = second && path.posix.basename(second.uri.path);
		const change = { from: image, to: first!.uri, twice };
		const links = await runRequestCommand('updateLinks', 'edit', [change]);
		const { documents, notes, left } = links;
		const words =
			documents.length > 0
				? [exportMessages.used(safeName(first!.uri), documents.length)]
				: left.length === 0
					? [exportMessages.notShown(safeName(image))]
					: [];
		const all = [...(notes.length > 0 ? notes : words), ...linksLeftWords(links)];
		await notify('info', all.join(' '));
	};
	const undo = async () => {
		for (const uri of await exporter.remove(saved)) {
			await notify('warning', exportMessages.notUndone(safeName(uri)));
		}
	};
	const buttons: Button[] = [
		{ label: exportMessages.useInDocument, run: use },
		{ label: labels.show, run: () => openImage(first!.uri) },
		...(isNew ? [{ label: labels.undo, run: undo }] : []),
	];
	const white = made.some(({ isFlattened }) => isFlattened) ? exportMessages.isWhite : undefined;
	const words = isNew ? exportMessages.saved(names, sizes, before) : exportMessages.exists(names);
	await notify('info', [words, white].filter(Boolean).join(' '), buttons);
}
