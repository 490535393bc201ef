import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { inWords, EaselError } from '../../src/easelError.js';
import { register } from '../../src/editor/commands.js';
import { runDetached, showStatus, notify, showError } from '../../src/editor/messages.js';
import { SettingError } from '../../src/editor/settings.js';
import { ImageError } from '../../src/images/inspect.js';
import { until } from '../host/until.js';
import { drawPng } from './images.js';
import { closeService, openService } from './service.js';
import { inRoot, remove, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';
import { logTo } from '../../src/log.js';

suite('Failures that no caller awaits', () => {
	const logged: unknown[] = [];
	let stopLogging: () => void;

	setup(async () => {
		await vscode.commands.executeCommand('workbench.action.closePanel');
		await until(() => !isLogShown(), 'the log to go');
		logged.length = 0;
		stopLogging = logTo({ error: (_text, error) => logged.push(error) });
	});

	teardown(async () => {
		stopLogging();
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
		test(`of a button are reported and logged: ${how}`, async () => {
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

	rare('of a mistake in a setting lead there', async () => {
		showError(new SettingError('easel.image.size', 'not allowed'));
		await press();
		await until(areSettingsShown, 'the settings');
	});

	/** Calls the task, and returns what it has VS Code show meanwhile. */
	async function shownBy(
		name: 'showErrorMessage' | 'showInformationMessage' | 'setStatusBarMessage',
		task: () => unknown,
	): Promise<string[]> {
		const shown: string[] = [];
		const before = vscode.window[name];
		Object.assign(vscode.window, {
			[name]: (text: string) => {
				shown.push(text);
				return Promise.resolve(undefined);
			},
		});
		try {
			await task();
		} finally {
			Object.assign(vscode.window, { [name]: before });
		}
		return shown;
	}

	const link = '[Repair it here](command:workbench.action.quit)';
	/** As VS Code finds links in what it shows. */
	const rendered = /\[[^\]]+\]\((?:https?:\/\/|command:|file:)[^)\s]+/i;

	test('become no link, though two parts of the message make one', async () => {
		const [message = ''] = await shownBy('showInformationMessage', () =>
			notify('info', `${link} “[Repair it here]” “(command:x)” [a]\u202e(command:y)\nline`),
		);
		assert.match(message, /Repair it here/);
		assert.doesNotMatch(message, rendered);
		assert.doesNotMatch(message, /[\n\p{Bidi_Control}]/u);
	});

	test('become no icon in the status bar; those of ours do', async () => {
		assert.deepEqual(
			await shownBy('setStatusBarMessage', () => showStatus('$(sync) done', 'key')),
			['$(key) $\u200b(sync) done'],
		);
	});

	suite('in a command', () => {
		class TestError extends EaselError {}

		async function run(error: Error, ...args: unknown[]): Promise<unknown> {
			const id = `_easel.test.${crypto.randomUUID()}`;
			const registered = register(id, () => Promise.reject(error));
			try {
				return await vscode.commands.executeCommand(id, ...args);
			} finally {
				registered.dispose();
			}
		}

		test('are reported without a link to a caller without arguments', async () => {
			const shown = await shownBy('showErrorMessage', async () => {
				assert.equal(await run(new TestError(inWords(`no folder ${link}.`))), undefined);
				assert.equal(await run(new Error(`ENOTDIR: ${link}`), undefined), undefined);
			});
			assert.match(shown[0] ?? '', /^no folder/);
			assert.match(shown[1] ?? '', /^Something went wrong: ENOTDIR/);
			assert.ok(shown.every((text) => !rendered.test(text)));
		});

		test('reject for who passes some, as one of our errors, without a link', async () => {
			const shown = await shownBy('showErrorMessage', async () => {
				for (const error of [
					new TestError(inWords(`no folder ${link}`)),
					new Error(`ENOTDIR: ${link}`),
				]) {
					await assert.rejects(run(error, 'x'), (caught: unknown) => {
						assert.ok(caught instanceof EaselError);
						assert.match(caught.message, /Repair it here/);
						assert.doesNotMatch(caught.message, rendered);
						return true;
					});
				}
			});
			assert.deepEqual(shown, []);
			assert.match(String(logged), /ENOTDIR/);
		});
	});

	test('that are said in words for people stand for themselves, others do not', async () => {
		const shown = await shownBy('showErrorMessage', () => {
			showError(new ImageError('damaged', '/pictures/fox.png'));
			showError(new Error('no disk'));
		});
		assert.match(shown[0] ?? '', /^"fox.png" is damaged/);
		assert.equal(shown[1], 'Something went wrong: no disk.');
	});

	for (const [command, setting, value] of [
		['easel.generateImage', 'easel.output.fileName', ''],
		['easel.editWithPrompt', 'easel.service.timeoutSeconds', 'x'],
	] as const) {
		rare(`of “Change Request…” are reported: ${command}`, async () => {
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

	rare('of what runs in the background are reported and logged', async () => {
		runDetached(Promise.reject(new Error('no disk')));
		await until(() => logged.length > 0, 'the failure');
		await press();
		await until(isLogShown, 'the log');
	});

	test('are not reported where nothing fails', async () => {
		runDetached(Promise.resolve());
		const answer = notify('info', 'Will it work?', [{ label: 'Try', run: () => 5 }]);
		await press();
		assert.equal(await answer, 5);
		assert.deepEqual(logged, []);
	});
});
