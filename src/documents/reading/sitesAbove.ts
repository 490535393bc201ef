import { readdirSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { readBoundedSync } from '../../files/boundedRead.js';
import { sitesIn, type Site } from '../sites.js';

/** Longest configuration of a site; of a larger one the defaults count. */
const maxSettingsBytes = 64 * 1024;

/**
 * Returns the sites that documents of a folder lie in, the nearest first: up to the repository around it, or
 * where there is none, to the workspace folder. What cannot be read is none.
 *
 * @param folder absolute, as the workspace folder is
 */
export function sitesAbove(folder: string, workspaceFolder: string | undefined): Site[] {
	const found: Site[] = [];
	let within = 0;
	for (let at = folder; ; at = path.dirname(at)) {
		const entries = entriesOf(at);
		const names = entries.map(({ name }) => name);
		found.push(...sitesIn(at, names, (file) => textOf(path.join(at, file))));
		if (at === workspaceFolder) {
			within = found.length;
		}
		if (entries.some((one) => one.name === '.git' && one.isDirectory())) {
			return found;
		}
		if (at === path.dirname(at)) {
			return found.slice(0, within);
		}
	}
}

function entriesOf(folder: string): readonly Dirent[] {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch {
		return [];
	}
}

function textOf(file: string): string {
	try {
		return readBoundedSync(file, { maxBytes: maxSettingsBytes }).toString('utf8');
	} catch {
		return '';
	}
}
