import * as vscode from 'vscode';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import { missingMessages } from '../messages.js';

/** A missing image that cannot be generated where its document wants it. */
export type Obstructed = MissingImage & {
	readonly obstacle: NonNullable<MissingImage['obstacle']>;
};

/** Whether an image cannot be generated. */
export function isObstructed(image: MissingImage): image is Obstructed {
	return image.obstacle !== undefined;
}

/** Why not, as a sentence. */
export function obstacleWords({ obstacle, document }: Obstructed): string {
	switch (obstacle) {
		case 'format':
			return missingMessages.notPng;
		case 'outside':
			return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(document)) === undefined
				? missingMessages.outsideDocument
				: missingMessages.outsideWorkspace;
		case 'name':
			return missingMessages.badName;
		case 'unknown':
			return missingMessages.unknownPath;
	}
}
