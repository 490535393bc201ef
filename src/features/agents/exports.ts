import * as vscode from 'vscode';
import { linksLeftWords, runRequestCommand } from '../../asking/requestCommands.js';
import { wordsOf } from '../../editor/errorTexts.js';
import { parseUri } from '../../editor/imageRequest.js';
import { inspectUri } from '../../editor/images.js';
import type { Exporter, Publish, Published } from '../../generation/exporter.js';
import { TooHeavyError } from '../../images/exports/exportImage.js';
import { ImageError } from '../../images/inspect.js';
import { ThumbnailError } from '../../images/thumbnails/thumbnailError.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import {
	maxAnswerMs,
	type AgentAnswer,
	type AgentArguments,
	type AgentImage,
} from '../../protocol/agents.js';
import type { Services } from '../../services.js';
import { agentMessages } from '../messages.js';
import { agentImage } from './images.js';
import { AgentError, pathFor, placeOfText } from './paths.js';

type ExportArguments = Pick<
	AgentArguments<'export_image'>,
	'format' | 'width' | 'height' | 'max_kb'
>;

/** Returns the export that the arguments of a call ask for, in words; `undefined` for none. */
export function exportWordsOf(input: ExportArguments): string | undefined {
	const { format, width, height, max_kb: kilobytes } = input;
	const box = width !== undefined && height !== undefined;
	const words = [
		format,
		width !== undefined && !box && String(width),
		height !== undefined && (box ? `${String(width)}x${String(height)}` : `x${String(height)}`),
		kilobytes !== undefined && `${String(kilobytes)}kB`,
	].filter(Boolean);
	return words.length === 0 ? undefined : [...(format ? [] : ['webp']), ...words].join(' ');
}

/** An answer comes some seconds before its limit. */
const maxExportMs = maxAnswerMs - 5000;

/** Saves a small copy of an image beside it. @throws {AgentError} saying why it cannot be made */
export async function exportForAgent(
	{ image, update_links: updatesLinks, ...wanted }: AgentArguments<'export_image'>,
	{ exporter }: Pick<Services, 'exporter'>,
): Promise<AgentAnswer> {
	const source = placeOfText(image);
	const folder = vscode.Uri.joinPath(source, '..').toString();
	const preset = exportWordsOf(wanted) ?? 'webp';
	const exported = await publishInTime(source, { preset, folder }, exporter);
	if (updatesLinks === true) {
		const change = { from: source, to: exported.uri };
		const links = await runRequestCommand('updateLinks', 'edit', [change]);
		const why = [...links.notes, ...linksLeftWords(links)];
		if (why.length > 0) {
			throw new AgentError(agentMessages.linksNotUpdated(pathFor(exported.uri), why));
		}
	}
	const { width, height } = await inspectUri(source);
	const master = { path: pathFor(source), uri: source.toString(), width, height };
	return { result: { image: { ...master, exported: copyOf(exported) } } };
}

/**
 * Returns an image of a job with its export, which is made where it is missing: the window that made
 * the image may have been closed before.
 */
export async function withExport(
	image: GalleryImage,
	{ exporter, gallery }: Pick<Services, 'exporter' | 'gallery'>,
): Promise<AgentImage> {
	const { id, publish, target } = image;
	if (publish === undefined) {
		return agentImage(image);
	}
	const uri = parseUri(image.published);
	const known = uri && (await inspectUri(uri).catch(() => undefined));
	if (uri !== undefined && known !== undefined) {
		const { width, height, bytes: weight } = known;
		return { ...agentImage(image), exported: copyOf({ uri, width, height, weight }) };
	}
	const exported = await publishInTime(vscode.Uri.parse(target, true), publish, exporter);
	await gallery.notePublished(id, exported.uri.toString(), exported.sha256);
	return { ...agentImage(image), exported: copyOf(exported) };
}

function copyOf({
	uri,
	width,
	height,
	weight,
}: Pick<Published, 'uri' | 'width' | 'height' | 'weight'>): AgentImage['exported'] {
	return { path: pathFor(uri), uri: uri.toString(), width, height, bytes: weight };
}

/**
 * Publishes an export.
 *
 * @throws {AgentError} where it cannot be made, or not within an answer's time
 */
async function publishInTime(
	image: vscode.Uri,
	publish: Publish,
	exporter: Exporter,
): Promise<Published> {
	const signal = AbortSignal.timeout(maxExportMs);
	try {
		return await exporter.publish(image, publish, signal);
	} catch (error) {
		if (signal.aborted) {
			throw new AgentError(agentMessages.exportTakesLong);
		}
		const isExpected = [ImageError, TooHeavyError, ThumbnailError].some(
			(kind) => error instanceof kind,
		);
		throw isExpected ? new AgentError(agentMessages.notExported(wordsOf(error))) : error;
	}
}
