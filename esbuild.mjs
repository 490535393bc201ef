// Bundles the extension: `node esbuild.mjs [--production] [--watch]`.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import esbuild from 'esbuild';

const production = process.argv.includes('--production');
const { version } = JSON.parse(await readFile('package.json', 'utf8'));
const watch = process.argv.includes('--watch');

/**
 * zod carries the writer of JSON Schema along, because every schema of it has a method for that; nobody
 * calls it here. Without it the package is 15 kB smaller.
 */
const withoutJsonSchema = {
	name: 'without JSON Schema',
	setup: (build) => {
		const filter = /\bzod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/;
		build.onLoad({ filter: /json-schema/ }, async ({ path }) => {
			if (!filter.test(path.replaceAll('\\', '/'))) {
				return undefined;
			}
			const source = await readFile(path, 'utf8');
			const names = [...source.matchAll(/^export (?:const|function|class) (\w+)/gm)];
			const contents = names
				.map(([, name]) => `export const ${name} = () => { throw new Error('Left out'); };`)
				.join('\n');
			return { contents };
		});
	},
};

/**
 * Imports the editor as it is: esbuild makes a copy of a module for each file that imports it (`__toESM`):
 * 130 copies of the editor's 350 names, a third of the time that the extension takes to load. The
 * module itself serves as well, because nobody asks for its default export.
 */
const vscodeItself = {
	name: 'vscode itself',
	setup: (build) => {
		build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({
			contents: (await readFile(path, 'utf8')).replace(
				/^import \* as vscode from 'vscode';$/m,
				"import vscode = require('vscode');",
			),
			loader: 'ts',
		}));
	},
};

/**
 * The MCP package carries a validator of JSON Schema along, for what a server asks a client. Ours asks
 * for nothing, and checks arguments by zod. Without it the bundle is a third smaller.
 */
const withoutValidator = {
	name: 'without validator',
	setup: (build) => {
		build.onLoad({ filter: /[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/ }, () => ({
			contents:
				"export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator {}",
		}));
	},
};

/**
 * Takes the client alone from undici: all of it would also set the dispatcher of `fetch` for the whole extension
 * host, other extensions included. The bundle is half the size without the rest.
 */
const clientAlone = {
	name: 'client alone',
	setup: (build) => {
		build.onLoad({ filter: /[\\/]node_modules[\\/]undici[\\/]index\.js$/ }, () => ({
			contents: `const Client = require('./lib/dispatcher/client');
				const { prototype } = require('./lib/dispatcher/dispatcher');
				prototype.request = require('./lib/api/api-request');
				module.exports = { Client };`,
		}));
	},
};

/** A page's style sheet is a text in its script: the page's policy allows no others. */
const styleSheets = {
	name: 'style sheets',
	setup: (build) => {
		build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
			const source = await readFile(path, 'utf8');
			const { code } = await esbuild.transform(source, { loader: 'css', minify: production });
			return { contents: code, loader: 'text' };
		});
	},
};

/** Options of every bundle; each target below names only its own. */
const common = {
	bundle: true,
	minify: production,
	sourcemap: production ? false : 'linked',
	sourcesContent: false,
	legalComments: production ? 'linked' : 'none',
	logLevel: 'info',
	plugins: [withoutJsonSchema],
	define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
};

/** Code of the extension host: CommonJS, because that is what it loads everywhere. */
const node = {
	...common,
	platform: 'node',
	format: 'cjs',
	target: 'node22.19',
	plugins: [...common.plugins, vscodeItself],
};

/** Code of a webview. VS Code in the browser runs in every browser of the last years. */
const page = {
	...common,
	platform: 'browser',
	format: 'iife',
	target: 'es2023',
	loader: { '.svg': 'text' },
	plugins: [...common.plugins, styleSheets],
	tsconfig: 'src/webview/tsconfig.json',
};

const targets = [
	{
		...node,
		entryPoints: { extension: 'src/extension.ts' },
		outdir: 'dist',
		// The rest of the code of the extension host; loaded when something is used.
		external: ['vscode', './main.js', './agentSocket.js', './checkDiagnostics.js'],
	},
	{
		...node,
		entryPoints: { checkDiagnostics: 'src/editor/checkDiagnostics.ts' },
		outdir: 'dist',
		external: ['vscode'],
	},
	{
		...node,
		entryPoints: { agentSocket: 'src/editor/agentSocket.ts' },
		outdir: 'dist',
	},
	{
		...node,
		entryPoints: { main: 'src/main.ts' },
		outdir: 'dist',
		// With `undici`: loaded when a language model or a list of models is asked for.
		external: ['vscode', './shortCall.js'],
	},
	{
		...node,
		entryPoints: { shortCall: 'src/languageModel/shortCall.ts' },
		outdir: 'dist',
		plugins: [...node.plugins, clientAlone],
	},
	{
		...node,
		entryPoints: { worker: 'src/jobs/worker.ts' },
		outdir: 'dist',
	},
	{
		...node,
		entryPoints: { recipes: 'src/recipes/reading/worker.ts' },
		outdir: 'dist',
	},
	{
		...node,
		entryPoints: { mcp: 'src/mcp/main.ts' },
		outdir: 'dist',
		// The user's own Node may run it.
		target: 'node20',
		plugins: [withoutValidator],
		define: { ...common.define, 'process.env.EASEL_VERSION': JSON.stringify(version) },
	},
	{
		...node,
		entryPoints: { check: 'src/documents/check/cli/main.ts' },
		outdir: 'dist',
		// A program of CI, of its own: it needs no other file. Its threads are the extension's, too.
		target: 'node20',
		define: { ...common.define, 'process.env.EASEL_VERSION': JSON.stringify(version) },
	},
	{
		...node,
		entryPoints: { thumbnails: 'src/images/thumbnails/worker.ts' },
		outdir: 'dist',
		loader: { '.wasm': 'file' },
		assetNames: '[name]',
		// Codecs ask for their address to find their file, which is read here.
		logOverride: { 'empty-import-meta': 'silent' },
	},
	{
		...page,
		entryPoints: { compare: 'src/webview/compare.ts' },
		outdir: 'dist',
	},
	{
		...page,
		entryPoints: { studio: 'src/webview/studio.ts' },
		outdir: 'dist',
	},
];

/** The packages of which something is in the bundles, by their folders. */
const packages = new Set();

/**
 * Notes the packages that a bundle has something of; esbuild leaves out what is not used.
 *
 * @param {esbuild.Metafile} metafile
 */
function notePackages({ outputs }) {
	for (const { inputs } of Object.values(outputs)) {
		for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
			const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
			if (folder !== undefined && bytesInOutput > 0) {
				packages.add(folder);
			}
		}
	}
}

/**
 * Writes the license texts of all that is bundled: nearly every license asks for its text in copies.
 *
 * @throws {Error} where a package has none
 */
async function writeLicenses() {
	const texts = [];
	for (const folder of [...packages].sort()) {
		const files = await readdir(folder, { recursive: true });
		const licenses = files.filter((file) =>
			/^(?:codec[\\/])?(?:licen[cs]e|copying|notice)/i.test(file),
		);
		if (licenses.length === 0) {
			throw new Error(`${folder} is bundled and has no license text.`);
		}
		for (const file of licenses.sort()) {
			const name = `${folder.replace('node_modules/', '')}/${file.replaceAll('\\', '/')}`;
			texts.push(`--- ${name}\n\n${await readFile(`${folder}/${file}`, 'utf8')}`);
		}
	}
	await writeFile('dist/libraries.LEGAL.txt', texts.join('\n'));
}

await rm('dist', { recursive: true, force: true });
await mkdir('dist');
if (watch) {
	const contexts = await Promise.all(targets.map((target) => esbuild.context(target)));
	await Promise.all(contexts.map((context) => context.watch()));
} else {
	const built = await Promise.all(
		targets.map((target) => esbuild.build({ ...target, metafile: true })),
	);
	built.forEach(({ metafile }) => notePackages(metafile));
	await writeLicenses();
}
