// `npm run guide`: writes the tables of settings and commands into the pages of the guide, from
// `package.json`; and the language model tools into that, from the table of agents. What a command does
// is written in the page itself and stays.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository, say } from './cache';
import { markedPart, withMarkedPart } from './markedPart';
import { offerOf, services, type Offer } from '../../src/service/services.js';
import { sizeRuleWords } from '../../src/service/sizes.js';
import { modelTools } from './modelTools';

/** Part of `package.json` that the pages show. */
export interface Contributions {
	readonly commands: readonly { readonly command: string; readonly title: string }[];
	readonly keybindings: readonly {
		readonly command: string;
		readonly key: string;
		readonly mac?: string;
	}[];
	readonly configuration: readonly {
		readonly title: string;
		readonly properties: Readonly<Record<string, Property>>;
	}[];
}

interface Property {
	readonly type: string;
	readonly default: unknown;
	readonly scope: string;
	readonly order: number;
	readonly markdownDescription: string;
	readonly enum?: readonly string[];
	readonly enumDescriptions?: readonly string[];
	readonly minimum?: number;
	readonly maximum?: number;
}

/** Returns a table of settings for each section of `package.json`. */
export function settingsTables({ configuration }: Contributions): string {
	return configuration
		.map(({ title, properties }) =>
			[
				`## ${title}`,
				'',
				'| Setting | Default | Set in | Meaning |',
				'|---|---|---|---|',
				...Object.entries(properties)
					.sort(([, one], [, other]) => one.order - other.order)
					.map(([name, property]) => settingRow(name, property)),
			].join('\n'),
		)
		.join('\n\n');
}

const places: Readonly<Record<string, string>> = {
	application: 'User',
	window: 'User, workspace',
	resource: 'User, workspace, folder',
};

function settingRow(name: string, property: Property): string {
	const { minimum, maximum, enumDescriptions = [] } = property;
	const text = property.markdownDescription
		.replace(/`#(easel\.[\w.]+)#`/g, '`$1`')
		// Commands and the guide's own pages are links in the editor alone.
		.replace(/\s*\[[^\]]*\]\(command:[^)]*\)\.?/g, '');
	const range =
		minimum === undefined || maximum === undefined
			? []
			: [`From ${minimum.toLocaleString('en-US')} to ${maximum.toLocaleString('en-US')}.`];
	const values = (property.enum ?? []).map(
		(value, index) => `\`${value}\`: ${withStop(escaped(enumDescriptions[index] ?? ''))}`,
	);
	const { default: value } = property;
	const initial =
		value === '' ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
	const cells = [
		`\`${name}\``,
		initial,
		places[property.scope] ?? property.scope,
		[[text, ...range].join(' '), ...values].join('<br>'),
	];
	return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Text that is no Markdown, as Markdown. */
function escaped(text: string): string {
	return /[<[]/.test(text) ? `\`${text}\`` : text;
}

function withStop(text: string): string {
	return /[.`]$/.test(text) ? text : `${text}.`;
}

/**
 * Returns the table of commands.
 *
 * @param table as it is in the page: what a command does is taken from it, empty for a new one
 */
export function commandsTable(table: string, { commands, keybindings }: Contributions): string {
	const descriptions = new Map(
		[...table.matchAll(/^\| .* \| `([\w.]+)` \| .*?\| (.*) \|$/gm)].map(
			([, id = '', text = '']) => [id, text],
		),
	);
	return [
		'| Command | Identifier | Keys | What it does |',
		'|---|---|---|---|',
		...commands.map(({ command, title }) => {
			const keys = keybindings
				.filter((binding) => binding.command === command)
				.flatMap(({ key, mac }) => [key, ...(mac === undefined ? [] : [mac])].map(keyWords));
			return `| ${title} | \`${command}\` | ${[...new Set(keys)].join(', ')} | ${descriptions.get(command) ?? ''} |`;
		}),
	].join('\n');
}

/** Returns the table of what each service offers, and of its models that offer less. */
export function servicesTable(): string {
	const code = (all: readonly string[]) => all.map((one) => `\`${one}\``).join(', ');
	const rows = Object.values(services).flatMap((service) => {
		const { title, maxReferences, defaultModel, models = [] } = service;
		const older = models.filter(({ sizes }) => sizes !== undefined);
		const row = (name: string, { sizes, sizeRule, qualities }: Offer) =>
			`| ${[
				name,
				code(sizes),
				sizeRule === undefined ? 'none' : sizeRuleWords(sizeRule),
				code(qualities) || 'none',
				maxReferences === undefined ? 'not limited' : String(maxReferences),
			].join(' | ')} |`;
		return [
			row(title, offerOf(service, defaultModel)),
			...older.map((model) =>
				row(`${title}, ${model.title}`, { ...service, sizeRule: undefined, ...model }),
			),
		];
	});
	return [
		'| Service | Sizes | Other sizes | Qualities | Reference images |',
		'|---|---|---|---|---|',
		...rows,
	].join('\n');
}

function keyWords(key: string): string {
	return key.replace(
		/(^|\+)(\w)/g,
		(_all, plus: string, letter: string) => plus + letter.toUpperCase(),
	);
}

/** The pages with tables of `package.json`, and what they should be. */
export async function madePages(): Promise<{ file: string; page: string; made: string }[]> {
	const { contributes } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
		readonly contributes: Contributions;
	};
	const tables: Readonly<Record<string, (table: string) => string>> = {
		settings: () => settingsTables(contributes),
		commands: (table) => commandsTable(table, contributes),
	};
	const pages = Object.entries(tables).map(([name, make]) => [name, name, make] as const);
	return Promise.all(
		[...pages, ['generate', 'services', servicesTable] as const].map(
			async ([pageName, name, make]) => {
				const file = join(repository, 'docs', `${pageName}.md`);
				const page = await readFile(file, 'utf8');
				return { file, page, made: withMarkedPart(page, name, make(markedPart(page, name) ?? '')) };
			},
		),
	);
}

async function writeModelTools(): Promise<void> {
	const file = join(repository, 'package.json');
	const manifest = JSON.parse(await readFile(file, 'utf8')) as { contributes: object };
	manifest.contributes = { ...manifest.contributes, languageModelTools: modelTools() };
	await writeFile(file, `${JSON.stringify(manifest, undefined, '\t')}\n`);
}

async function main(): Promise<void> {
	await writeModelTools();
	for (const { file, page, made } of await madePages()) {
		await writeFile(file, made);
		say(`${file}: ${page === made ? 'unchanged' : 'written'}`);
	}
}

if (require.main === module) {
	main().catch((error: Error) => {
		say(error.message);
		process.exitCode = 1;
	});
}
