import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { SaveError, refusalWords } from '../../editor/files.js';
import { TakenError } from '../../editor/swapFiles.js';
import { placeOf } from '../../editor/filePlaces.js';
import { privateFolder, writeFlushed } from '../../files/writeWhole.js';
import { candidateNames } from '../../images/fileName.js';

/**
 * Writes a brief beside its image: `harbor.brief.md`, or a numbered name where that one is taken.
 * Nothing is written over, and no name that people see ever holds half a brief.
 *
 * @param storage our own, absolute
 * @returns where it is
 * @throws {SaveError} where it cannot be written
 */
export async function saveBrief(
	image: vscode.Uri,
	text: string,
	storage: string,
): Promise<vscode.Uri> {
	const whole = path.join(storage, 'briefs', crypto.randomUUID());
	const part = placeOf(vscode.Uri.joinPath(image, '..', `.easel-${crypto.randomUUID()}.part`));
	try {
		await mkdir(path.dirname(whole), { recursive: true, mode: privateFolder });
		await writeFlushed(whole, text);
		await part.copyFrom(whole);
		for (const name of briefNames(image)) {
			try {
				await part.renameToFree(name);
				return vscode.Uri.joinPath(image, '..', name);
			} catch (error) {
				if (!(error instanceof TakenError)) {
					throw error;
				}
			}
		}
		throw new Error('there is no free name');
	} catch (error) {
		throw new SaveError(image, `The brief cannot be saved: ${refusalWords(error)}`, error);
	} finally {
		await part.remove().catch(() => undefined);
		await rm(whole, { force: true });
	}
}

function* briefNames(image: vscode.Uri): Iterable<string> {
	const { name } = path.posix.parse(image.path);
	for (const numbered of candidateNames(`${name}.md`)) {
		yield numbered.replace(/\.md$/, '.brief.md');
	}
}
