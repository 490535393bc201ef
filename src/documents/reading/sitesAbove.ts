import { readdirSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { codeOf } from '../../files/fsErrors.js';
import { readBoundedSync } from '../../files/boundedRead.js';
import { sitesIn, type Site } from '../sites.js';
import { configured } from './siteConfiguration.js';

/** Longest configuration of a site; a larger one is not read. */
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
		const isFolder = (name: string) =>
			entries.some((one) => one.name === name && one.isDirectory());
		const read = (file: string) => (isFolder(file) ? '' : textOf(path.join(at, file)));
		const list = (folder: string) => entriesOf(path.join(at, folder)).map(({ name }) => name);
		found.push(...sitesIn(at, names, read).map((site) => configured(site, names, read, list)));
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

/** Returns the text of a file: empty where there is none, `undefined` where it cannot be read. */
function textOf(file: string): string | undefined {
	try {
		return readBoundedSync(file, { maxBytes: maxSettingsBytes }).toString('utf8');
	} catch (error) {
		return ['ENOENT', 'ENOTDIR'].includes(codeOf(error)) ? '' : undefined;
	}
}
