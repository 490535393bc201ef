import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { commandTitles, contributedTitles } from '../../src/editor/commandTable.js';
import {
	languages as documentLanguages,
	promptLanguage,
	sentLanguage,
} from '../../src/documents/languages.js';
import { PromptDrafts } from '../../src/asking/promptDrafts.js';
import { comparisonType, studioType } from '../../src/protocol/panels.js';
import { settings } from '../../src/editor/settingTable.js';
import { sizeTable } from '../../src/service/contract.js';
import { qualityNames, sizePattern } from '../../src/service/sizes.js';
import { modelTools } from '../host/modelTools';
import { manifest, root } from './manifest.js';

const properties = new Map(
	manifest.contributes.configuration.flatMap((section) => Object.entries(section.properties)),
);

suite('manifest › commands', () => {
	test('are those of the table, both ways, with title and category', () => {
		const contributed = Object.fromEntries(
			manifest.contributes.commands.map(({ command, title }) => [command, title]),
		);
		assert.deepEqual(contributed, contributedTitles);
		for (const command of manifest.contributes.commands) {
			assert.equal(command.category, 'Easel', command.command);
		}
	});

	test('in menus exist', () => {
		for (const [menu, entries] of Object.entries(manifest.contributes.menus)) {
			for (const { command, submenu } of entries) {
				const isSubmenu = manifest.contributes.submenus.some(({ id }) => id === submenu);
				assert.ok(
					isSubmenu || (command && commandTitles[command]),
					`${String(command)} in ${menu}`,
				);
			}
		}
	});

	test('for documents are offered in every language that can show images, and in plain text', () => {
		const wanted = `editorLangId =~ /^(${[...documentLanguages.flatMap(({ ids }) => ids), 'plaintext'].join('|')})$/ && !editorReadonly`;
		for (const id of ['easel.generateImage', 'easel.insertImage']) {
			const entry = manifest.contributes.menus['easel.textMenu']?.find(
				({ command }) => command === id,
			);
			assert.equal(entry?.when, wanted, id);
		}
	});

	test('and the images and panels of an earlier window are all that makes the extension start', () => {
		assert.deepEqual(manifest.activationEvents, [
			'onStartupFinished',
			`onWebviewPanel:${comparisonType}`,
			`onWebviewPanel:${studioType}`,
		]);
	});
});

suite('manifest › settings', () => {
	test('are those of the table, both ways, with scope and default', () => {
		const contributed = Object.fromEntries(
			[...properties].map(([key, property]) => [
				key,
				{ scope: property.scope, default: property.default },
			]),
		);
		const table = Object.fromEntries(
			Object.entries(settings).map(([key, setting]) => [
				`easel.${key}`,
				{ scope: setting.scope, default: setting.default },
			]),
		);
		assert.deepEqual(contributed, table);
	});

	test('allow in the editor exactly what the table allows', () => {
		for (const [key, setting] of Object.entries(settings)) {
			const property = properties.get(`easel.${key}`);
			assert.ok(property);
			const allowed = (value: unknown) => setting.schema.safeParse(value).success;
			assert.ok(allowed(property.default), key);
			for (const value of property.enum ?? []) {
				assert.ok(allowed(value), `${key}: ${value}`);
			}
			if (property.enum !== undefined) {
				assert.ok(!allowed('something else'), key);
				assert.equal(property.enumDescriptions?.length, property.enum.length, key);
			}
			if (property.type === 'integer') {
				const { minimum, maximum } = property;
				assert.ok(minimum !== undefined && maximum !== undefined, key);
				assert.ok(allowed(minimum) && allowed(maximum), key);
				assert.ok(!allowed(minimum - 1) && !allowed(maximum + 1) && !allowed(minimum + 0.5), key);
			}
		}
	});

	test('say in words what they can be', () => {
		for (const [key, { words }] of Object.entries(settings)) {
			const property = properties.get(`easel.${key}`);
			const { minimum, maximum } = property ?? {};
			const allowed = property?.enum ?? [minimum, maximum].flatMap((end) => end ?? []);
			for (const value of allowed) {
				assert.ok(words.includes(value.toLocaleString('en-US')), `${key}: ${words}`);
			}
		}
		assert.equal(settings['service.timeoutSeconds'].words, 'a whole number from 60 to 86,400');
		assert.equal(settings['service.retry'].words, 'all, ask or never');
	});

	test('propose every size with a name, and take any other', () => {
		const { examples, pattern } = properties.get('easel.image.size')!;
		assert.deepEqual(
			examples,
			sizeTable.map((row) => row.size),
		);
		assert.equal(pattern, sizePattern.source);
	});

	test('are words where one value is chosen, and a value that the user has set stays valid', () => {
		for (const [key, { enum: values, enumItemLabels: labels }] of properties) {
			if (values !== undefined) {
				assert.equal(labels?.length, values.length, key);
				assert.equal(new Set(labels).size, values.length, key);
				assert.ok(
					labels.every((label) => /^[A-Z\d][\w ×]*$/.test(label)),
					key,
				);
			}
		}
		const quality = properties.get('easel.image.quality');
		assert.deepEqual(
			quality?.enumItemLabels,
			quality?.enum?.map((value) => qualityNames[value as keyof typeof qualityNames].label),
		);
	});

	test('of a workspace count where it is trusted only, each of them', () => {
		const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
		// With any other value VS Code does not look at the list.
		assert.equal(supported, 'limited');
		assert.deepEqual(
			restrictedConfigurations,
			Object.keys(settings).map((key) => `easel.${key}`),
		);
	});

	test('of the service can be set by no workspace', () => {
		const ofService = Object.entries(settings).filter(([key]) => key.startsWith('service.'));
		assert.ok(ofService.length > 0);
		for (const [key, { scope }] of ofService) {
			assert.equal(scope, 'application', key);
		}
	});

	test('are read in one place, which knows what counts', () => {
		const readers = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.filter((file) =>
				readFileSync(path.join(root, 'src', file), 'utf8').includes('getConfiguration('),
			);
		// The network's are the user's own in any workspace.
		assert.deepEqual(readers.map((file) => file.replaceAll(path.sep, '/')).sort(), [
			'editor/rawSetting.ts',
			'editor/service.ts',
			'editor/settings.ts',
		]);
	});
});

suite('manifest › prompts in an editor', () => {
	const { configurationDefaults, grammars, keybindings, languages } = manifest.contributes;

	test('have their language by their file, and no other file has it', () => {
		const [language, ...others] = languages;
		assert.equal(language?.id, promptLanguage);
		// What shows the text that is sent is no file.
		assert.deepEqual(
			others.map(({ id, filenamePatterns }) => [id, filenamePatterns]),
			[[sentLanguage, undefined]],
		);
		const isOne = (file: string) =>
			language.filenamePatterns!.some((pattern) => path.matchesGlob(file, pattern));
		const drafts = new PromptDrafts('/home/me/globalStorage/easel.easel');
		assert.ok(isOne(drafts.file('0b4f6a4e-7c0e-4a56-9d65-0d9f7f1d5c55')));
		assert.ok(!isOne('/home/me/book/Image Prompt'));
		assert.ok(!isOne('/home/me/book/prompts/harbor/Image Prompt'));
	});

	test('are saved by the editor itself, whatever the user has set for other files', () => {
		const values = configurationDefaults[`[${promptLanguage}]`]!;
		assert.equal(values['files.autoSave'], 'afterDelay');
		// Above that, the editor asks when it closes one that was not saved yet.
		assert.ok(Number(values['files.autoSaveDelay']) < 1000);
		assert.equal(values['files.autoSaveWorkspaceFilesOnly'], false);
		assert.equal(values['files.autoSaveWhenNoErrors'], false);
	});

	test('are sent by a key, and are highlighted', () => {
		const command = 'easel.generateFromEditor';
		const when = `editorTextFocus && editorLangId == ${promptLanguage}`;
		const key = 'ctrl+enter';
		assert.deepEqual(
			keybindings.filter((binding) => binding.command === command),
			[
				{ command, key, when },
				{ command, key, mac: 'cmd+enter', when },
			],
		);
		const [grammar] = grammars;
		assert.equal(grammar?.language, promptLanguage);
		JSON.parse(readFileSync(path.join(root, grammar.path), 'utf8'));
	});
});

suite('manifest › package', () => {
	test('offers agents the tools of the table, as it is', () => {
		assert.deepEqual(manifest.contributes.languageModelTools, modelTools());
	});

	test('names one oldest version of VS Code, in types and engine', () => {
		assert.equal(manifest.engines.vscode, `^${String(manifest.devDependencies['@types/vscode'])}`);
	});

	test('has an icon of 256 pixels, categories, keywords and a place to run', () => {
		const icon = readFileSync(path.join(root, manifest.icon));
		assert.equal(icon.readUInt32BE(16), 256);
		assert.equal(icon.readUInt32BE(20), 256);
		assert.ok(manifest.categories.length > 0);
		assert.ok(manifest.keywords.length > 0 && manifest.keywords.length <= 5);
		assert.deepEqual(manifest.extensionKind, ['workspace']);
	});
});
