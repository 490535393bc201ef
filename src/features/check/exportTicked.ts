import path from 'node:path';
import * as vscode from 'vscode';
import { askExport } from '../../asking/askExport.js';
import { Estimates } from '../../asking/estimates.js';
import {
	linksLeftWords,
	runRequestCommand,
	type LinkChange,
} from '../../asking/requestCommands.js';
import { mastersFolder } from '../../asking/target.js';
import type { Finding } from '../../documents/check/finding.js';
import { commandButton } from '../../editor/commands.js';
import { wordsOf } from '../../editor/errorTexts.js';
import { inspectUri } from '../../editor/images.js';
import { notify, runDetached, type Button } from '../../editor/messages.js';
import { withSeriesProgress } from '../../editor/progress.js';
import { safeName } from '../../editor/untrustedText.js';
import type { SavedExport } from '../../generation/exporter.js';
import { imageNamePattern } from '../../images/fileName.js';
import { parseExport, type ExportPreset } from '../../images/exports/preset.js';
import { weightWords } from '../../images/readableSize.js';
import { log } from '../../log.js';
import { labels } from '../../messages.js';
import type { Services } from '../../services.js';
import { checkMessages } from '../messages.js';

/** Rules that an export of the image meets. */
const exportRules: readonly string[] = ['image-weight', 'image-dimensions', 'image-format'];

/** Returns whether a finding is about an image that can be exported. */
export function takesExport({ rule, image }: Finding): boolean {
	return exportRules.includes(rule) && image !== undefined && imageNamePattern.test(image);
}

/** An image of findings. */
interface Source {
	readonly uri: vscode.Uri;
	readonly bytes: number;
	/** True where the weight is all that is wrong: a heavier export is of no use then. */
	readonly isOnlyHeavy: boolean;
}

interface Export {
	readonly source: Source;
	readonly saved: readonly SavedExport[];
	/** In bytes: of the file that documents show. */
	readonly weight: number;
}

/**
 * Exports the images of findings by one preset, each beside its source, and has the documents of the
 * workspace show the exports, all in one step to undo. The originals stay.
 */
export async function exportTicked(findings: readonly Finding[], deps: Services): Promise<void> {
	const problems = new Map<string, string[]>();
	const addProblem = (uri: vscode.Uri, why: string) => {
		log.warn(`Not exported: ${uri.path} (${why})`);
		problems.set(why, [...(problems.get(why) ?? []), safeName(uri)]);
	};
	const all = new Set(findings.map(({ image }) => image)).size;
	const sources = await sourcesOf(findings, addProblem);
	const preset = sources.length === 0 ? undefined : await askPreset(sources, deps);
	if (preset === undefined) {
		reportProblems(problems);
		return;
	}
	const made: Export[] = [];
	const title = checkMessages.exporting;
	await withSeriesProgress(title, sources.length, async (step, signal) => {
		for (const source of sources) {
			try {
				made.push(await exportOne(source, preset, deps, signal));
			} catch (error) {
				if (signal.aborted) {
					// What came before counts.
					return;
				}
				addProblem(source.uri, error instanceof HeavierError ? error.message : wordsOf(error));
			}
			step();
		}
	});
	if (made.length === 0) {
		reportProblems(problems);
		return;
	}
	const changes = made.map(({ source, saved: [first, second] }): LinkChange => {
		const twice = second && path.posix.basename(second.uri.path);
		return { from: source.uri, to: first!.uri, twice };
	});
	const links = await runRequestCommand('updateLinks', 'edit', changes);
	const sum = (weights: readonly number[]) => weightWords(weights.reduce((a, b) => a + b, 0));
	const before = sum(made.map(({ source }) => source.bytes));
	const after = sum(made.map(({ weight }) => weight));
	const words = [
		checkMessages.exported(made.length, all, before, after),
		...(links.notes.length > 0
			? links.notes
			: [checkMessages.documentsShow(links.documents.length)]),
		...linksLeftWords(links),
		...problemWords(problems),
	];
	const undo = async () => {
		const changed = await links.undo();
		if (changed.length > 0) {
			const names = changed.map((uri) => safeName(vscode.Uri.parse(uri, true)));
			await notify('warning', checkMessages.linksStay(names));
			return;
		}
		const left = await deps.exporter.remove(made.flatMap(({ saved }) => saved));
		if (left.length > 0) {
			await notify('warning', checkMessages.exportsStay(left.map((uri) => safeName(uri))));
		}
	};
	const buttons: Button[] = [
		{ label: labels.undo, run: undo },
		{
			label: checkMessages.moveOriginals,
			run: () => moveOriginals(made.map(({ source }) => source.uri)),
		},
		...(problems.size > 0 ? [commandButton('easel.showLog')] : []),
	];
	const severity = problems.size > 0 || links.notes.length > 0 ? 'warning' : 'info';
	runDetached(notify(severity, words.join(' '), buttons));
}

/** The images of findings, the heaviest first. */
async function sourcesOf(
	findings: readonly Finding[],
	addProblem: (uri: vscode.Uri, why: string) => void,
): Promise<readonly Source[]> {
	const sources: Source[] = [];
	for (const [image, about] of Map.groupBy(findings, (one) => one.image)) {
		const uri = vscode.Uri.file(image ?? '');
		try {
			const { bytes } = await inspectUri(uri);
			const isOnlyHeavy = about.every(({ rule }) => rule === 'image-weight');
			sources.push({ uri, bytes, isOnlyHeavy });
		} catch (error) {
			addProblem(uri, wordsOf(error));
		}
	}
	return sources.sort((one, other) => other.bytes - one.bytes);
}

async function askPreset(
	sources: readonly Source[],
	{ exporter, preferences }: Services,
): Promise<ExportPreset | undefined> {
	const heaviest = sources[0]!.uri;
	const estimates = new Estimates(heaviest, exporter);
	try {
		const text = await askExport(heaviest, estimates, preferences.exports, {
			title: checkMessages.exportImages(sources.length),
			placeholder: checkMessages.selectPreset(safeName(heaviest)),
		});
		const preset = text === undefined ? undefined : parseExport(text);
		if (text !== undefined && preset !== undefined) {
			await preferences.rememberExport(text);
		}
		return preset;
	} finally {
		await estimates.dispose();
	}
}

/** An export is no lighter than its source. */
class HeavierError extends Error {
	override readonly name = 'HeavierError';
}

async function exportOne(
	source: Source,
	preset: ExportPreset,
	{ exporter }: Services,
	signal: AbortSignal,
): Promise<Export> {
	const files = await exporter.make(source.uri, preset, signal);
	try {
		const { weight } = files[0]!;
		if (source.isOnlyHeavy && weight >= source.bytes) {
			throw new HeavierError(checkMessages.notLighter);
		}
		return { source, saved: await exporter.save(source.uri, preset, files), weight };
	} finally {
		await exporter.discard(files);
	}
}

/** Moves the originals that nothing of the workspace names to the folder of masters. */
async function moveOriginals(images: readonly vscode.Uri[]): Promise<void> {
	const byFolder = Map.groupBy(images, (uri) => vscode.workspace.getWorkspaceFolder(uri)?.uri);
	for (const [root, some] of byFolder) {
		if (root === undefined) {
			continue;
		}
		const folder = await mastersFolder(root, root);
		const moved = await runRequestCommand('moveUnnamed', 'edit', some, folder);
		if (moved === undefined) {
			return;
		}
		const left = some.filter((uri) => !moved.includes(uri)).map((uri) => safeName(uri));
		const place = vscode.workspace.asRelativePath(folder);
		await notify('info', checkMessages.moved(moved.length, place, left));
	}
}

function problemWords(problems: ReadonlyMap<string, readonly string[]>): string[] {
	return [...problems].map(([why, names]) => checkMessages.notExported(names, why));
}

function reportProblems(problems: ReadonlyMap<string, readonly string[]>): void {
	if (problems.size > 0) {
		const words = problemWords(problems).join(' ');
		runDetached(notify('warning', words, [commandButton('easel.showLog')]));
	}
}
