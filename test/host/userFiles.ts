import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A key binding as `keybindings.json` has it. */
export interface KeyBinding {
	readonly key: string;
	readonly command: string;
	readonly args?: unknown;
}

/** Settings of the user, written before the editor starts. */
export interface UserFiles {
	readonly settings?: Record<string, unknown> | undefined;
	readonly keyBindings?: readonly KeyBinding[] | undefined;
}

/** Writes the user's settings and key bindings into VS Code's folder `User`. */
export async function writeUserFiles(
	folder: string,
	{ settings = {}, keyBindings = [] }: UserFiles,
): Promise<void> {
	const write = (name: string, content: unknown) =>
		writeFile(join(folder, name), JSON.stringify(content, undefined, '\t'));
	await write('settings.json', settings);
	await write('keybindings.json', keyBindings);
}
