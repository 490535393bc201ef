import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CommandId } from '../../src/editor/commandTable.js';

interface Property {
	readonly type: string;
	readonly default: unknown;
	readonly scope: string;
	readonly enum?: readonly string[];
	readonly examples?: readonly string[];
	readonly pattern?: string;
	readonly enumItemLabels?: readonly string[];
	readonly enumDescriptions?: readonly string[];
	readonly minimum?: number;
	readonly maximum?: number;
}

export interface MenuEntry {
	readonly command?: CommandId;
	readonly submenu?: string;
	readonly when?: string;
}

interface Step {
	readonly id: string;
	readonly description: string;
	readonly media: {
		readonly image: Readonly<Record<'dark' | 'light' | 'hc' | 'hcLight', string>>;
		readonly altText: string;
	};
}

interface Manifest {
	readonly files: readonly string[];
	readonly icon: string;
	readonly keywords: readonly string[];
	readonly categories: readonly string[];
	readonly extensionKind: readonly string[];
	readonly activationEvents?: readonly string[];
	readonly engines: { readonly vscode: string };
	readonly devDependencies: Readonly<Record<string, string>>;
	readonly capabilities: {
		readonly virtualWorkspaces: { readonly supported: unknown };
		readonly untrustedWorkspaces: {
			readonly supported: unknown;
			readonly restrictedConfigurations: readonly string[];
		};
	};
	readonly contributes: {
		readonly commands: readonly { command: string; title: string; category: string }[];
		readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
		readonly languageModelTools: readonly { readonly name: string }[];
		readonly chatSkills: readonly { readonly path: string }[];
		readonly walkthroughs: readonly { readonly steps: readonly Step[] }[];
		readonly submenus: readonly { id: string; label: string }[];
		readonly keybindings: readonly { command: string; key: string; when?: string }[];
		readonly languages: readonly { id: string; filenamePatterns?: readonly string[] }[];
		readonly grammars: readonly { language: string; path: string }[];
		readonly configurationDefaults: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
		readonly configuration: readonly { properties: Readonly<Record<string, Property>> }[];
	};
}

export const root = path.join(__dirname, '../..');
export const manifest = JSON.parse(
	readFileSync(path.join(root, 'package.json'), 'utf8'),
) as Manifest;
