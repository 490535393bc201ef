import { readdirSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { readBoundedSync } from '../../files/regularFile.js';
import { generators, rulesOf, type Generator, type Site } from '../sites.js';

/** In bytes; nobody configures a site in more. */
const largestSettings = 64 * 1024;

/**
 * The sites that documents of a folder lie in, the nearest first: up to the repository around it, or
 * where there is none, to the workspace folder. What cannot be read is none.
 *
 * @param folder absolute, as the workspace folder is
 */
export function sitesAbove(folder: string, workspaceFolder: string | undefined): Site[] {
	const found: Site[] = [];
	let within = 0;
	for (let at = folder; ; at = path.dirname(at)) {
		const entries = entriesOf(at);
		found.push(...sitesIn(at, entries));
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

function sitesIn(root: string, entries: readonly Dirent[]): Site[] {
	const names = entries.map(({ name }) => name);
	return (Object.keys(generators) as Generator[]).flatMap((generator) => {
		const {
			recognizedBy,
			settingsIn,
			settings = {},
			publicFolder,
			pages,
			images,
		} = rulesOf({
			generator,
		});
		const shown = recognizedBy.find((all) =>
			all.every((one) => names.some((name) => one.test(name))),
		);
		if (shown === undefined) {
			return [];
		}
		const files = settingsIn ?? names.filter((name) => shown[0]?.test(name));
		const text = files
			.map((file) => textOf(path.join(root, file)).replace(/^[ \t]*(?:#|\/\/).*/gm, ''))
			.join('\n');
		const site: Record<string, string | undefined> = { publicFolder, pages, images };
		for (const [key, pattern] of Object.entries(settings)) {
			const value = pattern.exec(text)?.[1]?.replace(/\/+$/, '');
			site[key] = value === undefined || value === '' ? site[key] : value;
		}
		return [{ ...site, generator, root }];
	});
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
		return readBoundedSync(file, { largest: largestSettings }).toString('utf8');
	} catch {
		return '';
	}
}
