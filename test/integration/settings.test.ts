import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readNetworkOptions, readService, readServiceAddress } from '../../src/editor/service.js';
import { Preferences } from '../../src/editor/preferences.js';
import {
	readEditorSetting,
	readSetting,
	readSettingIfSet,
	SettingError,
} from '../../src/editor/settings.js';
import { settings, type SettingKey } from '../../src/editor/settingTable.js';
import { defaultNetworkOptions } from '../../src/service/transport.js';
import { hostile } from '../host/hostileSettings.js';
import { atEnd } from './atEnd.js';
import { remove, root, setSetting, writeWorkspaceSettings } from './workspace.js';
import { rare } from '../host/rare.js';

const own = 'https://images.example.com';
const evil = 'https://evil.example.net';

suite('settings', () => {
	setup(() => setSetting('easel.service.address', `${own}/v1/`));

	teardown(async () => {
		await writeWorkspaceSettings({});
		await remove('.vscode');
		await setSetting('easel.service.address', undefined);
	});

	for (const [form, settings] of [
		['dotted', { 'easel.service.address': evil }],
		['nested', { easel: { service: { address: evil } } }],
		['half nested', { 'easel.service': { address: evil } }],
		['nested the other way', { easel: { 'service.address': evil } }],
	] as const) {
		(form === 'nested' ? test : rare)(
			`of the service are taken from the user alone, however a workspace writes them: ${form}`,
			async () => {
				await writeWorkspaceSettings({ ...settings, 'easel.image.size': 'auto' });
				assert.equal(readServiceAddress(), own);
				assert.equal(readSetting('image.size', root()), 'auto', 'the file counts otherwise');
			},
		);
	}

	test('of the service that the user has not set keep their default in spite of the workspace', async () => {
		await setSetting('easel.service.address', undefined);
		await writeWorkspaceSettings({
			'easel.service.address': evil,
			'easel.service.type': 'azure',
			'easel.service.model': 'other',
			'easel.service.timeoutSeconds': 60,
			'easel.service.retry': 'never',
		});
		assert.equal(readServiceAddress(), undefined);
		const { id, model } = readService();
		assert.deepEqual([id, model], ['standard', 'std-image-2']);
		assert.equal(readSetting('service.timeoutSeconds'), 900);
		assert.equal(readSetting('service.retry'), 'all');
	});

	rare('of images and output follow the workspace', async () => {
		await writeWorkspaceSettings({ 'easel.output.folder': 'docs/pictures' });
		assert.equal(readSetting('output.folder', root()), 'docs/pictures');
	});

	suite('of the size', () => {
		/** The choice that is offered after an image of this size. */
		function offeredAfter(lastSize: string | undefined): string {
			const state = { get: () => lastSize } as unknown as vscode.Memento;
			return new Preferences(state).offeredSize(root());
		}

		teardown(() => setSetting('easel.image.size', undefined));

		rare('counts where the user has set it, whatever was used last', async () => {
			await setSetting('easel.image.size', '1536x1024');
			assert.equal(offeredAfter('2048x2048'), '1536x1024');
		});

		rare('counts where it was set to what it is without that', async () => {
			await setSetting('easel.image.size', settings['image.size'].default);
			assert.equal(offeredAfter('2048x2048'), settings['image.size'].default);
		});

		rare('counts where a trusted workspace has set it', async () => {
			await writeWorkspaceSettings({ 'easel.image.size': '1024x1536' });
			assert.equal(offeredAfter('2048x2048'), '1024x1536');
		});

		rare('is remembered for each folder, for the last two hundred', async () => {
			const stored = new Map<string, unknown>();
			const preferences = new Preferences({
				get: (key: string) => stored.get(key),
				update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
			} as unknown as vscode.Memento);
			const folder = (name: string) => vscode.Uri.joinPath(root(), name);
			await preferences.rememberSize('1536x1024', folder('wide'));
			for (let index = 0; index < 199; index += 1) {
				await preferences.rememberSize('1024x1536', folder(String(index)));
			}
			assert.equal(preferences.offeredSize(root(), folder('wide')), '1536x1024');
			assert.equal(preferences.offeredSize(root(), folder('new')), '1024x1536', 'the last one');
			await preferences.rememberSize('2048x2048', folder('new'));
			assert.equal(preferences.offeredSize(root(), folder('wide')), '2048x2048', 'forgotten');
		});

		rare('leaves the last one where it is not set, and has a default before the first', () => {
			assert.equal(offeredAfter('2048x2048'), '2048x2048');
			assert.equal(offeredAfter(undefined), settings['image.size'].default);
		});
	});

	suite('of a folder that is not trusted', () => {
		setup(async () => {
			// As it is where it is not set: the tests' own user has set it.
			await setSetting('easel.service.confirmCalls', undefined);
			await setSetting('easel.output.provenance', undefined);
			Object.defineProperty(vscode.workspace, 'isTrusted', { value: false, configurable: true });
		});

		teardown(async () => {
			Object.defineProperty(vscode.workspace, 'isTrusted', { value: true, configurable: true });
			await setSetting('easel.service.confirmCalls', 'never');
			await setSetting('easel.output.provenance', undefined);
			await setSetting('easel.output.folder', undefined);
			await setSetting('markdown.copyFiles.destination', undefined);
			await setSetting('files.exclude', undefined);
		});

		test('do not count, whichever it is, and those of the user do', async () => {
			await writeWorkspaceSettings(
				Object.fromEntries(Object.entries(hostile).map(([key, value]) => [`easel.${key}`, value])),
			);
			await setSetting('easel.service.address', undefined);
			for (const key of Object.keys(settings) as SettingKey[]) {
				assert.deepEqual(readSetting(key, root()), settings[key].default, key);
			}
			assert.equal(readSettingIfSet('image.size', root()), undefined);
			await setSetting('easel.output.folder', 'mine');
			assert.equal(readSetting('output.folder', root()), 'mine');
		});

		rare('do not count where they are of VS Code, and those of the user do', async () => {
			await setSetting('markdown.copyFiles.destination', { '**/*.md': 'mine/' });
			await setSetting('files.exclude', { '**/mine': true });
			await writeWorkspaceSettings({
				'markdown.copyFiles.destination': { '*.md': 'theirs/' },
				'files.exclude': { '**/theirs': true },
			});
			const name = 'markdown.copyFiles.destination';
			assert.deepEqual(readEditorSetting(name, root()), { '**/*.md': 'mine/' });
			const excluded = readEditorSetting('files.exclude', root());
			assert.ok('**/.git' in excluded, 'the default stands beside them');
			assert.ok('**/mine' in excluded && !('**/theirs' in excluded));
		});
	});

	rare('of VS Code count as in VS Code where the folder is trusted', async () => {
		await writeWorkspaceSettings({
			'markdown.copyFiles.destination': { '*.md': 'images/' },
			'search.exclude': 'nonsense',
		});
		const name = 'markdown.copyFiles.destination';
		assert.deepEqual(readEditorSetting(name, root()), { '*.md': 'images/' });
		assert.deepEqual(readEditorSetting('search.exclude', root()), {}, 'what is no object is empty');
	});

	rare('with a value that they cannot have are named', async () => {
		await setSetting('easel.service.timeoutSeconds', 5);
		try {
			assert.throws(() => readSetting('service.timeoutSeconds'), {
				name: 'SettingError',
				message:
					'The setting easel.service.timeoutSeconds has an invalid value: it must be a whole number from 60 to 86,400.',
			});
		} finally {
			await setSetting('easel.service.timeoutSeconds', undefined);
		}
		await setSetting('easel.service.address', 'http://images.example.com');
		assert.throws(
			() => readServiceAddress(),
			(error: unknown) => error instanceof SettingError && /unencrypted/.test(error.message),
		);
	});

	test('of the network are taken from the user, never from the workspace', async () => {
		await writeWorkspaceSettings({
			'http.proxy': 'http://evil.example.net:1',
			'http.proxyStrictSSL': false,
			http: { proxyAuthorization: 'Basic ZXZpbA==' },
		});
		assert.deepEqual(readNetworkOptions(), {
			...defaultNetworkOptions,
			proxyAuthorization: undefined,
		});
		await setSetting('http.proxy', 'http://proxy.example.com:3128');
		atEnd(() => setSetting('http.proxy', undefined, vscode.ConfigurationTarget.Global));
		assert.equal(readNetworkOptions().proxy, 'http://proxy.example.com:3128');
	});
});
