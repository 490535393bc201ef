import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { inBackground, logFailuresTo, notify, tellFailure } from '../../src/editor/messages.js';
import { SettingError } from '../../src/editor/settings.js';
import { ImageError } from '../../src/images/inspect.js';
import { until } from '../host/until.js';
import { drawPng } from './images.js';
import { closeService, openService } from './service.js';
import { inRoot, remove, setSetting } from './workspace.js';

suite('Failures that nobody waits for', () => {
	const logged: unknown[] = [];
	let logging: vscode.Disposable;

	setup(async () => {
		await vscode.commands.executeCommand('workbench.action.closePanel');
		await until(() => !isLogShown(), 'the log to go');
		logged.length = 0;
		logging = logFailuresTo({ error: (_text, error) => logged.push(error) });
	});

	teardown(async () => {
		logging.dispose();
		await vscode.commands.executeCommand('notifications.clearAll');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	/** Presses the first button of the newest message. */
	function press(): Thenable<void> {
		return vscode.commands.executeCommand('notification.acceptPrimaryAction');
	}

	function isLogShown(): boolean {
		return vscode.window.visibleTextEditors.some(
			({ document }) => document.uri.scheme === 'output' && /easel/i.test(document.uri.path),
		);
	}

	for (const [how, run] of [
		['at once', () => assert.fail('no disk')],
		['later', () => Promise.reject(new Error('no disk'))],
	] as const) {
		test(`of a button are told and logged: ${how}`, async () => {
			const answer = notify('info', 'Will it work?', [{ label: 'Try', run }]);
			await press();
			assert.equal(await answer, undefined);
			assert.match(String(logged), /no disk/);
			assert.ok(!isLogShown());
			await press();
			await until(isLogShown, 'the log');
		});
	}

	function areSettingsShown(): boolean {
		return vscode.window.tabGroups.all.some(({ activeTab }) => activeTab?.label === 'Settings');
	}

	test('of a mistake in a setting lead there', async () => {
		tellFailure(new SettingError('easel.image.size', 'not allowed'));
		await press();
		await until(areSettingsShown, 'the settings');
	});

	test('that are said in words for people stand for themselves, others do not', () => {
		const shown: string[] = [];
		const { showErrorMessage } = vscode.window;
		Object.assign(vscode.window, {
			showErrorMessage: (text: string) => {
				shown.push(text);
				return Promise.resolve(undefined);
			},
		});
		try {
			tellFailure(new ImageError('damaged', '/pictures/fox.png'));
			tellFailure(new Error('no disk'));
		} finally {
			Object.assign(vscode.window, { showErrorMessage });
		}
		assert.match(shown[0] ?? '', /^"fox.png" is damaged/);
		assert.equal(shown[1], 'Something went wrong: no disk.');
	});

	for (const [command, setting, value] of [
		['easel.generateImage', 'easel.output.fileName', ''],
		['easel.editWithPrompt', 'easel.edit.saveBeside', 'perhaps'],
	] as const) {
		test(`of “Change Request…” are told: ${command}`, async () => {
			const service = await openService();
			const references = command === 'easel.editWithPrompt' ? ['original.png'] : [];
			await writeFile(inRoot('original.png'), await drawPng('p'));
			service.faults.add({ status: 400, times: 1, message: 'Not this one.' });
			try {
				await vscode.commands.executeCommand(command, { prompt: 'a fox', references });
				await setSetting(setting, value);
				await press();
				// Prompt and size are accepted as they stand, each as soon as it is asked for.
				await until(async () => {
					await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
					await press();
					return areSettingsShown();
				}, 'the settings');
				assert.equal(service.requests.length, 1);
			} finally {
				await setSetting(setting, undefined);
				await closeService(service);
				await remove('original.png');
			}
		});
	}

	test('of what runs in the background are told and logged', async () => {
		inBackground(Promise.reject(new Error('no disk')));
		await until(() => logged.length > 0, 'the failure');
		await press();
		await until(isLogShown, 'the log');
	});

	test('are not told where nothing fails', async () => {
		inBackground(Promise.resolve());
		const answer = notify('info', 'Will it work?', [{ label: 'Try', run: () => 5 }]);
		await press();
		assert.equal(await answer, 5);
		assert.deepEqual(logged, []);
	});
});
