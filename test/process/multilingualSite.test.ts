import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { scanDocuments } from '../../src/documents/missing/scanDocuments.js';
import { verdictOn } from '../../src/documents/missing/decide.js';
import type { MissingImage } from '../../src/documents/missing/missingIn.js';
import { writeTree } from '../unit/documents/missing/tree.js';
import { bundle } from './support.js';

const languages = ['en', 'bn', 'es', 'fr', 'ja', 'pt', 'ro', 'zh'];
const topics = Array.from({ length: 20 }, (_, index) => `topic-${String(index + 1)}`);

const configuration = `
baseURL: https://example.org
theme: [a-theme]
defaultContentLanguage: en
languages:
${languages.map((name) => `  ${name}: { languageName: "${name}", contentDir: content/${name} }`).join('\n')}
permalinks:
  blog: /:section/:year/:slug/
module:
  mounts:
    - source: static
      target: static
    - source: iconography
      target: static/img/logos
    - source: assets
      target: assets
`;

/** A site with the layout of a large one: pages in eight languages, their pictures in the first alone. */
function multilingualSite(): Record<string, string> {
	const files: Record<string, string> = {
		'hugo.yaml': configuration,
		'iconography/32x32/gauge.svg': '',
		'iconography/dark/logo.png': '',
		'static/img/banner.png': '',
		'assets/img/wide.png': '',
	};
	for (const topic of topics) {
		files[`content/en/docs/${topic}/flow.png`] = '';
		files[`content/en/docs/${topic}/deep/chart.png`] = '';
		files[`content/en/blog/2026/${topic}/post.png`] = '';
	}
	for (const language of languages) {
		const folder = `content/${language}`;
		for (const topic of topics) {
			files[`${folder}/docs/${topic}/_index.md`] =
				'---\ntitle: A topic\n---\n\n![The flow](flow.png)\n\n![A logo](/img/logos/dark/logo.png)\n';
			// The address of a page has one level more than its file.
			files[`${folder}/docs/${topic}/page.md`] =
				'![The flow](../flow.png)\n\n![The banner](/img/banner.png)\n\n{{< figure src="/img/logos/32x32/gauge.svg" >}}\n';
			files[`${folder}/docs/${topic}/deep/index.md`] =
				'![The chart](chart.png)\n\n![The flow](../flow.png)\n\n![The theme](/img/of-the-theme.png)\n';
			files[`${folder}/blog/2026/${topic}/index.md`] =
				'---\nslug: another\n---\n\n![A post](post.png)\n\n![Wide](img/wide.png)\n';
		}
	}
	files['content/es/docs/topic-1/deep/index.md'] += '\n![Un diagrama de la ruta](ruta.png)\n';
	// In another language it is there, and nowhere in this page's site.
	files['content/es/docs/topic-2/page.md'] += '\n![The chart](../../topic-99/chart.png)\n';
	return files;
}

suite('A site in eight languages', () => {
	let scratch: string;
	let images: readonly MissingImage[];
	let documents: number;

	suiteSetup(async () => {
		scratch = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-languages-')));
		await writeTree(scratch, multilingualSite());
		const script = await bundle(`import './src/documents/reading/worker.ts';`);
		const root = { path: scratch, workspaceFolder: scratch, exclude: {} };
		({ images, documents } = await scanDocuments(script, [root]));
	});

	suiteTeardown(() => rm(scratch, { recursive: true, force: true }));

	const linksThatAre = (verdict: ReturnType<typeof verdictOn>) =>
		images.filter((image) => verdictOn(image) === verdict).map(({ reference }) => reference.href);

	test('has no link that only seems to be missing, and the one that is', () => {
		assert.equal(documents, 640);
		assert.deepEqual(linksThatAre('missing'), ['ruta.png']);
	});

	test('has none to fix', () => {
		assert.deepEqual([...linksThatAre('fix'), ...linksThatAre('choose')], []);
	});

	test('leaves open what a theme from elsewhere or an address of its own may explain', () => {
		const unknown = new Set(
			images.map(({ unknown, reference }) => `${unknown ?? ''} ${reference.href}`),
		);
		assert.deepEqual([...unknown].sort(), [
			' ruta.png',
			'address ../../topic-99/chart.png',
			'theme /img/of-the-theme.png',
		]);
	});
});
