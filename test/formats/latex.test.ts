import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { altText } from '../../src/images/altText';
import { latexImage } from '../../src/documents/latex';
import { linkText } from '../../src/documents/imageLink';
import { pictureOfWidth } from '../unit/documents/pictures';
import { randomPath, troublesomeAlts, troublesomePaths } from '../unit/documents/troublesome';
import { seeded } from '../unit/images/random';

suite('latexImage, rendered by pdfLaTeX', () => {
	let folder: string;

	suiteSetup(() => {
		for (const [tool, option] of [
			['pdflatex', '-version'],
			['pdftotext', '-v'],
		] as const) {
			const { status } = spawnSync(tool, [option]);
			assert.equal(status, 0, `This needs ${tool} (Debian: texlive-latex-base and poppler-utils).`);
		}
	});

	setup(async () => {
		folder = await mkdtemp(join(tmpdir(), 'easel-latex-'));
		await mkdir(join(folder, 'docs'));
	});

	teardown(() => rm(folder, { recursive: true }));

	test('shows every path', () => assertShown(troublesomePaths.filter(isNameable)));

	test('shows whatever path there is', async () => {
		const random = seeded(16);
		const paths = new Set<string>();
		while (paths.size < 100) {
			const path = randomPath(random);
			if (isNameable(path)) paths.add(path);
		}
		await assertShown([...paths]);
	});

	test('says every alt text', async () => {
		// The fonts of pdfLaTeX have no others.
		const alts = troublesomeAlts.filter((alt) => !/[^\0-\xff\u2028]/.test(alt));
		assert.ok(alts.length > 10);
		await writeFile(join(folder, 'docs/a.png'), pictureOfWidth(10));
		await compile(alts.map((alt) => linkText(latexImage({ path: 'a.png', alt }))));
		const { stdout } = spawnSync('pdftotext', ['-enc', 'UTF-8', 'page.pdf', '-'], {
			cwd: join(folder, 'docs'),
			encoding: 'utf8',
		});
		const captions = stdout.split(/Figure \d+: /).slice(1);
		assert.deepEqual(
			captions.map((caption) => caption.replace(/\s+/g, ' ').trim()),
			alts.map((alt) => typographic(altText(alt))),
		);
	});

	async function assertShown(paths: readonly string[]): Promise<void> {
		for (const [index, path] of paths.entries()) {
			const file = join(folder, 'docs', path);
			await mkdir(dirname(file), { recursive: true });
			await writeFile(file, pictureOfWidth(100 + index));
		}
		const pdf = await compile(paths.map((path) => linkText(latexImage({ path, alt: 'Fox' }))));
		const widths = pdf.matchAll(/\/Subtype \/Image\n\/Width (\d+)/g);
		assert.deepEqual(
			Array.from(widths, ([, width]) => paths[Number(width) - 100]),
			paths,
		);
	}

	async function compile(figures: readonly string[]): Promise<string> {
		const page = [
			'\\documentclass{article}',
			'\\usepackage{cmap}',
			'\\usepackage[T1]{fontenc}',
			'\\usepackage{graphicx}',
			'\\hyphenpenalty=10000',
			'\\pagestyle{empty}',
			'\\sloppy',
			'\\begin{document}',
			...figures.map((figure) => `${figure}\n\\clearpage`),
			'\\end{document}',
		];
		const cwd = join(folder, 'docs');
		await writeFile(join(cwd, 'page.tex'), page.join('\n'));
		const { status, stdout } = spawnSync(
			'pdflatex',
			['-interaction=nonstopmode', '-halt-on-error', 'page.tex'],
			{ cwd, encoding: 'utf8' },
		);
		assert.equal(status, 0, stdout.slice(-2000));
		return readFile(join(cwd, 'page.pdf'), 'latin1');
	}
});

/** Returns whether TeX can name it, and the file system has room for it. */
function isNameable(path: string): boolean {
	return !/["\p{Cc}]|\/ | \/|\$[\w{]/u.test(path) && Buffer.byteLength(path) < 200;
}

/** Characters that TeX sets for typed quotation marks and dashes. */
function typographic(text: string): string {
	return text
		.replace(/"([^"]*)"/g, '“$1”')
		.replaceAll('"', '”')
		.replaceAll("'", '’')
		.replaceAll('`', '‘');
}
