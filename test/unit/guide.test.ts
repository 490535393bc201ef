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
const pages = ['README.md', 'CONTRIBUTING.md', ...guide];
const markdown = new MarkdownIt();

function read(file: string): string {
	return readFileSync(path.join(root, file), 'utf8');
}

function bytes(file: string): number {
	return Buffer.byteLength(read(file));
}

/** A text of a page without its marks, and whether it is a paragraph by itself. */
interface Passage {
	readonly text: string;
	readonly isParagraph: boolean;
}

/** Paragraphs, items, headings and cells; code and pictures are left out. */
function passages(file: string): Passage[] {
	const tokens = markdown.parse(read(file), {});
	return tokens.flatMap((token, index) => {
		if (token.type !== 'inline') {
			return [];
		}
		const text = (token.children ?? [])
			.map(({ type, content }) =>
				type === 'code_inline'
					? 'code'
					: /break$/.test(type)
						? ' '
						: type === 'text'
							? content
							: '',
			)
			.join('');
		const isParagraph = tokens[index - 1]?.type === 'paragraph_open';
		// Lines of a cell are read one by one.
		return text.split('<br>').map((line) => ({ text: line, isParagraph }));
	});
}

/** What a page shows in bold: labels of the editor and of Easel. */
function bolds(file: string): string[] {
	return markdown
		.parse(read(file), {})
		.flatMap(({ children }) => children ?? [])
		.flatMap(({ type }, index, all) => {
			if (type !== 'strong_open') {
				return [];
			}
			const end = all.findIndex((token, at) => at > index && token.type === 'strong_close');
			const inside = all.slice(index + 1, end);
			return inside.map((token) => (/break$/.test(token.type) ? ' ' : token.content)).join('');
		});
}

/** What links and pictures of a page lead to. */
function targets(file: string): string[] {
	return markdown
		.parse(read(file), {})
		.flatMap(({ children }) => children ?? [])
		.flatMap((token) => token.attrGet('href') ?? token.attrGet('src') ?? [])
		.map(String);
}

/** The anchors of a page's headings, as GitHub and VS Code's preview make them. */
function anchors(file: string): string[] {
	return passages(file)
		.filter(({ isParagraph }) => !isParagraph)
		.map(({ text }) =>
			text
				.toLowerCase()
				.replace(/[^\p{L}\p{N} _-]/gu, '')
				.replaceAll(' ', '-'),
		);
}

suite('The guide', () => {
	test('has links that lead somewhere', () => {
		for (const file of [...pages, 'CHANGELOG.md', 'SECURITY.md']) {
			for (const target of targets(file)) {
				if (/^https:/.test(target)) {
					continue;
				}
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
		const shown = new Set(
			pages.flatMap((file) =>
				targets(file).map((target) => path.posix.join(path.posix.dirname(file), target)),
			),
		);
		for (const name of readdirSync(path.join(root, 'docs/pictures'))) {
			assert.ok(shown.has(`docs/pictures/${name}`), name);
		}
	});

	test('names files and scripts that exist', () => {
		const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
		for (const file of pages) {
			for (const [, code = ''] of read(file).matchAll(/`([^`\n]+)`/g)) {
				const named = /^(?:src|test)\/[\w./-]*(?:\.ts|\/)$|^docs\/[\w-]+\.md$/.test(code);
				assert.ok(!named || existsSync(path.join(root, code)), `${file}: ${code}`);
				const [, script] = /^npm run ([\w:-]+)/.exec(code) ?? [];
				assert.ok(script === undefined || script in scripts, `${file}: ${code}`);
			}
		}
	});

	test('is short: README, CONTRIBUTING, paragraphs and sentences', () => {
		assert.ok(bytes('README.md') <= 7000, `${String(bytes('README.md'))} bytes`);
		assert.ok(bytes('CONTRIBUTING.md') <= 5000, `${String(bytes('CONTRIBUTING.md'))} bytes`);
		for (const file of pages) {
			for (const { text, isParagraph } of passages(file)) {
				assert.ok(!isParagraph || text.length <= 500, `${file}: ${text}`);
				for (const sentence of text.split(/(?<=[.!?])\s+/)) {
					const words = sentence.split(/\s+/).filter((word) => /\w/.test(word));
					assert.ok(words.length <= 30, `${file}: ${sentence}`);
				}
			}
		}
	});

	test('is written in plain words', () => {
		const avoided =
			/\b(told|whoever|nobody|somebody|anybody|a person|mention(s|ed)?|stands?(?!-in)|stood|meanwhile|likewise|foreseen)\b/i;
		for (const file of [...pages, 'CHANGELOG.md', 'SECURITY.md']) {
			for (const { text } of passages(file)) {
				assert.doesNotMatch(text, avoided, file);
			}
		}
	});

	test('names in bold what the extension shows', () => {
		const source = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => read(path.join('src', name)))
			.join('\n');
		const shown = `${source}\n${read('package.json')}`;
		for (const file of guide) {
			for (const bold of bolds(file)) {
				const label = bold.replace(/^Easel: /, '');
				// A name that begins an item is none of a button.
				assert.ok(
					/[.:]$/.test(label) || ofTheEditor.test(label) || shown.includes(label),
					`${file}: ${bold}`,
				);
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
		const said = rows.flatMap(([, words = '']) => (words.endsWith('.') ? words : []));
		const money = read('src/messages.ts');
		assert.ok(said.length >= 5);
		assert.deepEqual(
			said.filter((words) => !money.includes(words)),
			[],
		);
	});

	test('has the fields of a command’s argument', () => {
		const [, declared = ''] =
			/interface GenerateArgument \{([^}]*)\}/.exec(read('src/editor/commandTable.ts')) ?? [];
		const fields = [...declared.matchAll(/^\t(\w+)\?:/gm)].map(([, name]) => name);
		const listed = [...read('docs/commands.md').matchAll(/^\| `(\w+)` \|/gm)];
		assert.deepEqual(listed.map(([, name]) => name).sort(), fields.sort());
	});
});

/** Words of VS Code itself, and samples of what Easel puts together from parts. */
const ofTheEditor =
	/^(File > New File…|Preferences: Open Settings \(UI\)|User|Image from Prompt…|File > New File… > Image from Prompt…|Editing 1b, not 2a|Edit 2a|1 image not saved|Show or Focus Hover|Leave Out style\.md)$/;

suite('The publisher', () => {
	test('has one identifier, in the manifest and in the code', () => {
		const manifest = JSON.parse(read('package.json')) as Record<string, unknown>;
		assert.equal(extensionId, `${String(manifest['publisher'])}.${String(manifest['name'])}`);
	});
});
