import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import MarkdownIt from 'markdown-it';
import { extensionId } from '../../src/editor/extensionId.js';
import { madePages } from '../host/guide';

const root = path.join(__dirname, '../..');
const guide = readdirSync(path.join(root, 'docs'))
	.filter((name) => name.endsWith('.md'))
	.map((name) => `docs/${name}`);
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...guide];
const markdown = new MarkdownIt();

function read(file: string): string {
	return readFileSync(path.join(root, file), 'utf8');
}

/** Returns what links and pictures of a page lead to. */
function targets(file: string): string[] {
	return markdown
		.parse(read(file), {})
		.flatMap(({ children }) => children ?? [])
		.flatMap((token) => token.attrGet('href') ?? token.attrGet('src') ?? [])
		.map(String);
}

/** Returns the anchors of a page's headings, as GitHub and VS Code's preview make them. */
function anchors(file: string): string[] {
	return Array.from(read(file).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}

suite('The guide', () => {
	test('has links that lead somewhere', () => {
		for (const file of pages) {
			for (const target of targets(file).filter((one) => !one.startsWith('https:'))) {
				const [name = '', anchor] = target.split('#');
				const found = name === '' ? file : path.posix.join(path.posix.dirname(file), name);
				assert.ok(existsSync(path.join(root, found)), `${file}: ${target}`);
				assert.ok(anchor === undefined || anchors(found).includes(anchor), `${file}: ${target}`);
			}
		}
	});

	test('leads to each of its pages from the contents, and to each picture from a page', () => {
		const listed = targets('docs/README.md').map((target) => `docs/${target}`);
		assert.deepEqual([...listed, 'docs/README.md'].sort(), [...guide].sort());
		const shown = pages.flatMap((file) =>
			targets(file).map((target) => path.posix.join(path.posix.dirname(file), target)),
		);
		for (const name of readdirSync(path.join(root, 'docs/pictures'))) {
			assert.ok(shown.includes(`docs/pictures/${name}`), name);
		}
	});

	test('names files and scripts that exist', () => {
		const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
		for (const file of ['README.md', 'CONTRIBUTING.md', ...guide]) {
			for (const [, code = ''] of read(file).matchAll(/`([^`\n]+)`/g)) {
				const isFile = /^(?:src|test)\/[\w./-]*(?:\.ts|\/)$|^docs\/[\w-]+\.md$/.test(code);
				assert.ok(!isFile || existsSync(path.join(root, code)), `${file}: ${code}`);
				const [, script] = /^npm run ([\w:-]+)/.exec(code) ?? [];
				assert.ok(script === undefined || script in scripts, `${file}: ${code}`);
			}
		}
	});

	test('has the settings and commands of package.json: else run “npm run guide”', async () => {
		for (const { file, page, made } of await madePages()) {
			assert.equal(page, made, file);
			assert.doesNotMatch(page, /\| {2}\|$/m, `${file}: something is not described`);
		}
	});

	test('says of money what the messages say', () => {
		const rows = [
			...read('docs/costs-and-retries.md').matchAll(/\| (?:No|Perhaps|Probably) \| (.*) \|$/gm),
		];
		const sentences = rows.flatMap(([, words = '']) => (words.endsWith('.') ? words : []));
		const money = read('src/messages.ts');
		assert.ok(sentences.length >= 5);
		assert.deepEqual(
			sentences.filter((words) => !money.includes(words)),
			[],
		);
	});
});

suite('The publisher', () => {
	test('has one identifier, in the manifest and in the code', () => {
		const manifest = JSON.parse(read('package.json')) as Record<string, unknown>;
		assert.equal(extensionId, `${String(manifest['publisher'])}.${String(manifest['name'])}`);
	});
});
