import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { scanDocuments } from '../../src/documents/missing/scanDocuments.js';
import { decideMissing, verdictOn } from '../../src/documents/missing/decide.js';
import { missingIn } from '../../src/documents/missing/missingIn.js';
import { DocumentReader } from '../../src/documents/reading/reader.js';
import { writeTree } from '../unit/documents/missing/tree.js';
import { rare } from '../host/rare.js';
import { bundle } from './support.js';

suite('decideMissing', () => {
	let scratch: string;
	let script: string;

	suiteSetup(async () => {
		scratch = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-decide-')));
		script = await bundle(`import './src/documents/reading/worker.ts';`);
	});

	suiteTeardown(() => rm(scratch, { recursive: true, maxRetries: 10, force: true }));

	async function missingBelow(folder: string) {
		const root = { path: folder, workspaceFolder: folder, exclude: {} };
		return (await scanDocuments(script, [root])).images;
	}

	rare('looks into each folder once, however many images are missing', async () => {
		const folder = path.join(scratch, 'large');
		const files: Record<string, string> = {};
		for (let index = 0; index < 10_000; index++) {
			files[`images/${String(index % 100)}/Image ${String(index)}.PNG`] = '';
		}
		const links = Object.keys(files).map((name) => `![A](<gone/${name.toLowerCase()}>)`);
		await writeTree(folder, files);
		const place = { document: path.join(folder, 'a.md'), workspaceFolder: folder };
		const images = [...missingIn(links.join('\n'), place)];
		assert.equal(images.length, 10_000);
		const reader = new DocumentReader(script, { timeLimitMs: 60_000 });
		let orders = 0;
		const counting = {
			read: (...[type, order]: Parameters<DocumentReader['read']>) => {
				orders++;
				return reader.read(type, order);
			},
		} as unknown as DocumentReader;
		try {
			const decided = await decideMissing(images, [folder], counting);
			assert.deepEqual(
				decided.map(({ candidates }) => candidates.map((one) => path.relative(folder, one))),
				Object.keys(files).map((name) => [path.join(name)]),
			);
		} finally {
			await reader.dispose();
		}
		// Each of them looks into one at least, and none is looked into again.
		assert.ok(orders <= 102, String(orders));
	});

	test('leaves alone what git ignores, what lies in packages, and what has another name', async () => {
		const folder = path.join(scratch, 'left');
		await writeTree(folder, {
			'a.md': '![A lamp](lamp.png)\n\n![A fox](fox.png)',
			'.gitignore': 'build/\n',
			'build/LAMP.png': '',
			'node_modules/a/LAMP.png': '',
			'lamp-2.png': '',
			'fox.png.md': '',
		});
		const images = await missingBelow(folder);
		assert.deepEqual(
			images.map(({ candidates, reference }) => [reference.alt, candidates]),
			[
				['A lamp', []],
				['A fox', []],
			],
		);
	});

	test('buys nothing that lies elsewhere, and leads no page to another language', async () => {
		const folder = path.join(scratch, 'languages');
		await writeTree(folder, {
			'mkdocs.yml': '',
			'docs/fr/a.md': '![A](img/flow.png) ![B](img/login.png) ![C](img/lamp.png)',
			'docs/en/img/flow.png': '',
			'docs/fr/old/login.png': '',
			'archive/lamp.png': '',
		});
		const images = await missingBelow(folder);
		assert.deepEqual(
			images.map((image) => [verdictOn(image), image.unknown]),
			[
				['unknown', 'unpublished'],
				['fix', undefined],
				['unknown', 'unpublished'],
			],
		);
	});

	test('prefers the file that has most folders in common with the link', async () => {
		const folder = path.join(scratch, 'common');
		await writeTree(folder, {
			'docs/a.md': '![A](img/one/login.png) ![B](img/two/Login.png) ![C](x/login.png)',
			'img/one/Login.png': '',
			'old/two/login.png': '',
			'archive/login.png': '',
		});
		const images = await missingBelow(folder);
		const names = images.map(({ candidates }) =>
			candidates.map((one) => path.relative(folder, one).replaceAll(path.sep, '/')).sort(),
		);
		assert.deepEqual(names, [
			['img/one/Login.png'],
			['old/two/login.png'],
			['archive/login.png', 'img/one/Login.png', 'old/two/login.png'],
		]);
	});
});
