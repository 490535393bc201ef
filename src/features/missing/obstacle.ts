import * as vscode from 'vscode';
import type { MissingImage } from '../../documents/missing/missingIn.js';

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
			return 'The name does not end in .png; the service makes PNG only.';
		case 'outside':
			return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(document)) === undefined
				? 'The path leaves the folder of the document.'
				: 'The path leaves the workspace folder.';
		case 'name':
			return 'No file can have a name like this here.';
		case 'unknown':
			return 'Only a site generator knows where this path leads.';
	}
}
