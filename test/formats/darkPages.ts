import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path, { posix } from 'node:path';
import type { Browser } from 'playwright-core';
import { languageOfFile } from '../../src/documents/languages';
import { sitesAbove } from '../../src/documents/reading/sitesAbove';
import { siteOfPage } from '../../src/documents/sites';
import { launchBrowser } from '../host/browser';
import { Sandbox } from '../host/sandbox';
import { writeTree } from '../unit/documents/missing/tree';
import { paired } from '../unit/documents/paired';
import { pictureOfWidth } from '../unit/documents/pictures';
import { buildSite, siteGenerators, type BuiltSite } from './siteGenerators';

/** Widths of the pictures, by which the browser tells them apart. */
const widths = { light: 31, dark: 47 } as const;

/**
 * Defines the tests of the form that a generator's pages have for another picture on dark pages: of each
 * pair that Easel writes, a browser shows the one that belongs to its colors, and not the other.
 *
 * @param files configuration and other files, by their paths below the root of the site
 * @param pages texts with links to `a.png`, which lies beside them, by their paths there
 */
export function testDarkPages(
	title: string,
	name: string,
	files: Readonly<Record<string, string>>,
	pages: Readonly<Record<string, string>>,
): void {
	const generator = { ...siteGenerators[name]!, files };
	const { root, output, base } = generator;

	suite(`Pictures for light and dark pages, built by ${title}`, () => {
		let sandbox: Sandbox;
		let browser: Browser;
		let server: Server;
		let site: BuiltSite;

		suiteSetup(async function () {
			this.timeout(600_000);
			sandbox = new Sandbox();
			const folder = sandbox.folder('site');
			const inRoot = (page: string) => path.join(folder, root, page);
			await writeTree(inRoot(''), files);
			for (const [page, text] of Object.entries(pages)) {
				const beside = posix.dirname(page);
				await writeTree(inRoot(''), {
					[posix.join(beside, 'a.png')]: pictureOfWidth(widths.light),
					[posix.join(beside, 'a-dark.png')]: pictureOfWidth(widths.dark),
				});
				const document = inRoot(page);
				const sites = sitesAbove(path.dirname(document), folder);
				const both = paired(text, {
					...{ document, workspaceFolder: folder, folder: path.dirname(document) },
					...{ site: siteOfPage(document, sites), languageId: languageOfFile(page) },
				});
				await writeTree(inRoot(''), { [page]: both ?? assert.fail(`${page} has no form`) });
			}
			site = await buildSite(folder, generator);
			server = createServer((request, response) => {
				const { pathname } = new URL(request.url ?? '/', 'http://localhost');
				const rest = decodeURIComponent(pathname).slice(base.length);
				const file = path.join(folder, root, output, rest.replace(/(?:^|\/)$/, '$&index.html'));
				const type = types[path.extname(file)] ?? 'application/octet-stream';
				void readFile(file).then(
					(content) => response.writeHead(200, { 'content-type': type }).end(content),
					() => response.writeHead(404).end(),
				);
			});
			await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
			browser = await launchBrowser(sandbox);
		});

		suiteTeardown(async () => {
			await browser.close();
			server.close();
			sandbox.close();
		});

		for (const [page, text] of Object.entries(pages)) {
			test(`shows one of two in ${page}`, async () => {
				const count = text.match(/\ba\.png/g)!.length;
				const { port } = server.address() as AddressInfo;
				const file = site.fileOf(page).replace(/(^|\/)index\.html$/, '$1');
				for (const colorScheme of ['light', 'dark'] as const) {
					const tab = await browser.newPage({ colorScheme });
					// As Furo's own button does: its style sheet in Debian leaves the system's colors out.
					await tab.addInitScript(`localStorage.setItem('theme', '${colorScheme}')`);
					await tab.goto(`http://127.0.0.1:${String(port)}${base}${file}`);
					const expected = Array.from({ length: count }, () => widths[colorScheme]);
					// Themes that ask the browser for its colors do so by script.
					const inTime = { timeout: 10_000 };
					const isShown = `${shownWidths}.join() === '${expected.join()}'`;
					await tab.waitForFunction(isShown, undefined, inTime).catch(() => undefined);
					const html = `${site.said}\n${await tab.content()}`;
					assert.deepEqual(await tab.evaluate(shownWidths), expected, html);
					await tab.close();
				}
			});
		}
	});
}

const shownWidths =
	'[...document.images].filter((one) => one.checkVisibility()).map((one) => one.naturalWidth)';

const types: Readonly<Record<string, string>> = {
	'.html': 'text/html',
	'.css': 'text/css',
	'.js': 'text/javascript',
	'.png': 'image/png',
};
