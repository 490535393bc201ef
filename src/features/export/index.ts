import path from 'node:path';
import * as vscode from 'vscode';
import { runRequestCommand } from '../../asking/requestCommands.js';
import { registerCommand } from '../../editor/commands.js';
import { placeOf } from '../../editor/filePlaces.js';
import { removeQuietly } from '../../editor/files.js';
import { inspectUri } from '../../editor/images.js';
import { notify, runDetached, type Button } from '../../editor/messages.js';
import { withJobProgress } from '../../editor/progress.js';
import { askPick, type ValueItem } from '../../editor/quickInput.js';
import { readSetting } from '../../editor/settings.js';
import { targetImage } from '../../editor/targetImage.js';
import { safeName } from '../../editor/untrustedText.js';
import type { ExportedFile } from '../../generation/exporter.js';
import { openImage } from '../../generation/savedImage.js';
import { exportWords, ownPresets, parseExport } from '../../images/exports/preset.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import { labels } from '../../messages.js';
import type { Services } from '../../services.js';
import { exportMessages } from '../messages.js';
import { Estimates } from './estimates.js';

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
		const text = await askPreset(image, estimates, preferences.exports);
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
			runDetached(report(image, made, saved, readableSize(before.bytes)));
		} finally {
			await exporter.discard(made);
		}
	} finally {
		await estimates.dispose();
	}
}

/** Asks for a preset, the last ones first, with the weight of each as soon as it is known. */
async function askPreset(
	image: vscode.Uri,
	estimates: Estimates,
	last: readonly string[],
): Promise<string | undefined> {
	const presets = Object.entries({ ...ownPresets, ...readSetting('export.presets', image) });
	const nameOf = new Map(presets.map(([name, text]) => [text, name]));
	const item = (value: string, icon?: string): ValueItem => {
		const preset = parseExport(value);
		const words = preset && exportWords(preset);
		return {
			...(icon !== undefined && { icon }),
			label: nameOf.get(value) ?? value,
			description: [words, estimates.wordsFor(value)].filter(Boolean).join(' · '),
			alwaysShow: true,
			value,
		};
	};
	const others = presets.map(([, text]) => text).filter((text) => !last.includes(text));
	const all = [...last, ...others];
	estimates.want(all);
	const itemsFor = (typed: string): readonly ValueItem[] => {
		const text = typed.trim();
		if (parseExport(text) !== undefined) {
			estimates.want([text]);
			return [item(text, 'edit')];
		}
		const words = text.toLowerCase();
		const found = all
			.map((value) => item(value, last.includes(value) ? 'history' : undefined))
			.filter(({ label, description = '' }) =>
				`${label} ${description}`.toLowerCase().includes(words),
			);
		return found.length > 0 ? found : [{ label: exportMessages.notUnderstood, alwaysShow: true }];
	};
	const answer = await askPick<ValueItem>({
		title: exportMessages.title(safeName(image)),
		placeholder: exportMessages.placeholder,
		items: [],
		itemsFor,
		onDidChangeItems: estimates.onDidChange,
		acceptable: ({ value }) => value !== undefined,
	});
	return answer?.type === 'value' ? answer.value.value : undefined;
}

type Saved = readonly { readonly uri: vscode.Uri; readonly isNew: boolean }[];

async function report(
	image: vscode.Uri,
	made: readonly ExportedFile[],
	saved: Saved,
	before: string,
): Promise<void> {
	const names = saved.map(({ uri }) => safeName(uri));
	const sizes = made.map((one) => `${readableDimensions(one)}, ${readableSize(one.weight)}`);
	const created = saved.filter(({ isNew }) => isNew).map(({ uri }) => uri);
	const marks = await Promise.all(
		created.map(async (uri) => ({ uri, sha256: await placeOf(uri).sha256() })),
	);
	const [first, second] = saved;
	const use = async () => {
		const { documents, notes } = await runRequestCommand(
			...(['updateLinks', 'edit', image, first!.uri, undefined] as const),
			second && path.posix.basename(second.uri.path),
		);
		const words =
			documents.length === 0
				? exportMessages.notShown(safeName(image))
				: exportMessages.used(safeName(first!.uri), documents.length);
		await notify('info', notes.length > 0 ? notes.join(' ') : words);
	};
	const undo = async () => {
		for (const { uri, sha256 } of marks) {
			if ((await placeOf(uri).sha256()) === sha256) {
				await removeQuietly(uri);
			} else {
				await notify('warning', exportMessages.notUndone(safeName(uri)));
			}
		}
	};
	const buttons: Button[] = [
		{ label: exportMessages.useInDocument, run: use },
		{ label: labels.show, run: () => openImage(first!.uri) },
		...(created.length > 0 ? [{ label: labels.undo, run: undo }] : []),
	];
	const white = made.some(({ isFlattened }) => isFlattened) ? exportMessages.isWhite : undefined;
	const words =
		created.length > 0 ? exportMessages.saved(names, sizes, before) : exportMessages.exists(names);
	await notify('info', [words, white].filter(Boolean).join(' '), buttons);
}
