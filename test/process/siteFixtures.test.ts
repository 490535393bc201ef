import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { scanDocuments } from '../../src/documents/missing/scanDocuments.js';
import { verdictOn } from '../../src/documents/missing/decide.js';
import { sitesAbove } from '../../src/documents/reading/sitesAbove.js';
import { destinationFor } from '../../src/documents/writeImageLink.js';
import { writeTree } from '../unit/documents/missing/tree.js';
import {
	commonImages,
	fateOf,
	linksOf,
	siteFixtures,
	type Fate,
	type SiteFixture,
} from './siteFixtures.js';
import { bundle } from './support.js';

suite('Missing images of sites', () => {
	let scratch: string;
	let script: string;

	suiteSetup(async () => {
		scratch = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-sites-')));
		script = await bundle(`import './src/documents/reading/worker.ts';`);
	});

	suiteTeardown(() => rm(scratch, { recursive: true, maxRetries: 10, force: true }));

	for (const fixture of siteFixtures) {
		test(`${fixture.name}: nothing is offered for money that exists`, async () => {
			const folder = path.join(scratch, fixture.name);
			const links = linksOf(fixture);
			await writeTree(folder, treeOf(fixture));
			const { images, problems } = await scanDocuments(script, [
				{ path: folder, workspaceFolder: folder, exclude: {} },
			]);
			assert.deepEqual(problems, []);
			const { text, starts } = pageOf(links);
			const fates = links.map(([written], index): [string, Fate] => {
				const [start, end] = [starts[index]!, starts[index + 1] ?? text.length];
				const image = images.find(
					({ reference: { destinationSpan } }) =>
						destinationSpan.start >= start && destinationSpan.start < end,
				);
				return [written, fateOf(image)];
			});
			assert.deepEqual(
				fates,
				links.map(([written, fate]) => [written, fate]),
			);
			const made = images.find(({ reference }) => /new\.png$/.test(reference.href));
			assert.equal(made?.path, path.join(folder, fixture.images[0], 'new.png'));
			// What is fixed is found then, and nothing else has changed.
			const page = path.join(folder, fixture.page);
			const sites = sitesAbove(path.dirname(page), folder);
			const uri = (file: string) => ({ scheme: 'file', authority: '', path: file });
			let mended = text;
			for (const image of images.filter((one) => verdictOn(one) === 'fix').reverse()) {
				const { start, end } = image.reference.destinationSpan;
				const place = { document: uri(page), workspaceFolder: uri(folder), sites };
				const target = uri(image.candidates[0]!);
				const newText = destinationFor(image.reference, { ...place, image: target });
				mended = mended.slice(0, start) + newText + mended.slice(end);
			}
			await writeTree(folder, { [fixture.page]: mended });
			const again = await scanDocuments(script, [
				{ path: folder, workspaceFolder: folder, exclude: {} },
			]);
			assert.deepEqual(
				again.images.map(({ reference }) => reference.raw),
				images.filter((one) => verdictOn(one) !== 'fix').map(({ reference }) => reference.raw),
				mended,
			);
		});
	}
});

function treeOf(fixture: SiteFixture): Record<string, string> {
	const { files, page, images } = fixture;
	const pictures = commonImages.map((name) => [`${images[0]}/${name}`, '']);
	return {
		...files,
		...(Object.fromEntries(pictures) as Record<string, string>),
		[page]: pageOf(linksOf(fixture)).text,
	};
}

function pageOf(links: readonly (readonly [string, Fate])[]) {
	const starts: number[] = [];
	let text = '';
	for (const [written] of links) {
		starts.push(text.length);
		text += `${written}\n\n`;
	}
	return { text, starts };
}
