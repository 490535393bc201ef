// Lints everything: `npx eslint .`. The arrows between the rooms of `src` stand in the table below.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const root = import.meta.dirname;

/**
 * The rooms of `src`, from the top down, and what each may import beside itself and packages.
 * Arrows run downwards only; rooms on the same level do not import each other.
 *
 * @type {Record<string, { imports: string[], vscode?: true, page?: true, apart?: true }>}
 */
export const rooms = {
	// What a window loads of Easel as long as nobody uses it; the rest is a bundle of its own.
	extension: {
		imports: ['main', 'editor', 'jobs', 'documents', 'protocol', 'files'],
		vscode: true,
	},
	main: {
		imports: [
			'features',
			'services',
			'asking',
			'models',
			'generation',
			'library',
			'style',
			'editor',
			'languageModel',
			'jobs',
			'documents',
			'recipes',
			'protocol',
			'service',
			'images',
			'files',
			'easelError',
			'log',
		],
		vscode: true,
	},
	// `apart`: its folders do not import one another, but the table of their messages; what two of
	// them need moves down.
	features: {
		imports: [
			'services',
			'asking',
			'models',
			'generation',
			'library',
			'style',
			'messages',
			'editor',
			'languageModel',
			'jobs',
			'documents',
			'recipes',
			'protocol',
			'service',
			'images',
			'files',
			'easelError',
			'log',
		],
		vscode: true,
		apart: true,
	},
	// The services that features share, as a type.
	services: {
		imports: ['asking', 'models', 'generation', 'library', 'style', 'editor', 'jobs'],
		vscode: true,
	},
	// From a command to a whole request.
	asking: {
		imports: [
			'generation',
			'library',
			'style',
			'editor',
			'messages',
			'jobs',
			'documents',
			'recipes',
			'service',
			'images',
			'files',
			'easelError',
			'log',
		],
		vscode: true,
	},
	// Language models in the editor.
	models: {
		imports: [
			'generation',
			'style',
			'editor',
			'messages',
			'languageModel',
			'jobs',
			'documents',
			'recipes',
			'service',
			'images',
			'files',
			'easelError',
			'log',
		],
		vscode: true,
	},
	// One image, from the request to its end.
	generation: {
		imports: [
			'library',
			'style',
			'editor',
			'messages',
			'jobs',
			'documents',
			'recipes',
			'service',
			'images',
			'files',
			'easelError',
			'log',
		],
		vscode: true,
	},
	// What there is: history, rounds, favorites.
	library: {
		imports: [
			'style',
			'editor',
			'messages',
			'jobs',
			'documents',
			'recipes',
			'service',
			'images',
			'files',
			'easelError',
			'log',
		],
		vscode: true,
	},
	// The style guide in the editor.
	style: {
		imports: [
			'editor',
			'messages',
			'jobs',
			'documents',
			'recipes',
			'service',
			'images',
			'files',
			'easelError',
			'log',
		],
		vscode: true,
	},
	editor: {
		imports: [
			'messages',
			'jobs',
			'documents',
			'protocol',
			'service',
			'images',
			'files',
			'easelError',
			'log',
		],
		vscode: true,
	},
	webview: { imports: ['protocol', 'service', 'images'], page: true },
	// Words by language models of the service; their payloads are not those of images.
	languageModel: { imports: ['service', 'easelError'] },
	// The MCP server, a process and a bundle of its own: it passes calls on to a window.
	mcp: { imports: ['jobs', 'protocol', 'files'] },
	jobs: { imports: ['service', 'images', 'files', 'easelError', 'log'] },
	documents: { imports: ['recipes', 'service', 'images', 'files', 'easelError', 'log'] },
	recipes: { imports: ['service', 'images', 'files', 'easelError', 'log'] },
	// `page`: it runs in the studio's page too, where Node's modules do not exist.
	protocol: { imports: ['service', 'images'], page: true },
	// What Easel says to the user.
	messages: { imports: ['images'] },
	service: { imports: ['files', 'easelError', 'log'] },
	images: { imports: ['files', 'easelError', 'log'] },
	// The file system as it is: refusals that pass, files that are whole or not there.
	files: { imports: ['easelError'] },
	// The errors that a user reads, as codes.
	easelError: { imports: [] },
	// Where a process logs: a sink that the window sets.
	log: { imports: [] },
};

/** The files that may import `vscode`. */
const filesWithEditor = Object.entries(rooms).flatMap(([room, { vscode }]) =>
	vscode ? [`src/${room}.ts`, `src/${room}/**/*.ts`] : [],
);

/** Returns which room a path below `src` belongs to, and which of its folders. */
function placeOf(file) {
	const [room, folder] = path.relative(path.join(root, 'src'), file).split(path.sep);
	return { room: room?.replace(/\.[jt]s$/, ''), folder };
}

/** Why `file` must not import `specifier`; `undefined` where it may. */
function forbidden(file, specifier) {
	const { room, folder } = placeOf(file);
	const rules = rooms[room];
	if (rules === undefined) {
		return `src/${room} is no room of the house. Add it to the table in eslint.config.mjs.`;
	}
	if (!/^(\.|\/|file:)/.test(specifier)) {
		if (/^(node:)?vscode(\/|$)/.test(specifier) && !rules.vscode) {
			return `${room} is plain code: only extension.ts, main.ts and the rooms from features down to editor know vscode.`;
		}
		if (rules.page && isBuiltin(specifier)) {
			return `${room} runs in the page, where Node's modules do not exist.`;
		}
		return undefined;
	}
	const target = path.resolve(path.dirname(file), specifier.replace(/^file:(\/\/)?/, ''));
	if (!path.relative(path.join(root, 'test'), target).startsWith('..')) {
		return 'What is shipped does not import tests.';
	}
	if (path.relative(path.join(root, 'src'), target).startsWith('..')) {
		return undefined;
	}
	const to = placeOf(target);
	if (to.room !== room) {
		return rules.imports.includes(to.room)
			? undefined
			: `${room} may import ${rules.imports.join(', ') || 'no other room'}, not ${to.room}.`;
	}
	// What one says to the user stands in one table of the room.
	return rules.apart && to.folder !== folder && !/^messages\.[jt]s$/.test(to.folder)
		? `${room}/${folder} must not import ${room}/${to.folder}. What both need moves down.`
		: undefined;
}

/**
 * Holds the arrows for every form of import, the types included. ESLint's own
 * `no-restricted-imports` compares texts, so it cannot tell where a relative path leads.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
const arrows = {
	meta: { type: 'problem', schema: [] },
	create(context) {
		/** @param {any} source the node of the specifier */
		function check(source) {
			const literal = source?.type === 'TSLiteralType' ? source.literal : source;
			const specifier =
				literal?.type === 'TemplateLiteral' && literal.expressions.length === 0
					? literal.quasis[0].value.cooked
					: literal?.value;
			const message =
				typeof specifier === 'string'
					? forbidden(context.filename, specifier)
					: 'Import by a literal name; a computed one cannot be checked.';
			if (message !== undefined) {
				context.report({ node: source, message });
			}
		}
		return {
			ImportDeclaration: (node) => check(node.source),
			ExportAllDeclaration: (node) => check(node.source),
			ExportNamedDeclaration: (node) => node.source && check(node.source),
			ImportExpression: (node) => check(node.source),
			TSImportType: (node) => check(node.source ?? node.argument),
			TSExternalModuleReference: (node) => check(node.expression),
			':matches(CallExpression, NewExpression)[callee.name="require"]': (node) =>
				check(node.arguments[0]),
			'CallExpression[callee.object.name="require"][callee.property.name="resolve"]': (node) =>
				check(node.arguments[0]),
		};
	},
};

/** The files that a file imports, types included, by what its text says. */
function importsOf(file, text) {
	const specifiers = text.matchAll(/\b(?:from|import|require)\b\s*\(?\s*['"`](\.[^'"`]+)['"`]/g);
	return [...specifiers].flatMap(([, specifier]) => {
		const target = path.resolve(path.dirname(file), specifier);
		const found = [target.replace(/\.js$/, '.ts'), target.replace(/\.mjs$/, '.mts'), target];
		return found.find((name) => existsSync(name) && statSync(name).isFile()) ?? [];
	});
}

/** Once for each file and version of it: every file asks for the way through all others. */
const imported = new Map();

function importsOnDisk(file) {
	const { mtimeMs } = statSync(file);
	const known = imported.get(file);
	if (known?.mtimeMs === mtimeMs) {
		return known.files;
	}
	const files = importsOf(file, readFileSync(file, 'utf8'));
	imported.set(file, { mtimeMs, files });
	return files;
}

/** The shortest way from what a file imports back to that file; `undefined` where there is none. */
function wayBack(file, text) {
	const from = new Map(importsOf(file, text).map((name) => [name, undefined]));
	for (const name of from.keys()) {
		if (name === file) {
			const way = [];
			for (let at = file; at !== undefined; at = from.get(at)) {
				way.unshift(path.relative(root, at));
			}
			return [path.relative(root, file), ...way];
		}
		for (const next of importsOnDisk(name)) {
			if (!from.has(next)) {
				from.set(next, name);
			}
		}
	}
	return undefined;
}

/**
 * No file imports itself by way of others. `import/no-cycle` does not count types, but whoever reads
 * a file has to understand those as well.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
const circles = {
	meta: { type: 'problem', schema: [] },
	create(context) {
		return {
			Program(node) {
				const way = wayBack(context.filename, context.sourceCode.text);
				if (way !== undefined) {
					context.report({ node, message: `A circle of imports: ${way.join(' → ')}.` });
				}
			},
		};
	},
};

/** First words of a docstring that leave its subject open. */
const openWord = /^(?:What|Whether|Of|How|So|Where|That)\b/;

/**
 * A docstring begins with a verb or a noun phrase that stands alone.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
const docstrings = {
	meta: { type: 'problem', schema: [] },
	create(context) {
		return {
			Program() {
				for (const comment of context.sourceCode.getAllComments()) {
					const [word] = openWord.exec(comment.value.replace(/^[*\s]+/, '')) ?? [];
					if (comment.type === 'Block' && comment.value.startsWith('*') && word !== undefined) {
						const message = `Begin with a verb or a noun that stands alone, not with “${word}”.`;
						context.report({ loc: comment.loc, message });
					}
				}
			},
		};
	},
};

/** Number of members up to which a class can be read at once. */
const maxMembers = 25;

/**
 * A class does one thing: fields, accessors, methods and the constructor are counted.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
const members = {
	meta: { type: 'problem', schema: [] },
	create(context) {
		return {
			ClassBody(node) {
				const { length } = node.body;
				if (length > maxMembers) {
					const name = node.parent.id?.name ?? 'This class';
					const message = `${name} has ${length} members, ${maxMembers} at most: move the second thing that it does into a class or functions of its own.`;
					context.report({ node: node.parent, message });
				}
			},
		};
	},
};

/**
 * Functions with which VS Code shows text, or takes errors and answers, and the one file that may use
 * each: what goes through that file is fit to be shown. Those without a file are not used yet.
 *
 * @type {Record<string, string | undefined>}
 */
const doors = {
	showInformationMessage: 'editor/messages.ts',
	showWarningMessage: 'editor/messages.ts',
	showErrorMessage: 'editor/messages.ts',
	setStatusBarMessage: 'editor/messages.ts',
	// Its words are numbers.
	createStatusBarItem: 'generation/imagesStatus.ts',
	withProgress: 'editor/progress.ts',
	withScmProgress: undefined,
	createInputBox: 'editor/quickInput.ts',
	createQuickPick: 'editor/quickInput.ts',
	showInputBox: undefined,
	showQuickPick: undefined,
	createOutputChannel: 'editor/log.ts',
	// Its words are constants, and none of them is run.
	createTerminal: 'editor/gitLfs.ts',
	createTextEditorDecorationType: 'editor/lineNotes.ts',
	createTreeView: undefined,
	createDiagnosticCollection: 'editor/providers.ts',
	createLanguageStatusItem: undefined,
	MarkdownString: 'editor/richText.ts',
	isTrusted: 'editor/richText.ts',
	appendMarkdown: undefined,
	supportHtml: undefined,
	supportThemeIcons: undefined,
	registerCommand: 'editor/providers.ts',
	registerTextEditorCommand: undefined,
	// Its plain texts are Markdown.
	Hover: 'editor/providers.ts',
	registerHoverProvider: 'editor/providers.ts',
	registerCompletionItemProvider: 'editor/providers.ts',
	registerCodeActionsProvider: 'editor/providers.ts',
	// The words of a view are those of the manifest; what its page shows is no Markdown.
	registerWebviewViewProvider: 'editor/providers.ts',
	registerCodeLensProvider: 'editor/lineNotes.ts',
	// Its words are constants.
	registerMcpServerDefinitionProvider: 'editor/mcpServer.ts',
	registerTextDocumentContentProvider: 'style/requestPreview.ts',
};

/** Every other provider of `vscode.languages` and `vscode.window`. */
const otherProvider = /^register\w*Provider$/;

/**
 * Holds the doors: nobody else names what stands there, in whatever way.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
const onlyDoors = {
	meta: { type: 'problem', schema: [] },
	create(context) {
		const file = path.relative(path.join(root, 'src'), context.filename).split(path.sep).join('/');
		/** @param {any} node where something is named */
		function check(node, name) {
			if (typeof name !== 'string' || !(Object.hasOwn(doors, name) || otherProvider.test(name))) {
				return;
			}
			if (doors[name] !== file) {
				const door = doors[name] ?? 'a new file of editor/ that makes its texts fit';
				context.report({ node, message: `${name} goes through ${door}.` });
			}
		}
		/** @param {any} key a property, as it is written */
		const nameOf = (key, computed) =>
			key.type === 'TemplateLiteral' && key.expressions.length === 0
				? key.quasis[0].value.cooked
				: key.type === 'Literal'
					? key.value
					: computed
						? undefined
						: key.name;
		return {
			MemberExpression(node) {
				const name = nameOf(node.property, node.computed);
				const owner = node.object.object?.name ?? node.object.name;
				if (name === undefined && ['vscode', 'window'].includes(owner)) {
					context.report({ node, message: 'Name what you take of VS Code.' });
				}
				// Whether a workspace is trusted may be asked anywhere; what is written there is not.
				if (!(name === 'isTrusted' && node.object.property?.name === 'workspace')) {
					check(node, name);
				}
			},
			'ObjectPattern > Property': (node) => check(node, nameOf(node.key, node.computed)),
			ImportSpecifier(node) {
				if (node.parent.source.value === 'vscode' && node.parent.importKind !== 'type') {
					check(node, node.imported.name);
				}
			},
			// As `Reflect.get` takes it.
			'CallExpression > Literal': (node) => check(node, node.value),
		};
	},
};

export default defineConfig(
	globalIgnores(['dist/', 'out/', 'coverage/', '.vscode-test/', 'test-results/', 'test/sample/']),
	js.configs.recommended,
	tseslint.configs.recommendedTypeChecked,
	{
		languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
		linterOptions: { reportUnusedDisableDirectives: 'error' },
		rules: {
			eqeqeq: ['error', 'always', { null: 'ignore' }],
			'@typescript-eslint/consistent-type-imports': [
				'error',
				// `typeof import('…')` is how a module that is loaded late is named.
				{ fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
			],
			'@typescript-eslint/no-import-type-side-effects': 'error',
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-misused-promises': 'error',
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
		},
	},
	{
		plugins: { easel: { rules: { arrows, circles, docstrings, doors: onlyDoors, members } } },
		rules: { 'easel/docstrings': 'error' },
	},
	{
		files: ['src/**/*.{ts,tsx,mts,cts,js,mjs,cjs}'],
		rules: {
			'easel/arrows': 'error',
			'easel/circles': 'error',
			'easel/members': 'error',
			// A new state, action or kind of failure is dealt with wherever they are told apart.
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: false },
			],
			'no-restricted-syntax': [
				'error',
				{
					selector: "ImportDeclaration[source.value='zod'] > ImportSpecifier[imported.name='z']",
					message:
						'Write `import * as z`: the object `z` drags in the messages of all languages, 360 kB.',
				},
				{
					selector:
						":matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator > NewExpression[callee.object.name='Intl']",
					message:
						'Make it where it is used first: it takes 10 ms, which every window would wait for.',
				},
			],
			'no-restricted-globals': [
				'error',
				{
					globals: [
						{
							name: 'fetch',
							message:
								'VS Code replaces it and ends every call at 300 s. Use service/transport.ts.',
						},
					],
					checkGlobalObject: true,
				},
			],
			// The rule above holds only for code, and takes these for variables of somebody's own.
			'no-restricted-properties': [
				'error',
				...['globalThis', 'global', 'window', 'self'].map((object) => ({
					object,
					property: 'fetch',
					message: 'VS Code replaces it and ends every call at 300 s. Use service/transport.ts.',
				})),
			],
		},
	},
	{
		files: filesWithEditor,
		rules: { 'easel/doors': 'error' },
	},
	{
		// Who asked has gone on: what fails then is shown by `runDetached`, not dropped by `void`.
		files: filesWithEditor,
		rules: { '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }] },
	},
	{
		// Scripts of the build and the like: Node's globals, and no types to check.
		files: ['**/*.{js,mjs,cjs}'],
		extends: [tseslint.configs.disableTypeChecked],
		languageOptions: {
			globals: Object.fromEntries(
				['console', 'process', 'Buffer', 'URL', 'setTimeout', 'clearTimeout'].map((name) => [
					name,
					'readonly',
				]),
			),
		},
	},
	{
		files: ['**/*.cjs'],
		languageOptions: {
			globals: { require: 'readonly', module: 'writable', __dirname: 'readonly' },
		},
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
);
