import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const root = path.resolve(import.meta.dirname, '../..');

/** The house, written out once more: a change of the rule's table must show here. */
const allowed: Readonly<Record<string, readonly string[]>> = {
	extension: ['main', 'editor', 'jobs', 'documents', 'protocol', 'files'],
	main: [
		...['features', 'generation', 'editor', 'jobs', 'documents', 'recipes', 'protocol', 'service'],
		...['images', 'files', 'easelError', 'log'],
	],
	features: [
		...['generation', 'editor', 'jobs', 'documents', 'recipes', 'protocol', 'service', 'images'],
		...['files', 'easelError', 'log'],
	],
	generation: [
		...['editor', 'jobs', 'documents', 'recipes', 'service', 'images', 'files', 'easelError'],
		'log',
	],
	editor: ['jobs', 'documents', 'protocol', 'service', 'images', 'files', 'easelError', 'log'],
	jobs: ['service', 'images', 'files', 'easelError', 'log'],
	documents: ['recipes', 'service', 'images', 'files', 'easelError', 'log'],
	recipes: ['service', 'images', 'files', 'easelError', 'log'],
	protocol: ['service', 'images'],
	service: ['files', 'easelError', 'log'],
	images: ['files', 'easelError', 'log'],
	files: ['easelError'],
	easelError: [],
	log: [],
	webview: ['protocol', 'service', 'images'],
};
const rooms = Object.keys(allowed);
/** Rooms of one file. */
const single = ['extension', 'main', 'easelError', 'log'];
const withVscode = ['extension', 'main', 'features', 'generation', 'editor'];
const withNode = rooms.filter((room) => !['protocol', 'webview'].includes(room));

/** Every way to write an import. */
const forms: readonly ((name: string) => string)[] = [
	(name) => `import { x } from '${name}'; x();`,
	(name) => `import '${name}';`,
	(name) => `import type { X } from '${name}'; export const y: X = 1;`,
	(name) => `export { x } from '${name}';`,
	(name) => `export * from '${name}';`,
	(name) => `export type { X } from '${name}';`,
	(name) => `export const x = import('${name}');`,
	(name) => `export const x = import(\`${name}\`);`,
	(name) => `export const x = require('${name}');`,
	(name) => `export const x = require.resolve('${name}');`,
	(name) => `import x = require('${name}'); x();`,
	(name) => `export type X = import('${name}').X;`,
	(name) => `export type X = typeof import('${name}');`,
];

suite('lint', () => {
	// Without type information: the snippets are in no project, and the rules here need none.
	const eslint = new ESLint({
		cwd: root,
		overrideConfig: [
			tseslint.configs.disableTypeChecked,
			{ languageOptions: { parserOptions: { projectService: false } } },
		] as never,
	});

	async function problems(file: string, code: string): Promise<string[]> {
		return (await problemsByLine(file, code)).flat();
	}

	/** The rules of ours that each line of the code breaks. */
	async function problemsByLine(file: string, code: string): Promise<string[][]> {
		const [result] = await eslint.lintText(code, { filePath: path.join(root, file) });
		assert.ok(result, `${file} is not linted at all`);
		const fatal = result.messages.find((message) => message.fatal);
		assert.equal(fatal, undefined, `${code}: ${fatal?.message ?? ''}`);
		const watched = /^(easel\/|no-restricted-)/;
		return code
			.split('\n')
			.map((_, index) =>
				result.messages.flatMap(({ ruleId, line }) =>
					ruleId && watched.test(ruleId) && line === index + 1 ? ruleId : [],
				),
			);
	}

	/** A file of a room, at some depth, and the way from there to `src`. */
	function places(room: string): readonly (readonly [file: string, up: string])[] {
		if (single.includes(room)) {
			return [[`src/${room}.ts`, './']];
		}
		return room === 'features'
			? [
					['src/features/one/index.ts', '../../'],
					['src/features/one/deep/x.ts', '../../../'],
				]
			: [
					[`src/${room}/x.ts`, '../'],
					[`src/${room}/deep/er/x.tsx`, '../../../'],
				];
	}

	const targetIn = (room: string) =>
		single.includes(room)
			? `${room}.js`
			: ({ features: 'features/two/index.js' }[room] ?? `${room}/x.js`);

	// One file with every form, a line each: ESLint takes much longer to begin with a file than to read one.
	const allForms = (name: string) => forms.map((form) => form(name)).join('\n');

	async function assertForbidden(file: string, name: string): Promise<void> {
		const found = await problemsByLine(file, allForms(name));
		for (const [index, form] of forms.entries()) {
			assert.ok(found[index]!.includes('easel/arrows'), `${file} must not: ${form(name)}`);
		}
	}

	async function assertAllowed(file: string, name: string): Promise<void> {
		const found = await problemsByLine(file, allForms(name));
		for (const [index, form] of forms.entries()) {
			assert.deepEqual(found[index], [], `${file} may: ${form(name)}`);
		}
	}

	for (const from of rooms) {
		test(`${from} imports ${allowed[from]?.join(', ') || 'no other room'}`, async () => {
			for (const [file, up] of places(from)) {
				for (const to of rooms.filter((room) => room !== from)) {
					const name = `${up}${targetIn(to)}`;
					await (allowed[from]?.includes(to)
						? assertAllowed(file, name)
						: assertForbidden(file, name));
				}
			}
		});

		test(`${from} ${withVscode.includes(from) ? 'may' : 'must not'} import vscode`, async () => {
			for (const [file] of places(from)) {
				await (withVscode.includes(from) ? assertAllowed : assertForbidden)(file, 'vscode');
				await assertAllowed(file, 'zod');
				await assertAllowed(file, 'vscode-uri');
			}
		});

		test(`${from} ${withNode.includes(from) ? 'may' : 'must not'} import Node's modules`, async () => {
			for (const [file] of places(from)) {
				for (const name of ['node:fs', 'fs', 'node:fs/promises']) {
					await (withNode.includes(from) ? assertAllowed : assertForbidden)(file, name);
				}
			}
		});

		test(`${from} must not import tests, and may import its own files`, async () => {
			for (const [file, up] of places(from)) {
				await assertForbidden(file, `${up}../test/service/x.js`);
				if (!single.includes(from)) {
					await assertAllowed(file, './x.js');
				}
			}
		});
	}

	test('a feature must not import another, by whatever way, and may import its own files', async () => {
		for (const name of [
			'../two/index.js',
			'../two',
			'../../features/two/x.js',
			'../one.js',
			'..',
		]) {
			await assertForbidden('src/features/one/index.ts', name);
		}
		for (const name of ['./ask.js', '../one/ask.js', '../../features/one/ask.js']) {
			await assertAllowed('src/features/one/index.ts', name);
		}
	});

	test('no file imports extension.ts, however its name is written', async () => {
		for (const name of ['../extension.js', '../extension.ts', '../extension']) {
			await assertForbidden('src/editor/x.ts', name);
		}
	});

	test('a file must not import itself by way of others, not even for a type, and the way is said', async () => {
		const file = 'src/asking/draft.ts';
		for (const code of [
			"import { findTarget } from './target.js'; findTarget();",
			"import type { X } from './target.js'; export const y: X = 1;",
			"export * from './target.js';",
			"export const x = import('./target.js');",
			"export const x = import(\n'./target.js');",
		]) {
			assert.deepEqual(await problems(file, code), ['easel/circles'], code);
		}
		assert.deepEqual(await problems(file, "export { x } from '../editor/files.js';"), []);
		const [result] = await eslint.lintText("export * from './target.js';", {
			filePath: path.join(root, file),
		});
		assert.equal(
			result?.messages[0]?.message,
			'A circle of imports: src/asking/draft.ts → src/asking/target.ts → src/asking/draft.ts.',
		);
	});

	test('a docstring begins with a word that stands alone', async () => {
		for (const [text, expected] of [
			['/** What is shown. */', ['easel/docstrings']],
			['/**\n * Whether it is shown.\n */', ['easel/docstrings']],
			['/** That of the page. */', ['easel/docstrings']],
			['/** Returns what is shown. */', []],
			['/* What is shown. */', []],
		] as const) {
			for (const file of ['src/service/x.ts', 'test/unit/x.ts']) {
				assert.deepEqual(await problems(file, `${text}\nexport const x = 1;`), expected);
			}
		}
	});

	test('a class has at most 25 members, and the message says which has more', async () => {
		const classOf = (count: number) => {
			const methods = Array.from({ length: count - 3 }, (_, index) => `m${String(index)}() {}`);
			return `export class Large { field = 1; constructor() {} get x() { return 1; } ${methods.join(' ')} }`;
		};
		assert.deepEqual(await problems('src/service/x.ts', classOf(25)), []);
		assert.deepEqual(await problems('src/service/x.ts', classOf(26)), ['easel/members']);
		const [result] = await eslint.lintText(classOf(26), {
			filePath: path.join(root, 'src/service/x.ts'),
		});
		assert.equal(
			result?.messages[0]?.message,
			'Large has 26 members, 25 at most: move the second thing that it does into a class or functions of its own.',
		);
	});

	test('a room that is in no table is an error', async () => {
		await assertForbidden('src/util/x.ts', 'zod');
		await assertForbidden('src/editor/x.ts', '../util/x.js');
	});

	test('a computed import cannot be checked', async () => {
		for (const code of ['import(name)', 'require(name)', 'import(`../${name}.js`)']) {
			assert.deepEqual(await problems('src/service/x.ts', `export const x = ${code};`), [
				'easel/arrows',
			]);
		}
	});

	test('tests import what they like', async () => {
		for (const name of ['vscode', '../../src/editor/x.js', '../../src/extension.js']) {
			for (const form of forms) {
				assert.deepEqual(await problems('test/unit/x.ts', form(name)), []);
			}
		}
	});

	/** API that shows text, with the one file that may use it. */
	const doors: Readonly<Record<string, string>> = {
		'window.showInformationMessage': 'editor/messages.ts',
		'window.showWarningMessage': 'editor/messages.ts',
		'window.showErrorMessage': 'editor/messages.ts',
		'window.setStatusBarMessage': 'editor/messages.ts',
		'window.createStatusBarItem': 'generation/imagesStatus.ts',
		'window.createTerminal': 'editor/gitLfs.ts',
		'window.withProgress': 'editor/progress.ts',
		'window.createTextEditorDecorationType': 'editor/lineNotes.ts',
		'window.createInputBox': 'editor/quickInput.ts',
		'window.createQuickPick': 'editor/quickInput.ts',
		'window.createOutputChannel': 'editor/log.ts',
		'commands.registerCommand': 'editor/providers.ts',
		'languages.registerHoverProvider': 'editor/providers.ts',
		'languages.registerCompletionItemProvider': 'editor/providers.ts',
		'languages.registerCodeActionsProvider': 'editor/providers.ts',
		'languages.registerCodeLensProvider': 'editor/lineNotes.ts',
		'workspace.registerTextDocumentContentProvider': 'style/requestPreview.ts',
		MarkdownString: 'editor/richText.ts',
		Hover: 'editor/providers.ts',
	};
	const shut = [
		...['window.showInputBox', 'window.showQuickPick', 'window.createTreeView'],
		...['commands.registerTextEditorCommand', 'languages.registerInlayHintsProvider'],
		'window.registerTreeDataProvider',
	];

	const inWindow = (name: string) => `window.${name}`;

	/** Every way to take something of `vscode`. */
	function takes(name: string): readonly string[] {
		const [last = '', owner] = name.split('.').reverse();
		const from = owner === undefined ? 'vscode' : `vscode.${owner}`;
		return [
			`export const x = ${from}.${last};`,
			`export const x = ${from}?.${last};`,
			`export const x = ${from}['${last}'];`,
			`export const x = ${from}[\`${last}\`];`,
			`export const { ${last}: x } = ${from};`,
			`export const { '${last}': x } = ${from};`,
			`export const x = Reflect.get(${from}, '${last}');`,
			...(owner === undefined
				? [`import { ${last} } from 'vscode'; export const x = ${last};`]
				: [`import { ${owner} } from 'vscode'; export const x = ${owner}.${last};`]),
		].map((code) =>
			code.startsWith('import') ? code : `import * as vscode from 'vscode'; ${code}`,
		);
	}

	test('text is shown through its door alone, in whatever form it goes another way', async () => {
		for (const name of [...Object.keys(doors), ...shut]) {
			for (const code of takes(name)) {
				for (const file of ['features/one/index.ts', 'asking/x.ts', 'editor/x.ts']) {
					assert.deepEqual(await problems(`src/${file}`, code), ['easel/doors'], code);
				}
				assert.deepEqual(await problems('src/extension.ts', code), ['easel/doors'], code);
				assert.deepEqual(await problems('test/integration/x.ts', code), [], code);
			}
		}
		for (const [name, door] of Object.entries(doors)) {
			for (const code of takes(name)) {
				assert.deepEqual(await problems(`src/${door}`, code), [], code);
			}
		}
	});

	test('commands are given to VS Code where what they throw is made fit, or comes from there', async () => {
		const names = await readdir(path.join(root, 'src'), { recursive: true });
		const users = names.filter(
			(name) =>
				name.endsWith('.ts') &&
				/\bregisterRawCommand\b/.test(readFileSync(path.join(root, 'src', name), 'utf8')),
		);
		assert.deepEqual(users.map((name) => name.replaceAll(path.sep, '/')).sort(), [
			'editor/commands.ts',
			'editor/providers.ts',
			'extension.ts',
		]);
	});

	test('Markdown is trusted, and has more than text in it, at its door alone', async () => {
		for (const name of ['isTrusted', 'supportHtml', 'supportThemeIcons']) {
			const code = `text.${name} = true;`;
			assert.deepEqual(await problems('src/features/one/index.ts', code), ['easel/doors'], code);
		}
		const code = 'text.isTrusted = { enabledCommands: [] };';
		assert.deepEqual(await problems('src/editor/richText.ts', code), []);
	});

	test('what VS Code has to show text with is not looked up by a computed name', async () => {
		for (const code of [
			"import * as vscode from 'vscode'; vscode.window[`show${kind}Message`](text);",
			"import { window } from 'vscode'; window['show' + kind](text);",
		]) {
			assert.deepEqual(await problems('src/features/one/index.ts', code), ['easel/doors'], code);
		}
	});

	test('every way in which VS Code shows text has a door; what is not held shows none of others', async () => {
		const types = readFileSync(path.join(root, 'node_modules/@types/vscode/index.d.ts'), 'utf8');
		const free: string[] = [];
		for (const owner of ['window', 'languages', 'commands']) {
			const text = types.slice(types.indexOf(`export namespace ${owner} {`)).split(/\n\t}\r?\n/)[0];
			const names = [...(text ?? '').matchAll(/export function (\w+)/g)].map(([, name]) => name);
			for (const name of new Set(names)) {
				const code = `import * as vscode from 'vscode'; export const x = vscode.${owner}.${name};`;
				if ((await problems('src/features/one/index.ts', code)).length === 0) {
					free.push(`${owner}.${name}`);
				}
			}
		}
		assert.deepEqual(free, [
			...['showTextDocument', 'showNotebookDocument', 'showWorkspaceFolderPick'].map(inWindow),
			...['showOpenDialog', 'showSaveDialog', 'createWebviewPanel'].map(inWindow),
			...['registerUriHandler', 'registerWebviewPanelSerializer'].map(inWindow),
			...['languages.getLanguages', 'languages.setTextDocumentLanguage', 'languages.match'],
			...['languages.getDiagnostics', 'languages.setLanguageConfiguration'],
			...['commands.executeCommand', 'commands.getCommands'],
		]);
	});

	test('a promise is not dropped by void where failures can be shown', async () => {
		const rule = '@typescript-eslint/no-floating-promises';
		const options = async (file: string) => {
			const config = (await new ESLint({ cwd: root }).calculateConfigForFile(
				path.join(root, file),
			)) as { rules: Record<string, unknown> };
			return config.rules[rule];
		};
		for (const file of ['src/extension.ts', 'src/editor/x.ts', 'src/features/one/deep/x.ts']) {
			assert.deepEqual(await options(file), [2, { ignoreVoid: false }], file);
		}
		for (const file of ['src/jobs/x.ts', 'src/webview/x.ts', 'test/unit/x.ts']) {
			assert.deepEqual(await options(file), [2], file);
		}
	});

	test('the global fetch is forbidden in src, in every form', async () => {
		for (const code of [
			"await fetch('https://x.test');",
			'export const f = fetch;',
			"await globalThis.fetch('https://x.test');",
			"await globalThis['fetch']('https://x.test');",
			'export const { fetch: f } = globalThis;',
			"await global.fetch('https://x.test');",
			"await window.fetch('https://x.test');",
		]) {
			assert.notDeepEqual(await problems('src/service/x.ts', code), [], code);
			assert.notDeepEqual(await problems('src/features/one/x.ts', code), [], code);
			assert.deepEqual(await problems('test/unit/x.ts', code), [], code);
		}
		const own = 'const fetch = (): number => 1; export const x = fetch();';
		assert.deepEqual(await problems('src/service/x.ts', own), []);
	});
});
